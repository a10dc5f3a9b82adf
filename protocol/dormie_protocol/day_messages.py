"""Messages about the hole of the day: one deal for everybody, promised first and shown when the day is over.

Before the day is over nothing goes out that follows from its secret but the cards that a player turns up at
the own table; so nobody but the player is told even a score.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, StringConstraints

from dormie_protocol.fields import FromClient, FromServer

Date = Annotated[str, StringConstraints(pattern=r"^[0-9-]{10,10}$")]
"""A day of the house, which are those of UTC: ``2026-11-30``."""

DayState = Literal["open", "closing", "closed"]
"""open: tries begin; closing: the last tries are counted, for a moment; closed: everything is shown."""


class OfTheDay(FromClient):
    """A message about the hole of the day."""


class Day(OfTheDay):
    """Ask about a day, or about today; ``day_seen`` comes before ``done``."""

    type: Literal["day"] = "day"
    date: Date | None = None


class PlayDay(OfTheDay):
    """Play today's hole: the answer names your table, the same one as long as your try lasts.

    Only one try of a player counts, on whatever device; after it the answer is ``day_played``.
    """

    type: Literal["play_day"] = "play_day"


class DayResults(OfTheDay):
    """Ask for the results of a day that is over, yesterday's if none is named; ``day_results_seen`` follows.

    *after* is how many lines, from the best, one has already.
    """

    type: Literal["day_results"] = "day_results"
    date: Date | None = None
    after: Annotated[int, Field(ge=0, le=100_000)] = 0
    limit: Annotated[int, Field(ge=1, le=100)] = 20


class OwnTry(FromServer):
    """Your own try at a day."""

    table: str | None
    """Where it is played; None once it is over."""
    score: int | None
    """None while it is played, and for good if no card was ever dealt."""
    place: int | None
    """Once the day is closed."""


class DayShown(FromServer):
    """What a day was dealt from, once it is closed: with the promise everybody can check the deal."""

    revealed: str
    """What was promised, in hexadecimal."""
    attempt: int
    """How many deals were turned down before this one, because they cannot be cleared."""
    record: str
    """The record under ``/record/`` that holds the deal and every try."""


class DaySeen(FromServer):
    """The answer to ``day``."""

    type: Literal["day_seen"] = "day_seen"
    re: str
    date: str
    state: DayState
    promise: str
    """A hash of what the day is dealt from, in hexadecimal: published before anybody plays."""
    opens: float
    closes: float
    """On the server's clock."""
    tries: int
    """How many have begun."""
    own: OwnTry | None = None
    shown: DayShown | None = None
    """Once the day is closed."""


class DayLine(FromServer):
    """A line of the results: equals share a place, in the order in which they began."""

    place: int
    name: str
    score: int
    cleared: bool
    """The badge of the day."""


class DayResultsSeen(FromServer):
    """The answer to ``day_results``, best first."""

    type: Literal["day_results_seen"] = "day_results_seen"
    re: str
    date: str
    lines: tuple[DayLine, ...]
    of: int
    """How many lines there are in all."""
    own: DayLine | None = None
    """Your own line, wherever it is."""


MessageOfTheDay: TypeAlias = Day | PlayDay | DayResults
NewsOfTheDay: TypeAlias = DaySeen | DayResultsSeen
