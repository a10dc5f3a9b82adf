"""Coming back: on another device, in another tab, after a while, and to the seat as it was left."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from dormie_client import Dormie, Pace
from dormie_protocol.messages import Done, Replaced
from dormie_protocol.table_view import Dropped, Returned, TimeOut
from dormie_rules.cards import Card
from dormie_rules.grid_events import DrewCard
from dormie_rules.grid_moves import Draw, Swap
from dormie_server.app import App
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.commands import Attach, Detach
from tests.evening import HOST, Evening
from tests.grid_only import grid_pocket
from tests.scenarios.tables import begin, first_turn, hole_of, on_turn, reach, view_of
from tests.server.guest import Guest, guests
from tests.server.moody_store import MoodyStore
from tests.serving import serving, url_of
from tests.waiting import until
from tests.wire import TEXT, Place, Wire, framed


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


async def test_scenario_A3_and_scenario_R83_and_scenario_R84_a_half_open_line_keeps_nobody_out(
    house: App,
) -> None:
    """The old line is not known to be dead: it reads no more, and has never said goodbye."""
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await ada.create()
        await bob.join(code)
        hello = f'{{"type":"hello","id":"h","token":"{bob.token}"}}'
        watch = f'{{"type":"watch","id":"w","table":"{code}"}}'
        with Wire(Place("127.0.0.1", house.port), small=True) as asleep:
            await asyncio.to_thread(asleep.greet, "", framed(TEXT, hello.encode()))
            asleep.say(framed(TEXT, watch.encode()))
            await bob.hear(Replaced)
            again = await Guest.come(house.port, token=bob.token)
            done = await again.do("watch", table=code)
            said = await asyncio.to_thread(lambda: list(asleep.frames(within=1.0)))

        assert 1 == done.seat
        assert (TEXT, b'{"type":"replaced","table":"%s"}' % code.encode()) == said[-1]
        seats = view_of(again.last(code)).seats
        assert ["Ada", "Bob"] == [seat.name for seat in seats if seat]
        await again.leave()


def test_scenario_A6_whoever_was_away_for_three_turns_still_has_the_seat() -> None:
    evening = Evening(options={"holes": 2})
    evening.begin("p-bob")
    evening.sleep()  # through the first cards
    sitter = evening.table.secret.sitters[0]
    assert sitter is not None
    evening.do(Detach(HOST, sitter.generation))
    while sum(isinstance(one.public, TimeOut) for one in evening.told) < 8:
        evening.sleep()
    back = evening.do(Attach(HOST, "server-1"))
    while evening.waiting() != (0,):
        evening.sleep()
    evening.play(0, evening.moves(0)[0])

    assert (0, True, None) == (back.seat, evening.seat(0).here, evening.seat(0).bot)
    told = [one.public for one in evening.told if isinstance(one.public, Dropped | Returned)]
    assert [Dropped(0), Returned(0)] == told


async def test_scenario_A8_another_device_finds_everything_as_it_was_left(house: App) -> None:
    """The card in hand, what it has made of its grid, and the number of its next move."""
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await first_turn(ada, bob)
        first, _ = await on_turn(code, ada, bob)
        done = await first.play(code, Draw())
        assert isinstance(done, Done)
        before = await reach(first, code, lambda seen: seen.version >= (done.version or 0))
        await first.vanish()
        again = await Guest.come(house.port, token=first.token)
        await again.do("watch", table=code)
        after = again.last(code)

        assert (before.seat, before.pocket, before.moves) == (after.seat, after.pocket, after.moves)
        assert view_of(before).match == view_of(after).match
        assert isinstance(await again.ask("play", table=code, count=4, move=Swap(0)), Done)
        await again.leave()


async def test_scenario_A9_the_newest_login_wins_and_is_told_what_was_missed_as_a_replay(
    house: App,
) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await begin(ada, bob)
        past = bob.of(code)[0]
        second = await Guest.come(house.port, token=bob.token)
        assert bob.player == second.player
        await second.do("watch", table=code, after=past.version, chain=past.chain)
        seen = second.of(code)

        live = [one.all for frame in bob.of(code)[1:] for one in frame.events]
        again = [one.all for frame in seen for one in frame.events]

        assert {(True, False)} == {(one.replay, one.rolled_back) for one in seen}
        assert live == again[: len(live)]
        assert live
        await bob.hear(Replaced)
        await second.leave()


async def test_scenario_A3_a_line_that_was_given_up_does_not_take_the_seat_from_its_successor(
    house: App,
) -> None:
    """What it still had to say is read late; nobody plays on it, and nobody else is told to go."""
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await begin(ada, bob)
        again = await Guest.come(house.port, token=bob.token)
        await again.do("watch", table=code, run="tab", line=2)
        late = await Guest.come(house.port, token=bob.token)
        word = await late.refused("watch", table=code, run="tab", line=1)
        await late.leave()
        done = await again.ask("ready", table=code)

        assert "replaced" == word
        assert isinstance(done, Done)
        assert Replaced(table=code) not in again.heard
        await again.leave()


class Gate:
    """A pace that does not try again before it is let."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()

    async def sleep(self, _seconds: float) -> None:
        await self.open.wait()

    def pace(self) -> Pace:
        return Pace(sleep=self.sleep, a_second=1e6, at_once=1_000_000)


