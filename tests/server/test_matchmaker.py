"""Quick match: people who come at once fill tables; nobody sits twice, and nothing is left behind."""

import asyncio
from collections import Counter as Count
from collections.abc import AsyncIterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from dormie_protocol import messages as m
from dormie_server.lobby_cards import LOBBY, read_card
from dormie_server.store import StoreUnavailable
from dormie_server.table.commands import Attach, Join, Ready
from dormie_server.table.refusal import No
from dormie_server.table.state import people
from dormie_server.table_shelves import OPEN_TABLES
from tests.server.backstage import Backstage, backstage
from tests.server.counter import PLENTY, Counter, create, opened


@pytest.fixture
async def counter() -> AsyncIterator[Counter]:
    async with opened(PLENTY) as counter:
        yield counter


def quick(number: str = "q1", **wish: Any) -> m.Quick:
    return m.Quick.model_validate({"id": number, **wish})


async def here(counter: Counter, who: str, code: str) -> None:
    """Let somebody be connected at a table."""
    await counter.house.keeper.do(code, Attach(f"p-{who}", counter.house.name))


async def table_of(counter: Counter, done: m.Done) -> str:
    assert done.table is not None
    return done.table


async def seated(house: Backstage) -> dict[str, list[str]]:
    """Who sits where, by the store."""
    codes = [key.partition(":")[2] for key in await house.store.on(OPEN_TABLES)]
    found = {}
    for code in codes:
        table = await house.table(code)
        sitters = [table.secret.sitters[seat] for seat in people(table)]
        found[code] = [sitter.player for sitter in sitters if sitter and sitter.player]
    return found


async def test_the_first_opens_a_table_and_the_next_sit_down_there(counter: Counter) -> None:
    first = await counter.ask("ada", quick(size=3))
    others = [await counter.ask(who, quick(size=3)) for who in ("bob", "cleo")]
    fourth = await counter.ask("dora", quick(size=3))

    assert {first.table} == {done.table for done in others}
    assert [0, 1, 2] == [first.seat, *(done.seat for done in others)]
    assert fourth.table != first.table


async def test_scenario_C3_fifty_quick_matches_at_once_fill_tables_and_seat_nobody_twice(
    counter: Counter,
) -> None:
    """Three tables wait; some ask twice under one id, some under two, and all at the same moment."""
    luck = Random(7)
    counter.store.dawdles = Random(3)
    for number, size in enumerate((2, 3, 4)):
        done = await counter.ask(f"host{number}", create(f"c{number}", size=size, listed=True))
        await here(counter, f"host{number}", await table_of(counter, done))
    wishes = [(f"guest{n}", quick(f"q{n}")) for n in range(50)]
    wishes += [wishes[n] for n in range(0, 50, 5)]
    wishes += [(f"guest{n}", quick(f"another{n}")) for n in range(0, 50, 7)]
    luck.shuffle(wishes)
    answers = await asyncio.gather(*(counter.ask(who, wish) for who, wish in wishes))
    tables = await seated(counter.house)
    by_request = {
        (who, wish.id): answer for (who, wish), answer in zip(wishes, answers, strict=True)
    }
    everybody = Count(player for players in tables.values() for player in players)

    assert {1} == set(everybody.values())
    assert 53 == len(everybody)
    assert all(1 <= len(players) <= 4 for players in tables.values())
    assert len(tables) == 3 + (50 - 6) // 4, "what is full is full, and one is opened at a time"
    for (who, wish), answer in zip(wishes, answers, strict=True):
        assert f"p-{who}" in tables[answer.table or ""]
        assert by_request[who, wish.id].table == answer.table


async def test_a_quick_match_asked_for_again_is_the_same_seat(counter: Counter) -> None:
    """Also when the table has begun, or is full, and when it was opened for it."""
    opened_one = await counter.ask("ada", quick(size=2))
    joined = await counter.ask("bob", quick(size=2))

    assert opened_one.table == joined.table
    assert opened_one == await counter.ask("ada", quick(size=2))
    assert joined == await counter.ask("bob", quick(size=2))


async def test_an_id_that_was_used_for_something_else_is_refused(counter: Counter) -> None:
    await counter.ask("ada", create("x1"))
    code = await table_of(counter, await counter.ask("bob", create("y1", listed=True)))
    await counter.ask("bob", m.Bot(id="y2", table=code, level="random"))

    assert "id_conflict" == await counter.word("ada", quick("x1"))
    assert "id_conflict" == await counter.word("bob", quick("y2"))


async def test_whoever_waits_already_stays_there(counter: Counter) -> None:
    first = await counter.ask("ada", quick("q1"))
    again = await counter.ask("ada", quick("q2"))
    other = await counter.ask("ada", quick("q3", size=2))

    assert (first.table, first.seat) == (again.table, again.seat)
    assert other.table != first.table, "a wish that does not fit is another table"


@pytest.mark.parametrize(
    "fields",
    [{"listed": False}, {"listed": True, "variant": "nine_card"}, {"listed": True, "size": 3}],
)
async def test_tables_that_are_not_meant_are_left_alone(
    counter: Counter, fields: dict[str, Any]
) -> None:
    done = await counter.ask("ada", create(**fields))

    mine = await counter.ask("bob", quick(variant="six_card", size=2))
    assert mine.table != done.table


