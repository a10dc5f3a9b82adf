"""The medium bot counts lines and chances, and thinks before it closes."""

from dataclasses import replace
from random import Random

import pytest

from dormie_bots import find_bot
from dormie_bots.odds import Odds, unseen
from dormie_bots.sight import Sight, see
from dormie_rules.cards import Card
from dormie_rules.grid_moves import Discard, Draw, Flip, GridMove, Swap, Take
from dormie_rules.grid_rules import GridRules
from dormie_rules.scoring import grid_score
from dormie_rules.tuples import put
from tests.bots.asking import Asked, ask, course_view, told, watch
from tests.rules.playing import PLAYROOM, SIX, TABLE, Hole, Table

TWO = ("Q57/K39", "A62/84T")

# ---------------------------------------------------------------- the grid


def test_a_card_that_makes_a_pair_is_taken_and_put_there() -> None:
    hole = Hole(SIX, TWO, discard="Q")

    assert "take" == told("medium", hole)[0]
    hole.plays("take")
    assert ("swap 4", "The Queen completes a line.") == told("medium", hole)


def test_a_card_that_helps_nowhere_is_left_lying() -> None:
    expected = ("draw", "The stock promises more than the nine.")

    assert expected == told("medium", Hole(SIX, TWO, discard="9"))


def test_rows_and_diagonals_count_where_the_rules_say_so() -> None:
    square = replace(PLAYROOM, rows=2, cols=2)
    for up, place in (("12", "swap 2"), ("13", "swap 3"), ("14", "swap 4")):
        hole = Hole(square, ("9Q/JT", "A6/84"), up=up, discard="9")
        hole.plays("take")

        assert (place, "The nine completes a line.") == told("medium", hole)


def test_a_pair_is_not_torn_apart() -> None:
    hole = Hole(SIX, ("QAA/QA3", "A62/84T"), up="12345", stock="55")
    hole.plays("draw")

    assert ask("medium", hole).move not in {Swap(0), Swap(3)}


# ----------------------------------------------------------------- closing


def test_it_closes_when_it_will_probably_be_lowest() -> None:
    hole = Hole(TABLE, ("KAA/K29", "JQT/9K8"), up="12345", stock="44")
    hole.plays("draw")

    assert ("swap 6", "That closes the hole with 4 points.") == told("medium", hole)


def test_it_does_not_close_when_somebody_will_probably_be_lower() -> None:
    grids = ("K7A/K29", "222/KAK")
    dear, free = (Hole(rules, grids, up="12345", stock="Q4") for rules in (TABLE, SIX))
    dear.plays("draw")
    free.plays("draw")

    expected = ("swap 2", "Closing now would probably cost 13 points.")
    assert expected == told("medium", dear)
    assert Discard() == ask("medium", free).move


def test_it_throws_a_card_away_when_the_last_one_may_stay_face_down() -> None:
    for rules in (
        replace(TABLE, last_flip_optional=True),
        replace(TABLE, flip_after_discard="may"),
        replace(TABLE, flip_after_discard="never"),
    ):
        hole = Hole(rules, ("K7A/K29", "222/KAK"), up="12345", stock="Q4")
        hole.plays("draw")

        assert ("discard", "The Queen is of no use here.") == told("medium", hole)


def test_it_does_not_take_a_card_that_would_close_too_early() -> None:
    """The eight makes a pair with the last card's column."""
    dear = Hole(TABLE, ("4T8/KAQ", "222/KAK"), up="12345", discard="8")
    free = Hole(
        replace(TABLE, closer_penalty="none"), ("4T8/KAQ", "222/KAK"), up="12345", discard="8"
    )

    assert (Draw(), Take()) == (ask("medium", dear).move, ask("medium", free).move)


def test_it_turns_cards_up_while_that_is_free_and_leaves_the_last_one() -> None:
    early, late = Hole(SIX, TWO, stock="JJ"), Hole(SIX, TWO, up="12345", stock="JJ")
    early.plays("draw", "discard")
    late.plays("draw", "discard")

    assert "A card more is known, and it costs nothing." == told("medium", early)[1]
    assert ("pass", "It is too early to close.") == told("medium", late)


def test_first_cards_come_from_different_columns() -> None:
    start = Hole(SIX, TWO, up=("12", "4"))
    view, bot = start.view(1), find_bot("medium", start.game.rules)
    moves = start.game.moves(view)
    chosen = [bot(course_view(view), moves, bytes([number])).move for number in range(60)]

    assert {Flip(1), Flip(2), Flip(4), Flip(5)} == set(chosen)


# ------------------------------------------------------------------ rivals


def test_a_discard_that_would_please_the_next_player_is_kept() -> None:
    hole = Hole(SIX, ("66K/5A7", "9AK/4QT"), up="1234", stock="94")
    hole.plays("draw")

    assert "The nine would be a gift to the next player." == told("medium", hole)[1]


# --------------------------------------------------------- the last of turns


def exact(rules: GridRules, grid: tuple[Card | None, ...], odds: Odds) -> float:
    """The mean score of a grid over all that may lie face-down, card by card."""
    if None not in grid:
        return float(grid_score(rules.scoring, grid, rules.cols))
    at = grid.index(None)
    return sum(
        chance * exact(rules, put(grid, at, Card(of)), odds.without(of))
        for of, chance in odds.draws()
    )


def placed(rules: GridRules, sight: Sight, card: Card, odds: Odds) -> float:
    return min(exact(rules, put(sight.grid, at, card), odds) for at in range(rules.cells))


def outcome(rules: GridRules, sight: Sight, move: GridMove, odds: Odds) -> float:
    """The mean score of a seat's grid after *move* and the best that can follow."""
    match move:
        case Draw():
            return sum(
                chance
                * min(
                    placed(rules, sight, Card(of), odds.without(of)),
                    exact(rules, sight.grid, odds.without(of)),
                )
                for of, chance in odds.draws()
            )
        case Take():
            return placed(rules, sight, Card(sight.card), odds)
        case Swap(at):
            return exact(rules, put(sight.grid, at, Card(sight.card)), odds)
        case _:
            return exact(rules, sight.grid, odds)


LONG = (("limit", 900),)


def in_the_last_turn(asked: Asked) -> bool:
    if asked.level != "medium":
        return False
    sight = see(asked.view)
    return sight.hole.ending is not None and sight.next is None and sight.face_down <= 2


@pytest.mark.parametrize(
    "table",
    [
        Table("six_card", 2, (("holes", 36),)),
        Table("playroom", 2, LONG),
        Table("playroom", 2, (*LONG, ("cols", 2))),
    ],
)
def test_the_last_turn_is_played_as_well_as_it_can_be(table: Table) -> None:
    """Every deal of the unseen cards is tried, with nothing but the scoring function."""
    match = watch(table, ("medium", "easy"), Random(5), most=700, leaving=0)
    last = [asked for asked in match if in_the_last_turn(asked)][:12]
    for asked in last:
        sight, odds = see(asked.view), unseen(table.rules, asked.view)
        outcomes = {move: outcome(table.rules, sight, move, odds) for move in asked.moves}

        assert pytest.approx(min(outcomes.values())) == outcomes[asked.choice.move]
    assert len(last) > 7
