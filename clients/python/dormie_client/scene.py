"""A table as one pair of eyes in front of a terminal sees it, and how that terminal writes."""

import unicodedata
from dataclasses import dataclass

from dormie_client.play_text import text
from dormie_protocol.games import Move
from dormie_protocol.messages import Language, Seen
from dormie_protocol.table_view import About, Pocket, TablePublic
from dormie_rules.cards import Card
from dormie_rules.course import GridCourse
from dormie_rules.course_state import CoursePublic
from dormie_rules.drawers import View
from dormie_rules.grid_moves import GridMove
from dormie_rules.grid_rules import GridRules
from dormie_rules.grid_state import GridPocket, GridPublic
from dormie_rules.race_state import RacePocket

LONGEST_NAME = 16


@dataclass(frozen=True, slots=True)
class Screen:
    """How a terminal writes."""

    language: Language = "en"
    symbols: bool = True
    """Whether it can show the four suits; letters stand for them otherwise."""
    width: int = 80
    listed: bool = False
    """One player a line, for who listens to a screen."""

    def text(self, key: str, **fields: object) -> str:
        """What this screen says for *key*."""
        return text(key, self.language, **fields)


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a player can see and do."""

    about: About
    view: TablePublic
    seat: int | None
    pocket: Pocket | None = None
    moves: tuple[Move, ...] = ()
    replaced: bool = False
    screen: Screen = Screen()

    @property
    def hole(self) -> GridPublic | None:
        """The hole that is played, or was played last."""
        hole = self.view.match.play if self.view.match else None
        return hole if isinstance(hole, GridPublic) else None

    @property
    def rules(self) -> GridRules:
        """The numbers of grid Golf, at a table that plays it."""
        assert isinstance(self.about.rules, GridRules), "only a table of grid Golf is shown so"
        return self.about.rules

    @property
    def held(self) -> Card | None:
        """The card in the player's own hand."""
        drawn = self.pocket.drawn if isinstance(self.pocket, GridPocket) else None
        hole = self.hole
        mine = hole is not None and hole.turn is not None and hole.turn == self.seat
        return drawn or (hole.taken if hole and mine else None)

    @property
    def wants_luck(self) -> bool:
        """Whether a match is about to start and the player has added nothing to its luck yet."""
        seat = self.view.seats[self.seat] if self.seat is not None else None
        return self.view.phase == "starting" and seat is not None and not seat.ready

    def names(self) -> tuple[str | None, ...]:
        """Who sits where, fit to be written."""
        return tuple(clean(seat.name) or None if seat else None for seat in self.view.seats)

    def called(self, seat: int) -> str:
        """How the player in a seat is called in a table of names."""
        if seat == self.seat:
            return self.text("you")
        return self.names()[seat] or self.text("seat", seat=seat + 1)

    def text(self, key: str, **fields: object) -> str:
        """What this screen says for *key*."""
        return self.screen.text(key, **fields)

    def waiting_for(self) -> list[str]:
        """The others the table waits for."""
        hole = self.hole
        if hole is None or self.view.phase != "playing":
            return []
        seats = [hole.turn] if hole.turn is not None else []
        if hole.stage == "setup":
            down = self.rules.cells - self.rules.initial_face_up
            seats = [seat for seat in hole.playing if hole.grids[seat].count(None) > down]
        return [self.called(seat) for seat in seats if seat != self.seat]

    def why_not(self, move: GridMove) -> str | None:
        """Why the player may not make *move* now, as one of the protocol's words."""
        if self.seat is None:
            return "not_seated"
        if self.view.match is None or self.view.phase not in ("playing", "between"):
            return "wrong_time"
        match, pocket = self.view.match, self.pocket
        if not isinstance(match, CoursePublic) or isinstance(pocket, RacePocket):
            return "other_game"
        course = GridCourse(self.rules, len(self.view.seats))
        return course.why_not(View(self.seat, match, pocket), move)


def scene_of(seen: Seen, about: About, screen: Screen, replaced: bool) -> Scene | None:  # noqa: FBT001 - one of the four things a scene is made of
    """What is seen, on a screen; None while there is no view."""
    if seen.view is None:
        return None
    return Scene(
        about=seen.about or about,
        view=seen.view,
        seat=seen.seat,
        pocket=seen.pocket,
        moves=seen.moves,
        replaced=replaced,
        screen=screen,
    )


def clean(name: str, longest: int = LONGEST_NAME) -> str:
    """What may be shown of a text from elsewhere: no control sign, no hidden one, not too long.

    >>> clean("Ada" + chr(27) + "[2J"), clean("B" + chr(0x202E) + "en"), clean("Maximiliana Wolf")
    ('Ada[2J', 'Ben', 'Maximiliana Wolf')
    >>> clean("Maximiliana Wolff")
    'Maximiliana Wol…'
    """
    shown = "".join(
        sign for sign in name if unicodedata.category(sign)[0] not in "CZ" or sign == " "
    )
    return shown if width(shown) <= longest else f"{_cut(shown, longest - 1)}…"


def width(line: str) -> int:
    """How many columns of a terminal a text fills.

    >>> width("Ada"), width("李娜"), width("é")
    (3, 4, 1)
    """
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in line
    )


def pad(line: str, columns: int) -> str:
    """A text made so many columns wide."""
    return line + " " * (columns - width(line))


def _cut(line: str, columns: int) -> str:
    while width(line) > columns:
        line = line[:-1]
    return line
