"""The random bot does anything that is allowed, and each of it as often."""

from collections import Counter

from dormie_bots import find_bot
from dormie_rules.grid_moves import GridMove
from tests.bots.asking import course_view
from tests.rules.playing import SIX, Hole


def test_every_move_is_as_likely_as_the_others() -> None:
    hole = Hole(SIX, ("K57/K39", "A62/84T"))
    hole.plays("draw")
    bot, view, moves = (
        find_bot("random", SIX),
        course_view(hole.view()),
        hole.game.moves(hole.view()),
    )
    made: Counter[GridMove] = Counter(
        bot(view, moves, number.to_bytes(2, "big")).move for number in range(1400)
    )

    assert set(moves) == set(made)
    assert all(150 < times < 250 for times in made.values())
