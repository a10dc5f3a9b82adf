"""Golf Patience at a table, for one seat or up to six: the same deal for everybody (rules A11, A13).

The questions are those of ``GridCourse``, so a table asks them in the same words.

- ``RaceCourse(rules, seats)``: ``start()``, ``pack(state)``, ``wants_deal(state)``,
  ``deal(state, Deal(pack, luck, attempt))``, ``moves(view)``, ``why_not(view, move)``, ``default(view)``,
  ``play(state, seat, move)``, ``waiting_for(state)``, ``withdraw(state, seat)``, ``scores(state)``;
  and one more, ``time_is_up(state)``, when the hole has lasted ``rules.hole_seconds``. A sleeper's board
  ends there, so a table that times holes never plays defaults for anybody.
- The pack of a hole is ``attempt_pack(rules, seed, attempt)``, where ``certify(rules, seed, judge)`` finds
  the attempt; under ``deal_policy`` random it is attempt 0.
- ``state.public`` is a ``RacePublic`` (``race_state``): ``hole``, ``totals``, ``out``, ``withdrawn``,
  ``card``, ``pars``, ``matches``, ``places`` and ``play``; the hole is over when ``play.stage`` is ``over``,
  and then ``play.shown`` has every board and the deal. ``play.turns`` and ``play.turn`` never change while a
  hole lasts.
- ``state.pockets[seat].board`` is what a seat sees of its own; ``state.secret`` holds the deal.
- A move is a ``RaceMove`` (``patience_moves``), and text by ``write_patience_move``.
"""

from dataclasses import dataclass

from dormie_rules.cards import Card
from dormie_rules.course_state import LeftMatch
from dormie_rules.drawers import State
from dormie_rules.game import AnyEvent, Deal, Step, tell
from dormie_rules.patience_moves import Concede, RaceMove
from dormie_rules.patience_par import par_of
from dormie_rules.patience_position import lay_out
from dormie_rules.patience_rules import MAX_RACE_SEATS, PatienceRules
from dormie_rules.race_events import Conceded, RaceHoleBegan
from dormie_rules.race_hole import (
    deal_hole,
    laid_out,
    leave_hole,
    move_in_hole,
    running,
    time_is_up,
)
from dormie_rules.race_legal import race_moves, race_why_not
from dormie_rules.race_match import pairings
from dormie_rules.race_score import after_leaving, score_race_hole
from dormie_rules.race_state import NO_BOARD, HoleState, RacePublic, RaceState, RaceView
from dormie_rules.tuples import put
from dormie_rules.values import replace

__all__ = ["MAX_RACE_SEATS", "RaceCourse"]


