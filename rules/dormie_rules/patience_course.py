"""A course of Golf Patience: hole after hole, each dealt anew, and the strokes added up (rule A11)."""

from dataclasses import dataclass
from typing import TypeAlias

from dormie_rules.cards import Card
from dormie_rules.drawers import State, View
from dormie_rules.game import AnyEvent, Deal, Step, tell
from dormie_rules.patience_events import CourseOver, PatienceHoleBegan, PatienceHoleScored
from dormie_rules.patience_hole import GolfPatience
from dormie_rules.patience_moves import GiveUp, PatienceMove
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_score import course_won
from dormie_rules.patience_state import (
    PatiencePocket,
    PatiencePublic,
    PatienceSecret,
    PatienceState,
    PatienceView,
)
from dormie_rules.values import replace


@dataclass(frozen=True, slots=True)
class PatienceCoursePublic:
    """The score card, and the hole being played."""

    hole: int = 0
    """The number of the hole being played or last played, from 1; 0 before the first."""
    scores: tuple[int, ...] = ()
    """Of every finished hole."""
    pars: tuple[int, ...] = ()
    """Of every hole that was dealt."""
    longest_run: int = 0
    """Of all finished holes."""
    play: PatiencePublic | None = None

    @property
    def total(self) -> int:
        """The strokes of all finished holes."""
        return sum(self.scores)

    @property
    def par(self) -> int:
        """The par of all finished holes."""
        return sum(self.pars[: len(self.scores)])


PatienceCourseState: TypeAlias = State[PatienceCoursePublic, PatiencePocket, PatienceSecret | None]
PatienceCourseView: TypeAlias = View[PatienceCoursePublic, PatiencePocket]


@dataclass(frozen=True, slots=True)
class PatienceCourse:
    """A course under *rules*: a ``Game`` with one seat. Between two holes it waits for a deal."""

    rules: PatienceRules

    @property
    def hole(self) -> GolfPatience:
        """The game that is played at every hole."""
        return GolfPatience(self.rules)

    def start(self) -> PatienceCourseState:
        """A course before its first hole.

        >>> course = PatienceCourse(PatienceRules(holes=1))
        >>> state = course.deal(course.start(), Deal(course.rules.pack, b"")).state
        >>> state = course.play(state, 0, GiveUp()).state
        >>> course.scores(state), state.public.total, course.wants_deal(state)
        ((35,), 35, False)
        """
        return State(PatienceCoursePublic(), (PatiencePocket(),), None)

    def pack(self, state: PatienceCourseState) -> tuple[Card, ...]:
        """The unshuffled pack of the next hole: it is the same for all of them."""
        del state
        return self.rules.pack

    def wants_deal(self, state: PatienceCourseState) -> bool:
        """Whether the course waits for the next hole to be dealt."""
        public = state.public
        return public.hole < self.rules.holes and len(public.scores) == public.hole

    def deal(
        self, state: PatienceCourseState, deal: Deal, par: int | None = None
    ) -> Step[PatienceCourseState]:
        """Deal the next hole; only when ``wants_deal``. *par* is for holes with a par of their own."""
        par = self.rules.par if par is None else par
        public = state.public
        public = replace(public, hole=public.hole + 1, pars=(*public.pars, par))
        dealt = self.hole.deal(deal)
        step = self._after(replace(state, public=public), dealt)
        return Step(step.state, (tell(PatienceHoleBegan(public.hole, par)), *step.events))

    def moves(self, view: PatienceCourseView) -> tuple[PatienceMove, ...]:
        """The moves the viewer may make now."""
        hole = _hole_view(view)
        return () if hole is None else self.hole.moves(hole)

    def why_not(self, view: PatienceCourseView, move: PatienceMove) -> str | None:
        """Why the viewer may not make *move* now, or None."""
        hole = _hole_view(view)
        return "hole_over" if hole is None else self.hole.why_not(hole, move)

    def default(self, view: PatienceCourseView) -> PatienceMove:
        """What a sleeper does."""
        del view
        return GiveUp()

    def play(
        self, state: PatienceCourseState, seat: int, move: PatienceMove
    ) -> Step[PatienceCourseState]:
        """The step that a legal *move* makes; the last of a hole also scores it."""
        return self._after(state, self.hole.play(_hole(state), seat, move))

    def waiting_for(self, state: PatienceCourseState) -> tuple[int, ...]:
        """The seat, while a hole is played."""
        return () if state.public.play is None else self.hole.waiting_for(_hole(state))

    def scores(self, state: PatienceCourseState) -> tuple[int | None, ...] | None:
        """The total once the course is over, else None."""
        over = len(state.public.scores) == self.rules.holes
        return (state.public.total,) if over else None

    def _after(
        self, state: PatienceCourseState, step: Step[PatienceState]
    ) -> Step[PatienceCourseState]:
        """The course with its hole moved on; a hole that is over is scored."""
        hole = step.state
        public = replace(state.public, play=hole.public)
        scored: tuple[AnyEvent, ...] = ()
        if hole.public.board.ending:
            public, scored = self._score(public, hole)
        return Step(State(public, hole.pockets, hole.secret), (*step.events, *scored))

    def _score(
        self, public: PatienceCoursePublic, hole: PatienceState
    ) -> tuple[PatienceCoursePublic, tuple[AnyEvent, ...]]:
        board = hole.public.board
        public = replace(
            public,
            scores=(*public.scores, board.score),
            longest_run=max(public.longest_run, board.longest_run),
        )
        told = tell(PatienceHoleScored(public.hole, board.score, public.pars[-1], public.total))
        if public.hole < self.rules.holes:
            return public, (told,)
        won = course_won(public.scores, public.pars)
        return public, (told, tell(CourseOver(public.total, public.par, won)))


def _hole_view(view: PatienceCourseView) -> PatienceView | None:
    play = view.public.play
    return None if play is None else View(view.seat, play, view.pocket)


def _hole(state: PatienceCourseState) -> PatienceState:
    assert state.public.play is not None, "a hole is being played"
    assert state.secret is not None, "a hole that is played has its secrets"
    return State(state.public.play, state.pockets, state.secret)
