"""Two servers on one store: whoever asks which of them, everything happens once."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from random import Random
from typing import Unpack

import pytest

from dormie_protocol.messages import Replaced
from dormie_rules.grid_moves import Swap
from dormie_server.keeper import table_key
from dormie_server.redis_store import RedisStore
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Beside, Document, Note
from dormie_server.table.commands import Command, Forget, Join, Lock, PlayMove, Ready, Shut, Wake
from dormie_server.table.refusal import No
from dormie_server.table.state import Policy
from tests.contracts.stores import SHARED, Clock, Shared, shared_by_two
from tests.redis_server import RedisServer
from tests.server.backstage import (
    CODE,
    PATIENT,
    Backstage,
    Ear,
    backstage,
    caught_up,
    moves_of,
    opening_of,
    where,
)
from tests.server.moody_store import MoodyStore
from tests.server.turns import (
    TURN,
    TWO,
    assert_no_hole,
    first_turn,
    on_turn,
    settled,
    timeouts,
    word_of,
)
from tests.waiting import until


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=SHARED)
async def stores(request: pytest.FixtureRequest, clock: Clock) -> AsyncIterator[Shared]:
    async with shared_by_two(request, clock) as opened:
        yield opened


@pytest.fixture
async def both(stores: Shared) -> AsyncIterator[tuple[Backstage, Backstage]]:
    """Two servers on one store."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(backstage(stores[0]))
        two = await stack.enter_async_context(backstage(stores[1], "server-2"))
        yield one, two


# ------------------------------------------------------------------------ one move


async def test_nasty_P03_two_devices_on_two_servers_make_one_move_of_each_number(
    both: tuple[Backstage, Backstage],
) -> None:
    """A thousand times two different moves with the same number, at once: the store decides."""
    pairs, luck = Counter[tuple[str, ...]](), Random(1)
    one, two = both
    for code in ("ABCDEFGH", "BCDEFGHJ"):
        opening = opening_of("p-ada", code, 2, options={"holes": 36})
        await one.keeper.open(opening, Policy(pace=0, pause=0, idle=1e9))
        await one.ask("p-bob", Join("Bob"), code)
        await one.start(*TWO, code=code)
        while pairs.total() < 1000 and (move := await one.next_move(code)) is not None:
            rival = await _rival(one, code, move)
            pair = [one.keeper.do(code, move), two.keeper.do(code, rival)]
            words = await asyncio.gather(*map(word_of, luck.sample(pair, 2)))
            if rival != move:
                pairs[*sorted(words)] += 1
        versions = await one.versions(code)
        assert list(range(1, len(versions) + 1)) == versions

    assert {("done", "stale")} == set(pairs), pairs


async def _rival(house: Backstage, code: str, move: PlayMove) -> PlayMove:
    """Another move with the same number, which would be legal; where there is only one, the same."""
    table = await house.table(code)
    return replace(move, move=moves_of(table, where(table, move.player))[-1])


async def test_nasty_P01_a_move_sent_five_times_also_to_another_server_is_made_once(
    both: tuple[Backstage, Backstage],
) -> None:
    one, two = both
    await one.begin(*TWO)
    await two.keeper.table(CODE)  # it knows the table as it was
    first = await one.flip("p-ada", 1)
    versions = [(await one.keeper.do(CODE, first)).version for _ in range(3)]
    versions += [(await two.keeper.do(CODE, first)).version for _ in range(2)]
    made = [line for line in await one.lines() if line.startswith("move ")]

    assert (1, 1) == (len(set(versions)), len(made))


async def test_nasty_P01_a_server_that_was_left_behind_refuses_nothing_that_is_right(
    both: tuple[Backstage, Backstage],
) -> None:
    """What a server remembers of a table may be old, and a refusal that follows from it wrong."""
    one, two = both
    await one.begin(*TWO)
    await two.keeper.table(CODE)
    first, second = await one.flip("p-ada", 1), await one.flip("p-ada", 2)
    await one.keeper.do(CODE, first)
    made = await one.keeper.do(CODE, second)

    assert made.version == (await two.keeper.do(CODE, second)).version


async def test_a_server_that_was_left_behind_takes_nothing_for_done_that_is_not(
    both: tuple[Backstage, Backstage],
) -> None:
    """As far as it remembers, the door is open already."""
    one, two = both
    await one.open(*TWO)
    await two.keeper.table(CODE)
    await one.ask("p-ada", Lock(locked=True))
    await two.ask("p-ada", Lock(locked=False))

    assert not (await one.table()).public.locked


async def test_whoever_sat_down_on_another_server_is_forgotten_here_too(
    both: tuple[Backstage, Backstage],
) -> None:
    one, two = both
    await one.open("p-ada", size=2)
    await two.keeper.table(CODE)
    await one.ask("p-bob", Join("Bob"))
    await two.keeper.do(CODE, Forget("p-bob", ("Bob",)))

    assert (await one.table()).public.seats[1] is None


