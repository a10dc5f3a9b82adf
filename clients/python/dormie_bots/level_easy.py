"""The careless player: low cards are good, high cards are bad, and lines happen to others.

It has no eye for pairs and none for the other grids. A face-down card is to it an average unseen card.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from dormie_bots.bot import Bot, Choice, Luck
from dormie_bots.odds import Odds, unseen
from dormie_bots.sight import Sight, crowd, see
from dormie_bots.why import Why, because
from dormie_rules.cards import rank
from dormie_rules.course_state import CourseView
from dormie_rules.grid_moves import Discard, Draw, Flip, GridMove, Pass, Swap, Take
from dormie_rules.grid_rules import GridRules
from dormie_rules.luck import shuffle


def easy_bot(rules: GridRules) -> Bot:
    """The bot for *rules*."""
    return partial(_choose, rules)


def _choose(rules: GridRules, view: CourseView, moves: Sequence[GridMove], luck: Luck) -> Choice:
    if len(moves) == 1:
        return Choice(moves[0], because("only_move"))
    thought = _think(rules, view)
    move = max(shuffle(luck, moves), key=thought.gain)
    return Choice(move, thought.why(move))


@dataclass(frozen=True, slots=True)
class _Thought:
    """What a careless player makes of a view."""

    rules: GridRules
    sight: Sight
    odds: Odds
    worth: Mapping[str, int]
    places: tuple[float, ...]
    """What each card of the grid seems to cost."""

    def gain(self, move: GridMove) -> float:
        """The points that *move* seems to save."""
        match move:
            case Draw():
                dearest = max(self.places)
                return sum(p * max(0.0, dearest - self.worth[of]) for of, p in self.odds.draws())
            case Take():
                return max(self.places) - self.worth[self.sight.card]
            case Swap(at):
                return self.places[at] - self.worth[self.sight.card]
            case Flip():
                return -crowd(self.rules, self.sight, move)
            case Pass():  # any card is worth a look, but the last one ends the hole
                return 1.0 if self.sight.can_close else -self.rules.cells
            case Discard():
                return 0.0

    def why(self, move: GridMove) -> Why:
        """The line that goes with *move*."""
        match move:
            case Draw():
                return because("draws", card=self.sight.card)
            case Take() | Swap():
                points = round(self.gain(move))
                card = self.sight.card
                return (
                    because("saves", card=card, points=points)
                    if points > 0
                    else (because("least", card=card))
                )
            case Discard():
                return because("no_use", card=self.sight.card)
            case Flip():
                return because("spread" if self.sight.hole.stage == "setup" else "turns")
            case Pass():
                return because("waits")


def _think(rules: GridRules, view: CourseView) -> _Thought:
    odds, sight, worth = unseen(rules, view), see(view), dict(rules.scoring.values)
    mean = odds.mean(worth)
    places = tuple(mean if card is None else worth[rank(card)] for card in sight.grid)
    return _Thought(rules, sight, odds, worth, places)
