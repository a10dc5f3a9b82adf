"""What a player of Golf Patience may ask to see, at any time."""

from collections.abc import Callable, Mapping

from dormie_client.commands import meant
from dormie_client.help_text import TOPICS, help_lines
from dormie_client.patience_card import score_card
from dormie_client.patience_page import patience_page
from dormie_client.patience_text import HELP
from dormie_client.patience_view import Sight, draw_board, others, title
from dormie_client.patience_words import Verb
from dormie_client.terminal_view import who
from dormie_rules.patience_variants import find_patience, patience_names


def _rules(sight: Sight) -> list[str]:
    variant = sight.scene.about.variant
    if variant not in patience_names():  # a newer server may have more than this program knows
        return [variant]
    return patience_page(find_patience(variant), sight.screen.language).splitlines()


def _help(sight: Sight, about: str) -> list[str]:
    """How this game is played, or a page that is the same at every table."""
    if meant(about, TOPICS):
        return help_lines(about, sight.screen.language)
    return HELP[sight.screen.language].splitlines()


LOOKS: Mapping[Verb, Callable[[Sight, str], list[str]]] = {
    "look": lambda sight, _: [title(sight), *draw_board(sight)],
    "score": lambda sight, _: [*score_card(sight), *others(sight)],
    "who": lambda sight, _: who(sight.scene),
    "help": _help,
    "rules": lambda sight, _: _rules(sight),
}
