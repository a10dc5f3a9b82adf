"""Whoever watches a race with a delay: progress as it was then, and boards when the hole was over for all then."""

import asyncio

import pytest

from dormie_protocol.messages import Seen
from dormie_protocol.spectators import Spectators
from dormie_rules.race_state import RacePublic
from dormie_server.table.commands import Join, PlayMove, Ready
from tests.leaks import Leak
from tests.server.backstage import CODE, PATIENT, Backstage, Ear, opening_of
from tests.server.late import DELAY, TWO, seen_at, told
from tests.server.leak_scan import MARK, Packs
from tests.server.test_late_leaks import Log, check
from tests.server.test_race_apart import plain_moves

EVE = "p-eve"


def clock() -> float:
    return asyncio.get_running_loop().time()


async def open_race(house: Backstage) -> Ear:
    """A race of two, whose spectators see everything a minute later; an ear in a seat."""
    opening = opening_of(
        TWO[0],
        CODE,
        2,
        variant="golf_patience_queen",
        options={"holes": 2},
        spectators=Spectators(delay=DELAY),
    )
    await house.keeper.open(opening, PATIENT)
    await house.ask(TWO[1], Join("Bob"))
    ada = Ear(TWO[0])
    await house.hub.watch(ada, CODE, 0, "")
    return ada


async def play(house: Backstage) -> None:
    """Both play both holes to their end, a move a second, in turn."""
    for player in TWO:
        await house.ask(player, Ready("ab" * 16))
    while (table := await house.table()).public.phase != "over":
        for seat, player in enumerate(TWO):
            plain = plain_moves(table, seat) if table.public.phase == "playing" else []
            sitter, who = table.secret.sitters[seat], table.public.seats[seat]
            if plain and sitter and who:
                move = plain[(who.count * 5 + seat) % len(plain)]
                await house.keeper.do(
                    CODE, PlayMove(player, sitter.generation, who.count + 1, move)
                )
                table = await house.table()
            elif who and not who.ready and table.public.phase == "between":
                await house.ask(player, Ready())
        await asyncio.sleep(1.0)


def race_of(seen: Seen) -> RacePublic | None:
    match = seen.view.match if seen.view else None
    return match if isinstance(match, RacePublic) else None


def shown_at(log: Log) -> dict[int, float]:
    """When the boards of each hole were first seen."""
    first: dict[int, float] = {}
    for at, one in log:
        match = race_of(one) if isinstance(one, Seen) else None
        if match and match.play and match.play.shown:
            first.setdefault(match.hole, at)
    return first


def watched(planted: bool = False) -> tuple[Log, Log, int]:  # noqa: FBT001, FBT002 - it is only for planting
    """What a player saw and when, what a spectator did, and how many frames of Eve's were looked through."""
    live: Log = []
    late: Log = []
    frames: list[bytes] = []

    async def story(house: Backstage) -> None:
        packs = Packs()
        house.alarms._deal = packs.deal  # noqa: SLF001 - cards whose names nobody can guess
        ada, eve = await open_race(house), Ear(EVE)
        live_log, late_log = seen_at(ada, clock), seen_at(eve, clock)
        await house.hub.watch(eve, CODE, 0, "")
        await play(house)
        await asyncio.sleep(2 * DELAY)
        live.extend(live_log)
        late.extend(late_log)
        frames.extend(ada.frames if planted else eve.frames)

    told(story)
    return live, late, scan([frame.decode() for frame in frames])


def scan(frames: list[str]) -> int:
    """Look through frames for a card before a hole was over; returns how many frames had none. Raises Leak."""
    clean = 0
    for frame in frames:
        over = '"shown":{' in frame
        if not over and MARK.search(frame):
            raise Leak(frame[:300])
        clean += not over
    return clean


def test_spectators_see_progress_a_delay_later_and_boards_when_the_hole_was_over_then() -> None:
    live, late, clean = watched()
    boards_live, boards_late = shown_at(live), shown_at(late)

    assert check(live, late) > 50
    assert {1, 2} == set(boards_live) == set(boards_late)
    for hole, at in boards_live.items():
        assert DELAY == pytest.approx(boards_late[hole] - at, abs=0.01)
    progress = {
        match.play.progress
        for _, one in late
        if isinstance(one, Seen) and (match := race_of(one)) and match.play
    }
    assert len(progress) > 20, "how far everybody is is seen move by move"
    assert clean > 50


def test_a_scan_that_reads_a_player_s_frames_finds_cards() -> None:
    """Eve's were looked through in vain; a player's own are full of cards."""
    with pytest.raises(Leak):
        watched(planted=True)
