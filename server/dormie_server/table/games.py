"""The games that a table can host: for each of them what a table has to know, and nowhere else."""

from collections.abc import Mapping
from typing import get_args

from dormie_bots import LEVELS, PATIENCE_LEVELS
from dormie_protocol.games import GameName, Rules
from dormie_rules.course import GridCourse
from dormie_rules.grid_cards import NOTHING
from dormie_rules.grid_moves import Draw, GridMove, write_move
from dormie_rules.grid_options import choose
from dormie_rules.grid_rules import shared
from dormie_rules.luck import shuffle
from dormie_rules.patience_deals import attempt_pack
from dormie_rules.patience_moves import Concede, GiveUp, Play, TakeBack, write_patience_move
from dormie_rules.patience_options import choose_race
from dormie_rules.patience_variants import find_patience, patience_names
from dormie_rules.race import RaceCourse
from dormie_rules.race_record import race_result_lines
from dormie_rules.race_state import NO_BOARD
from dormie_rules.record import result_lines
from dormie_rules.variants import find, names
from dormie_server.table.kind import Kind

SOLO_SECONDS = 3600.0
"""Nobody waits for whoever plays alone: so long a hole may take where nothing else is said."""


def hole_seconds(variant: str, options: Mapping[str, object], size: int) -> float | None:
    """How long a hole of *variant* may take, where its time is for a whole hole; None where it is for a turn.

    >>> hole_seconds("golf_patience_queen", {}, 3), hole_seconds("six_card", {}, 3)
    (600.0, None)
    """
    if variant not in GAMES["patience"].variants():
        return None
    asked = options.get("hole_seconds")
    if isinstance(asked, int | float):
        return float(asked)
    return SOLO_SECONDS if size == 1 else float(find_patience(variant).rules.hole_seconds)


def _patience_rules(variant: str, options: Mapping[str, object], seats: int) -> Rules:
    return choose_race(find_patience(variant), options, seats)


GAMES: Mapping[GameName, Kind] = {
    "grid": Kind(
        game="grid",
        variants=names,
        usual=lambda variant: find(variant).rules,
        options=lambda _, options: dict(options),
        choose=lambda variant, options, seats: choose(find(variant), options, seats),
        levels=LEVELS,
        most=lambda variant: find(variant).max_seats,
        course=GridCourse,
        moves=frozenset(get_args(GridMove)),
        written=write_move,
        results=result_lines,
        packed=lambda course, state, seed, _attempt: shuffle(seed, course.pack(state)),
        attempt=lambda _: 0,
        time_up=None,
        nothing=NOTHING,
        shared=shared,
    ),
    "patience": Kind(
        game="patience",
        variants=patience_names,
        usual=lambda variant: find_patience(variant).opened,
        options=lambda variant, options: find_patience(variant).opening_options(options),
        choose=_patience_rules,
        levels=PATIENCE_LEVELS,
        most=lambda variant: find_patience(variant).max_seats,
        course=RaceCourse,
        moves=frozenset({Play, Draw, GiveUp, TakeBack, Concede}),
        written=write_patience_move,
        results=race_result_lines,
        packed=lambda course, _state, seed, attempt: attempt_pack(course.rules, seed, attempt),
        attempt=lambda match: match.play.attempt if match.play else 0,
        time_up=RaceCourse.time_is_up,
        nothing=NO_BOARD,
        shared=lambda rules: rules,
    ),
}


def all_variants() -> tuple[str, ...]:
    """The names of the variants of all games, those of grid Golf first.

    >>> all_variants()[0]
    'nine_card'
    """
    return tuple(name for kind in GAMES.values() for name in kind.variants())


def all_levels() -> tuple[str, ...]:
    """The levels of all bots, whatever they play.

    >>> all_levels()
    ('random', 'easy', 'medium', 'hard')
    """
    return tuple(dict.fromkeys(level for kind in GAMES.values() for level in kind.levels))


def kind_with(variant: str) -> Kind:
    """The game that has a variant of this name. Raises KeyError when there is none.

    >>> kind_with("six_card").game
    'grid'
    """
    for kind in GAMES.values():
        if variant in kind.variants():
            return kind
    raise KeyError(variant)


def usual_rules(variant: str) -> Rules:
    """The rules of a new table of a variant of any game, if its host chooses nothing. Raises KeyError."""
    return kind_with(variant).usual(variant)