async def test_a_table_that_nobody_is_at_is_left_alone_after_a_while(counter: Counter) -> None:
    deserted = await counter.ask("ada", create(listed=True))
    clock = counter.store.inner._clock  # type: ignore[attr-defined]  # noqa: SLF001 - the test's own
    clock.advance(61)
    other = await counter.ask("bob", quick(size=2))
    await here(counter, "ada", await table_of(counter, deserted))
    third = await counter.ask("cleo", quick(size=2))

    assert other.table != deserted.table
    assert third.table == deserted.table, "somebody is there again"


async def test_nobody_is_brought_together_with_whom_they_do_not_want_to_meet(
    counter: Counter,
) -> None:
    asked = []

    async def may_meet(player: str, others: tuple[str, ...]) -> bool:
        asked.append((player, others))
        return "p-ada" not in others

    counter.desk.matchmaker.may_meet = may_meet
    first = await counter.ask("ada", quick(size=2))

    assert first.table != (await counter.ask("bob", quick(size=2))).table
    assert [("p-bob", ("p-ada",))] == asked


async def test_a_quick_table_starts_by_itself_when_it_is_full(counter: Counter) -> None:
    done = await counter.ask("ada", quick(size=2))
    code = await table_of(counter, done)
    await counter.ask("bob", quick(size=2))
    starting = (await counter.house.table(code)).public.phase
    for player in ("p-ada", "p-bob"):
        await counter.house.ask(player, Ready("ab" * 16), code)
    table = await counter.house.until(lambda table: table.secret.hole is not None, code)

    assert ("starting", "playing") == (starting, table.public.phase)


async def test_a_quick_table_that_somebody_leaves_waits_again(counter: Counter) -> None:
    code = await table_of(counter, await counter.ask("ada", quick(size=2)))
    await counter.ask("bob", quick(size=2))
    await counter.ask("bob", m.Leave(id="l", table=code))
    left = (await counter.house.table(code)).public.phase
    await counter.ask("cleo", quick(size=2))

    assert ("lobby", "starting") == (left, (await counter.house.table(code)).public.phase)


async def test_a_listed_table_that_was_not_quick_waits_for_its_host(counter: Counter) -> None:
    code = await table_of(counter, await counter.ask("ada", create(listed=True)))
    await counter.ask("bob", m.Join(id="j", table=code))

    assert "lobby" == (await counter.house.table(code)).public.phase


@pytest.mark.parametrize(
    ("wish", "field"), [({"variant": "crazy"}, "variant"), ({"variant": "a" * 32}, "variant")]
)
async def test_a_variant_there_is_not_is_refused(
    counter: Counter, wish: dict[str, Any], field: str
) -> None:
    with pytest.raises(No) as no:
        await counter.ask("ada", quick(**wish))

    assert ("bad_option", field) == (no.value.why, no.value.field)


async def test_whoever_sits_at_too_many_tables_gets_no_quick_one() -> None:
    async with opened(PLENTY, tables_per_player=1) as counter:
        await counter.ask("bob", quick("other", size=2))
        await counter.ask("ada", create())

        assert "too_many_tables" == await counter.word("ada", quick(size=2))


async def test_a_store_that_is_away_leaves_nothing_half_done(counter: Counter) -> None:
    await counter.ask("bob", quick(size=2))
    counter.store.away = True
    assert "store_unavailable" == await counter.word("ada", quick(size=2))
    counter.store.away = False
    done = await counter.ask("ada", quick(size=2))

    assert 1 == done.seat
    assert 1 == len(await counter.store.on(OPEN_TABLES))


async def test_an_answer_that_was_lost_in_the_store_is_found_again(counter: Counter) -> None:
    """The seat was taken, the store could not say so, and the same request finds it."""
    code = await table_of(counter, await counter.ask("bob", quick(size=3)))
    put, get, gone = counter.store.inner.put, counter.store.inner.get, []

    async def lost(key: str, *given: object, **beside: object) -> int:
        await put(key, *given, **beside)  # type: ignore[arg-type]  # as it came
        gone.append(key)
        raise StoreUnavailable("the answer is lost")

    async def silent(key: str) -> object:
        if gone and key == gone[0]:
            raise StoreUnavailable("still away")
        return await get(key)

    counter.store.inner.put, counter.store.inner.get = lost, silent  # type: ignore[assignment,method-assign]  # moods
    assert "store_unavailable" == await counter.word("ada", quick(size=3))
    counter.store.inner.put, counter.store.inner.get = put, get  # type: ignore[method-assign]  # as before
    done = await counter.ask("ada", quick(size=3))

    assert (code, 1) == (done.table, done.seat)
    assert {code: ["p-bob", "p-ada"]} == await seated(counter.house)


async def test_two_houses_on_one_store_overfill_nothing(counter: Counter) -> None:
    """Another server seats people at the same tables in the same moments."""
    done = await counter.ask("host", create(size=4, listed=True))
    code = await table_of(counter, done)
    await here(counter, "host", code)

    async def elsewhere(number: int) -> None:
        async with backstage(counter.store, f"server-{number}") as house:
            with suppress(No):
                await house.ask(f"p-other{number}", Join("Other"), code)

    await asyncio.gather(
        *(counter.ask(f"guest{n}", quick(size=4)) for n in range(10)),
        *(elsewhere(n) for n in range(2, 6)),
    )
    tables = await seated(counter.house)
    cards = [read_card(text) for text in (await counter.store.on(LOBBY)).values()]

    assert 4 == len(tables[code])
    assert all(len(players) == len(set(players)) <= 4 for players in tables.values())
    assert {card.table: card.taken for card in cards} == {
        code: len(players) for code, players in tables.items()
    }
