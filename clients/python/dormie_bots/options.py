"""A move and the points to expect after it, and how to say why one was better than the others."""

from collections.abc import Sequence
from dataclasses import dataclass

from dormie_bots.sight import Sight
from dormie_bots.why import Why, because
from dormie_rules.cards import Card, rank
from dormie_rules.grid_moves import Discard, Draw, Flip, GridMove, Pass, Swap
from dormie_rules.grid_rules import GridRules
from dormie_rules.scoring import complete_lines
from dormie_rules.tuples import put


@dataclass(frozen=True, slots=True)
class Option:
    """A move, and the points to expect after it."""

    move: GridMove
    points: float
    """Those of the own grid."""
    closing: float = 0.0
    """Those that the closer may have to pay."""
    gift: float = 0.0
    """Those that a rival may save, as far as they are felt."""
    out: Card | None = None
    """The card that goes to the discard pile, where that is known."""

    @property
    def cost(self) -> float:
        return self.points + self.closing + self.gift


def reason(
    rules: GridRules, sight: Sight, stay: float, best: Option, options: Sequence[Option]
) -> Why:
    """Why *best* is the best of *options*, when the grid as it lies would count *stay*."""
    if sight.hole.stage == "setup":
        return because("spread")
    if isinstance(best.move, Draw):
        return because("draws", card=sight.card)
    if isinstance(best.move, Pass):
        return because("waits")
    return _resisted(best, options) or _found(rules, sight, stay, best, options)


def _resisted(best: Option, options: Sequence[Option]) -> Why | None:
    """What speaks against the move that looks best at first sight, if another one was made."""
    tempting = min(options, key=lambda option: option.points)
    if round(tempting.closing) > 0 and not best.closing:
        return because("holds_back", points=round(tempting.closing))
    generous = min(options, key=lambda option: option.points + option.closing)
    if generous.out and generous.gift > best.gift:
        return because("no_gift", card=rank(generous.out))
    return None


def _found(
    rules: GridRules, sight: Sight, stay: float, best: Option, options: Sequence[Option]
) -> Why:
    """What speaks for the move that was made."""
    match best.move:
        case Swap(at) if sight.can_close and sight.grid[at] is None:
            return because("closes", points=round(best.points))
        case Discard():
            return because("no_use", card=sight.card)
        case Flip() if sight.can_close:
            return because("closes_blind")
        case Flip():
            free = any(isinstance(option.move, Pass) for option in options)
            return because("turns" if free else "must_turn")
        case _:
            return _placed(rules, sight, round(stay - best.points), best.move)


def _placed(rules: GridRules, sight: Sight, points: int, move: GridMove) -> Why:
    """What a card does that is taken or put somewhere."""
    if points <= 0:
        return because("least", card=sight.card)
    if isinstance(move, Swap):
        grid = put(sight.grid, move.at, Card(sight.card))
        lines = complete_lines(rules.scoring, grid, rules.cols)
        if any(move.at in line for line in lines):
            return because("line", card=sight.card)
    return because("saves", card=sight.card, points=points)
