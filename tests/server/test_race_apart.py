"""At a race everybody is alone with their board: of rivals one sees how far they are, and nothing else at all.

The same moves of one seat are made in two houses with the same luck, in one of them between any moves of its
rivals. Everything that seat is sent has to be the same but for progress; so has everything that somebody who
watches is sent. Then people change their names and their seats, and nothing but those changes.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dormie_rules.drawers import look
from dormie_rules.patience_moves import Concede, GiveUp
from dormie_rules.race_state import RacePocket, RacePublic
from dormie_server.seen import Page
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table import fair
from dormie_server.table.commands import Join, PlayMove, Ready
from dormie_server.table.state import Table, course_of, match_of
from tests.contracts.stores import Clock
from tests.evening import HOST, Evening
from tests.server.backstage import CODE, PATIENT, Backstage, Ear, backstage, opening_of

PLAYERS = ("p-ada", "p-bob", "p-cid")
WATCHER = "p-watcher"
PASSING = ("after", "version", "chain", "now")
"""What says which change of the table a frame tells of: every move of anybody is one."""
MAY_BE_TOLD = {"event", "seat", "left"}

Doing = tuple[int, int]
"""A seat, and which of its moves it makes."""


def plain_moves(table: Table, seat: int) -> list[Any]:
    moves = course_of(table).moves(look(match_of(table), seat))
    return [move for move in moves if not isinstance(move, GiveUp | Concede)]


async def frames_of(script: Sequence[Doing], viewer: str) -> list[bytes]:
    """Everything *viewer* is sent while these moves are made, in the first hole of a match."""
    store = SqliteStore(":memory:", clock=Clock())
    async with backstage(store) as house:
        await house.alarms.stop()
        await house.keeper.open(
            opening_of(PLAYERS[0], CODE, 3, variant="golf_patience_match", options={"holes": 3}),
            PATIENT,
        )
        for player in PLAYERS[1:]:
            await house.ask(player, Join(player.title()))
        ear = Ear(viewer)
        await house.hub.watch(ear, CODE, 0, "")
        for player in PLAYERS:
            await house.ask(player, Ready("ab" * 16))
        await house.keeper.do(CODE, fair.next_deal(await now_at(house)))
        await told(house, ear)
        begun = len(ear.frames) - 1  # the deal is the first thing they have in common
        for seat, choice in script:
            table = await now_at(house)
            if moves := plain_moves(table, seat):
                sitter, who = table.secret.sitters[seat], table.public.seats[seat]
                assert sitter is not None, "a player sits there"
                assert who is not None, "a player sits there"
                move = moves[choice % len(moves)]
                command = PlayMove(PLAYERS[seat], sitter.generation, who.count + 1, move)
                await house.keeper.do(CODE, command)
                await told(house, ear)
        frames = ear.frames[begun:]
    await store.close()
    return frames


async def now_at(house: Backstage) -> Table:
    kept = await house.keeper.table(CODE)
    assert kept is not None, "there is a table"
    return kept.table


async def told(house: Backstage, ear: Ear) -> None:
    ending = f'"version":{(await now_at(house)).version},'.encode()
    async with asyncio.timeout(20):
        while not (ear.frames and ending in ear.frames[-1]):
            await asyncio.sleep(0)


def but_progress(frames: Sequence[bytes], seat: int | None) -> list[Any]:
    """What is left of frames without the progress of others, and without those that tell of nothing else."""
    left: list[Any] = []
    for frame in frames:
        seen = {key: of for key, of in json.loads(frame).items() if key not in PASSING}
        events = [one for one in seen.pop("events") if not _of_a_rival(one, seat)]
        for other in range(len(PLAYERS)):
            if other != seat:
                progress = seen["view"]["match"]["play"]["progress"][other]
                assert {"state", "left"} == set(progress)
                progress.clear()
                seen["view"]["seats"][other].pop("count")
        if events or not left or left[-1][1] != seen:
            left.append((events, seen))
    return left


def _of_a_rival(event: dict[str, Any], seat: int | None) -> bool:
    if event["all"].get("seat") in (None, seat):
        return False
    assert event["all"]["event"] in ("race_moved", "race_finished")
    assert MAY_BE_TOLD == set(event["all"])
    assert event["mine"] is None
    return True


SCRIPTS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), min_size=4, max_size=30)


def differs(script: Sequence[Doing], seat: int | None) -> bool:
    """Whether moves of rivals make a difference to what a seat is sent, or to what whoever watches is sent."""
    viewer = WATCHER if seat is None else PLAYERS[seat]
    alone = [doing for doing in script if doing[0] == seat]

    async def both() -> tuple[list[bytes], list[bytes]]:
        return await frames_of(script, viewer), await frames_of(alone, viewer)

    among, apart = asyncio.run(both())
    return but_progress(among, seat) != but_progress(apart, seat)


@settings(max_examples=25, deadline=None)
@given(SCRIPTS, st.sampled_from([0, 1, 2, None]))
def test_nasty_P13_nothing_a_rival_does_changes_what_a_seat_is_sent_but_for_progress(
    script: list[Doing], seat: int | None
) -> None:
    assert not differs(script, seat)


def test_a_rivals_board_beside_one_s_own_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Page._own  # noqa: SLF001 - a leak respects nothing

    def leaky(page: Page, seat: int | None) -> bytes:
        kept = page._kept  # noqa: SLF001 - as above
        pocket = kept.table.state.pockets[1] if kept else None
        board = pocket.board if isinstance(pocket, RacePocket) else None
        return own(page, seat) + b',"more":%d' % (board.stock if board else 0)

    monkeypatch.setattr(Page, "_own", leaky)

    assert differs([(1, 0), (1, 9), (1, 9), (0, 0), (1, 9), (1, 9), (0, 0)], 0)


# ------------------------------------------------------------ names and seats


def card_of(evening: Evening) -> RacePublic:
    match = evening.table.public.match
    assert isinstance(match, RacePublic)
    return match


def played(order: Sequence[int], choices: Sequence[int]) -> tuple[Evening, list[int]]:
    """A match of two holes in which three characters play, sitting in this order; where each of them sits.

    Each character chooses for itself, whatever its seat and its name.
    """
    evening = Evening(variant="golf_patience_match", options={"holes": 2}, size=3)
    evening.begin(*(f"p-x{order}{n}" for n in range(2)))
    turns = [0, 0, 0]
    while evening.phase in ("playing", "between"):
        waiting = {order[seat]: seat for seat in evening.waiting()}
        if not waiting:
            evening.sleep()
            continue
        one = min(waiting)
        every: Sequence[Any] = evening.moves(waiting[one])
        moves = [move for move in every if not isinstance(move, Concede)]
        turns[one] += 1
        choice = choices[(turns[one] * (one + 3)) % len(choices)]
        evening.play(waiting[one], moves[choice % len(moves)])
    return evening, [order.index(one) for one in range(3)]


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(3)), st.lists(st.integers(0, 7), min_size=3, max_size=12))
def test_other_names_and_other_seats_change_nothing_but_those(
    order: list[int], choices: list[int]
) -> None:
    (one, here), (other, there) = played(range(3), choices), played(order, choices)
    first, second = card_of(one), card_of(other)

    for a, b in zip(here, there, strict=True):
        assert first.totals[a] == second.totals[b]
        assert [row[a] for row in first.card] == [row[b] for row in second.card]
        assert first.places[a] == second.places[b]
        assert first.longest_runs[a] == second.longest_runs[b]
        mine, theirs = one.table.state.pockets[a], other.table.state.pockets[b]
        assert isinstance(mine, RacePocket)
        assert mine == theirs
    for pair in first.matches:
        a, b = (there[here.index(seat)] for seat in (pair.one, pair.two))
        same = next(p for p in second.matches if {p.one, p.two} == {a, b})
        turned = {"A": "B", "B": "A", "=": "="} if same.one == b else {c: c for c in "AB="}
        assert same.holes == "".join(turned[letter] for letter in pair.holes)
        assert abs(same.standing.up) == abs(pair.standing.up)
    assert one.seat(0).name == other.seat(0).name == HOST.removeprefix("p-").title()
