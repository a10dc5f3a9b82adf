"""Grid Golf for tests: holes told move by move, any table there may be, and play at random."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Any, TypeAlias

from hypothesis import strategies as st

from dormie_rules.cards import Card
from dormie_rules.course import GridCourse
from dormie_rules.course_state import CourseState
from dormie_rules.drawers import look
from dormie_rules.game import Deal, IllegalMove, Step, act
from dormie_rules.grid_hole import GridGolf
from dormie_rules.grid_moves import Discard, Draw, Flip, GridMove, Pass, Swap, Take, read_move
from dormie_rules.grid_options import choose
from dormie_rules.grid_rules import GridRules, spare_cards
from dormie_rules.grid_state import GridPublic, GridState, GridView
from dormie_rules.luck import hole_luck, shuffle
from dormie_rules.variant import Variant
from dormie_rules.variants import find, names

SIX = find("six_card").rules
TABLE = find("six_card_table").rules
PLAYROOM = find("playroom").rules

# ------------------------------------------------------------ a hole, told


def stacked(grids: Sequence[str], discard: str, stock: str) -> tuple[Card, ...]:
    """The pack that deals these grids, this discard and this stock (its top first)."""
    rows = [grid.replace("/", "") for grid in grids]
    dealt = [row[at] for at in range(len(rows[0])) for row in rows]
    return tuple(Card(card) for card in reversed([*dealt, discard, *stock]))


class Hole:
    """A hole whose cards are chosen and whose moves are written as people write them.

    Every seat turns up the cards *up*, counted from 1, or each its own; seat 0 plays first. A seat
    that turns up fewer than another is still waited for.
    """

    def __init__(
        self,
        rules: GridRules,
        grids: Sequence[str],
        *,
        up: str | tuple[str, ...] = "12",
        discard: str = "9",
        stock: str = "34567834567834567",
    ) -> None:
        seats = len(grids)
        turned = (up,) * seats if isinstance(up, str) else up
        self.game = GridGolf(replace(rules, initial_face_up=max(map(len, turned))))
        self.pack = stacked(grids, discard, stock)
        dealt = self.game.deal(seats, tuple(range(seats)), seats - 1, Deal(self.pack, b"luck"))
        self.state: GridState = dealt.state
        self.heard: list[Any] = [event.public for event in dealt.events]  # an event of any kind
        for seat, cards in enumerate(turned):
            self.by(seat, *(f"flip {at}" for at in cards))

    @property
    def table(self) -> GridPublic:
        return self.state.public

    def by(self, seat: int, *moves: str) -> None:
        """Play *moves* for *seat*."""
        for move in moves:
            self._follow(act(self.game, self.state, seat, read_move(move)))

    def plays(self, *moves: str) -> None:
        """Play *moves*, each for the seat whose turn it is."""
        for move in moves:
            assert self.table.turn is not None, "it is somebody's turn"
            self.by(self.table.turn, move)

    def leaves(self, seat: int) -> None:
        self._follow(self.game.withdraw(self.state, seat))

    def refuses(self, move: str, seat: int | None = None) -> str:
        """The word that refuses *move*, to the seat whose turn it is unless told otherwise."""
        seat = self.table.turn if seat is None else seat
        assert seat is not None, "it is somebody's turn"
        try:
            act(self.game, self.state, seat, read_move(move))
        except IllegalMove as no:
            return no.word
        return "it was allowed"

    def view(self, seat: int | None = None) -> GridView:
        return look(self.state, self.table.turn if seat is None else seat)

    def grid(self, seat: int) -> str:
        """The ranks of a grid as everybody sees them."""
        return "".join("#" if card is None else card[0] for card in self.table.grids[seat])

    def _follow(self, step: Step[GridState]) -> None:
        self.state = step.state
        self.heard += [event.public for event in step.events]


# ------------------------------------------------------------ any table


@dataclass(frozen=True)
class Table:
    """A variant with a table's options, and so many seats."""

    variant: str
    seats: int
    options: tuple[tuple[str, Any], ...] = ()  # plain JSON values
    spare: int | None = None
    """So many cards are left when the grids are dealt; None for the whole pack."""
    rules: GridRules = field(init=False, repr=False)

    def __post_init__(self) -> None:
        rules = choose(find(self.variant), dict(self.options), self.seats)
        object.__setattr__(self, "rules", rules)

    @property
    def course(self) -> GridCourse:
        return GridCourse(self.rules, self.seats)

    def deal(self, seed: bytes) -> Deal:
        """A deal of this table's pack, which may be a short one."""
        pack = self.course.pack(self.course.start())
        if self.spare is not None:
            pack = shuffle(b"short" + seed, pack)[: self.seats * self.rules.cells + self.spare]
        return Deal(shuffle(seed, pack), hole_luck(seed))