async def test_scenario_A10_a_tab_that_was_offline_takes_nothing_back_when_it_returns(
    house: App,
) -> None:
    """A forgotten tab must not win the seat back from the one that is played in."""
    gate = Gate()
    async with await Dormie.connect(url_of(house), name="Ada", pace=gate.pace()) as forgotten:
        old = await forgotten.create(size=2, bots=["random"], options={"holes": 1})
        gate.open.clear()
        for line in tuple(house.reception.open):
            line.transport.abort()
        await until(lambda: not forgotten.connected)
        async with await Dormie.connect(url_of(house), token=forgotten.token) as played:
            new = await played.watch(old.code)
            gate.open.set()
            await until(lambda: old.replaced or new.replaced)

            assert (True, False) == (old.replaced, new.replaced)
            await new.ready()


async def test_scenario_A14_joining_and_watching_again_give_the_same_seat_and_the_whole_view(
    house: App,
) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await begin(ada, bob)
        before = bob.last(code)
        joined = [await bob.do("join", table=code) for _ in range(2)]
        for _ in range(2):
            await bob.do("watch", table=code)
            seen = bob.last(code)

            assert (before.seat, view_of(before).match) == (seen.seat, view_of(seen).match)
            assert seen.about is not None
            assert seen.fairness is not None
        assert {1} == {done.seat for done in joined}
        names = [seat.name for seat in view_of(bob.last(code)).seats if seat]
        assert ["Ada", "Bob"] == names


async def test_scenario_B11_a_card_is_seen_only_when_it_can_no_longer_be_undone() -> None:
    """Whoever pulls the plug at the sight of it comes back with that very card in hand."""
    store = MoodyStore(SqliteStore(":memory:"))
    async with serving({"store": store}) as app, guests(app.port, "Ada", "Bob") as (ada, bob):
        code = await first_turn(ada, bob)
        first, _ = await on_turn(code, ada, bob)
        before = len(first.frames)
        store.slow = "table:"
        store.open.clear()
        await first.say({"type": "play", "id": "d", "table": code, "count": 3, "move": Draw()})
        await until(lambda: store.waiting == 1)
        assert before == len(first.frames), "nothing is shown before it is kept"
        store.open.set()
        card = await first.wait(lambda: _drawn(first, code))
        await first.vanish()
        again = await Guest.come(app.port, token=first.token)
        await again.do("watch", table=code)
        after = again.last(code)

        assert after.pocket is not None
        assert (card, "drawn") == (grid_pocket(after.pocket).drawn, hole_of(after).stage)
        assert "already_drawn" == await again.refused("play", table=code, count=4, move=Draw())
        await again.leave()


def _drawn(guest: Guest, code: str) -> Card | None:
    """The card that *guest* was told of."""
    mine = (one.mine for seen in guest.of(code) for one in seen.events)
    return next((one.card for one in mine if isinstance(one, DrewCard)), None)
