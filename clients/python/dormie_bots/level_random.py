"""The beginner who never looks: any move that is allowed, each as likely as the others."""

from collections.abc import Sequence

from dormie_bots.bot import Bot, Choice, Luck
from dormie_bots.why import because
from dormie_rules.course_state import CourseView
from dormie_rules.grid_moves import GridMove
from dormie_rules.grid_rules import GridRules
from dormie_rules.luck import shuffle


def random_bot(rules: GridRules) -> Bot:
    """The bot; it plays the same under all *rules*."""
    return _choose


def _choose(view: CourseView, moves: Sequence[GridMove], luck: Luck) -> Choice:
    return Choice(shuffle(luck, moves)[0], because("any"))
