"""What every bot of Golf Patience promises, and how good it is."""

from dataclasses import dataclass, fields
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.patience_bots import measure, row
from dormie_bots import PATIENCE_LEVELS, find_patience_bot, patience_hard, say_reason
from dormie_bots.patience_bot import PatienceChoice
from dormie_rules.drawers import look
from dormie_rules.game import Deal, act
from dormie_rules.luck import digest, shuffle
from dormie_rules.patience_ahead import Ahead
from dormie_rules.patience_hole import GolfPatience
from dormie_rules.patience_moves import GiveUp
from dormie_rules.patience_rules import KingRule, PatienceRules
from dormie_rules.patience_sight import Sight, sight_of
from dormie_rules.patience_state import PatienceState
from dormie_rules.patience_variants import find_patience, patience_names
from dormie_rules.values import replace
from tests.rules.plain_patience import all_rules

LEVELS = st.sampled_from(PATIENCE_LEVELS)
KINGS: tuple[KingRule, ...] = get_args(KingRule)
seeds = st.integers(0, 2**32 - 1)


def dealt(rules: PatienceRules, seed: int) -> PatienceState:
    luck = digest(seed.to_bytes(8, "big"))
    return GolfPatience(rules).deal(Deal(shuffle(luck, rules.pack), b"")).state


def choice(rules: PatienceRules, level: str, state: PatienceState, luck: bytes) -> PatienceChoice:
    moves = GolfPatience(rules).moves(look(state, 0))
    return find_patience_bot(level, rules)(sight_of(state), moves, luck)


def with_another_stock(state: PatienceState, luck: Random) -> PatienceState:
    """What lies face-down in another order: nobody at the table can tell the difference."""
    stock = tuple(luck.sample(state.secret.stock, len(state.secret.stock)))
    return replace(state, secret=replace(state.secret, stock=stock))


@settings(max_examples=25, deadline=None)
@given(all_rules(), LEVELS, seeds, st.integers(0, 2))
def test_bots_keep_their_promises_in_every_hole(
    rules: PatienceRules, level: str, seed: int, jokers: int
) -> None:
    rules, luck = replace(rules, jokers=jokers), Random(seed)
    golf, state = GolfPatience(rules), dealt(rules, seed)
    for _ in range(luck.randrange(12)):
        able = [m for m in golf.moves(look(state, 0)) if not isinstance(m, GiveUp)]
        state = act(golf, state, 0, luck.choice(able)).state if able else state
    for _ in range(4):
        moves = golf.moves(look(state, 0))
        if not moves:
            break
        made = choice(rules, level, state, b"luck")

        assert made.move in moves
        assert made == choice(rules, level, with_another_stock(state, luck), b"luck")
        assert isinstance(made.move, GiveUp) == (len(moves) == 1)
        assert all(say_reason(made.why, language).endswith(".") for language in ("en", "fr"))
        state = act(golf, state, 0, made.move).state


@pytest.mark.parametrize("level", PATIENCE_LEVELS)
@pytest.mark.parametrize("name", patience_names())
def test_bots_play_every_variant(name: str, level: str) -> None:
    """To its end, where thinking takes no time."""
    rules = find_patience(name).rules
    golf, state = GolfPatience(rules), dealt(rules, 4)
    for _ in range({"easy": 200, "medium": 6, "hard": 2}[level]):
        if golf.waiting_for(state):
            state = act(golf, state, 0, choice(rules, level, state, b"luck").move).state

    assert level != "easy" or state.public.board.ending in {"cleared", "stuck"}


def test_nasty_P18_a_bot_is_given_nothing_of_the_stock() -> None:
    """Only the board, which has the number of its cards, and what has lain open."""
    assert ["board", "seen"] == [field.name for field in fields(Sight)]


@pytest.mark.parametrize("level", PATIENCE_LEVELS)
def test_a_bot_that_does_not_count_cards_plays_as_well(level: str) -> None:
    rules = PatienceRules("queen")
    state = dealt(rules, 1)
    golf = GolfPatience(rules)
    while golf.waiting_for(state):
        moves = golf.moves(look(state, 0))
        move = find_patience_bot(level, rules)(Sight(state.public.board), moves, b"luck").move
        state = act(golf, state, 0, move).state

    assert state.public.board.ending in {"cleared", "stuck"}


@pytest.mark.parametrize(("king_rule", "most"), [("strict", 8.6), ("queen", 6.6), ("wrap", 2.5)])
def test_looking_ahead_is_as_good_as_it_should_be(king_rule: KingRule, most: float) -> None:
    """`python -m bench patience_bots` says it over a thousand deals."""
    holes = measure(PatienceRules(king_rule), "medium", range(200)).holes

    assert sum(holes) / len(holes) <= most


@pytest.mark.parametrize("name", ["double_putt", "golf_patience_wrap"])
def test_the_strong_player_stops_when_enough_was_looked_at(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However large the game: the work of a decision is bounded, and with it the time."""
    minds: list[Ahead] = []
    monkeypatch.setattr(patience_hard, "Ahead", remembered := _Remembered(minds))
    rules = find_patience(name).rules
    for seed in range(3):
        choice(rules, "hard", dealt(rules, seed), b"luck")

    assert remembered.minds
    assert all(mind.looked_at < 1.5 * patience_hard.WORK for mind in minds)


@dataclass
class _Remembered:
    """Makes minds that look ahead, and keeps them."""

    minds: list[Ahead]

    def __call__(self, rules: PatienceRules, sight: Sight, **limits: int) -> Ahead:
        self.minds.append(Ahead(rules, sight, **limits))
        return self.minds[-1]


def test_each_level_is_better_than_the_one_before_it() -> None:
    means = [
        sum(measure(PatienceRules("wrap"), level, range(12)).holes) for level in PATIENCE_LEVELS
    ]

    assert means == sorted(means, reverse=True)


def test_the_bench_says_what_it_measured() -> None:
    score = measure(PatienceRules(), "easy", range(3))

    assert row("strict", "easy", score).startswith("| `strict` | `easy` | ")
    assert (3, 3) == (len(score.holes), len(score.pars))


def test_a_level_is_found_by_its_name_and_no_other_is() -> None:
    assert ("easy", "medium", "hard") == PATIENCE_LEVELS
    with pytest.raises(KeyError):
        find_patience_bot("grandmaster", PatienceRules())
