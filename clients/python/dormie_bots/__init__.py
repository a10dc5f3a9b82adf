"""Players made of pure functions: given what a seat sees, what they would do, and why."""

from dormie_bots.bot import Bot, Choice, Luck
from dormie_bots.levels import LEVELS, find_bot
from dormie_bots.thinking import think_seconds
from dormie_bots.why import Language, Why, because, say_why

__all__ = [
    "LEVELS",
    "Bot",
    "Choice",
    "Language",
    "Luck",
    "Why",
    "because",
    "find_bot",
    "say_why",
    "think_seconds",
]
