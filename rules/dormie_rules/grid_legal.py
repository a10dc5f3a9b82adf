"""Which moves of grid Golf are legal, from nothing but the view of the player who would make them."""

from functools import lru_cache
from typing import NamedTuple

from dormie_rules.grid_moves import Discard, Draw, Flip, GridMove, Pass, Swap, Take
from dormie_rules.grid_rules import GridRules
from dormie_rules.grid_state import GridPublic, GridView

WORDS = (
    "not_playing",
    "not_your_turn",
    "hole_over",
    "setup_done",
    "must_flip",
    "flip_or_pass",
    "no_such_card",
    "already_face_up",
    "already_drawn",
    "nothing_drawn",
    "must_swap",
    "swap_or_discard",
    "no_stock",
)
"""Every word with which these rules say no."""


def why_not(rules: GridRules, view: GridView, move: GridMove) -> str | None:
    """Why the viewer may not make *move* now, as one of WORDS, or None if it is legal (rules A3, A4)."""
    public, seat = view.public, view.seat
    if seat is None or seat not in public.playing:
        return "not_playing"
    if public.stage == "over":
        return "hole_over"
    if public.stage == "setup":
        return _why_not_in_setup(rules, public, seat, move)
    if public.turn != seat:
        return "not_your_turn"
    if isinstance(move, Swap | Flip) and not 0 <= move.at < rules.cells:
        return "no_such_card"
    if public.stage == "turn":
        return _why_not_at_first(rules, public, move)
    if public.stage == "flip":
        return _why_not_after_discard(rules, public, seat, move)
    return _why_not_with_a_card(public, move)


def moves(rules: GridRules, view: GridView) -> tuple[GridMove, ...]:
    """The moves the viewer may make now, in the order in which people think of them."""
    public, seat = view.public, view.seat
    if seat is None or seat not in waiting(rules, public):
        return ()
    every = _moves(rules.cells)
    match public.stage:
        case "turn":
            return every.first if can_draw(rules, public) else every.first[1:]
        case "drawn":
            return every.placing
        case "taken":
            return every.placing[:-1]
        case _:
            grid = public.grids[seat]
            flips = tuple([flip for flip in every.flips if grid[flip.at] is None])
            return (*flips, Pass()) if may_pass(rules, public, seat) else flips


def waiting(rules: GridRules, public: GridPublic) -> tuple[int, ...]:
    """The seats that may move: all that still turn cards up in setup, else the one whose turn it is."""
    if public.stage == "setup":
        face_down = rules.cells - rules.initial_face_up
        return tuple([s for s in public.playing if public.grids[s].count(None) > face_down])
    return () if public.turn is None else (public.turn,)


def default(rules: GridRules, view: GridView) -> GridMove:
    """What is played for a sleeper: see nothing, change as little as the rules allow (rule A8).

    Only for a viewer who may move.
    """
    public, seat = view.public, view.seat
    assert seat is not None, "a spectator has no move to make"
    grid = public.grids[seat]
    face_down = [at for at, card in enumerate(grid) if card is None]
    match public.stage:
        case "turn":
            return Draw() if can_draw(rules, public) else Take()
        case "drawn":
            return Discard()
        case "taken":
            return Swap(face_down[0] if face_down else _dearest(rules, view))
        case _:
            return Pass() if may_pass(rules, public, seat) else Flip(face_down[0])


def can_draw(rules: GridRules, public: GridPublic) -> bool:
    """Whether a card can come from the stock, if need be after a reshuffle (rule A9)."""
    return public.stock > 0 or can_reshuffle(rules, public)


def can_reshuffle(rules: GridRules, public: GridPublic) -> bool:
    """Whether the discard pile may become a new stock: its top card always stays."""
    if rules.stock_empty not in ("reshuffle_keep_top", "eager") or public.pile < 2:  # noqa: PLR2004 - the top card and one more
        return False
    return rules.max_reshuffles is None or public.reshuffles < rules.max_reshuffles


def may_pass(rules: GridRules, public: GridPublic, seat: int) -> bool:
    """Whether *seat*, having discarded, may turn nothing up."""
    if public.stage != "flip":
        return False
    if rules.flip_after_discard == "may":
        return True
    return rules.last_flip_optional and public.grids[seat].count(None) == 1


def _why_not_in_setup(
    rules: GridRules, public: GridPublic, seat: int, move: GridMove
) -> str | None:
    done = rules.cells - public.grids[seat].count(None) >= rules.initial_face_up
    if not isinstance(move, Flip):
        return "not_your_turn" if done else "must_flip"
    if not 0 <= move.at < rules.cells:
        return "no_such_card"
    if public.grids[seat][move.at] is not None:
        return "already_face_up"
    return "setup_done" if done else None


def _why_not_at_first(rules: GridRules, public: GridPublic, move: GridMove) -> str | None:
    if isinstance(move, Draw):
        return None if can_draw(rules, public) else "no_stock"
    return None if isinstance(move, Take) else "nothing_drawn"


def _why_not_with_a_card(public: GridPublic, move: GridMove) -> str | None:
    """A card from the stock is placed or discarded; one from the discard pile must be placed."""
    if isinstance(move, Draw | Take):
        return "already_drawn"
    if isinstance(move, Swap):
        return None
    if public.stage == "taken":
        return "must_swap"
    return None if isinstance(move, Discard) else "swap_or_discard"


def _why_not_after_discard(
    rules: GridRules, public: GridPublic, seat: int, move: GridMove
) -> str | None:
    free = may_pass(rules, public, seat)
    if isinstance(move, Flip):
        return None if public.grids[seat][move.at] is None else "already_face_up"
    if isinstance(move, Pass):
        return None if free else "must_flip"
    return "flip_or_pass" if free else "must_flip"


class _Moves(NamedTuple):
    """Every move there is on a grid, by the moment at which it is made."""

    first: tuple[GridMove, ...]
    placing: tuple[GridMove, ...]
    flips: tuple[Flip, ...]


@lru_cache(maxsize=128)
def _moves(cells: int) -> _Moves:
    swaps = tuple(Swap(at) for at in range(cells))
    flips = tuple(Flip(at) for at in range(cells))
    return _Moves((Draw(), Take()), (*swaps, Discard()), flips)


def _dearest(rules: GridRules, view: GridView) -> int:
    assert view.seat is not None, "only a player has a grid"
    values = dict(rules.scoring.values)
    grid = view.public.grids[view.seat]
    return max(range(len(grid)), key=lambda at: values[(grid[at] or "")[0]])
