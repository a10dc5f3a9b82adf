"""What tests of grid Golf say of a table: that it is grid Golf's, and nothing else."""

from typing import Any, TypeVar

from dormie_protocol.table_view import TablePublic
from dormie_rules.course_state import CoursePublic
from dormie_rules.drawers import View
from dormie_rules.grid_moves import GridMove
from dormie_rules.grid_rules import GridRules
from dormie_rules.grid_state import GridPocket, GridPublic, GridSecret
from dormie_server.table.state import Table

T = TypeVar("T")


def _is(kind: type[T], value: object) -> T:
    assert isinstance(value, kind), "it is grid Golf's"
    return value


def grid_secret(table: Table | None) -> GridSecret | None:
    """What is locked away of the hole that is on, if one is."""
    hole = table.secret.hole if table else None
    return None if hole is None else _is(GridSecret, hole)


def grid_rules(rules: object) -> GridRules:
    """The same rules."""
    return _is(GridRules, rules)


def grid_pocket(pocket: object) -> GridPocket:
    """The same pocket."""
    return _is(GridPocket, pocket)


def grid_match(view: TablePublic) -> CoursePublic:
    """The match that is on."""
    return _is(CoursePublic, view.match)


def grid_play(hole: object) -> GridPublic:
    """The same hole."""
    return _is(GridPublic, hole)


def grid_move(move: Any) -> GridMove:  # a move of any game
    """The same move, for what knows grid Golf alone."""
    one: GridMove = move
    return one


def grid_view(table: Any) -> View[CoursePublic, GridPocket]:  # a client's table, or what was seen
    """What a seat sees, as a bot wants it."""
    return View(table.seat, grid_match(table.view), grid_pocket(table.pocket))
