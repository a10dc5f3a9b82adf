"""Why a bot made a move: a word and a few numbers, and the line that says it to people.

A reason names no card but those its move lays open, so that it may be told to the whole table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Code: TypeAlias = Literal[
    "any",
    "only_move",
    "spread",
    "draws",
    "saves",
    "line",
    "least",
    "no_use",
    "turns",
    "must_turn",
    "waits",
    "closes",
    "closes_blind",
    "holds_back",
    "no_gift",
]
Language: TypeAlias = Literal["en", "fr"]


@dataclass(frozen=True, slots=True)
class Why:
    """A reason, in no language yet."""

    code: Code
    params: tuple[tuple[str, int | str], ...] = ()
    """What the line needs: ``card`` is a rank, ``points`` a whole number."""


def because(code: Code, **params: int | str) -> Why:
    """A reason and what its line needs.

    >>> because("saves", card="3", points=4)
    Why(code='saves', params=(('card', '3'), ('points', 4)))
    """
    return Why(code, tuple(params.items()))


def say_why(why: Why, language: Language = "en") -> str:
    """The line that says *why* to people.

    >>> say_why(because("saves", card="A", points=1))
    'The ace saves about 1 point.'
    >>> say_why(because("closes", points=-3), "fr")
    'Voilà le trou fermé, avec moins 3 points.'
    """
    said = {name: _said(name, given, language) for name, given in why.params}
    line = LINES[language][why.code].format(**said)
    return line[0].upper() + line[1:]


LINES: Mapping[Language, Mapping[Code, str]] = {
    "en": {
        "any": "just like that.",
        "only_move": "there is nothing else to do.",
        "spread": "a card in another column.",
        "draws": "the stock promises more than {card}.",
        "saves": "{card} saves about {points}.",
        "line": "{card} completes a line.",
        "least": "{card} is the lesser evil.",
        "no_use": "{card} is of no use here.",
        "turns": "a card more is known, and it costs nothing.",
        "must_turn": "one of the cards must be turned up.",
        "waits": "it is too early to close.",
        "closes": "that closes the hole with {points}.",
        "closes_blind": "the last card closes the hole, whatever it is.",
        "holds_back": "closing now would probably cost {points}.",
        "no_gift": "{card} would be a gift to the next player.",
    },
    "fr": {
        "any": "comme ça, au hasard.",
        "only_move": "il n’y a rien d’autre à faire.",
        "spread": "une carte dans une autre colonne.",
        "draws": "la pioche promet mieux que {card}.",
        "saves": "{card} fait gagner environ {points}.",
        "line": "{card} complète une ligne.",
        "least": "{card} est un moindre mal.",
        "no_use": "{card} ne sert à rien ici.",
        "turns": "une carte de plus est connue, sans rien coûter.",
        "must_turn": "il faut bien retourner une carte.",
        "waits": "il est trop tôt pour fermer.",
        "closes": "voilà le trou fermé, avec {points}.",
        "closes_blind": "la dernière carte ferme le trou, quelle qu’elle soit.",
        "holds_back": "fermer maintenant coûterait sans doute {points}.",
        "no_gift": "{card} serait un cadeau pour le suivant.",
    },
}


def _said(name: str, given: int | str, language: Language) -> str:
    return _CARDS[language][str(given)] if name == "card" else _points(int(given), language)


def _points(points: int, language: Language) -> str:
    one = abs(points) <= 1 if language == "fr" else abs(points) == 1
    minus = {"en": "minus", "fr": "moins"}[language]
    return f"{f'{minus} ' * (points < 0)}{abs(points)} point{'s' * (not one)}"


def _names(names: str) -> Mapping[str, str]:
    return dict(zip("A23456789TJQK*", names.split(", "), strict=True))


_CARDS: Mapping[Language, Mapping[str, str]] = {
    "en": _names(
        "the ace, the two, the three, the four, the five, the six, the seven, the eight, the nine, "
        "the ten, the Jack, the Queen, the King, the joker"
    ),
    "fr": _names(
        "l’as, le deux, le trois, le quatre, le cinq, le six, le sept, le huit, le neuf, "
        "le dix, le valet, la dame, le roi, le joker"
    ),
}
