"""Tables in the middle of things, for whoever draws them."""

from dataclasses import replace
from typing import Any

from dormie_client.scene import Scene, Screen
from dormie_protocol.table_view import About, Phase, Seat, TablePublic
from dormie_rules.cards import Card
from dormie_rules.course import GridCourse
from dormie_rules.course_state import CoursePublic
from dormie_rules.drawers import View
from dormie_rules.grid_options import choose
from dormie_rules.grid_state import GridPocket, GridPublic, Stage
from dormie_rules.scoring import grid_score
from dormie_rules.variants import find

NAMES = ("Ada", "Ben", "Cléo", "李娜", "Eve", "Fay")


def grid(text: str) -> tuple[Card | None, ...]:
    """A grid as one writes it: ``## 5S * ##``."""
    return tuple(None if card == "##" else Card(card) for card in text.split())


def scene(
    *grids: str,
    stage: Stage = "turn",
    turn: int | None = 0,
    seat: int | None = 0,
    drawn: str | None = None,
    taken: str | None = None,
    discard: str | None = "7S",
    variant: str = "six_card",
    options: dict[str, Any] | None = None,  # any JSON
    screen: Screen | None = None,
) -> Scene:
    """A hole on which these grids lie on the table."""
    rules = choose(find(variant), options or {}, max(2, len(grids)))
    rows = tuple(grid(text) for text in grids)
    hole = GridPublic(
        stage=stage,
        playing=tuple(at for at, cards in enumerate(rows) if cards),
        grids=rows,
        showing=tuple(grid_score(rules.scoring, g, rules.cols) if g else None for g in rows),
        stock=31,
        discard=Card(discard) if discard else None,
        pile=5,
        turn=turn,
        taken=Card(taken) if taken else None,
        turns=7,
    )
    match = CoursePublic(
        hole=2,
        dealer=1,
        first=0,
        totals=(12, -5, 20, 7, 0, 0)[: len(rows)],
        out=(None,) * len(rows),
        card=((12, -5, 20, 7, 0, 0)[: len(rows)],),
        play=hole,
    )
    seats = tuple(Seat(name) for name in NAMES[: len(rows)])
    about = About("PARTEE23", "grid", variant, options or {}, rules, len(rows), 60.0)
    pocket = None if seat is None else GridPocket(Card(drawn) if drawn else None)
    shown = Scene(about, TablePublic("playing", seats, 0, None, match), seat, pocket)
    moves = (
        GridCourse(rules, len(rows)).moves(View(seat, match, pocket)) if seat is not None else ()
    )
    return replace(shown, moves=moves, screen=screen or Screen())


def in_phase(phase: Phase, *seats: Seat | None, host: int = 0, seat: int | None = 0) -> Scene:
    """A table between matches or holes."""
    rules = find("six_card").rules
    about = About("PARTEE23", "grid", "six_card", {}, rules, len(seats), 60.0)
    return Scene(about, TablePublic(phase, seats, host, None), seat)
