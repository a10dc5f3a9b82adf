"""Everything `dormie solve` says, in English and in French."""

from collections.abc import Mapping

from dormie_protocol.messages import Language
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_moves import PatienceMove, Play
from dormie_rules.patience_solution import Solution
from dormie_rules.patience_text import (
    COLUMNS,
    FOUNDATION,
    LONGEST_LINE,
    PER_COLUMN,
    STOCK,
    TEXT_WORDS,
    BadDeal,
)

# What the program calls it -> what a person reads, in English and in French.
TEXTS: Mapping[str, tuple[str, str]] = {
    "deal": ("deal {number}", "donne {number}"),
    "solved": (
        "{name} ({king_rule}): {verdict}; best {best}, par {par}",
        "{name} ({king_rule}) : {verdict} ; meilleur {best}, par {par}",
    ),
    "clearable": ("a clearing order exists", "un ordre qui vide le tableau existe"),
    "not_clearable": ("no order clears it", "aucun ordre ne vide le tableau"),
    "unknown": ("not known", "inconnu"),
    "line": ("columns from 1: {moves}", "colonnes à partir de 1 : {moves}"),
    "draw": ("draw", "pioche"),
    "give up": ("give up", "abandon"),
    "progress": ("{done} of {all} deals solved", "{done} donnes résolues sur {all}"),
    "sum": (
        "{all} deals ({king_rule}): {clearable} clearable, mean best {mean}",
        "{all} donnes ({king_rule}) : {clearable} qui se vident, meilleur moyen {mean}",
    ),
    "at_line": ("{name}:{line}: {because}", "{name}:{line} : {because}"),
    "cannot_open": ("{name}: this cannot be read", "{name} : lecture impossible"),
    "too_long": (
        "{name}: more than {most} bytes are no deals",
        "{name} : plus de {most} octets ne sont pas des donnes",
    ),
    "what": (
        "which deal? a FILE, --seed N or --seeds A-B (--help lists what can be said)",
        "quelle donne ? un fichier, --seed N ou --seeds A-B (--help dit tout)",
    ),
}

FRENCH: Mapping[str, str] = {
    "no_deal": "il n’y a pas de donne ici",
    "second_deal": "une deuxième donne commence ici",
    "long_line": f"une ligne a au plus {LONGEST_LINE} caractères",
    "no_card": "{card} n’est pas une carte",
    "double": "{card} est en double",
    "missing": "{card} manque",
    "column_length": f"une colonne a {PER_COLUMN} cartes, celle-ci {{number}} (la dernière : {{card}})",
    "many_columns": f"une donne a {COLUMNS} colonnes, et {{card}} en commence une autre",
    "few_columns": f"une donne a {COLUMNS} colonnes, celle-ci {{number}}",
    "many_starts": "la fondation commence par une carte, et {card} en est une deuxième",
    "second_head": "{card} est en double",
    "no_talon": f"une donne a une ligne qui commence par {STOCK}",
    "no_foundation": f"une donne a une ligne qui commence par {FOUNDATION}",
}
"""What can be wrong with a text; the English is beside the words in the rules."""


def text(key: str, language: Language, **fields: object) -> str:
    """One of the sentences.

    >>> text("deal", "fr", number=7)
    'donne 7'
    """
    return TEXTS[key][language == "fr"].format(**fields)


def bad_deal_text(name: str, bad: BadDeal, language: Language) -> str:
    """What is wrong with the text of a deal, and where.

    >>> bad_deal_text("deal.txt", BadDeal(3, "no_card", "XS"), "fr")
    'deal.txt:3 : XS n’est pas une carte'
    """
    words = FRENCH if language == "fr" else TEXT_WORDS
    because = words[bad.word].format(card=bad.card, number=bad.number)
    return text("at_line", language, name=name, line=bad.line, because=because)


def solution_text(
    name: str, king_rule: str, solution: Solution, par: int, language: Language
) -> str:
    """The verdict in a line."""
    verdict = text(solution.verdict, language)
    fields = {"name": name, "king_rule": king_rule, "best": solution.best, "par": par}
    return text("solved", language, verdict=verdict, **fields)


def line_text(line: tuple[PatienceMove, ...], language: Language) -> str:
    """The moves in a line.

    >>> line_text((Play(2), Draw()), "en")
    'columns from 1: 3 draw'
    """
    moves = [_move_text(move, language) for move in line]
    return text("line", language, moves=" ".join(moves) or "-")


def _move_text(move: PatienceMove, language: Language) -> str:
    if isinstance(move, Play):
        return str(move.column + 1)
    return text("draw" if isinstance(move, Draw) else "give up", language)