async def test_a_table_opened_on_two_servers_at_once_is_one_table(
    both: tuple[Backstage, Backstage],
) -> None:
    one, two = both
    opening = opening_of("p-ada", CODE, 2)
    pair = await asyncio.gather(
        one.keeper.open(opening, PATIENT),
        two.keeper.open(replace(opening, master="cd" * 32), PATIENT),
    )

    assert [1] == await one.versions()
    assert [(1, 0), (1, 0)] == [(change.version, change.seat) for change in pair]


# ---------------------------------------------------------------------- one deadline


async def test_an_alarm_that_nobody_here_has_set_is_found_by_looking(
    both: tuple[Backstage, Backstage], clock: Clock
) -> None:
    """The server that set it is dead: another one looks every second."""
    one, two = both
    await first_turn(one)
    await one.alarms.stop()
    clock.advance(TURN)
    await two.until(lambda table: table.public.deadline == clock() + TURN)

    assert 1 == await timeouts(two)


async def test_nasty_C18_two_servers_that_ring_end_every_turn_once(
    both: tuple[Backstage, Backstage], clock: Clock
) -> None:
    one, two = both
    for code in (f"TABLEAA{letter}" for letter in "ABCDE"):
        table, turns = await first_turn(one, code), 0
        while table.public.phase == "playing":
            clock.advance(TURN)
            for house in (one, two, two, one):
                house.alarms.ring(code)
            await settled(one, two)
            table, turns = await one.table(code), turns + 1
            assert table.public.match is not None
            assert table.public.match.play is not None

            assert (turns, turns) == (table.public.match.play.turns, await timeouts(one, code))
        versions = await one.versions(code)
        assert list(range(1, len(versions) + 1)) == versions


async def test_nasty_P16_at_the_very_moment_of_the_deadline_either_the_move_or_the_clock_counts(
    both: tuple[Backstage, Backstage], clock: Clock
) -> None:
    luck, outcomes = Random(1), set[tuple[str, int]]()
    codes = iter(f"TABLE{a}{b}A" for a in "ABCDEFGH" for b in "ABCDEFGH")
    code = next(codes)
    table = await first_turn(both[0], code)
    for _ in range(200):
        if table.public.phase != "playing":
            code = next(codes)
            table = await first_turn(both[0], code)
        drawn = on_turn(table)
        await both[0].keeper.do(code, drawn)
        before = await timeouts(both[0], code)
        clock.advance((table.public.deadline or 0) - clock())
        move = PlayMove(drawn.player, drawn.generation, drawn.count + 1, Swap(0))
        doing = [_played(both[luck.randrange(2)], code, move, luck.randrange(6))]
        doing += [_rung(house, code, luck.randrange(6)) for house in both]
        words = await asyncio.gather(*luck.sample(doing, 3))
        await settled(*both)
        word = next(word for word in words if word)
        table = await both[0].table(code)
        outcomes.add((word, await timeouts(both[0], code) - before))
        versions = await both[0].versions(code)
        assert list(range(1, len(versions) + 1)) == versions

    assert {("done", 0), ("stale", 1)} == outcomes


async def _played(house: Backstage, code: str, move: PlayMove, steps: int) -> str:
    for _ in range(steps):
        await asyncio.sleep(0)
    try:
        await house.keeper.do(code, move)
    except No as no:
        return no.why
    return "done"


async def _rung(house: Backstage, code: str, steps: int) -> str:
    for _ in range(steps):
        await asyncio.sleep(0)
    house.alarms.ring(code)
    return ""


async def test_a_server_that_was_left_behind_does_what_it_did_not_know_of(
    both: tuple[Backstage, Backstage],
) -> None:
    """As far as it remembers there is time; and the server that knew better is dead."""
    one, two = both
    await one.open(*TWO)
    await two.keeper.table(CODE)
    await one.alarms.stop()
    await one.ask("p-ada", Ready())
    await one.ask("p-bob", Ready())

    await two.until(lambda table: table.secret.hole is not None)


# ----------------------------------------------------------------------- one player


async def test_scenario_A3_a_takeover_on_another_server_is_told_here(
    both: tuple[Backstage, Backstage],
) -> None:
    one, two = both
    await one.begin(*TWO)
    old, new = Ear("p-ada"), Ear("p-ada")
    await one.hub.watch(old, CODE, 0, "")
    await two.hub.watch(new, CODE, 0, "")
    await until(lambda: Replaced(table=CODE) in old.heard)

    assert new.seen[-1].seat is not None


async def test_whoever_joined_on_another_server_is_seated_here(
    both: tuple[Backstage, Backstage],
) -> None:
    """What this server remembers of the table is older than the seat."""
    one, two = both
    await one.open("p-ada", size=2)
    await two.keeper.table(CODE)
    await one.ask("p-bob", Join("Bob"))
    seat, _ = await two.hub.watch(Ear("p-bob"), CODE, 0, "")

    assert 1 == seat


