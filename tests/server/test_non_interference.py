"""Two deals that differ only in what a viewer cannot know are one match to that viewer, byte for byte.

The same commands are given to two houses without luck of their own and with a clock that stands still.
In the second one the cards that the viewer has not seen by the end have changed places. Whatever the
viewer is sent must be the same: cards, numbers, lengths, and also what only looks like noise.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from dormie_rules.cards import rank
from dormie_rules.game import Deal
from dormie_rules.variants import find, names
from dormie_server import documents
from dormie_server.seen import Look, Page
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table.commands import Command, DealHole, Join, PlayMove, Ready, Wake
from dormie_server.table.state import Table
from tests.contracts.stores import Clock
from tests.grid_only import grid_secret
from tests.server.backstage import CODE, PATIENT, Backstage, Ear, backstage, moves_of, opening_of
from tests.server.leak_scan import Knowledge, Packs
from tests.server.turns import chains

PAIRS, LONGEST = 300, 40
WATCHER = "p-watcher"


@dataclass
class Played:
    """What was done in a house, what followed for each viewer, and what each of them knew."""

    frames: dict[str, list[bytes]]
    knowledge: Knowledge
    commands: list[tuple[float, Command]] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """A match to be played twice."""

    seed: int

    @property
    def luck(self) -> Random:
        return Random(self.seed)

    @property
    def variant(self) -> str:
        return names()[self.seed % len(names())]

    @property
    def viewer(self) -> str:
        """The one whose frames must not differ."""
        return Random(f"{self.seed} viewer").choice([*self.players, WATCHER])

    @property
    def players(self) -> list[str]:
        variant = find(self.variant)
        return [f"p-{n}" for n in range(self.luck.randint(variant.min_seats, variant.max_seats))]

    async def play(self, packs: Packs, script: list[tuple[float, Command]] | None = None) -> Played:
        """Play it: as *script* says, or anything that is allowed."""
        clock, luck = Clock(), self.luck
        store = SqliteStore(":memory:", clock=clock)
        async with backstage(store) as house:
            await house.alarms.stop()  # whatever is due is done here, and not a moment later
            ears = await self._gather(house)
            played = Played({ear.player: ear.frames for ear in ears}, Knowledge(packs))
            await self._do(house, ears, packs.deal(await _now(house)))
            for at in range(luck.randrange(1, LONGEST) if script is None else len(script)):
                table = await _now(house)
                if table.public.phase != "playing":
                    break
                seconds, command = script[at] if script else _anything(table, luck)
                clock.advance(seconds)
                played.commands.append((seconds, command))
                await self._do(house, ears, command)
            again = Ear(self.viewer)  # another device, which hears it all once more
            await house.hub.watch(again, CODE, 2, (await chains(house))[2])
            played.frames["again"] = again.frames
            for change in house.kept:
                played.knowledge.follow(change)
        await store.close()
        return played

    async def _gather(self, house: Backstage) -> list[Ear]:
        """Let everybody come, watch and be ready."""
        host, *others = self.players
        options = {"end": "holes", "holes": 1}
        opening = opening_of(host, CODE, len(self.players), variant=self.variant, options=options)
        await house.keeper.open(opening, PATIENT)
        for player in others:
            await house.ask(player, Join(player.title()))
        ears = [Ear(player) for player in (*self.players, WATCHER)]
        for ear in ears:
            await house.hub.watch(ear, CODE, 0, "")
        for player in self.players:
            await house.ask(player, Ready("ab" * 16))
            await _told(house, ears)
        return ears

    async def _do(self, house: Backstage, ears: list[Ear], command: Command) -> None:
        await house.keeper.do(CODE, command)
        await _told(house, ears)


async def _now(house: Backstage) -> Table:
    kept = await house.keeper.table(CODE)
    assert kept is not None, "there is a table"
    return kept.table


async def _told(house: Backstage, ears: list[Ear]) -> None:
    """Let the hub tell everybody; nothing else goes on."""
    ending = f'"version":{(await _now(house)).version},'.encode()
    for _ in range(1000):
        if all(ending in ear.frames[-1] for ear in ears):
            return
        await asyncio.sleep(0)
    pytest.fail("the hub has told nobody")


def _anything(table: Table, luck: Random) -> tuple[float, Command]:
    """Anything that somebody may do, or that time is up."""
    if luck.random() < 0.1:
        return table.about.turn_seconds, Wake()
    movers = [seat for seat in range(len(table.public.seats)) if moves_of(table, seat)]
    seat = luck.choice(movers)
    sitter, who = table.secret.sitters[seat], table.public.seats[seat]
    assert sitter is not None, "a player sits there"
    assert sitter.player is not None, "a player sits there"
    assert who is not None, "a player sits there"
    move = luck.choice(moves_of(table, seat))
    return 1.0, PlayMove(sitter.player, sitter.generation, who.count + 1, move)


class Renamed(Packs):
    """The same deals, but some cards have changed places."""

    def __init__(self, first: Packs, places: dict[Any, Any]) -> None:
        super().__init__()
        self._first, self._places = first, places

    def deal(self, table: Table) -> DealHole:
        dealt = self._first.deal(table)
        pack = tuple(self._places.get(card, card) for card in dealt.pack)
        name = (table.about.table, table.about.match, dealt.hole)
        self.dealt[name] = Deal(pack, dealt.luck)
        return replace(dealt, pack=pack)


async def twice(plan: Plan) -> tuple[list[bytes], list[bytes], bool]:
    """What one viewer was sent in both houses, and whether anybody could see that they are two."""
    packs = Packs()
    one = await plan.play(packs)
    seat = None if plan.viewer == WATCHER else plan.players.index(plan.viewer)
    unseen = one.knowledge.unseen(seat)
    places = dict(zip(unseen, plan.luck.sample(unseen, len(unseen)), strict=True))
    other = await plan.play(Renamed(packs, places), one.commands)
    first, second = (
        [*played.frames[plan.viewer], *played.frames["again"]] for played in (one, other)
    )
    return first, second, one.frames != other.frames


async def differing(pairs: int) -> tuple[int, int]:
    """Of so many pairs, how many differ to their viewer, and how many to anybody else."""
    told, differ = 0, 0
    for seed in range(pairs):
        one, other, two_houses = await twice(Plan(seed))
        told += one != other
        differ += two_houses
    return told, differ


async def test_nasty_P13_what_a_viewer_cannot_know_changes_nothing_that_it_is_sent() -> None:
    told, differ = await differing(PAIRS)

    assert 0 == told
    assert differ > PAIRS / 10, "the houses are two, and somebody with a card in hand can see it"


# ------------------------------------------------------------------ planted leaks


def by_its_length(page: Page, how: Look, text: Any = Page.text) -> bytes:
    """The top of the stock, told in blanks."""
    told: bytes = text(page, how)
    kept = page._kept  # noqa: SLF001 - a leak respects nothing
    hole = grid_secret(kept.table if kept else None)
    return told + b" " * (
        len("A23456789TJQK*".partition(rank(hole.stock[-1]))[0]) if hole and hole.stock else 0
    )


def by_a_digest(chain: str, events: tuple[Any, ...], lines: tuple[str, ...]) -> tuple[str, bytes]:
    """A chain over everything that happened: whoever tries all cards knows the one that was drawn."""
    _, note = documents.write_note(chain, events, lines)
    after = documents.next_chain(chain, repr(events).encode())
    noted = documents.read_note(note).model_copy(update={"chain": after})
    return after, noted.model_dump_json().encode()


@pytest.mark.parametrize(
    ("target", "leaky"),
    [
        ("dormie_server.seen.Page.text", by_its_length),
        (
            "dormie_server.keeper.documents",
            type("Leaky", (), {**vars(documents), "write_note": staticmethod(by_a_digest)}),
        ),
    ],
    ids=["length", "digest"],
)
async def test_a_leak_without_a_name_is_found(
    monkeypatch: pytest.MonkeyPatch, target: str, leaky: Callable[..., Any]
) -> None:
    monkeypatch.setattr(target, leaky)
    told, _ = await differing(12)

    assert told > 0
