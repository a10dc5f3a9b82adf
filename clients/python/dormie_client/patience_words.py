"""What a player of Golf Patience types, made into a command; English and French words do everywhere.

A number is a column. Nothing here knows what is allowed; that is the rules' business.
"""

import unicodedata
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dormie_protocol.messages import Language

MoveVerb: TypeAlias = Literal["play", "draw", "undo", "give_up", "concede", "auto", "hint"]
LookVerb: TypeAlias = Literal["marks", "time", "look", "score", "who", "rules", "help"]
TableVerb: TypeAlias = Literal["ready", "start", "bot", "end", "rematch", "leave", "back", "quit"]
Verb: TypeAlias = MoveVerb | LookVerb | TableVerb

WORDS: dict[Verb, str] = {
    "play": "play joue jouer column colonne",
    "draw": "draw pioche piocher",
    "undo": "undo u reprends reprendre",
    "give_up": "give giveup g renonce renoncer",
    "concede": "concede conceder",
    "auto": "auto a autofinish",
    "hint": "hint indice aide-moi",
    "marks": "marks mark marques marque",
    "time": "time temps",
    "look": "look l table regarde regarder",
    "score": "score scores points",
    "who": "who qui",
    "rules": "rules regles",
    "help": "help ? h aide",
    "ready": "ready pret go next suivant",
    "start": "start commence commencer",
    "bot": "bot robot",
    "end": "end ferme fermer",
    "rematch": "rematch revanche",
    "leave": "leave abandonne abandonner",
    "back": "back ici",
    "quit": "quit q exit quitte quitter sors",
}
"""Every word that can be typed, without its accents."""

LETTERS: dict[Language, dict[str, Verb]] = {"en": {"d": "draw", "p": "play"}, "fr": {"p": "draw"}}
"""What is short for a word, in the language of the screen."""

LONGEST = 200

_VERBS: dict[str, Verb] = {word: verb for verb, words in WORDS.items() for word in words.split()}


class Unclear(Exception):
    """What was typed is no command: the key of the sentence that says so."""

    def __init__(self, key: Literal["what", "which_column"]) -> None:
        super().__init__(key)
        self.key = key


@dataclass(frozen=True, slots=True)
class Command:
    """A verb, with a column counted from 0, or with the rest of what was typed."""

    verb: Verb
    column: int | None = None
    rest: str = ""


def read_patience(typed: str, language: Language) -> Command:
    """The command that *typed* stands for; an empty line is "ready". Raises Unclear.

    >>> read_patience("3", "en") == read_patience("joue 3", "fr") == read_patience("p3", "en")
    True
    >>> read_patience("Give up", "en").verb, read_patience("", "fr").verb, read_patience("p", "fr").verb
    ('give_up', 'ready', 'draw')
    """
    word, rest = _split(typed[:LONGEST])
    if not word:
        return Command("play", _column(rest)) if rest else Command("ready")
    verb = LETTERS[language].get(word) or _VERBS.get(word)
    if verb is None:
        raise Unclear("what")
    return Command("play", _column(rest)) if verb == "play" else Command(verb, None, rest)


def _split(typed: str) -> tuple[str, str]:
    """The word and the rest; a number may touch the word."""
    typed = typed.strip()
    if typed.startswith("?"):
        return "?", typed[1:].strip()
    letters = next(
        (at for at, sign in enumerate(typed) if sign.isspace() or sign.isdecimal()), None
    )
    return _plain(typed[:letters]), "" if letters is None else typed[letters:].strip()


def _plain(typed: str) -> str:
    apart = unicodedata.normalize("NFKD", typed.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _column(typed: str) -> int:
    if not (typed.isascii() and typed.isdecimal() and len(typed) <= 2 and int(typed)):  # noqa: PLR2004 - two digits hold every column
        raise Unclear("which_column")
    return int(typed) - 1
