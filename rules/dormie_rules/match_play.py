"""Match play: hole against hole between two sides, A and B, whatever the game (rule A13).

The lower score wins a hole and equal scores halve it; strokes are not added up. A side leads "3 up", or
the match is "all square"; it is dormie when it leads by as many holes as are left, and over when it leads
by more. A match is kept as one letter for each of its holes: ``A`` or ``B`` won it, ``=`` it was halved.
Holes that are played after the decision are no part of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dormie_rules.values import replace

Side = Literal["A", "B"]
Letter = Literal["A", "B", "="]
TiedMatch = Literal["halve", "extend", "countback"]
"""What becomes of a match that is all square after its last hole: halved; extended hole by hole, nine at most;
or won by whoever won the last hole that was not halved."""

MatchEnding = Literal["up", "extra", "strokes", "last_hole", "lot", "conceded", "halved"]
"""How a match ended: by holes; by an extra hole; and when those did not part the two, by the strokes of
the round, by the last hole that was not halved, or by a lot; conceded; or halved."""

MAX_EXTRA_HOLES = 9
"""Equal players halve about half of the holes with a common deal: so many extra ones are enough (rule A13)."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a match is played over, and what happens when it is tied."""

    holes: int = 18
    tied: TiedMatch = "halve"


@dataclass(frozen=True, slots=True)
class Standing:
    """How a match stands after some holes."""

    up: int
    """The holes by which A leads; below zero B does."""
    played: int
    to_play: int
    """Of the round; extra holes are never foreseen."""
    ending: MatchEnding | None = None
    winner: Side | None = None

    @property
    def leader(self) -> Side | None:
        """Who leads, or None when all square."""
        return _side(self.up)

    @property
    def dormie(self) -> bool:
        """Whether the leader can no longer be passed."""
        return self.ending is None and abs(self.up) == self.to_play > 0

    @property
    def result(self) -> str:
        """The result as golfers write it.

        >>> after(Terms(9), "AAA====").result, after(Terms(9), "A========").result, after(Terms(9), "A").result
        ('3&2', '1 up', 'in progress')
        """
        match self.ending:
            case None:
                return "in progress" if self.to_play else "AS, extra holes"
            case "up":
                return f"{abs(self.up)}&{self.to_play}" if self.to_play else f"{abs(self.up)} up"
            case "extra":
                return f"hole {self.played}"
            case "halved":
                return "AS"
            case other:
                return other.replace("_", " ")

    @property
    def state(self) -> str:
        """Who leads, in the words of golfers.

        >>> after(Terms(9), "AAA===").state, after(Terms(9), "AB").state
        ('A 3 up (dormie)', 'AS')
        """
        if self.ending == "extra":
            return f"{self.winner} wins hole {self.played}"
        if self.winner and self.ending in _BY:
            return f"{self.winner} wins {_BY[self.ending]}"
        if not self.up:
            return "AS"
        return f"{self.leader} {abs(self.up)} up{' (dormie)' if self.dormie else ''}"


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two seats that play a match against each other; *one* is side A of it, and *two* side B."""

    one: int
    two: int
    holes: str
    """A letter for each hole of their match: A, B or =."""
    standing: Standing


@dataclass(frozen=True, slots=True)
class Parting:
    """What parts two who are level after all extra holes: the strokes of the round, then a lot."""

    strokes: tuple[int, int] | None = None
    lot: Side | None = None


def hole_letter(one: int | None, two: int | None) -> Letter:
    """Who won a hole with these scores; None is a hole that was conceded, lost, or not played.

    >>> hole_letter(-3, 0), hole_letter(4, 4), hole_letter(None, 35), hole_letter(None, None)
    ('A', '=', 'B', '=')
    """
    if one == two:
        return "="
    if one is None or two is None:
        return "A" if two is None else "B"
    return "A" if one < two else "B"


def letters(card: Iterable[Sequence[int | None]], one: int = 0, two: int = 1) -> str:
    """A match between the seats *one* and *two*, from a score card with a row for every hole.

    It may be the card of any game: grid Golf has the charged scores of its holes there.

    >>> letters([(3, 9), (4, 4), (None, 7)])
    'A=B'
    """
    return "".join(hole_letter(row[one], row[two]) for row in card)


def after(
    terms: Terms, holes: str, parting: Parting = Parting(), *, conceded_to: Side | None = None
) -> Standing:
    """How a match stands after *holes*; those after its decision are left out.

    *conceded_to* is who was given the match after these holes, unless it had been decided by then.

    >>> after(Terms(9), "AAAAA====").result, after(Terms(1, "extend"), "==B").state
    ('5&4', 'B wins hole 3')
    """
    up = 0
    for played, letter in enumerate(holes, 1):
        up += _WORTH[letter]
        standing = Standing(up, played, max(terms.holes - played, 0))
        ending, winner = _decision(terms, standing, holes[:played], parting)
        if ending is not None:
            return replace(standing, ending=ending, winner=winner)
    standing = Standing(up, len(holes), max(terms.holes - len(holes), 0))
    if conceded_to is None:
        return standing
    return replace(standing, ending="conceded", winner=conceded_to)


_BY = {"strokes": "on strokes", "last_hole": "by the last hole won", "lot": "by lot"}
_WORTH = {"A": 1, "=": 0, "B": -1}
_Decision: TypeAlias = tuple[MatchEnding | None, Side | None]
_OPEN: _Decision = (None, None)


def _decision(terms: Terms, standing: Standing, holes: str, parting: Parting) -> _Decision:
    """What the last of these holes decides."""
    if standing.played > terms.holes:
        return _after_extra_hole(terms, standing, holes, parting)
    if abs(standing.up) > standing.to_play:
        return "up", standing.leader
    if standing.to_play or terms.tied == "extend":
        return _OPEN
    last = _last_won(holes) if terms.tied == "countback" else None
    return ("last_hole", last) if last else ("halved", None)


def _after_extra_hole(terms: Terms, standing: Standing, holes: str, parting: Parting) -> _Decision:
    if standing.up:
        return "extra", standing.leader
    if standing.played < terms.holes + MAX_EXTRA_HOLES:
        return _OPEN
    if parting.strokes and parting.strokes[0] != parting.strokes[1]:
        return "strokes", "A" if parting.strokes[0] < parting.strokes[1] else "B"
    last = _last_won(holes)
    return ("last_hole", last) if last else ("lot", parting.lot)


def _last_won(holes: str) -> Side | None:
    """Who won the last hole that was not halved."""
    return next((_side(_WORTH[letter]) for letter in reversed(holes) if letter != "="), None)


def _side(up: int) -> Side | None:
    if not up:
        return None
    return "A" if up > 0 else "B"
