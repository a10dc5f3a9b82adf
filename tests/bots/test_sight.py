"""A bot looks at the right grid, knows what is in its hand, and who plays after it."""

from dormie_bots.sight import crowd, see
from dormie_rules.grid_moves import Draw, Flip
from tests.bots.asking import course_view
from tests.rules.playing import SIX, Hole

THREE = ("K57/K39", "A62/84T", "777/888")


def test_the_card_in_hand_is_the_drawn_one_or_the_one_that_was_taken() -> None:
    drawn, taken = Hole(SIX, THREE, stock="Q5"), Hole(SIX, THREE, discard="9")
    drawn.plays("draw")
    taken.plays("take")

    assert ("Q", "Q") == (see(course_view(drawn.view())).held, see(course_view(drawn.view())).card)
    assert ("9", "9") == (see(course_view(taken.view())).held, see(course_view(taken.view())).card)


def test_with_an_empty_hand_the_card_to_think_of_lies_on_the_discard_pile() -> None:
    sight = see(course_view(Hole(SIX, THREE, discard="9").view()))

    assert (None, "9") == (sight.held, sight.card)


def test_rivals_come_in_the_order_of_their_turns() -> None:
    hole = Hole(SIX, THREE)
    hole.plays("draw", "discard", "pass")
    sight = see(course_view(hole.view()))

    assert (1, (2, 0), 2) == (sight.seat, sight.rivals, sight.next)


def test_who_plays_last_has_nobody_after_it() -> None:
    hole = Hole(SIX, THREE, up="12345")
    hole.plays("draw", "swap 6")
    assert 2 == see(course_view(hole.view())).next

    hole.plays("draw", "discard", "pass")
    assert None is see(course_view(hole.view())).next


def test_only_the_last_card_closes() -> None:
    views = [Hole(SIX, THREE, up="12345"[:face_up]).view() for face_up in range(6)]

    assert [False] * 5 + [True] == [see(course_view(view)).can_close for view in views]


def test_in_the_final_lap_nothing_closes_any_more() -> None:
    hole = Hole(SIX, THREE, up="12345")
    hole.plays("draw", "swap 6")

    assert not see(course_view(hole.view())).can_close


def test_a_column_is_crowded_by_its_cards_that_are_face_up() -> None:
    sight = see(course_view(Hole(SIX, THREE, up="14").view()))

    assert [2, 0, 0] == [crowd(SIX, sight, Flip(at)) for at in (0, 1, 5)]
    assert 0 == crowd(SIX, sight, Draw())
