"""What a player of Golf Patience may ask to see, at any time."""

from collections.abc import Callable, Mapping

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
    return patience_page(find_patience(variant)).splitlines()


LOOKS: Mapping[Verb, Callable[[Sight], list[str]]] = {
    "look": lambda sight: [title(sight), *draw_board(sight)],
    "score": lambda sight: [*score_card(sight), *others(sight)],
    "who": lambda sight: who(sight.scene),
    "help": lambda sight: HELP[sight.screen.language].splitlines(),
    "rules": _rules,
}
