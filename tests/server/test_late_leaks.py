"""No road shows a spectator anything too early: whole evenings of coming, going, resuming and standing up.

What everybody at the table was told, and when, is written down by an ear in a seat. Then no frame of a
spectator may be other than one of those, or earlier than the delay allows; and none of this is believed
before planted leaks have been found.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from dormie_protocol import messages as m
from dormie_protocol import people_messages as p
from dormie_rules.values import replace
from dormie_server import hub
from dormie_server.conversation import Conversation
from dormie_server.documents import Kept
from dormie_server.gallery import Gallery, Held
from dormie_server.limits import Limits
from dormie_server.person import Caller, Player
from dormie_server.players import Players
from dormie_server.seen import Page, Span
from dormie_server.table.commands import Agree, Undo
from dormie_server.table.refusal import No
from dormie_server.table.state import Table
from tests.evening import CountingLuck
from tests.server.backstage import CODE, Backstage, Ear
from tests.server.late import DELAY, TWO, open_late, seen_at, told

Log = list[tuple[float, m.ServerMessage]]


class Early(AssertionError):
    """A spectator was told something too early, or something that nobody else was told."""


def check(live: Log, log: Log) -> int:
    """Look through what a spectator was told and when; returns how much of it there was. Raises Early."""
    then = dict[int, tuple[float, m.Seen]]()
    for at, one in live:
        if isinstance(one, m.Seen):
            then.setdefault(one.version, (at, one))
    looked = 0
    for at, one in log:
        if isinstance(one, p.Said) and one.when > at - DELAY:
            raise Early(f"said at {one.when}, heard at {at}")
        if not isinstance(one, m.Seen) or one.view is None or one.view.match is None:
            continue
        looked += 1
        if one.version not in then:
            raise Early(f"version {one.version} was told to nobody else")
        when, seen = then[one.version]
        if at < when + DELAY or (one.seat, one.pocket, one.moves) != (None, None, ()):
            raise Early(f"version {one.version} of {when} is seen at {at}")
        if (one.view, one.chain) != (seen.view, seen.chain):
            raise Early(f"version {one.version} looks otherwise")
    return looked


class Evening:
    """Two who play and talk, and one who watches as anybody might."""

    def __init__(self, house: Backstage, seed: int) -> None:
        self.house, self.luck = house, Random(seed)
        self.talk = Conversation(
            house.store, house.keeper, house.hub, Players(house.store, CountingLuck()), Limits()
        )
        self.eve = Ear("p-eve")
        self.log: Log = []
        self.log_now: Log = []
        self.ears: list[Ear] = []
        self.known = [(0, "")]

    async def play(self) -> int:
        """Play for a while; returns how much was seen. Raises Early."""
        self.ears = await open_late(self.house, chat="all", undo=True)
        live = seen_at(self.ears[0], _clock)
        await self.house.start(*TWO)
        for at in range(220):
            await self._somebody_does_something(at)
            await asyncio.sleep(self.luck.choice((0.1, 1.0, 2.5)))
        await asyncio.sleep(2 * DELAY)
        self._leave()
        return check(live, self.log)

    async def _somebody_does_something(self, at: int) -> None:
        luck, house = self.luck, self.house
        if luck.random() < 0.15:
            player = luck.choice(TWO)
            with suppress(No):
                await house.ask(player, luck.choice((Undo(), Agree())))
        if luck.random() < 0.1:
            await self._say(luck.choice((*TWO, "p-eve")), f"{at}")
        if luck.random() < 0.02:
            await self._let_nobody_watch_for_a_moment()
        if luck.random() < 0.12:
            await self._come_again()
        if (move := await house.next_move()) is not None:
            await house.keeper.do(CODE, move)

    async def _let_nobody_watch_for_a_moment(self) -> None:
        """Then nothing is kept, and everybody begins anew."""
        self._leave()
        for ear in self.ears:
            self.house.hub.unwatch(ear, CODE)
        await self._come_again()
        for ear in self.ears:
            await self.house.hub.watch(ear, CODE, 0, "")

    async def _come_again(self) -> None:
        """From any version that was seen, or from one that was only heard of."""
        self._leave()
        self.eve = Ear("p-eve")
        self.log_now = seen_at(self.eve, _clock)
        after, chain = self.luck.choice(self.known[-5:])
        if self.luck.random() < 0.2:
            table = await self.house.keeper.table(CODE)
            assert table is not None
            after, chain = table.table.version, table.chain
        await self.house.hub.watch(self.eve, CODE, after, chain)
        await self.talk.listen(self.eve, CODE, self.luck.choice((0, None)))

    def _leave(self) -> None:
        self.house.hub.unwatch(self.eve, CODE)
        self.log += self.log_now
        self.log_now = []
        self.known += [(one.version, one.chain) for one in self.eve.seen]

    async def _say(self, who: str, text: str) -> None:
        peer = self.eve if who == "p-eve" else Ear(who)
        caller = Caller(Player(who, who, "00"), peer, "192.0.2.1")
        with suppress(No):
            await self.talk.answer(p.Say(id=f"say{text}", table=CODE, text=text), caller, _clock())


def _clock() -> float:
    return asyncio.get_running_loop().time()


def evening(seed: int) -> int:
    """Play an evening; returns how much a spectator saw. Raises Early."""
    looked = list[int]()

    async def story(house: Backstage) -> None:
        looked.append(await Evening(house, seed).play())

    told(story)
    return looked[0]


def is_early(seed: int) -> bool:
    """Whether a spectator is told anything too early in an evening."""
    try:
        evening(seed)
    except Early:
        return True
    return False


@pytest.mark.parametrize("seed", range(6))
def test_no_road_shows_a_spectator_anything_too_early(seed: int) -> None:
    assert evening(seed), "something was seen"


# ------------------------------------------------------------------ planted leaks


def nobody_waits(patch: pytest.MonkeyPatch) -> None:
    def leaky(gallery: Gallery, now: float, due: Any = Gallery.due) -> list[Held]:
        held: list[Held] = due(gallery, now + 1)
        return held

    patch.setattr(Gallery, "due", leaky)


def who_comes_late_sees_the_present(patch: pytest.MonkeyPatch) -> None:
    def leaky(gallery: Gallery, after: int, page: Any = Gallery.page) -> Page | None:
        found: Page | None = page(gallery, after)
        return gallery._held[-1].page.look() if gallery._held else found  # noqa: SLF001 - a leak respects nothing

    patch.setattr(Gallery, "page", leaky)


def whoever_knows_the_chain_sees_it(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Gallery, "may_know", lambda *_: True)


def nothing_is_veiled(patch: pytest.MonkeyPatch) -> None:
    """Where nothing old enough is kept, the present is shown."""

    def leaky(kept: Kept, now: float) -> Page:
        return Page(Span(CODE, 0, 0, "", now, ()), kept)

    patch.setattr(hub, "veiled", leaky)


def talk_is_live(patch: pytest.MonkeyPatch) -> None:
    """Talk knows of no delay."""

    async def leaky(
        talk: Conversation,
        code: str,
        table: Any = Conversation._table,  # noqa: SLF001 - as above
    ) -> Table:
        read: Table = await table(talk, code)
        switches = replace(read.about.spectators, delay=0)
        return replace(read, about=replace(read.about, spectators=switches))

    patch.setattr(Conversation, "_table", leaky)


@pytest.mark.parametrize(
    "plant",
    [
        nobody_waits,
        who_comes_late_sees_the_present,
        whoever_knows_the_chain_sees_it,
        nothing_is_veiled,
        talk_is_live,
    ],
    ids=lambda plant: plant.__name__,
)
def test_a_planted_leak_is_found(
    monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None]
) -> None:
    plant(monkeypatch)

    assert any(is_early(seed) for seed in range(6))