@st.composite
def tables(draw: st.DrawFn, /, variants: Sequence[str] = names(), **fixed: Any) -> Table:
    """Every variant, shape and number of seats, with options of all kinds; matches stay short.

    *fixed* are options that are the same for all of them.
    """
    variant = find(draw(st.sampled_from(variants)))
    rows, cols = draw(st.sampled_from(variant.shapes))
    seats = draw(st.integers(variant.min_seats, variant.max_seats))
    options: dict[str, Any] = {"rows": rows, "cols": cols}
    options |= draw(st.fixed_dictionaries({}, optional=CHOICES)) | draw(st.sampled_from(ENDS))
    options |= fixed
    plain = options["end"] == "holes" and "limit" not in options and not fixed
    if plain and draw(st.booleans()):
        tied = draw(st.sampled_from(["halve", "extend", "countback"]))
        options |= {"match_play": True, "tied_match": tied, "tie_break": "share"}
    decks = [number for number in (1, 2, 3) if _enough(variant, options, seats, number)]
    options["decks"] = draw(st.sampled_from(decks))
    spare = spare_cards(choose(variant, options, seats), seats)
    short = draw(st.none() | st.integers(2, min(spare, 12)))
    return Table(variant.name, seats, tuple(sorted(options.items())), short)


CHOICES: dict[str, st.SearchStrategy[Any]] = {
    "initial_face_up": st.integers(0, 3),
    "flip_after_discard": st.sampled_from(["must", "may", "never"]),
    "last_flip_optional": st.booleans(),
    "final_lap": st.sampled_from(["others", "none", "all"]),
    "closer_penalty": st.sampled_from(["none", "qc", "double", "plus10", "per_beater5"]),
    "closer_tie": st.sampled_from(["safe", "penalised"]),
    "jokers_per_deck": st.integers(0, 3),
    "stock_empty": st.sampled_from(["reshuffle_keep_top", "eager", "end_hole", "no_draw"]),
    "max_reshuffles": st.none() | st.integers(0, 2),
    "no_progress_laps": st.none() | st.integers(1, 3),
    "max_laps": st.sampled_from([1, 2, 5, 20]),
    "tie_break": st.sampled_from(["share", "extra_hole", "last_hole_back"]),
    "next_first_player": st.sampled_from(["rotate", "closer", "winner"]),
    "limit_inclusive": st.booleans(),
}
ENDS: tuple[dict[str, Any], ...] = (
    {"end": "holes", "holes": 1},
    {"end": "holes", "holes": 3},
    {"end": "holes", "holes": 3, "limit": 40},
    {"end": "elimination", "limit": 30},
    {"end": "elimination", "limit": 70},
    {"end": "elimination", "limit": 70, "holes": 2},
    {"end": "first_to_limit", "limit": 50},
)

EQUALS: dict[str, Any] = {
    "tie_break": "extra_hole",
    "values": dict.fromkeys("A23456789TJQK", 1),
    "jokers_per_deck": 0,
}
"""Options with which totals are often equal."""


def _enough(variant: Variant, options: dict[str, Any], seats: int, decks: int) -> bool:
    jokers = options.get("jokers_per_deck", variant.rules.jokers_per_deck)
    return decks * (52 + int(jokers)) >= seats * int(options["rows"]) * int(options["cols"]) + 2


def every_move(rules: GridRules) -> tuple[GridMove, ...]:
    """Every move there is, and some that point beside the grid."""
    return _every_move(rules.cells)


@cache
def _every_move(cells: int) -> tuple[GridMove, ...]:
    places = range(-1, cells + 1)
    plain = (Draw(), Take(), Discard(), Pass())
    return (*plain, *(Swap(at) for at in places), *(Flip(at) for at in places))


# ------------------------------------------------------------ at random


@dataclass(frozen=True)
class Made:
    """A seat made a move."""

    seat: int
    move: GridMove


@dataclass(frozen=True)
class Left:
    """A seat left."""

    seat: int


Doing: TypeAlias = Deal | Made | Left
"""One thing done to a match; a list of them is a match that can be played again."""


def do(course: GridCourse, state: CourseState, doing: Doing) -> Step[CourseState]:
    match doing:
        case Deal():
            return course.deal(state, doing)
        case Made(seat, move):
            return act(course, state, seat, move)
        case Left(seat):
            return course.withdraw(state, seat)


def choose_doing(table: Table, state: CourseState, luck: Random, leaving: float = 0.01) -> Doing:
    """Anything that may be done now, chosen by *luck*: now and then a seat leaves."""
    course = table.course
    if luck.random() < leaving:
        return Left(luck.randrange(table.seats))
    if course.wants_deal(state):
        return table.deal(luck.randbytes(8))
    seat = luck.choice(course.waiting_for(state))
    return Made(seat, luck.choice(course.moves(look(state, seat))))
