"""Whole evenings without a server, brought to the phase or the stage in which a scenario begins."""

from collections.abc import Callable
from typing import TypeVar

from dormie_rules.grid_moves import Discard, Draw, GridMove, Take
from dormie_rules.grid_state import GridPublic
from dormie_server.table.commands import Attach, End, Start
from dormie_server.table.refusal import No
from dormie_server.table.state import Policy
from tests.evening import HOST, Evening
from tests.grid_only import grid_play

BOB, CLEO, EVE = "p-bob", "p-cleo", "p-eve"
E = TypeVar("E")


def word_of(doing: Callable[[], object]) -> str:
    """The word with which something is refused; "done" if it is not."""
    try:
        doing()
    except No as no:
        return no.why
    return "done"


def told(evening: Evening, kind: type[E]) -> list[E]:
    """Everything of a kind that has happened."""
    return [event.public for event in evening.told if isinstance(event.public, kind)]


def play_of(evening: Evening) -> GridPublic:
    """The hole that is on."""
    match = evening.table.public.match
    assert match is not None, "a match is on"
    assert match.play is not None, "a hole is on"
    return grid_play(match.play)


def play_one(evening: Evening, *wishes: type[GridMove]) -> None:
    """Let whoever is waited for make a move, one of the wished kinds if that is legal; or let time pass."""
    waiting = evening.waiting()
    if not waiting:
        evening.sleep()
        return
    moves = evening.moves(waiting[0])
    evening.play(waiting[0], next((m for m in moves if isinstance(m, wishes)), moves[-1]))
    evening.ring()


def play_until(evening: Evening, *phases: str) -> None:
    """Let everybody play until the table is in one of these phases."""
    for _ in range(20_000):
        if evening.phase in phases:
            return
        play_one(evening)
    raise AssertionError(f"still {evening.phase}")


STAGES: dict[str, tuple[type[GridMove], ...]] = {
    "setup": (),
    "turn": (),
    "drawn": (Draw,),
    "taken": (Take,),
    "flip": (Draw, Discard),
}
"""The stages of a turn, and the moves that lead there."""


def at_stage(stage: str, *others: str) -> Evening:
    """An evening in the first hole, at this stage of a turn."""
    evening = Evening(options={"holes": 2, "flip_after_discard": "must"}, size=1 + len(others))
    evening.begin(*others)
    while play_of(evening).stage != stage:
        play_one(evening, *STAGES[stage])
    return evening


def at_phase(phase: str) -> Evening:
    """Ada and Bob at a table in this phase; there was room for a third."""
    evening = Evening(size=3, policy=Policy(pace=0, pause=10))
    evening.do(Attach(HOST, "server-1"))
    evening.come(BOB, "Bob")
    if phase == "lobby":
        return evening
    if phase == "closed":
        evening.ask(HOST, End())
        return evening
    evening.ask(HOST, Start())
    if phase != "starting":
        evening.sleep()
        play_until(evening, phase)
    assert phase == evening.phase
    return evening
