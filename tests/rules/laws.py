"""What holds at every moment of every match of grid Golf (rules A1, A4, A5, A8): a law a function.

A law looks at a moment, or at all moments of a match, and asserts.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from dormie_rules.cards import Card
from dormie_rules.course import GridCourse
from dormie_rules.course_state import CoursePublic, CourseState, HoleScored
from dormie_rules.drawers import State, look
from dormie_rules.game import Deal, act
from dormie_rules.grid_events import FinalLap
from dormie_rules.grid_hole import cards_of
from dormie_rules.grid_legal import WORDS
from dormie_rules.grid_moves import Draw
from dormie_rules.grid_state import GridPublic
from tests.rules.playing import Doing, Left, Made, Table, choose_doing, do, every_move

LONGEST = 20_000
"""No match of the tables that tests choose has so many doings."""


@dataclass(frozen=True)
class Moment:
    """One doing, and the match before and after it."""

    course: GridCourse
    before: CourseState
    doing: Doing
    after: CourseState
    told: tuple[Any, ...]
    """The events, as everybody hears them; of any kind."""
    pack: tuple[Card, ...]
    """The cards of the hole."""

    @property
    def card(self) -> CoursePublic:
        return self.after.public

    @property
    def hole(self) -> GridPublic | None:
        return self.after.public.play

    @property
    def viewers(self) -> tuple[int | None, ...]:
        return (*range(self.course.seats), None)


def moments(
    table: Table, luck: Random, course: GridCourse | None = None, leaving: float = 0.01
) -> Iterator[Moment]:
    """A whole match at random; *course* may be another than the table's own, with a bug in it."""
    course = course or table.course
    state, pack = course.start(), tuple[Card, ...]()
    for _ in range(LONGEST):
        if state.public.places:
            return
        doing = choose_doing(table, state, luck, leaving)
        pack = doing.pack if isinstance(doing, Deal) else pack
        step = do(course, state, doing)
        told = tuple(event.public for event in step.events)
        yield Moment(course, state, doing, step.state, told, pack)
        state = step.state
    raise AssertionError("this match does not end")


# ---------------------------------------------------------------- the cards


def the_pack_is_whole(moment: Moment) -> None:
    if moment.hole and moment.after.secret:
        hole = State(moment.hole, moment.after.pockets, moment.after.secret)

        assert Counter(moment.pack) == Counter(cards_of(hole))


def a_place_holds_one_card(moment: Moment) -> None:
    if moment.hole and moment.after.secret:
        for grid, hidden in zip(moment.hole.grids, moment.after.secret.hidden, strict=True):
            for up, down in zip(grid, hidden, strict=True):
                assert (up is None) != (down is None)


def piles_are_as_high_as_they_say(moment: Moment) -> None:
    if moment.hole and moment.after.secret:
        assert moment.hole.stock == len(moment.after.secret.stock)
        pile = [*moment.after.secret.under, *filter(None, [moment.hole.discard])]
        assert moment.hole.pile == len(pile)


def a_turn_begins_with_a_discard(moment: Moment) -> None:
    if moment.hole and moment.hole.stage == "turn":
        assert moment.hole.discard is not None


def what_lies_face_up_stays_face_up(moment: Moment) -> None:
    was, now = moment.before.public.play, moment.hole
    if was is None or now is None or isinstance(moment.doing, Deal):
        return
    for seat in now.playing:
        for before, after in zip(was.grids[seat], now.grids[seat], strict=True):
            assert before is None or after is not None


def only_who_has_drawn_holds_a_card(moment: Moment) -> None:
    if moment.hole:
        stage, turn = moment.hole.stage, moment.hole.turn
        holding = [seat for seat, p in enumerate(moment.after.pockets) if p.drawn is not None]

        assert holding == ([turn] if stage == "drawn" else [])
        assert (moment.hole.taken is not None) == (stage == "taken")


# ---------------------------------------------------------------- the moves


def somebody_is_waited_for(moment: Moment) -> None:
    waiting = moment.course.waiting_for(moment.after)
    wants_deal = moment.course.wants_deal(moment.after)

    assert 1 == bool(waiting) + wants_deal + bool(moment.card.places)


def who_is_waited_for_may_move_and_nobody_else(moment: Moment) -> None:
    waiting = moment.course.waiting_for(moment.after)
    for viewer in moment.viewers:
        moves = moment.course.moves(look(moment.after, viewer))

        assert (viewer in waiting) == bool(moves)
        assert len(moves) == len(set(moves))


def a_move_is_shown_exactly_when_it_is_legal(moment: Moment) -> None:
    for viewer in moment.viewers:
        view = look(moment.after, viewer)
        moves = moment.course.moves(view)
        for move in every_move(moment.course.rules):
            word = moment.course.why_not(view, move)

            assert (move in moves) == (word is None)
            assert word is None or word in WORDS


def a_sleeper_makes_a_legal_move(moment: Moment) -> None:
    for seat in moment.course.waiting_for(moment.after):
        view = look(moment.after, seat)

        assert moment.course.default(view) in moment.course.moves(view)


def a_sleeper_comes_to_an_end(moment: Moment) -> None:
    """What must be turned up first, then draw, discard and turn a card up: more is no turn."""
    course, begun = moment.course, _turns(moment.after)
    for seat in course.waiting_for(moment.after):
        state = moment.after
        for _ in range(course.rules.initial_face_up + 3):
            if seat in course.waiting_for(state) and _turns(state) == begun:
                state = act(course, state, seat, course.default(look(state, seat))).state

        assert seat not in course.waiting_for(state) or _turns(state) > begun


