"""Every event as a short spoken line, for a screen reader, a terminal or a log of a match.

A line is made from the event's own fields, the names at the table and who is listening, and from
nothing else, so that it can neither forget an event nor know a card that its listener may not see.
"""

from collections import ChainMap
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, get_args

from dormie_protocol import (
    clocks,
    grammar_en,
    grammar_fr,
    spoken_clocks_en,
    spoken_clocks_fr,
    spoken_en,
    spoken_fr,
    spoken_race_en,
    spoken_race_fr,
    spoken_spectators,
)
from dormie_protocol import table_view as at_table
from dormie_protocol.listener import Listener, Verbosity
from dormie_protocol.messages import Language
from dormie_protocol.table_view import PocketEvent, PublicEvent
from dormie_protocol.undo_messages import MoveUndone
from dormie_rules import course_state as course
from dormie_rules import grid_events as grid
from dormie_rules import race_events as race
from dormie_rules.cards import Card

EventClass: TypeAlias = Literal["moves", "scores", "people", "fairness"]
"""moves: what is done with the cards; scores: how holes and the match end; people: who comes, goes
and waits; fairness: what makes the deals checkable."""

Volume: TypeAlias = Verbosity | Mapping[EventClass, Verbosity]
"""How much to say of everything, or of each class of events; "normal" where that is left out."""

CLASS_OF: Mapping[type, EventClass] = {
    **dict.fromkeys(get_args(at_table.TableEvent), "people"),
    **dict.fromkeys(get_args(clocks.ClockEvent), "people"),
    **dict.fromkeys(get_args(grid.GridEvent), "moves"),
    **dict.fromkeys(get_args(race.RaceEvent), "scores"),
    **dict.fromkeys(get_args(course.CourseEvent), "scores"),
    **dict.fromkeys((race.RaceMoved, race.RaceFinished), "moves"),
    race.Conceded: "people",
    course.LeftMatch: "people",
    MoveUndone: "moves",
    at_table.LinkShown: "fairness",
}

NOT_BELOW: Mapping[type, Verbosity] = {
    at_table.BecameReady: "normal",
    at_table.NewHost: "normal",
    at_table.Starting: "normal",
    clocks.Agreed: "normal",
    clocks.Voted: "normal",
    grid.PlayBegan: "normal",
    grid.Passed: "normal",
    at_table.LinkShown: "full",
}
"""What is not worth a word to listeners who want to hear less than this."""

_ENGLISH = (
    spoken_en.LINES,
    spoken_clocks_en.LINES,
    spoken_spectators.ENGLISH,
    spoken_race_en.LINES,
)
_FRENCH = (spoken_fr.LINES, spoken_clocks_fr.LINES, spoken_spectators.FRENCH, spoken_race_fr.LINES)
_LINES = {"en": dict(ChainMap(*map(dict, _ENGLISH))), "fr": dict(ChainMap(*map(dict, _FRENCH)))}
_CARDS = {"en": grammar_en.card_name, "fr": grammar_fr.card_name}
_LEVELS = get_args(Verbosity)


def say(  # noqa: PLR0913 - what happened, to whom it is told, and how
    event: PublicEvent,
    mine: PocketEvent | None,
    names: Sequence[str | None],
    seat: int | None,
    lang: Language,
    verbosity: Volume = "normal",
    *,
    cols: int = 0,
) -> str:
    """The line for *event* as *seat* hears it (None: a spectator); empty when not worth a word.

    *mine* is the listener's own part of the event, *names* says who sits where, and *cols* how many
    columns the grids have, so that a full line can say in which row a card lies.

    >>> drew, card = grid.Drew(0), grid.DrewCard(Card("5S"))
    >>> say(drew, card, ("Ada", "Ben"), 0, "en"), say(drew, None, ("Ada", "Ben"), 1, "fr")
    ('You draw a card: five of spades.', 'Ada pioche une carte.')
    """
    kind = type(event)
    detail = verbosity if isinstance(verbosity, str) else verbosity.get(CLASS_OF[kind], "normal")
    if _LEVELS.index(detail) < _LEVELS.index(NOT_BELOW.get(kind, "brief")):
        return ""
    return _LINES[lang][kind](event, Listener(names, seat, detail, cols, mine))


def card_name(card: Card, lang: Language) -> str:
    """A card in words.

    >>> card_name(Card("5S"), "en"), card_name(Card("QH"), "fr")
    ('five of spades', 'dame de cœur')
    """
    return _CARDS[lang](card)
