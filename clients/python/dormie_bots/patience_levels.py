"""The levels at which a bot of the house plays Golf Patience, from the weakest to the strongest."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from dormie_bots.patience_bot import PatienceBot
from dormie_bots.patience_easy import patience_easy
from dormie_bots.patience_hard import patience_hard
from dormie_bots.patience_medium import patience_medium
from dormie_rules.patience_rules import PatienceRules

_BOTS: Mapping[str, Callable[[PatienceRules], PatienceBot]] = {
    "easy": patience_easy,
    "medium": patience_medium,
    "hard": patience_hard,
}
PATIENCE_LEVELS: tuple[str, ...] = tuple(_BOTS)


@lru_cache(maxsize=256)
def find_patience_bot(level: str, rules: PatienceRules) -> PatienceBot:
    """The bot that plays at *level* under *rules*. Raises KeyError if there is no such level.

    No level but the first looks ahead in a game whose runs only go up: all of them play it there.

    >>> callable(find_patience_bot("hard", PatienceRules("wrap")))
    True
    """
    bot = _BOTS[level]
    return bot(rules) if rules.build == "either" else patience_easy(rules)
