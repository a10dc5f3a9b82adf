"""The lines that say to people why a move of Golf Patience is a good one, in every language."""

from collections.abc import Mapping
from typing import Literal

from dormie_bots.why import Language
from dormie_rules.patience_hints import Hint
from dormie_rules.patience_reason import Reason, ReasonCode


def say_reason(why: Reason, language: Language = "en") -> str:
    """The line that says *why* to people.

    >>> from dormie_rules.patience_reason import reason
    >>> say_reason(reason("run", cards=4)), say_reason(reason("average", tenths=-3), "fr")
    ('A run of 4 cards begins here.', 'En moyenne, cela finit à environ -0,3.')
    """
    said = {name: _said(name, number, language) for name, number in why.params}
    line = PATIENCE_LINES[language][why.code].format(**said)
    return line[0].upper() + line[1:]


def say_hint(hint: Hint, language: Language = "en") -> str:
    """A hint named as what it is, and why.

    >>> from dormie_rules.grid_moves import Draw
    >>> from dormie_rules.patience_reason import reason
    >>> say_hint(Hint("open", Draw(), 20, True, reason("fewest", cards=2)))
    'Open hint, which knows the stock: 2 cards will be left, and no order leaves fewer.'
    """
    said = say_reason(hint.why, language)
    return f"{KINDS[language][hint.kind]}{said[0].lower()}{said[1:]}"


KINDS: Mapping[Language, Mapping[Literal["fair", "open"], str]] = {
    "en": {
        "fair": "Fair hint, from what you can see: ",
        "open": "Open hint, which knows the stock: ",
    },
    "fr": {
        "fair": "Conseil équitable, d’après ce que vous voyez : ",
        "open": "Conseil ouvert, qui connaît la pioche : ",
    },
}

PATIENCE_LINES: Mapping[Language, Mapping[ReasonCode, str]] = {
    "en": {
        "only_move": "there is nothing else to do.",
        "first_fits": "the first card that fits.",
        "nothing_fits": "no card fits.",
        "run": "a run of {cards} begins here.",
        "clears_now": "a run that clears everything begins here, with {stock} left in the stock.",
        "last_run": "a run to the end begins here; it leaves {cards}.",
        "waits": "the cards that fit may be of better use later.",
        "average": "on average this ends at about {tenths}.",
        "average_draw": "drawing ends at about {tenths} on average; no card that fits does better.",
        "can_clear": "everything can still be cleared, with {stock} left in the stock.",
        "fewest": "{cards} will be left, and no order leaves fewer.",
    },
    "fr": {
        "only_move": "il n’y a rien d’autre à faire.",
        "first_fits": "la première carte qui convient.",
        "nothing_fits": "aucune carte ne convient.",
        "run": "une suite de {cards} commence ici.",
        "clears_now": "une suite qui vide tout commence ici, et il reste {stock} dans la pioche.",
        "last_run": "une dernière suite commence ici ; il restera {cards}.",
        "waits": "les cartes qui conviennent serviront peut-être mieux plus tard.",
        "average": "en moyenne, cela finit à environ {tenths}.",
        "average_draw": "piocher finit en moyenne à environ {tenths} ; aucune carte ne fait mieux.",
        "can_clear": "tout peut encore être vidé, avec {stock} dans la pioche.",
        "fewest": "il restera {cards}, et aucun ordre n’en laisse moins.",
    },
}


def _said(name: str, number: int, language: Language) -> str:
    if name == "tenths":
        text = f"{number / 10:.1f}"
        return text.replace(".", ",") if language == "fr" else text
    one = number <= 1 if language == "fr" else number == 1
    return f"{number} {_CARD[language]}{'s' * (not one)}"


_CARD: Mapping[Language, str] = {"en": "card", "fr": "carte"}
