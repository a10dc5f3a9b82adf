"""What is said, in English and in French, when the host turns the switches for spectators."""

from collections.abc import Callable, Mapping
from typing import Any

from dormie_protocol.listener import Listener
from dormie_protocol.spectators import SpectatorsChanged

_TALK_EN = {
    "off": "they neither hear nor say anything",
    "hear": "they hear what is said, and say nothing",
    "apart": "they talk among themselves",
    "all": "they may talk with the table",
}
_TALK_FR = {
    "off": "ils n’entendent et ne disent rien",
    "hear": "ils entendent ce qui se dit, sans parler",
    "apart": "ils parlent entre eux",
    "all": "ils peuvent parler à la table",
}


def _english(event: SpectatorsChanged, ear: Listener) -> str:
    if not event.allowed:
        return "Nobody may watch this table any more."
    if ear.detail == "brief":
        return "The rules for watching have changed."
    late = f" {event.delay} seconds late" if event.delay else ""
    known = " with the password" if event.password else " without the password"
    return f"People may watch{known}{late}; {_TALK_EN[event.chat]}."


def _french(event: SpectatorsChanged, ear: Listener) -> str:
    if not event.allowed:
        return "Plus personne ne peut regarder cette table."
    if ear.detail == "brief":
        return "Les règles pour regarder ont changé."
    late = f", avec {event.delay} secondes de retard" if event.delay else ""
    known = " avec le mot de passe" if event.password else " sans le mot de passe"
    return f"On peut regarder{known}{late} ; {_TALK_FR[event.chat]}."


ENGLISH: Mapping[type, Callable[[Any, Listener], str]] = {SpectatorsChanged: _english}
FRENCH: Mapping[type, Callable[[Any, Listener], str]] = {SpectatorsChanged: _french}