def a_card_can_always_be_drawn(moment: Moment) -> None:
    rules = moment.course.rules
    endless = rules.stock_empty in ("reshuffle_keep_top", "eager") and rules.max_reshuffles is None
    if endless and moment.hole and moment.hole.stage == "turn":
        assert Draw() in moment.course.moves(look(moment.after, moment.hole.turn))


# --------------------------------------------------------------- the scores


def a_hole_is_scored_when_all_cards_are_up(moment: Moment) -> None:
    if moment.hole and moment.hole.stage == "over":
        assert all(None not in grid for grid in moment.hole.grids)
    scored = [event for event in moment.told if isinstance(event, HoleScored)]
    if scored:
        assert moment.hole is not None
        assert ("over", moment.hole.showing) == (moment.hole.stage, scored[0].raw)


def totals_change_once_a_hole_by_what_is_charged(moment: Moment) -> None:
    scored = [event for event in moment.told if isinstance(event, HoleScored)]
    charged = scored[0].charged if scored and not moment.before.public.playoff else ()
    totals = list(moment.before.public.totals)
    for seat, score in enumerate(charged):
        totals[seat] += score or 0

    assert (tuple(totals), len(moment.before.public.card) + len(scored)) == (
        moment.card.totals,
        len(moment.card.card),
    )
    assert len(scored) <= 1


def who_is_still_in_is_below_the_limit(moment: Moment) -> None:
    rules, card = moment.course.rules, moment.card
    if rules.end == "elimination" and moment.course.wants_deal(moment.after) and not card.playoff:
        for total, out in zip(card.totals, card.out, strict=True):
            assert out is not None or total < (rules.limit or 0) + (not rules.limit_inclusive)


def places_rank_everybody(moment: Moment) -> None:
    places = moment.card.places
    for place in places:
        assert place == 1 + sum(other < place for other in places)
    winners = [seat for seat, place in enumerate(places) if place == 1]
    assert not winners or not set(winners) <= set(moment.card.withdrawn)


def who_plays_a_hole_is_who_is_in(moment: Moment) -> None:
    if isinstance(moment.doing, Deal) and moment.hole:
        playoff, playing = moment.card.playoff, moment.hole.playing
        seats = [seat for seat, out in enumerate(moment.card.out) if out is None]

        assert sorted(playoff or seats) == sorted(playing)
        assert moment.card.first == playing[0]
        assert moment.card.dealer in playing


def who_is_out_already_cannot_leave(moment: Moment) -> None:
    if isinstance(moment.doing, Left) and moment.before.public.out[moment.doing.seat] is not None:
        assert moment.before == moment.after


def _turns(state: CourseState) -> tuple[int, int]:
    play = state.public.play
    return state.public.hole, play.turns if play else 0


Law: TypeAlias = Callable[[Moment], None]
LAWS: tuple[Law, ...] = (
    the_pack_is_whole,
    a_place_holds_one_card,
    piles_are_as_high_as_they_say,
    a_turn_begins_with_a_discard,
    what_lies_face_up_stays_face_up,
    only_who_has_drawn_holds_a_card,
    somebody_is_waited_for,
    who_is_waited_for_may_move_and_nobody_else,
    a_move_is_shown_exactly_when_it_is_legal,
    a_sleeper_makes_a_legal_move,
    a_sleeper_comes_to_an_end,
    a_card_can_always_be_drawn,
    a_hole_is_scored_when_all_cards_are_up,
    totals_change_once_a_hole_by_what_is_charged,
    who_is_still_in_is_below_the_limit,
    places_rank_everybody,
    who_plays_a_hole_is_who_is_in,
    who_is_out_already_cannot_leave,
)

# --------------------------------------------------- laws of a whole match


def everybody_has_one_turn_in_the_final_lap(match: Sequence[Moment]) -> None:
    """The closer has none, unless the option says so (rule A5)."""
    due: list[int] | None = None
    for moment in match:
        table, doing = moment.before.public.play, moment.doing
        begins = table is not None and table.stage == "turn"
        if due is not None and isinstance(doing, Made) and begins:
            assert [doing.seat] == due[:1]
            due = due[1:]
        if due is not None and isinstance(doing, Left):
            due = [seat for seat in due if seat != doing.seat]
        if moment.hole and moment.hole.stage == "over":
            assert not due or moment.hole.ending == "abandoned"
            due = None
        for lap in moment.told:
            if isinstance(lap, FinalLap):
                due = _due(moment, lap)


def _due(moment: Moment, lap: FinalLap) -> list[int]:
    """Whose turns must follow: all from the next seat on, and the closer's only by the option."""
    assert moment.before.public.play is not None, "a final lap is part of a hole"
    assert moment.hole is not None, "and so is what follows"
    assert not isinstance(moment.doing, Deal), "and no hole begins with it"
    was = moment.before.public.play.playing
    at = was.index(moment.doing.seat) + 1
    skipped = lap.closer if moment.course.rules.final_lap == "others" else None
    due = [s for s in was[at:] + was[:at] if s in moment.hole.playing and s != skipped]

    assert tuple(due) == lap.seats
    return due


def a_hole_has_a_longest_length(match: Sequence[Moment]) -> None:
    rules, seats = match[0].course.rules, match[0].course.seats
    for moment in match:
        if moment.hole:
            assert moment.hole.turns <= (rules.max_laps + 1) * seats
