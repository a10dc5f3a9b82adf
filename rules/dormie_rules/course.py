"""A whole match of grid Golf: hole after hole until somebody has won (rules A3, A7, A8).

A course is again something one can play, with the same moves as its holes; between two holes it waits for
a deal.
"""

from dataclasses import dataclass

from dormie_rules.cards import Card
from dormie_rules.course_match import all_matches
from dormie_rules.course_score import score_hole
from dormie_rules.course_state import CoursePublic, CourseState, CourseView, HoleBegan, LeftMatch
from dormie_rules.drawers import State, View
from dormie_rules.game import Deal, Step, tell
from dormie_rules.grid_cards import NOTHING
from dormie_rules.grid_hole import GridGolf
from dormie_rules.grid_legal import waiting
from dormie_rules.grid_moves import GridMove
from dormie_rules.grid_rules import GridRules
from dormie_rules.grid_state import GridPocket, GridPublic, GridState
from dormie_rules.luck import digest, shuffle
from dormie_rules.tuples import put
from dormie_rules.values import replace


@dataclass(frozen=True, slots=True)
class GridCourse:
    """A match under *rules* for so many *seats*: a ``Game``."""

    rules: GridRules
    seats: int

    @property
    def hole(self) -> GridGolf:
        """The game that is played at every hole."""
        return GridGolf(self.rules)

    def start(self, dealer: int | None = None) -> CourseState:
        """A match before its first hole. *dealer* deals the first hole; None leaves it to luck."""
        public = CoursePublic(
            hole=0,
            dealer=dealer,
            first=None,
            totals=(0,) * self.seats,
            out=(None,) * self.seats,
            survived=(0,) * self.seats,
            matches=all_matches(self.rules, self.seats),
        )
        return State(public, (NOTHING,) * self.seats, None)

    def pack(self, state: CourseState) -> tuple[Card, ...]:
        """The unshuffled pack of the next hole: it is chosen for the players who began the match."""
        del state
        return self.hole.pack(self.seats)

    def wants_deal(self, state: CourseState) -> bool:
        """Whether the match waits for the next hole to be dealt."""
        public = state.public
        return not public.places and (public.play is None or public.play.stage == "over")

    def deal(self, state: CourseState, deal: Deal) -> Step[CourseState]:
        """Deal the next hole; only when ``wants_deal``."""
        public = state.public
        dealer, first = self._dealer_and_first(public, deal.luck)
        step = self.hole.deal(self.seats, self._turn_order(public, first), dealer, deal)
        public = replace(public, hole=public.hole + 1, dealer=dealer, first=first)
        began = tell(HoleBegan(public.hole, extra=bool(public.playoff)))
        return Step(_with(replace(state, public=public), step.state), (began, *step.events))

    def moves(self, view: CourseView) -> tuple[GridMove, ...]:
        """The moves the viewer may make now."""
        hole = _hole_view(view)
        return () if hole is None else self.hole.moves(hole)

    def why_not(self, view: CourseView, move: GridMove) -> str | None:
        """Why the viewer may not make *move* now, as a word, or None if it is legal."""
        hole = _hole_view(view)
        return "hole_over" if hole is None else self.hole.why_not(hole, move)

    def default(self, view: CourseView) -> GridMove:
        """What a sleeper plays; only for a viewer who may move."""
        hole = _hole_view(view)
        assert hole is not None, "nobody sleeps between two holes"
        return self.hole.default(hole)

    def play(self, state: CourseState, seat: int, move: GridMove) -> Step[CourseState]:
        """The step that a legal *move* of *seat* makes; the last of a hole also scores it, once."""
        return self._after(state, self.hole.play(_hole(state), seat, move))

    def withdraw(self, state: CourseState, seat: int) -> Step[CourseState]:
        """Take *seat* out of the match (rule A8).

        A seat that is out already changes nothing, nor does one that has finished and only watches
        others play extra holes.
        """
        public = state.public
        finished = public.places or (public.playoff and seat not in public.playoff)
        if finished or public.out[seat] is not None:
            return Step(state)
        between = self.wants_deal(state)
        public = replace(
            public,
            out=put(public.out, seat, public.hole + between),
            withdrawn=(*public.withdrawn, seat),
            playoff=tuple(s for s in public.playoff if s != seat),
        )
        state = replace(state, public=public)
        left = tell(LeftMatch(seat))
        if between:
            step = score_hole(self.rules, state, None)
        else:
            step = self._after(state, self.hole.withdraw(_hole(state), seat))
        return Step(step.state, (left, *step.events))

    def waiting_for(self, state: CourseState) -> tuple[int, ...]:
        """The seats that may move."""
        return () if state.public.play is None else waiting(self.rules, state.public.play)

    def scores(self, state: CourseState) -> tuple[int | None, ...] | None:
        """The total of each seat once the match is over, else None."""
        return state.public.totals if state.public.places else None

    def _after(self, state: CourseState, step: Step[GridState]) -> Step[CourseState]:
        state = _with(state, step.state)
        if step.state.public.stage != "over":
            return Step(state, step.events)
        scored = score_hole(self.rules, state, self.hole.scores(step.state))
        return Step(scored.state, (*step.events, *scored.events))

    def _dealer_and_first(self, public: CoursePublic, luck: bytes) -> tuple[int, int]:
        """Who deals the next hole and who plays first in it (rule A3, 1 and 5)."""
        dealer = public.dealer
        if dealer is None:
            dealer = shuffle(digest(b"dormie dealer", luck), self._turn_order(public, 0))[0]
        else:
            dealer = self._turn_order(public, (dealer + bool(public.hole)) % self.seats)[0]
        order = self._turn_order(public, (dealer + 1) % self.seats)
        if self.rules.next_first_player == "closer" and public.closer in order:
            return dealer, public.closer or 0
        if self.rules.next_first_player == "winner" and public.card:
            return dealer, min(order, key=lambda seat: _charged(public, seat))
        return dealer, order[0]

    def _turn_order(self, public: CoursePublic, start: int) -> tuple[int, ...]:
        """The seats that play the next hole, in turn order from *start* or the next one after it."""
        return tuple(
            seat
            for seat in ((start + step) % self.seats for step in range(self.seats))
            if public.out[seat] is None and (not public.playoff or seat in public.playoff)
        )


def _charged(public: CoursePublic, seat: int) -> int:
    score = public.card[-1][seat]
    return score if score is not None else 1 << 30


def _hole_view(view: CourseView) -> View[GridPublic, GridPocket] | None:
    play = view.public.play
    return None if play is None else View(view.seat, play, view.pocket)


def _hole(state: CourseState) -> GridState:
    assert state.public.play is not None, "a hole is being played"
    assert state.secret is not None, "a hole that is played has its secrets"
    return State(state.public.play, state.pockets, state.secret)


def _with(state: CourseState, hole: GridState) -> CourseState:
    public = replace(state.public, play=hole.public)
    return State(public, hole.pockets, hole.secret)
