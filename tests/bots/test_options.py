"""A bot says what its move was for, and what it resisted."""

import pytest

from dormie_bots import say_why
from dormie_bots.options import Option, reason
from dormie_bots.sight import Sight, see
from dormie_rules.cards import Card
from dormie_rules.grid_moves import Discard, Draw, Flip, Pass, Swap, Take
from tests.bots.asking import course_view
from tests.rules.playing import SIX, Hole

TWO = ("Q57/K39", "A62/84T")


def sight(up: str, *moves: str, stock: str = "Q5") -> Sight:
    hole = Hole(SIX, TWO, up=up, stock=stock)
    hole.plays(*moves)
    return see(course_view(hole.view()))


EARLY, LATE = sight("12", "draw"), sight("12345", "draw")
FLIPS = sight("12", "draw", "discard")
THROW = Option(Discard(), 20.0, out=Card("QS"))


@pytest.mark.parametrize(
    ("seen", "best", "others", "said"),
    [
        (sight("12"), Option(Draw(), 19), [], "The stock promises more than the nine."),
        (sight("12"), Option(Take(), 16.4), [], "The nine saves about 4 points."),
        (sight("12"), Option(Take(), 20.4), [], "The nine is the lesser evil."),
        (EARLY, Option(Swap(3), 5), [THROW], "The Queen completes a line."),
        (EARLY, Option(Swap(1), 15), [THROW], "The Queen saves about 5 points."),
        (EARLY, Option(Swap(1), 21), [THROW], "The Queen is the lesser evil."),
        (EARLY, THROW, [Option(Swap(1), 25)], "The Queen is of no use here."),
        (
            EARLY,
            Option(Swap(5), 21),
            [Option(Discard(), 20, gift=3, out=Card("QS"))],
            "The Queen would be a gift to the next player.",
        ),
        (LATE, Option(Swap(5), 12), [THROW], "That closes the hole with 12 points."),
        (
            LATE,
            THROW,
            [Option(Swap(5), 12, closing=9.7)],
            "Closing now would probably cost 10 points.",
        ),
        (
            FLIPS,
            Option(Flip(2), 20),
            [Option(Pass(), 20)],
            "A card more is known, and it costs nothing.",
        ),
        (FLIPS, Option(Flip(2), 20), [Option(Flip(3), 20)], "One of the cards must be turned up."),
        (FLIPS, Option(Pass(), 20), [Option(Flip(2), 21)], "It is too early to close."),
        (
            sight("12345", "draw", "discard"),
            Option(Flip(5), 20),
            [Option(Pass(), 21)],
            "The last card closes the hole, whatever it is.",
        ),
    ],
)
def test_a_choice_has_its_reason(
    seen: Sight, best: Option, others: list[Option], said: str
) -> None:
    assert said == say_why(reason(SIX, seen, 20.0, best, [*others, best]))


def test_a_move_costs_all_that_it_leads_to() -> None:
    assert 12.5 == Option(Discard(), 7, closing=5, gift=0.5).cost
