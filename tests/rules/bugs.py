"""Bugs to plant: for each law of grid Golf something that breaks it, and the law must notice."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dormie_rules.cards import Card
from dormie_rules.course import GridCourse
from dormie_rules.course_state import CourseState, CourseView, HoleScored
from dormie_rules.game import Step
from dormie_rules.grid_moves import Discard, Draw, GridMove
from dormie_rules.grid_state import GridPocket
from dormie_rules.tuples import put
from tests.rules import laws
from tests.rules.laws import Law, Moment
from tests.rules.playing import Left

Bug = Callable[[Moment], Moment]

# ------------------------------------------------------ a state that is wrong


def hole(moment: Moment, **changes: Any) -> Moment:  # whatever a hole holds
    assert moment.hole is not None, "a hole is being played"
    return card(moment, play=replace(moment.hole, **changes))


def card(moment: Moment, **changes: Any) -> Moment:  # whatever a match holds
    after = replace(moment.after, public=replace(moment.card, **changes))
    return replace(moment, after=after)


def secret(moment: Moment, **changes: Any) -> Moment:  # whatever is secret
    assert moment.after.secret is not None, "a hole has its secrets"
    after = replace(moment.after, secret=replace(moment.after.secret, **changes))
    return replace(moment, after=after)


def a_replaced_card_vanishes(moment: Moment) -> Moment:
    """Scenario R03."""
    return secret(moment, under=())


def a_card_turned_up_stays_below_as_well(moment: Moment) -> Moment:
    assert moment.hole is not None, "a hole is being played"
    return secret(moment, hidden=tuple((Card("K"),) * len(grid) for grid in moment.hole.grids))


def the_stock_says_one_too_many(moment: Moment) -> Moment:
    assert moment.hole is not None, "a hole is being played"
    return hole(moment, stock=moment.hole.stock + 1)


def everything_is_shuffled(moment: Moment) -> Moment:
    """Scenario R25: no discard is left."""
    return hole(moment, discard=None)


def cards_are_turned_down(moment: Moment) -> Moment:
    """Or never up (scenario R14)."""
    assert moment.hole is not None, "a hole is being played"
    return hole(moment, grids=tuple((None,) * len(grid) for grid in moment.hole.grids))


def a_drawn_card_stays_in_the_pocket(moment: Moment) -> Moment:
    return replace(
        moment, after=replace(moment.after, pockets=(GridPocket(Card("K")),) * moment.course.seats)
    )


def a_hole_is_scored_twice(moment: Moment) -> Moment:
    """Scenario R01."""
    scored = [event for event in moment.told if isinstance(event, HoleScored)]
    twice = [a + (b or 0) for e in scored for a, b in zip(e.totals, e.charged, strict=True)]
    return card(moment, totals=tuple(twice) or moment.card.totals)


def nobody_goes_out(moment: Moment) -> Moment:
    return card(moment, out=(None,) * moment.course.seats)


def equals_do_not_share_a_place(moment: Moment) -> Moment:
    return card(moment, places=tuple(place + 1 for place in moment.card.places))


def the_dealer_is_out(moment: Moment) -> Moment:
    return card(moment, dealer=99)


def who_is_out_leaves_again(moment: Moment) -> Moment:
    if not isinstance(moment.doing, Left):
        return moment
    return card(moment, out=put(moment.card.out, moment.doing.seat, 99))


# ----------------------------------------------------- a course that is wrong


class Stuck(GridCourse):
    """Nobody is waited for."""

    def waiting_for(self, state: CourseState) -> tuple[int, ...]:
        del state
        return ()


class Open(GridCourse):
    """Whoever asks is shown a move."""

    def moves(self, view: CourseView) -> tuple[GridMove, ...]:
        return super().moves(view) or (Draw(),)


class Lenient(GridCourse):
    """A taken card may go back."""

    def why_not(self, view: CourseView, move: GridMove) -> str | None:
        word = super().why_not(view, move)
        return None if word == "must_swap" and move == Discard() else word


class Wordless(GridCourse):
    """A no without a word of its own."""

    def why_not(self, view: CourseView, move: GridMove) -> str | None:
        word = super().why_not(view, move)
        return "no" if word == "not_your_turn" else word


class Dreaming(GridCourse):
    """A sleeper draws, and draws."""

    def default(self, view: CourseView) -> GridMove:
        del view
        return Draw()


class Restless(GridCourse):
    """A sleeper's turn is never over."""

    def play(self, state: CourseState, seat: int, move: GridMove) -> Step[CourseState]:
        del seat, move
        return Step(state)


class Dry(GridCourse):
    """An empty stock stays empty."""

    def moves(self, view: CourseView) -> tuple[GridMove, ...]:
        moves, table = super().moves(view), view.public.play
        empty = table is not None and not table.stock
        return tuple(move for move in moves if not (empty and move == Draw()))


def played_by(course: type[GridCourse]) -> Bug:
    return lambda moment: replace(moment, course=course(moment.course.rules, moment.course.seats))


BUGS: tuple[tuple[Law, Bug], ...] = (
    (laws.the_pack_is_whole, a_replaced_card_vanishes),
    (laws.a_place_holds_one_card, a_card_turned_up_stays_below_as_well),
    (laws.piles_are_as_high_as_they_say, the_stock_says_one_too_many),
    (laws.a_turn_begins_with_a_discard, everything_is_shuffled),
    (laws.what_lies_face_up_stays_face_up, cards_are_turned_down),
    (laws.only_who_has_drawn_holds_a_card, a_drawn_card_stays_in_the_pocket),
    (laws.somebody_is_waited_for, played_by(Stuck)),
    (laws.who_is_waited_for_may_move_and_nobody_else, played_by(Open)),
    (laws.a_move_is_shown_exactly_when_it_is_legal, played_by(Lenient)),
    (laws.a_move_is_shown_exactly_when_it_is_legal, played_by(Wordless)),
    (laws.a_sleeper_makes_a_legal_move, played_by(Dreaming)),
    (laws.a_sleeper_comes_to_an_end, played_by(Restless)),
    (laws.a_card_can_always_be_drawn, played_by(Dry)),
    (laws.a_hole_is_scored_when_all_cards_are_up, cards_are_turned_down),
    (laws.totals_change_once_a_hole_by_what_is_charged, a_hole_is_scored_twice),
    (laws.who_is_still_in_is_below_the_limit, nobody_goes_out),
    (laws.places_rank_everybody, equals_do_not_share_a_place),
    (laws.who_plays_a_hole_is_who_is_in, the_dealer_is_out),
    (laws.who_is_out_already_cannot_leave, who_is_out_leaves_again),
)
