"""What can be asked of the referee, and how a question is read before it is believed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from dormie_rules.scoring_options import BadRules, rows, whole

Question: TypeAlias = Mapping[str, Any]  # as it came: nothing is known yet of what the fields hold

MAX_PLAYERS = 100
MAX_NAME = 100
MAX_SCORE = 1_000_000


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that can be asked: what answers it, the fields it needs, those it may have."""

    reply: Callable[[Question], object]
    fields: tuple[str, ...]
    options: tuple[str, ...] = ()


class Why(StrEnum):
    """Why there is no answer, in a word for programs."""

    UNREADABLE = "unreadable"
    UNKNOWN_ASK = "unknown_ask"
    NOT_YET = "not_yet"
    UNKNOWN_VARIANT = "unknown_variant"
    BAD_FIELD = "bad_field"


class NoAnswer(Exception):
    """A question without an answer: a word for programs, a sentence for people, and the field."""

    def __init__(self, why: Why, because: str, field: str | None = None) -> None:
        super().__init__(because)
        self.why = why
        self.because = because
        self.field = field


def check_fields(ask: Ask, question: Question) -> None:
    """Refuse a question that lacks a field, or has one without a meaning."""
    for field in ask.fields:
        if field not in question:
            raise BadRules(field, "this field is missing")
    about = {"id", "ask", "note", "expect"}  # so that a worked case can be asked as it stands
    if question.keys() - about - {*ask.fields, *ask.options}:
        raise BadRules("", "there is a field here that has no meaning")


def read_score(field: str, given: object) -> int:
    """A score of a hole or a match."""
    return whole(field, given, -MAX_SCORE, MAX_SCORE)


def read_scores(field: str, given: object) -> dict[str, int]:
    """The scores of some players, by name."""
    if not isinstance(given, Mapping):
        raise BadRules(field, "an object of players and scores is needed")
    read_names(field, list(given))
    return {name: read_score(field, score) for name, score in given.items()}


def read_names(field: str, given: object) -> list[str]:
    """The names of some players.

    >>> read_names("alive", ["Ada", "Ben"])
    ['Ada', 'Ben']
    """
    names = [read_name(field, name) for name in rows(field, given, MAX_PLAYERS)]
    if len(set(names)) < len(names):
        raise BadRules(field, "the same player twice")
    return names


def read_name(field: str, given: object) -> str:
    """The name of a player."""
    if not isinstance(given, str) or not 0 < len(given) <= MAX_NAME:
        raise BadRules(field, f"a name is a text of 1 to {MAX_NAME} characters")
    return given
