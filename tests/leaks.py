"""Whether anybody is told of a card they have not seen: three checks to run over whole matches.

A match is played with cards whose names nobody can guess, and written down as a list of doings. A
*witness* follows the states and knows, by the rules alone, which cards each viewer has seen; it
never looks at what anybody was shown. Then:

- every card is in exactly one drawer, and together they are the pack (`check_drawers`);
- no unseen card is named in what a viewer gets, byte by byte (`check_names`, or `strangers` for
  frames from anywhere, say from a socket);
- renaming the cards a viewer has never seen changes nothing that viewer sees (`check_renaming`).

Each of them raises `Leak`. None is believed before a planted leak has failed it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeAlias

from pydantic_core import to_json

from dormie_rules import drawers
from dormie_rules.cards import Card
from dormie_rules.course import GridCourse
from dormie_rules.course_state import CourseState
from dormie_rules.drawers import Event, State
from dormie_rules.game import Deal
from dormie_rules.grid_moves import Discard, Draw, Flip, Swap
from tests.rules.playing import Doing, Left, Made, Table, choose_doing, do

Viewer: TypeAlias = int | None
"""A seat, or None for somebody who only watches."""
Journal: TypeAlias = Sequence[Doing]
AnyEvent: TypeAlias = Event[Any, Any]  # of any game


class Leak(AssertionError):
    """Somebody could know what they have not seen, or a card is not where it belongs."""


@dataclass(frozen=True)
class Window:
    """How anybody gets to see a state and to hear an event."""

    look: Callable[[CourseState, Viewer], object] = drawers.look
    hear: Callable[[AnyEvent, Viewer], object] = drawers.hear


HONEST = Window()


def marked(pack: Sequence[Card], luck: Random) -> tuple[Card, ...]:
    """The cards of *pack*, each with a mark of its own behind its name.

    >>> marked([Card("5S"), Card("*")], Random(1))
    ('5S~91b72265b1f5', '*~cd61d8f16adf')
    """
    return tuple(Card(f"{card}~{luck.getrandbits(48):012x}") for card in pack)


def mark(card: Card) -> bytes:
    """What no bytes contain by accident.

    >>> mark(Card("5S~224525b24d1e"))
    b'224525b24d1e'
    """
    return card.rpartition("~")[2].encode()


def viewers(seats: int) -> tuple[Viewer, ...]:
    return (*range(seats), None)


def record(table: Table, luck: Random, most: int = 2_000) -> list[Doing]:
    """A match of *table* played at random, with marked cards."""
    course, doings = table.course, list[Doing]()
    state = course.start(0)
    while not state.public.places and len(doings) < most:
        doing = choose_doing(table, state, luck)
        if isinstance(doing, Deal):
            doing = replace(doing, pack=marked(doing.pack, luck))
        doings.append(doing)
        state = do(course, state, doing).state
    return doings


# ------------------------------------------------------------- the witness


@dataclass
class Witness:
    """Which cards of the hole being played each viewer has seen, by the rules alone."""

    seats: int
    pack: tuple[Card, ...] = ()
    seen: dict[Viewer, set[Card]] = field(default_factory=dict)
    reshuffled: bool = False

    def unseen(self, viewer: Viewer) -> list[Card]:
        return [card for card in self.pack if card not in self.seen[viewer]]

    def watch(self, before: CourseState, doing: Doing, after: CourseState) -> None:
        """Follow one doing from the state before it to the state after it."""
        table = after.public.play
        match doing:
            case Deal(pack):
                self.pack, self.reshuffled = pack, False
                self.seen = {viewer: set() for viewer in viewers(self.seats)}
                self._all_see(table.discard if table else None)
            case Made(seat, Draw()):
                self.seen[seat] |= {card for card in (after.pockets[seat].drawn,) if card}
            case Made(seat, move):
                self._all_see(*_shown_by(before, seat, move))
            case Left(seat):
                self._all_see(before.pockets[seat].drawn)
        if table is not None:
            self.reshuffled |= table.reshuffles > 0
            if table.stage == "over":  # who is left alone lays a card in hand down
                self._all_see(*(pocket.drawn for pocket in before.pockets))
                self._all_see(*(card for seat in table.playing for card in table.grids[seat]))

    def _all_see(self, *cards: Card | None) -> None:
        for seen in self.seen.values():
            seen.update(card for card in cards if card)


def _shown_by(before: CourseState, seat: int, move: object) -> tuple[Card | None, ...]:
    table, secret = before.public.play, before.secret
    assert table is not None, "a hole is being played"
    assert secret is not None, "and has its secrets"
    drawn = before.pockets[seat].drawn
    match move:
        case Swap(at):
            return drawn, secret.hidden[seat][at]
        case Discard():
            return (drawn,)
        case Flip(at):
            return (secret.hidden[seat][at],)
        case _:
            return ()


def watched(
    course: GridCourse, journal: Journal
) -> Iterator[tuple[Witness, CourseState, tuple[AnyEvent, ...]]]:
    """After each doing: who has seen what, the state, and what happened."""
    witness, state = Witness(course.seats), course.start(0)
    for doing in journal:
        step = do(course, state, doing)
        witness.watch(state, doing, step.state)
        state = step.state
        yield witness, state, step.events


# -------------------------------------------------------------- the checks


def check_drawers(course: GridCourse, journal: Journal) -> None:
    """Every card is in exactly one drawer, and together they are the pack."""
    for witness, state, _ in watched(course, journal):
        if state.secret is not None:
            check_state(state, witness.pack)


def check_state(state: State[Any, Any, Any], pack: Iterable[Card]) -> None:
    """The same of one state of any game, whose cards are marked."""
    drawer = b"".join(_written(part) for part in (state.public, *state.pockets, state.secret))
    found = sorted(re.findall(rb"~([0-9a-f]{12})", drawer))
    if found != sorted(map(mark, pack)):
        raise Leak("the drawers do not hold every card of the pack once")


def check_names(course: GridCourse, journal: Journal, window: Window = HONEST) -> int:
    """No unseen card is named in what anybody gets; returns how many frames were looked through."""
    frames = 0
    for witness, state, events in watched(course, journal):
        for viewer in viewers(course.seats) if witness.pack else ():
            frames += 1
            frame = _written(_told(window, viewer, state, events))
            if named := strangers(frame, witness.unseen(viewer)):
                raise Leak(f"{viewer} is told of {named[0]} and has not seen it")
    return frames


def strangers(frame: bytes, unseen: Iterable[Card]) -> list[Card]:
    """The cards among *unseen* that *frame* names.

    >>> strangers(b'{"drawn":"5S~224525b24d1e"}', [Card("5S~224525b24d1e"), Card("7D~0000000")])
    ['5S~224525b24d1e']
    """
    return [card for card in unseen if mark(card) in frame]


def check_renaming(
    course: GridCourse, journal: Journal, viewer: Viewer, luck: Random, window: Window = HONEST
) -> None:
    """Two matches that differ only in what *viewer* has not seen are one match to that viewer."""
    renamed = _renamed(course, journal, viewer, luck)
    one, other = (
        [_told(window, viewer, state, events) for _, state, events in watched(course, doings)]
        for doings in (journal, renamed)
    )
    if one != other:
        raise Leak(f"{viewer} can tell cards apart that it has not seen")


def _renamed(course: GridCourse, journal: Journal, viewer: Viewer, luck: Random) -> list[Doing]:
    """The same doings with other cards and other luck to come, where *viewer* cannot know."""
    holes = list[tuple[int, list[Card], bool]]()
    for at, (witness, _, _) in enumerate(watched(course, journal)):
        if isinstance(journal[at], Deal):
            holes.append((at, [], False))
        if holes:
            holes[-1] = (holes[-1][0], witness.unseen(viewer), witness.reshuffled)
    doings = list(journal)
    for at, unseen, reshuffled in holes:
        doings[at] = _other_deal(doings[at], unseen, luck, keep_luck=reshuffled)
    return doings


def _other_deal(deal: Doing, unseen: list[Card], luck: Random, *, keep_luck: bool) -> Deal:
    assert isinstance(deal, Deal), "a hole begins with its deal"
    names = dict(zip(unseen, luck.sample(unseen, len(unseen)), strict=True))
    pack = tuple(names.get(card, card) for card in deal.pack)
    return Deal(pack, deal.luck if keep_luck else luck.randbytes(32))


def _told(
    window: Window, viewer: Viewer, state: CourseState, events: Sequence[AnyEvent]
) -> tuple[object, object]:
    return [window.hear(event, viewer) for event in events], window.look(state, viewer)


def _written(thing: object) -> bytes:
    return to_json(thing, bytes_mode="hex")
