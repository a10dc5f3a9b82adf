"""What a player types, made into a command.

Words are understood in English and in French, whatever the screen speaks, and with a card in hand
``4`` is enough for ``swap 4``. Nothing here knows what is allowed; that is the rules' business.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from dormie_client import host_text, house_text, self_text, spectator_text, talk_text, time_text
from dormie_client.host_text import HostVerb
from dormie_client.house_text import HouseVerb
from dormie_client.self_text import SelfVerb
from dormie_client.spectator_text import SpectatorVerb
from dormie_client.talk_text import TalkVerb
from dormie_client.time_text import TimeVerb
from dormie_protocol.messages import Language
from dormie_rules.grid_moves import Discard, Draw, Flip, GridMove, Pass, Swap, Take
from dormie_rules.grid_state import Stage

MoveVerb: TypeAlias = Literal["draw", "take", "swap", "throw", "flip", "pass", "number"]
LookVerb: TypeAlias = Literal["look", "score", "who", "rules", "help", "brief", "normal", "full"]
TableVerb: TypeAlias = Literal["ready", "start", "bot", "nobot", "end", "rematch", "leave", "back"]
GroupVerb: TypeAlias = HostVerb | SpectatorVerb | TimeVerb | TalkVerb | HouseVerb | SelfVerb
"""Words that come in groups, each with a module for what is typed and read and one for what it does."""
Verb: TypeAlias = MoveVerb | LookVerb | TableVerb | GroupVerb | Literal["quit"]

WORDS: dict[str, str] = {
    "draw": "draw pioche piocher",
    "take": "take prends prendre ramasse",
    "swap": "swap put place echange echanger pose poser",
    "throw": "throw x discard jette jeter defausse",
    "flip": "flip turn retourne retourner",
    "pass": "pass passe passer",
    "look": "look table regarde regarder",
    "score": "score scores points",
    "who": "who qui",
    "rules": "rules regles",
    "help": "help ? h aide",
    "brief": "brief bref",
    "normal": "normal",
    "full": "full complet",
    "ready": "ready pret go",
    "start": "start commence commencer",
    "bot": "bot robot",
    "nobot": "nobot unbot sansrobot",
    "end": "end ferme fermer",
    "rematch": "rematch revanche",
    "leave": "leave abandonne abandonner",
    "back": "back reprends reprendre",
    "quit": "quit q exit quitte quitter sors",
    **host_text.TYPED,
    **spectator_text.TYPED,
    **time_text.TYPED,
    **talk_text.TYPED,
    **house_text.TYPED,
    **self_text.TYPED,
}
"""Every word that can be typed, without its accents."""

LETTERS: dict[Language, dict[str, Verb]] = {
    "en": {"d": "draw", "t": "take", "s": "swap", "f": "flip", "p": "pass", "l": "look"},
    "fr": {
        "p": "draw",
        "r": "take",
        "e": "swap",
        "j": "throw",
        "t": "flip",
        "n": "pass",
        "l": "look",
    },
}
"""What is short for a word, in the language of the screen."""

LONGEST = 700
"""Signs of a line that are looked at: what is said at a table may have 280 of up to two each."""

_VERBS: dict[str, Verb] = {
    word: cast("Verb", verb) for verb, words in WORDS.items() for word in words.split()
}
_MOVES: dict[Verb, GridMove] = {
    "draw": Draw(),
    "take": Take(),
    "throw": Discard(),
    "pass": Pass(),
}
_PLACED: dict[Verb, type[Swap] | type[Flip]] = {"swap": Swap, "flip": Flip}
_NUMBERED = (*_PLACED, "nobot")
_COUNTED = (*_NUMBERED, "look", "rules")


class Unclear(Exception):
    """What was typed is no command: the key of the sentence that says so, and what goes into it."""

    def __init__(self, key: str, **fields: object) -> None:
        super().__init__(key)
        self.key = key
        self.fields = fields


@dataclass(frozen=True, slots=True)
class Command:
    """A verb, with a number counted from 1, or with the rest of what was typed."""

    verb: Verb
    number: int | None = None
    rest: str = ""


def read_command(text: str, language: Language) -> Command:
    """The command that *text* stands for; an empty line is "ready". Raises Unclear.

    >>> read_command("swap 4", "en") == read_command("Échange 4", "en") == read_command("s4", "en")
    True
    >>> read_command("4", "en").number, read_command("", "fr").verb, read_command("p", "fr").verb
    (4, 'ready', 'draw')
    """
    word, rest = _split(text[:LONGEST])
    if not word:
        return Command("number", _number(rest)) if rest else Command("ready")
    verb = LETTERS[language].get(word) or _VERBS.get(word)
    if verb is None:
        raise Unclear("what")
    number = _number(rest) if verb in _COUNTED and rest.isdecimal() else None
    if verb in _NUMBERED and number is None:
        raise Unclear("which_card" if verb in _PLACED else "what")
    if verb in _MOVES and rest:
        raise Unclear("what")
    return Command(verb, number, rest)


def meant(typed: str, words: Mapping[str, str]) -> str | None:
    """What of *words*, which say what one types for each, is meant; None for nothing of it.

    >>> meant("Robot", {"wait": "wait attends", "bot": "bot robot"})
    'bot'
    """
    word = plain(typed)
    return next((name for name, of in words.items() if word in of.split()), None)


def move_of(command: Command, stage: Stage) -> GridMove | None:
    """The move that a command asks for, or None when it asks for something else.

    >>> move_of(Command("number", 4), "drawn"), move_of(Command("number", 4), "flip")
    (Swap(at=3, move='swap'), Flip(at=3, move='flip'))
    """
    verb = command.verb
    if verb == "number":
        verb = "swap" if stage in ("drawn", "taken") else "flip"
    if verb in _PLACED:
        assert command.number is not None, "read_command insists on one"
        return _PLACED[verb](command.number - 1)
    return _MOVES.get(verb)


def plain(text: str) -> str:
    """Small letters without accents.

    >>> plain("  Échange ")
    'echange'
    """
    apart = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _split(text: str) -> tuple[str, str]:
    """The word and the rest; a number may touch the word."""
    text = text.strip()
    if text.startswith("?"):
        return "?", text[1:].strip()
    letters = next((at for at, sign in enumerate(text) if sign.isspace() or sign.isdecimal()), None)
    return plain(text[:letters]), "" if letters is None else text[letters:].strip()


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 2):  # noqa: PLR2004 - two digits hold every grid
        raise Unclear("what")
    return int(text)
