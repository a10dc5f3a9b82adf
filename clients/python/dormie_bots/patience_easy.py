"""The beginner at Golf Patience: the first column with a card that fits, else the next card of the stock."""

from collections.abc import Sequence

from dormie_bots.bot import Luck
from dormie_bots.patience_bot import PatienceBot, PatienceChoice
from dormie_rules.patience_moves import PatienceMove, Play
from dormie_rules.patience_reason import reason
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_sight import Sight


def patience_easy(rules: PatienceRules) -> PatienceBot:
    """The bot; it plays the same under all *rules*."""
    return _choose


def _choose(sight: Sight, moves: Sequence[PatienceMove], luck: Luck) -> PatienceChoice:
    why = reason("first_fits") if isinstance(moves[0], Play) else reason("nothing_fits")
    return PatienceChoice(moves[0], why)
