"""The hole of the day in a house: promised, played once by each, closed at midnight, shown to everybody."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any, TypeVar

import pytest

from dormie_protocol import day_messages as d
from dormie_protocol import messages as m
from dormie_protocol import people_messages as p
from dormie_protocol.messages import Hint, Rematch, SetSpectators, Watch
from dormie_rules.day_record import check_day
from dormie_rules.patience_day import DAY_RULES, day_promise, day_seed, why_not_day
from dormie_rules.patience_options import choose_race
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_solution import Verdict
from dormie_rules.patience_variants import find_patience
from dormie_rules.race_state import RacePublic
from dormie_rules.solver import solve
from dormie_rules.values import replace
from dormie_server import day_book
from dormie_server.day_book import KEPT, DayBook, day_key
from dormie_server.day_tables import attempt_at
from dormie_server.days import OPTIONS, VARIANT
from dormie_server.erasing import Eraser
from dormie_server.players import Players
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.commands import Asked, GiveUp, Leave, Wake
from dormie_server.table.refusal import No
from dormie_server.worker import MOST_WAITING, Busy
from tests.contracts.stores import SHARED, Clock, Shared, shared_by_two
from tests.evening import CountingLuck
from tests.server.at_once import AtOnce
from tests.server.day_house import DATE, NEXT, NOON, DayHouse, clock, day_house, store
from tests.waiting import until

__all__ = ["clock", "store"]  # fixtures

T = TypeVar("T")


class Slow(AtOnce):
    """A worker that answers when it may, and counts what it was asked."""

    def __init__(self, because: Busy | None = None) -> None:
        super().__init__()
        self.asked = 0
        self.because = because
        self.may = asyncio.Event()

    async def run(self, job: Callable[..., T], *given: object, within: float = 0.0) -> T:
        self.asked += 1
        await self.may.wait()
        if self.because is not None:
            raise self.because
        return await super().run(job, *given, within=within)


def judge(rules: PatienceRules, position: Position) -> Verdict:
    return solve(rules, position).verdict


@pytest.fixture
async def house(store: SqliteStore) -> AsyncIterator[DayHouse]:
    async with day_house(store) as house:
        yield house


@pytest.fixture(params=SHARED)
async def shared(request: pytest.FixtureRequest, clock: Clock) -> AsyncIterator[Shared]:
    async with shared_by_two(request, clock) as stores:
        yield stores


def midnight(clock: Clock) -> None:
    clock.time = NOON + 43_200.0


async def closed(house: DayHouse, clock: Clock) -> None:
    """Let the day end, as the alarm does."""
    midnight(clock)
    await house.desk.days.close(DATE)


async def test_a_day_begins_when_it_is_asked_for_and_tells_only_its_promise(
    house: DayHouse, store: SqliteStore
) -> None:
    seen = await house.day()
    kept = await DayBook(store, CountingLuck()).day(DATE)

    assert kept is not None
    assert ("open", DATE, 0) == (seen.state, seen.date, seen.tries)
    assert seen.promise == day_promise(DATE, bytes.fromhex(kept.secret)).hex()
    assert seen.shown is None
    assert kept.secret not in repr(kept)


async def test_the_promise_is_told_only_after_the_secret_was_kept(house: DayHouse) -> None:
    """Whoever dies in between has promised nothing."""
    house.store.refusing_puts = True

    assert "store_unavailable" == await house.word("ada", d.Day(id="q"))
    assert [] == house.caller("ada").peer.frames  # type: ignore[attr-defined]  # an ear keeps them
    assert await house.store.inner.get(day_key(DATE)) is None
    house.store.refusing_puts = False

    assert (await house.day()).promise == (await house.day("ben")).promise


async def test_two_servers_on_one_store_promise_the_same_and_deal_the_same(shared: Shared) -> None:
    async with day_house(shared[0], "server-1") as one, day_house(shared[1], "server-2") as two:
        seen, other = await asyncio.gather(one.day("ada"), two.day("ben"))
        codes = await asyncio.gather(one.begin("ada"), two.begin("ben"))
        tables = [await one.house.table(code) for code in codes]
        first, second = (table.secret.hole for table in tables)

        assert seen.promise == other.promise
        assert first is not None
        assert first == second


async def test_the_same_deal_for_everybody_and_it_can_be_cleared(
    house: DayHouse, clock: Clock
) -> None:
    await house.play("ada", 1)
    await house.play("ben", 2)
    promise = (await house.day()).promise
    await closed(house, clock)
    seen = await house.day(date=DATE)

    assert seen.state == "closed"
    assert seen.shown is not None
    shown = seen.shown
    wrong = why_not_day(
        DATE, bytes.fromhex(promise), bytes.fromhex(shown.revealed), shown.attempt, judge
    )

    assert wrong is None


async def test_only_the_first_try_counts_on_whatever_device(house: DayHouse) -> None:
    code = await house.begin("ada")

    assert code == await house.begin("ada"), "the try goes on"
    score = await house.play("ada")

    assert "day_played" == await house.word("ada", d.PlayDay(id="again"))
    own = (await house.day()).own
    assert own is not None
    assert (None, score, None) == (own.table, own.score, own.place)


async def test_two_devices_of_a_player_begin_one_try_at_two_servers(shared: Shared) -> None:
    async with day_house(shared[0], "server-1") as one, day_house(shared[1], "server-2") as two:
        codes = await asyncio.gather(one.begin("ada"), two.begin("ada"))

        assert codes[0] == codes[1]
        assert 1 == len(await DayBook(shared[0], CountingLuck()).tries(DATE))


async def test_results_are_shown_when_the_day_is_closed_and_replay_to_their_scores(
    house: DayHouse, clock: Clock
) -> None:
    scores = {who: await house.play(who, seed) for seed, who in enumerate(("ada", "ben", "cleo"))}

    assert "wrong_time" == await house.word("ada", d.DayResults(id="q", date=DATE))
    assert await house.desk.days.record(DATE) is None
    await closed(house, clock)
    seen = await house.results("cleo", date=DATE)
    record = await house.desk.days.record(DATE)

    assert sorted(scores.values()) == [line.score for line in seen.lines]
    assert seen.own is not None
    assert ("Cleo", scores["cleo"]) == (seen.own.name, seen.own.score)
    assert record is not None
    assert check_day(record, judge) > 0
    assert list(scores.values()) == [
        int(line.split()[2]) for line in record.splitlines() if line.startswith("try ")
    ]


async def test_results_come_in_pages_with_ones_own_line_on_each(
    house: DayHouse, clock: Clock
) -> None:
    for seed, who in enumerate(("ada", "ben", "cleo", "dan")):
        await house.play(who, seed)
    await closed(house, clock)
    whole = await house.results("ada", date=DATE)
    page = await house.results("ada", date=DATE, after=1, limit=2)

    assert whole.lines[1:3] == page.lines
    assert 4 == page.of
    assert page.own == whole.own
    assert (await house.results("eve", date=DATE)).own is None
    assert () == (await house.results("ada", date=DATE, after=100)).lines


async def test_yesterday_is_what_is_meant_where_no_day_is_named(
    house: DayHouse, clock: Clock
) -> None:
    await house.play("ada")
    await closed(house, clock)

    assert DATE == (await house.results()).date
    assert NEXT == (await house.day()).date


async def test_scenario_R86_a_day_is_closed_although_a_try_was_not_finished(
    house: DayHouse, clock: Clock
) -> None:
    code, luck = await house.begin("ada"), Random(1)
    for _ in range(3):
        await house.move("ada", code, luck)
    table = await house.house.table(code)
    board = table.state.pockets[0].board  # type: ignore[union-attr]  # the pocket of a race
    assert board is not None
    await closed(house, clock)
    line = (await house.results("ada", date=DATE)).own

    assert line is not None
    assert board.score == line.score
    record = await house.desk.days.record(DATE)
    assert record is not None
    assert 3 == check_day(record, judge)


async def test_after_midnight_no_move_counts_even_before_anybody_has_closed_the_day(
    house: DayHouse, clock: Clock
) -> None:
    code = await house.begin("ada")
    midnight(clock)
    with pytest.raises(No, match="over"):
        await house.move("ada", code, Random(1))

    assert "closing" == (await house.day(date=DATE)).state
    assert (await house.day(date=DATE)).shown is None


async def test_whoever_leaves_a_try_has_had_it_and_it_counts_as_it_stands(
    house: DayHouse, clock: Clock
) -> None:
    code = await house.begin("ada")
    table = await house.move("ada", code, Random(1))
    board = table.state.pockets[0].board  # type: ignore[union-attr]  # the pocket of a race
    assert board is not None
    change = await house.house.keeper.do(code, Asked("p-ada", "leave", Leave()))
    await house.house.until(lambda table: table.secret.owes_record is None, code)

    assert "hole_time_up" not in {event.public.event for event in change.events}, "it was not time"
    assert "day_played" == await house.word("ada", d.PlayDay(id="again"))
    await closed(house, clock)
    line = (await house.results("ada", date=DATE)).own
    assert line is not None
    assert board.score == line.score


async def test_the_alarm_closes_the_day_and_begins_the_next_one(
    house: DayHouse, clock: Clock, store: SqliteStore
) -> None:
    await house.play("ada")
    midnight(clock)
    book = DayBook(store, CountingLuck())
    async with asyncio.timeout(30):
        while (day := await book.day(DATE)) is None or day.state != "closed":
            await asyncio.sleep(0.01)
        while await book.day(NEXT) is None:
            await asyncio.sleep(0.01)

    assert 1 == (await house.results(date=DATE)).of


async def test_a_server_that_dies_while_it_closes_a_day_leaves_nothing_half_shown(
    house: DayHouse, clock: Clock
) -> None:
    code = await house.begin("ada")
    await house.move("ada", code, Random(1))
    midnight(clock)
    house.store.slow = "try:"
    house.store.open.clear()
    closing = asyncio.create_task(house.desk.days.close(DATE))
    async with asyncio.timeout(30):
        while not house.store.waiting:
            await asyncio.sleep(0)
    closing.cancel()
    await asyncio.gather(closing, return_exceptions=True)
    house.store.open.set()
    seen = await house.day(date=DATE)

    assert ("closing", None) == (seen.state, seen.shown)
    assert "wrong_time" == await house.word("ada", d.DayResults(id="q", date=DATE))
    await house.desk.days.close(DATE)

    assert 1 == (await house.results(date=DATE)).of


async def test_two_servers_close_a_day_once(shared: Shared, clock: Clock) -> None:
    async with day_house(shared[0], "server-1") as one, day_house(shared[1], "server-2") as two:
        await asyncio.gather(one.play("ada", 1), two.play("ben", 2))
        await one.begin("cleo")
        midnight(clock)
        await asyncio.gather(one.desk.days.close(DATE), two.desk.days.close(DATE))
        pages = [await house.results(date=DATE) for house in (one, two)]

        assert pages[0].lines == pages[1].lines
        assert 3 == pages[0].of
        assert await one.desk.days.record(DATE) == await two.desk.days.record(DATE)


async def test_a_try_that_was_announced_before_midnight_and_kept_after_it_is_none(
    house: DayHouse, clock: Clock
) -> None:
    await house.day()
    house.store.slow = "try:"
    house.store.open.clear()
    late = asyncio.create_task(house.word("ada", d.PlayDay(id="play")))
    async with asyncio.timeout(30):
        while not house.store.waiting:
            await asyncio.sleep(0)
    await closed(house, clock)
    house.store.open.set()

    assert "day_over" == await late
    assert 0 == (await house.results(date=DATE)).of


async def test_nobody_watches_a_try_or_asks_for_hints_or_plays_it_twice(house: DayHouse) -> None:
    code = await house.begin("ada")

    assert "no_table" == await house.word("eve", Watch(id="w", table=code))
    assert "no_hint" == await house.word("ada", Hint(id="h", table=code))
    opened = SetSpectators(id="s", table=code, allowed=True)

    assert "day_table" == await house.word("ada", opened)
    await house.play("ada")

    assert "day_table" == await house.word("ada", Rematch(id="r", table=code))


HERE: dict[str, Any] = {"id": "q", "table": "ABCDEFGH"}
BY_DAY: dict[str, tuple[m.AtTable, str]] = {
    "join": (m.Join(**HERE), "done"),
    "ready": (m.Ready(**HERE), "done"),
    "start": (m.Start(**HERE), "wrong_time"),
    "bot": (m.Bot(**HERE, level="easy"), "day_table"),
    "rematch": (m.Rematch(**HERE), "day_table"),
    "kick": (m.Kick(**HERE, seat=1), "no_such_seat"),
    "hand_over": (m.HandOver(**HERE, seat=1), "no_such_seat"),
    "lock": (m.Lock(**HERE, locked=True), "done"),
    "password": (m.SetPassword(**HERE, password="swordfish"), "done"),
    "spectators": (m.SetSpectators(**HERE, allowed=True), "day_table"),
    "pause": (m.Pause(**HERE), "day_table"),
    "resume": (m.Resume(**HERE), "day_table"),
    "agree": (m.Agree(**HERE), "wrong_time"),
    "vote": (m.Vote(**HERE, choice="bot"), "no_vote"),
    "undo": (m.Undo(**HERE), "day_table"),
    "hint": (m.Hint(**HERE), "no_hint"),
    "say": (p.Say(**HERE, text="hello"), "chat_off"),
    "leave": (m.Leave(**HERE), "done"),
    "end": (m.End(**HERE), "done"),
}
"""What the player of a try may ask of its table, and what is answered."""


@pytest.mark.parametrize("kind", BY_DAY)
async def test_what_a_player_may_ask_at_the_hole_of_the_day(house: DayHouse, kind: str) -> None:
    code = await house.begin("ada")
    message, word = BY_DAY[kind]
    asked = message.model_copy(update={"table": code})

    assert word == await house.word("ada", asked)  # type: ignore[arg-type]  # each is a client's message
    assert await house.word("eve", asked) in ("not_seated", "no_table")  # type: ignore[arg-type]  # likewise


async def test_a_try_whose_hole_could_not_be_dealt_is_begun_again_later(
    house: DayHouse, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(*_: object) -> None:
        raise Busy("too many questions wait")

    with monkeypatch.context() as patch:
        patch.setattr(AtOnce, "run", busy)
        code = (await house.ask("ada", d.PlayDay(id="play"))).table
        assert code is not None
        await house.house.keeper.do(code, GiveUp())

        assert "busy" == await house.word("ada", d.PlayDay(id="play"))
    clock.advance(601.0)

    assert code == await house.begin("ada")


async def test_of_all_who_come_at_once_one_looks_for_the_deal(store: SqliteStore) -> None:
    """Only so many questions may wait for the worker: the rest would be turned away for ten minutes."""
    book, worker = DayBook(store, CountingLuck()), Slow()
    day = await book.today()
    all_of_them = [
        asyncio.create_task(attempt_at(book, day, worker)) for _ in range(MOST_WAITING + 10)
    ]
    await until(lambda: worker.asked > 0)
    worker.may.set()

    assert 1 == len(set(await asyncio.gather(*all_of_them)))
    assert 1 == worker.asked


async def test_who_waits_for_a_look_that_fails_is_told_that_the_house_is_busy(
    store: SqliteStore,
) -> None:
    book, worker = DayBook(store, CountingLuck()), Slow(Busy("no answer in time"))
    day = await book.today()
    two = [asyncio.create_task(attempt_at(book, day, worker)) for _ in range(2)]
    await until(lambda: worker.asked > 0)
    worker.may.set()

    assert [Busy, Busy] == list(map(type, await asyncio.gather(*two, return_exceptions=True)))
    assert 1 == worker.asked
    worker.because = None
    assert isinstance(await attempt_at(book, day, worker), int), "the next one looks again"


async def test_whoever_comes_when_the_day_is_full_is_told_so(
    house: DayHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(day_book, "MAX_TRIES", 1)
    await house.begin("ada")

    assert "day_full" == await house.word("ben", d.PlayDay(id="q"))
    assert "done" == await house.word("ada", d.PlayDay(id="q"))


async def test_a_day_that_nobody_began_is_not_known(house: DayHouse) -> None:
    for message in (d.Day(id="q", date="1999-01-01"), d.DayResults(id="q", date="9999-99-99")):
        assert "no_day" == await house.word("ada", message)


async def test_who_is_forgotten_vanishes_from_the_results_and_the_record(
    house: DayHouse, clock: Clock, store: SqliteStore
) -> None:
    for seed, who in enumerate(("ada", "ben")):
        await house.play(who, seed)
    await house.begin("cleo")
    eraser = Eraser(store, house.house.keeper, Players(store, CountingLuck()))
    await eraser.erase("p-cleo")
    await closed(house, clock)
    before = await house.results(date=DATE)
    await eraser.erase("p-ada")
    after = await house.results("ben", date=DATE)
    record = await house.desk.days.record(DATE)

    assert {"Ada", "Ben"} == {line.name for line in before.lines}
    assert ["Ben"] == [line.name for line in after.lines]
    assert (await house.results("ada", date=DATE)).own is None
    assert record is not None
    assert 1 == record.count("\ntry ")
    assert check_day(record, judge) > 0


async def test_a_day_is_kept_for_thirty_days_after_its_end(house: DayHouse, clock: Clock) -> None:
    await house.play("ada")
    await closed(house, clock)
    clock.advance(KEPT - 60.0)

    assert 1 == (await house.results(date=DATE)).of
    clock.advance(86_400.0)

    assert "no_day" == await house.word("ada", d.Day(id="q", date=DATE))
    assert await house.desk.days.record(DATE) is None


async def test_what_goes_out_before_the_end_follows_from_nothing_secret(
    house: DayHouse, store: SqliteStore, clock: Clock
) -> None:
    """A fresh secret of 256 bits; of all that follows from it only the promise and the cards go out."""
    await house.play("ada")
    await house.day("ben")
    day = await DayBook(store, CountingLuck()).day(DATE)
    assert day is not None
    secret, seed = bytes.fromhex(day.secret), day_seed(DATE, bytes.fromhex(day.secret))
    sent = b"".join(frame for ear in house.ears.values() for frame in ear.frames)
    hidden = (secret, seed, hashlib.sha256(secret).digest(), hashlib.sha256(seed).digest())

    assert 32 == len(secret)
    assert day.promise.encode() in sent
    for one in hidden:
        assert one.hex().encode() not in sent
    assert b'"attempt":%d' % (day.attempt or -1) not in sent
    await closed(house, clock)

    assert day.secret == ((await house.day(date=DATE)).shown or pytest.fail("shown")).revealed


async def test_every_day_has_a_fresh_secret(house: DayHouse, store: SqliteStore) -> None:
    await house.day()
    clock_of_next = Clock()
    clock_of_next.time = NOON + 86_400.0
    async with day_house(name="server-3") as other:
        await other.day()
        one = await DayBook(store, CountingLuck()).day(DATE)
        two = await DayBook(other.store, CountingLuck()).day(DATE)

        assert one is not None
        assert two is not None
        assert one.secret != two.secret


def test_the_table_plays_by_the_rules_of_the_day() -> None:
    rules = choose_race(find_patience(VARIANT), OPTIONS, 1)

    assert DAY_RULES == replace(rules, hole_seconds=DAY_RULES.hole_seconds)


async def test_a_try_has_until_midnight_and_its_table_always_has_an_alarm(house: DayHouse) -> None:
    code = await house.begin("ada")
    table = await house.house.table(code)

    assert NOON + 43_200.0 == table.public.deadline == table.secret.alarm
    unchanged = await house.house.keeper.do(code, Wake())

    assert table.version == unchanged.version
    assert isinstance(table.public.match, RacePublic)
