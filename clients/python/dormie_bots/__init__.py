"""Players made of pure functions: given what a seat sees, what they would do, and why."""

from dormie_bots.bot import Bot, Choice, Luck
from dormie_bots.levels import LEVELS, find_bot
from dormie_bots.patience_bot import PatienceBot, PatienceChoice
from dormie_bots.patience_levels import PATIENCE_LEVELS, find_patience_bot
from dormie_bots.patience_words import say_hint, say_reason
from dormie_bots.thinking import think_seconds
from dormie_bots.why import Language, Why, because, say_why

__all__ = [
    "LEVELS",
    "PATIENCE_LEVELS",
    "Bot",
    "Choice",
    "Language",
    "Luck",
    "PatienceBot",
    "PatienceChoice",
    "Why",
    "because",
    "find_bot",
    "find_patience_bot",
    "say_hint",
    "say_reason",
    "say_why",
    "think_seconds",
]