@dataclass(frozen=True, slots=True)
class RaceCourse:
    """A match of Golf Patience under *rules* for so many *seats*, from one to six: a ``Game``."""

    rules: PatienceRules
    seats: int

    def start(self, dealer: int | None = None) -> RaceState:
        """A match before its first hole. Nobody deals in a race: *dealer* is there for the table.

        >>> from dormie_rules.patience_moves import GiveUp
        >>> course = RaceCourse(PatienceRules(holes=1), seats=2)
        >>> state = course.deal(course.start(), Deal(course.rules.pack, b"")).state
        >>> state = course.play(course.play(state, 0, GiveUp()).state, 1, GiveUp()).state
        >>> course.scores(state), state.public.places, course.wants_deal(state)
        ((35, 35), (1, 1), False)
        """
        del dealer
        public = RacePublic(
            hole=0,
            totals=(0,) * self.seats,
            out=(None,) * self.seats,
            longest_runs=(0,) * self.seats,
            survived=(0,) * self.seats,
            matches=pairings(self.rules, self.seats),
        )
        return State(public, (NO_BOARD,) * self.seats, None)

    def pack(self, state: RaceState) -> tuple[Card, ...]:
        """The unshuffled pack of the next hole: it is the same for all of them."""
        del state
        return self.rules.pack

    def wants_deal(self, state: RaceState) -> bool:
        """Whether the match waits for the next hole to be dealt."""
        public = state.public
        return not public.places and (public.play is None or public.play.stage == "over")

    def deal(self, state: RaceState, deal: Deal) -> Step[RaceState]:
        """Deal the next hole; only when ``wants_deal``, and maybe it is wanted again at once.

        A hole at which nothing fits and nothing can be drawn is over and scored as soon as it is dealt (rule A11).
        """
        public = state.public
        playing = [
            out is None and (not public.playoff or seat in public.playoff)
            for seat, out in enumerate(public.out)
        ]
        par = self.rules.par
        if self.rules.par_of_deal:
            par = par_of(self.rules, lay_out(self.rules, deal.pack))
        dealt = deal_hole(self.rules, playing, deal)
        public = replace(public, hole=public.hole + 1, pars=(*public.pars, par))
        seats = tuple(seat for seat, on in enumerate(playing) if on)
        began = RaceHoleBegan(public.hole, par, seats, extra=public.hole > self.rules.holes)
        step = self._after(replace(state, public=public), dealt)
        return Step(step.state, (tell(began, *laid_out(dealt.state)), *step.events))

    def moves(self, view: RaceView) -> tuple[RaceMove, ...]:
        """The moves the viewer may make now."""
        return race_moves(self.rules, view)

    def why_not(self, view: RaceView, move: RaceMove) -> str | None:
        """Why the viewer may not make *move* now, as one of ``RACE_WORDS``, or None if it is legal."""
        return race_why_not(self.rules, view, move)

    def default(self, view: RaceView) -> RaceMove:
        """The first card that fits, else a draw: repeated, it ends the hole. Nothing is given up for anybody.

        Only for a seat of ``waiting_for``: who has finished may do nothing but concede the match.
        """
        return race_moves(self.rules, view)[0]

    def play(self, state: RaceState, seat: int, move: RaceMove) -> Step[RaceState]:
        """The step that a legal *move* of *seat* makes; the last of a hole also scores it, once."""
        if isinstance(move, Concede):
            return self._leave(state, seat, Conceded(seat))
        return self._after(state, move_in_hole(self.rules, _hole(state), seat, move))

    def time_is_up(self, state: RaceState) -> Step[RaceState]:
        """The time of the hole is up; only while one is played. It ends for everybody (option ``time_up``)."""
        return self._after(state, time_is_up(self.rules, _hole(state)))

    def withdraw(self, state: RaceState, seat: int) -> Step[RaceState]:
        """Take *seat* out of the match (rule A8): it loses this hole and every match that is not decided.

        A seat that is out already changes nothing, nor does one that has finished and only watches
        others play extra holes.
        """
        public = state.public
        finished = public.places or (public.playoff and seat not in public.playoff)
        if finished or public.out[seat] is not None:
            return Step(state)
        return self._leave(state, seat, LeftMatch(seat))

    def waiting_for(self, state: RaceState) -> tuple[int, ...]:
        """The seats that may move: everybody who has not finished the hole."""
        return () if state.public.play is None else running(state.public.play)

    def scores(self, state: RaceState) -> tuple[int | None, ...] | None:
        """The strokes of each seat once the match is over, else None."""
        return state.public.totals if state.public.places else None

    def _leave(self, state: RaceState, seat: int, why: LeftMatch | Conceded) -> Step[RaceState]:
        public, between = state.public, self.wants_deal(state)
        left = (seat,) if isinstance(why, LeftMatch) else ()
        public = replace(
            public,
            out=put(public.out, seat, public.hole + between),
            withdrawn=(*public.withdrawn, *left),
            playoff=tuple(one for one in public.playoff if one != seat),
        )
        events: tuple[AnyEvent, ...] = (tell(why),)
        state = replace(state, public=public)
        if not between:
            state = _with(public, leave_hole(_hole(state), seat).state)
        step = after_leaving(self.rules, state, seat)
        state, events = step.state, (*events, *step.events)
        if between or state.public.places:
            return Step(state, events)
        scored = self._after(state, Step(_hole(state)))
        return Step(scored.state, (*events, *scored.events))

    def _after(self, state: RaceState, step: Step[HoleState]) -> Step[RaceState]:
        state = _with(state.public, step.state)
        if step.state.public.stage != "over":
            return Step(state, step.events)
        scored = score_race_hole(self.rules, state)
        return Step(scored.state, (*step.events, *scored.events))


def _hole(state: RaceState) -> HoleState:
    assert state.public.play is not None, "a hole is being played"
    assert state.secret is not None, "a hole that is played has its secrets"
    return State(state.public.play, state.pockets, state.secret)


def _with(public: RacePublic, hole: HoleState) -> RaceState:
    return State(replace(public, play=hole.public), hole.pockets, hole.secret)