async def test_scenario_E8_a_match_whose_players_are_on_two_servers(
    both: tuple[Backstage, Backstage],
) -> None:
    """Each hears of everything on the own server, in order, and both see the same end."""
    one = both[0]
    await one.open(*TWO)
    ears = [Ear("p-ada"), Ear("p-bob")]
    for house, ear in zip(both, ears, strict=True):
        await house.hub.watch(ear, CODE, 0, "")
        await house.ask(ear.player, Ready())
    while (move := await one.next_move()) is not None:
        await both[TWO.index(move.player)].keeper.do(CODE, move)
    await one.until(lambda table: table.secret.owes_record is None)
    table = await one.table()
    for ear in ears:
        await caught_up(ear, table.version)

        assert_no_hole(ear.seen)
        assert table.public == ear.seen[-1].view


async def test_what_another_server_wrote_comes_with_its_bell_and_is_not_asked_for(
    redis: RedisServer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two servers at one table would else read all of it from the store at every move."""
    stores = RedisStore(redis.url, clock=clock), RedisStore(redis.url, clock=clock)
    async with backstage(stores[0]) as one, backstage(stores[1], "server-2") as two:
        await one.begin(*TWO)
        ear = Ear("p-bob")
        await two.hub.watch(ear, CODE, 0, "")
        asked: list[str] = []
        get = stores[1].get

        async def asking(key: str) -> Document | None:
            asked.append(key)
            return await get(key)

        monkeypatch.setattr(stores[1], "get", asking)
        for _ in range(12):
            house = one if (await one.table()).version % 2 else two
            move = await one.next_move()
            assert move is not None
            await house.keeper.do(CODE, move)
            await caught_up(ear, (await one.table()).version)

        assert_no_hole(ear.seen)
        assert [] == asked
    for store in stores:
        await store.close()


class Ahead(MoodyStore):
    """A store whose bells are faster than its answers."""

    waits = ""

    def meanwhile(self, waits: str, one: Backstage, two: Backstage, command: Command) -> None:
        """While *two* waits for its next answer of that kind, *one* does something, and *two* hears of it."""
        self.waits, self.next = waits, (one, two, command)

    async def _go_on(self, waits: str) -> None:
        if waits != self.waits:
            return
        self.waits, (one, two, command) = "", self.next
        await one.keeper.do(CODE, command)
        document = await self.inner.get(table_key(CODE))
        assert document is not None
        two.keeper.heard(CODE, Note(document.version, b"", document.body))

    async def now(self) -> float:
        await self._go_on("now")
        return await super().now()

    async def get(self, key: str) -> Document | None:
        document = await super().get(key)
        await self._go_on("get")
        return document

    async def put(self, key: str, body: bytes, was: int, **beside: Unpack[Beside]) -> int:
        version = await super().put(key, body, was, **beside)
        await self._go_on("put")
        return version


@pytest.fixture
async def ahead(clock: Clock) -> AsyncIterator[tuple[Ahead, Backstage, Backstage]]:
    """Two servers at a table, and the way of the second to the store; it knows the table as it is."""
    inner = SqliteStore(":memory:", clock=clock)
    store = Ahead(inner)
    async with backstage(inner) as one, backstage(store, "server-2") as two:
        await two.alarms.stop()
        await one.begin(*TWO)
        await two.keeper.table(CODE)
        yield store, one, two
    await inner.close()


async def test_nasty_P01_whoever_hears_of_a_change_while_it_waits_refuses_nothing_that_is_right(
    ahead: tuple[Ahead, Backstage, Backstage],
) -> None:
    """The refusal follows from what was known before, and what is known now says nothing about it."""
    store, one, two = ahead
    first, second = await one.flip("p-ada", 1), await one.flip("p-ada", 2)
    store.meanwhile("now", one, two, first)

    assert "done" == await word_of(two.keeper.do(CODE, second))


async def test_what_was_heard_while_a_change_was_kept_is_not_forgotten_for_it(
    ahead: tuple[Ahead, Backstage, Backstage],
) -> None:
    """A table that is closed would be known as open for ever."""
    store, one, two = ahead
    move = await one.flip("p-ada", 1)
    store.meanwhile("put", one, two, Shut("good night"))

    assert "done" == await word_of(two.keeper.do(CODE, move))
    assert (0, 0) == (one.keeper.count(), two.keeper.count())


async def test_what_was_heard_while_a_table_was_read_is_not_forgotten_for_it(
    ahead: tuple[Ahead, Backstage, Backstage],
) -> None:
    store, one, two = ahead
    first, second = await one.flip("p-ada", 1), await one.flip("p-ada", 2)
    made = await one.keeper.do(CODE, first)
    store.meanwhile("get", one, two, second)
    kept = await two.keeper.table(CODE, made.version)

    assert kept is not None
    assert (await two.table()).version == kept.table.version


async def test_a_table_that_another_server_closed_long_ago_is_open_nowhere(
    both: tuple[Backstage, Backstage], clock: Clock
) -> None:
    """A house of so many open tables opens no more."""
    one, two = both
    await one.begin(*TWO)
    await two.keeper.table(CODE)
    await one.keeper.do(CODE, Shut("good night"))
    clock.advance(601.0)

    assert "no_table" == await word_of(two.keeper.do(CODE, Wake()))
    assert 0 == two.keeper.count()
