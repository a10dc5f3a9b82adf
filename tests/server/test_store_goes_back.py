"""A store that goes back: a copy took the master's place, and lacks what the master was told last.

Moves are made there under numbers that were given away before. Nobody builds on what is lost, and whoever
was told of it begins anew.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any

import pytest

from dormie_protocol.messages import SentAway
from dormie_rules.grid_moves import Draw, Flip
from dormie_rules.grid_state import GridPublic
from dormie_server.keeper import table_key
from dormie_server.store import Document, StoreUnavailable
from dormie_server.table.commands import Kick, Lock
from dormie_server.table.refusal import No
from tests.contracts.stores import Clock
from tests.server.backstage import CODE, Backstage, Ear, backstage, caught_up
from tests.server.turns import TWO
from tests.simulator.cupboard import Cupboard
from tests.simulator.far_store import FarStore
from tests.waiting import until


@dataclass
class Club:
    """Three servers on a store that can go back; the game has begun."""

    cupboard: Cupboard
    one: Backstage
    two: Backstage
    three: Backstage

    def remember(self) -> None:
        """From here on everything may be lost."""
        life = self.cupboard.life(table_key(CODE))
        assert life is not None
        self._before = life.version, life.body, life.mark, list(life.notes)

    def go_back(self) -> None:
        """Lose all that was put since."""
        life = self.cupboard.life(table_key(CODE))
        assert life is not None
        life.version, life.body, life.mark, life.notes[:] = self._before

    async def lines(self) -> list[str]:
        """The moves, as a record will have them."""
        return [line for line in await self.three.lines() if line.startswith("move ")]

    async def face_up(self) -> list[tuple[int, ...]]:
        """Which cards of each grid are face-up."""
        match = (await self.three.table()).public.match
        assert match is not None
        assert isinstance(match.play, GridPublic)
        return [
            tuple(at for at, card in enumerate(grid) if card is not None)
            for grid in match.play.grids
        ]


@pytest.fixture
async def club() -> AsyncIterator[Club]:
    cupboard = Cupboard(Clock())
    async with AsyncExitStack() as stack:
        servers = [
            await stack.enter_async_context(backstage(FarStore(cupboard), f"server-{number}"))
            for number in (1, 2, 3)
        ]
        await servers[0].begin(*TWO)
        yield Club(cupboard, *servers)


@pytest.mark.parametrize("asks", [False, True])
async def test_nasty_C16_nobody_builds_on_a_version_that_the_store_has_forgotten(
    club: Club,
    asks: bool,  # noqa: FBT001 - given by pytest
) -> None:
    """Whoever remembers the lost one, and puts the next or has nothing to put, looks at what there is."""
    one, two, three = club.one, club.two, club.three
    club.remember()
    lost = await one.flip("p-ada", 1)
    await one.keeper.do(CODE, lost)
    await two.keeper.table(CODE)
    club.go_back()
    await three.keeper.do(CODE, replace(lost, move=Flip(5)))
    if asks:
        with pytest.raises(No, match="overtaken"):
            await two.keeper.do(CODE, lost)
    else:
        await two.keeper.do(CODE, await two.flip("p-bob", 1))

    assert ["move 1 flip 6", "move 2 flip 1"][: 2 - asks] == await club.lines()
    assert [(5,), (0,)[asks:]] == await club.face_up()


async def test_nasty_C16_whoever_was_told_of_what_is_lost_begins_anew(club: Club) -> None:
    """It has the number of what came instead: the next one does not follow from it."""
    one, two, three = club.one, club.two, club.three
    ear = Ear("p-eve")
    await two.hub.watch(ear, CODE, 0, "")
    club.remember()
    lost = await one.flip("p-ada", 1)
    told = (await one.keeper.do(CODE, lost)).version
    await caught_up(ear, told)
    club.go_back()
    await three.keeper.do(CODE, replace(lost, move=Flip(5)))
    await three.keeper.do(CODE, await three.flip("p-bob", 1))
    await caught_up(ear, told + 1)
    await three.keeper.do(CODE, await three.flip("p-bob", 2))
    await caught_up(ear, told + 2)
    *_, anew, last = ear.seen

    assert [told + 1, told + 2] == [anew.version, last.version]
    assert [(True, told + 1), (False, told + 1)] == [
        (one.rolled_back, one.after) for one in (anew, last)
    ]
    assert (await three.table()).public == last.view
    assert [False] == [one.rolled_back for one in ear.seen if one.version == told]


async def test_nasty_C16_whoever_comes_to_a_store_that_knows_less_than_was_told_waits_for_nothing(
    club: Club,
) -> None:
    one, two = club.one, club.two
    early, late = Ear("p-eve"), Ear("p-fay")
    await two.hub.watch(early, CODE, 0, "")
    club.remember()
    told = 0
    for player, count in (("p-ada", 1), ("p-ada", 2), ("p-bob", 1)):
        told = (await one.keeper.do(CODE, await one.flip(player, count))).version
    await caught_up(early, told)
    club.go_back()
    version = (await two.keeper.do(CODE, await two.flip("p-bob", 1))).version
    async with asyncio.timeout(5):
        await two.hub.watch(late, CODE, 0, "")
    await until(lambda: any(one.rolled_back for one in early.seen))
    after = (await two.keeper.do(CODE, await two.flip("p-bob", 2))).version
    for ear in (early, late):
        await caught_up(ear, after)

    assert told - 2 == version == late.seen[0].version == early.seen[-2].version
    assert [["move 2 flip 1", "move 2 flip 2"], [(), (0, 1)]] == [
        await club.lines(),
        await club.face_up(),
    ]


async def test_nasty_C16_whoever_was_told_begins_anew_as_soon_as_anybody_there_asks_for_something(
    club: Club,
) -> None:
    """The lost move had passed the turn on: neither of them may wait for the other."""
    one = club.one
    ada, bob = Ear("p-ada"), Ear("p-bob")
    for ear in (ada, bob):
        await one.hub.watch(ear, CODE, 0, "")
    await one.keeper.do(CODE, await one.flip("p-ada", 1))
    club.remember()
    told = (await one.keeper.do(CODE, await one.flip("p-ada", 2))).version
    draw = replace(await one.flip("p-bob", 1), move=Draw())
    club.go_back()
    with pytest.raises(No):
        await one.keeper.do(CODE, draw)

    assert [True, True] == [ear.seen[-1].rolled_back for ear in (ada, bob)]
    assert [told - 1, told - 1] == [ear.seen[-1].version for ear in (ada, bob)]
    assert (await one.table()).public == ada.seen[-1].view == bob.seen[-1].view


async def test_nasty_C16_whoever_was_told_begins_anew_though_nobody_does_anything(
    club: Club,
) -> None:
    """A follower looks every second whether it has missed anything."""
    one, two = club.one, club.two
    ears = Ear("p-ada"), Ear("p-eve")
    await one.hub.watch(ears[0], CODE, 0, "")
    await two.hub.watch(ears[1], CODE, 0, "")
    club.remember()
    told = (await one.keeper.do(CODE, await one.flip("p-ada", 1))).version
    for ear in ears:
        await caught_up(ear, told)
    club.go_back()
    await until(lambda: all(ear.seen[-1].rolled_back for ear in ears))

    assert {told - 1} == {ear.seen[-1].version for ear in ears}
    again = (await two.keeper.do(CODE, await two.flip("p-ada", 1))).version
    for ear in ears:
        await caught_up(ear, again)
    assert [told, told] == [again, ears[0].seen[-1].version]
    assert [False, False] == [ear.seen[-1].rolled_back for ear in ears]


async def test_nasty_C16_a_server_that_was_cut_off_meanwhile_compares_more_than_numbers(
    club: Club,
) -> None:
    """By the time it can look, something else has the number of what was lost."""
    two, three = club.two, club.three
    ear = Ear("p-eve")
    await two.hub.watch(ear, CODE, 0, "")
    club.remember()
    lost = await two.flip("p-ada", 1)
    told = (await two.keeper.do(CODE, lost)).version
    await caught_up(ear, told)
    assert isinstance(two.store, FarStore)
    two.store.way.away = True
    club.go_back()
    await three.keeper.do(CODE, replace(lost, move=Flip(5)))
    in_vain: list[str] = []
    two.store.way.happened = in_vain.append
    await until(lambda: "asked in vain" in in_vain)
    two.store.way.away = False
    await until(lambda: ear.seen[-1].rolled_back)

    assert told == ear.seen[-1].version
    assert (await three.table()).public == ear.seen[-1].view


async def test_nasty_C16_whoever_comes_when_something_else_has_that_number_lets_all_others_know(
    club: Club,
) -> None:
    """The server has told what it put itself, never heard whether that was done, and forgot it."""
    two, three = club.two, club.three
    early, late = Ear("p-eve"), Ear("p-fay")
    await two.hub.watch(early, CODE, 0, "")
    told = (await club.one.keeper.do(CODE, await club.one.flip("p-ada", 1))).version
    await caught_up(early, told)
    club.remember()
    lost = await two.flip("p-ada", 2)
    real = two.store.put

    async def unanswered(*what: Any, **beside: Any) -> int:
        await real(*what, **beside)
        await caught_up(early, told + 1)
        raise StoreUnavailable("the line broke")

    async def away(_key: str) -> Document | None:
        raise StoreUnavailable("away")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(two.store, "put", unanswered)
        patch.setattr(two.store, "get", away)
        with pytest.raises(No, match="Nobody can say"):
            await two.keeper.do(CODE, lost)
    club.go_back()
    await three.keeper.do(CODE, replace(lost, move=Flip(5)))
    await two.hub.watch(late, CODE, 0, "")

    assert early.seen[-1].rolled_back
    assert not late.seen[-1].rolled_back
    assert (await three.table()).public == early.seen[-1].view == late.seen[-1].view
    after = (await three.keeper.do(CODE, await three.flip("p-bob", 1))).version
    for ear in (early, late):
        await caught_up(ear, after)
    assert [False, False] == [ear.seen[-1].rolled_back for ear in (early, late)]


async def test_nasty_C16_whoever_was_banned_meanwhile_is_not_shown_what_there_is(
    club: Club,
) -> None:
    """All others there begin anew."""
    one, two = club.one, club.two
    bob, eve = Ear("p-bob"), Ear("p-eve")
    for ear in (bob, eve):
        await two.hub.watch(ear, CODE, 0, "")
    club.remember()
    told = (await one.keeper.do(CODE, await one.flip("p-ada", 1))).version
    for ear in (bob, eve):
        await caught_up(ear, told)
    assert isinstance(two.store, FarStore)
    in_vain: list[str] = []
    two.store.way.away, two.store.way.happened = True, in_vain.append
    await until(lambda: "asked in vain" in in_vain)
    club.go_back()
    await one.ask("p-ada", Kick(1, ban=True))
    await one.ask("p-ada", Lock(locked=True))
    two.store.way.away = False
    await until(lambda: eve.seen[-1].rolled_back)

    assert isinstance(bob.heard[-1], SentAway)
    assert told == bob.seen[-1].version
    assert told < eve.seen[-1].version


async def test_words_that_were_erased_are_no_other_past(club: Club) -> None:
    """The chain of a note stays when its words change: nobody begins anew for that."""
    one, two = club.one, club.two
    ear = Ear("p-eve")
    await two.hub.watch(ear, CODE, 0, "")
    assert isinstance(two.store, FarStore)
    two.store.way.bell_loss = 1.0  # it looks a moment later, and by then there are other words
    await one.keeper.do(CODE, await one.flip("p-ada", 1))
    life = club.cupboard.life(table_key(CODE))
    assert life is not None
    life.notes[-1] = replace(life.notes[-1], body=life.notes[-1].body.replace(b'"at":0', b'"at":1'))
    await caught_up(ear, life.version)

    assert not any(one.rolled_back for one in ear.seen)
