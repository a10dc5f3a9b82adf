"""A hole of Golf Patience as a game: drawers and events."""

import random
from collections import Counter

import pytest

from dormie_rules.cards import Card, pack
from dormie_rules.drawers import look
from dormie_rules.game import Deal, IllegalMove, act
from dormie_rules.grid_moves import Draw
from dormie_rules.luck import shuffle
from dormie_rules.patience_events import HoleEnded, LaidOut
from dormie_rules.patience_hole import GolfPatience, cards_of_hole, position_of
from dormie_rules.patience_moves import GiveUp, Play
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_state import PatienceState
from dormie_rules.patience_variants import find_patience
from dormie_rules.solver import solve

RULES = [
    PatienceRules(),
    PatienceRules("queen", jokers=1),
    PatienceRules("wrap", jokers=2, empty_start=True),
    PatienceRules("wrap", draw_with_moves=False),
]


def dealt(rules: PatienceRules, seed: int) -> PatienceState:
    return GolfPatience(rules).deal(Deal(shuffle(seed.to_bytes(32, "big"), rules.pack), b"")).state


@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_the_cards_of_a_hole_are_always_the_pack(rules: PatienceRules) -> None:
    game, luck = GolfPatience(rules), random.Random(1)
    for seed in range(5):
        state = dealt(rules, seed)
        while game.waiting_for(state):
            move = luck.choice(game.moves(look(state, 0))[:-1] or (GiveUp(),))
            state = act(game, state, 0, move).state

            assert Counter(rules.pack) == Counter(cards_of_hole(state))
        board = state.public.board

        assert (board.left or -board.stock,) == game.scores(state)


def test_a_hole_is_dealt_row_by_row_and_its_stock_stays_locked_away() -> None:
    rules = PatienceRules()
    cards = pack()[::-1]
    state = GolfPatience(rules).deal(Deal(cards[::-1], b"")).state
    board = state.public.board

    assert cards[0::7][:5] == board.columns[0]
    assert cards[34] == board.columns[6][-1]
    assert (cards[35], cards[36:]) == (board.foundation, state.secret.stock)
    assert 16 == board.stock
    assert "stock=(" not in repr(look(state, 0))


def test_the_best_line_of_a_solver_is_played_move_by_move() -> None:
    game = GolfPatience(PatienceRules("wrap"))
    state = dealt(game.rules, 3)
    solution = solve(game.rules, position_of(state))
    told: list[object] = []
    for move in solution.line:
        step = act(game, state, 0, move)
        state = step.state
        told += [event.public for event in step.events]

    assert (solution.best,) == game.scores(state)
    assert isinstance(told[-1], HoleEnded)


def test_a_hole_that_is_over_when_it_is_dealt_says_so() -> None:
    """A Black Hole with neither a two nor a king on top: nobody would ever make the move that ends it."""
    game = GolfPatience(find_patience("black_hole").rules)
    packs = (shuffle(seed.to_bytes(32, "big"), game.pack()) for seed in range(1000))
    steps = (game.deal(Deal(cards, b"")) for cards in packs)
    step = next(step for step in steps if not game.waiting_for(step.state))

    assert (51,) == game.scores(step.state)
    assert [LaidOut(Card("AS"), 0), HoleEnded(0, "stuck", 51, 0)] == [e.public for e in step.events]
    alive = game.deal(Deal(game.pack(), b""))
    assert [LaidOut] == [type(event.public) for event in alive.events]


def test_only_the_player_plays() -> None:
    game = GolfPatience(PatienceRules())
    state = dealt(game.rules, 0)

    assert ("not_playing", ()) == (
        game.why_not(look(state, None), Draw()),
        game.moves(look(state, None)),
    )
    with pytest.raises(IllegalMove, match="no_such_column"):
        act(game, state, 0, Play(7))


def test_a_sleeper_is_scored_as_the_hole_stands() -> None:
    game = GolfPatience(PatienceRules())
    state = dealt(game.rules, 0)
    state = act(game, state, 0, game.default(look(state, 0))).state

    assert (35,) == game.scores(state)
    assert "given_up" == state.public.board.ending
