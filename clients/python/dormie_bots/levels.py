"""The levels at which a bot of the house can play, from the weakest to the strongest."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from dormie_bots.bot import Bot
from dormie_bots.level_easy import easy_bot
from dormie_bots.level_medium import medium_bot
from dormie_bots.level_random import random_bot
from dormie_rules.grid_rules import GridRules

_BOTS: Mapping[str, Callable[[GridRules], Bot]] = {
    "random": random_bot,
    "easy": easy_bot,
    "medium": medium_bot,
}
LEVELS: tuple[str, ...] = tuple(_BOTS)


@lru_cache(maxsize=256)
def find_bot(level: str, rules: GridRules) -> Bot:
    """The bot that plays at *level* under *rules*. Raises KeyError if there is no such level.

    >>> from dormie_rules.variants import find
    >>> callable(find_bot("easy", find("six_card").rules))
    True
    """
    return _BOTS[level](rules)
