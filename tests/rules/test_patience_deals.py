"""Which deals are played, and that a deal that was chosen can be checked."""

from collections import Counter

import pytest
from hypothesis import given, settings

from dormie_rules.cards import Card, pack
from dormie_rules.patience_board import board_of
from dormie_rules.patience_deals import (
    NoDeal,
    attempt_pack,
    certify,
    hopeless,
    lets_through,
    practice_seed,
    why_not_certified,
)
from dormie_rules.patience_par import par_of
from dormie_rules.patience_position import Position, lay_out
from dormie_rules.patience_rules import KingRule, PatienceRules
from dormie_rules.patience_search import search
from dormie_rules.patience_solution import Verdict
from dormie_rules.patience_variants import find_patience
from dormie_rules.solver import solve
from dormie_rules.values import replace
from tests.rules.plain_patience import all_rules, best_of, plain, positions

SEED = practice_seed(0)


def solver(rules: PatienceRules, position: Position) -> Verdict:
    return solve(rules, position).verdict


def nobody(_rules: PatienceRules, _position: Position) -> Verdict:
    raise AssertionError("a glance is enough")


def clearable(king_rule: KingRule) -> PatienceRules:
    return PatienceRules(king_rule, deal_policy="clearable")


@pytest.mark.parametrize("number", range(3))
def test_a_certified_deal_can_be_cleared_and_the_attempts_before_it_cannot(number: int) -> None:
    rules = clearable("queen")
    deal = certify(rules, practice_seed(number), solver)
    tried = [attempt_pack(rules, practice_seed(number), at) for at in range(deal.attempt + 1)]
    verdicts = [solve(rules, lay_out(rules, cards)).verdict for cards in tried]

    assert ["not_clearable"] * deal.attempt + ["clearable"] == verdicts
    assert tried[-1] == deal.pack
    assert why_not_certified(rules, practice_seed(number), deal.attempt, solver) is None


def test_another_attempt_than_the_first_good_one_is_noticed() -> None:
    rules = clearable("wrap")
    good = [at for at in range(12) if lets_through(rules, attempt_pack(rules, SEED, at), solver)]

    assert "was good enough" in (why_not_certified(rules, SEED, good[1], solver) or "")
    never = why_not_certified(rules, SEED, 0, lambda _, __: "unknown")

    assert "attempt 0 is not what clearable asks for" == never


def test_any_deal_will_do_where_no_policy_asks_for_more() -> None:
    assert 0 == certify(PatienceRules(), SEED, solver).attempt
    assert why_not_certified(PatienceRules(), SEED, 0, solver) is None


def test_a_deal_depends_on_its_seed_and_attempt_alone() -> None:
    rules = PatienceRules(jokers=2)
    decks = {attempt_pack(rules, practice_seed(n), at) for n in range(4) for at in range(4)}

    assert 16 == len(decks)
    assert all(Counter(rules.pack) == Counter(deck) for deck in decks)


def test_scenario_R63_not_known_is_not_the_same_as_no() -> None:
    """Three verdicts: a search that was stopped proves nothing, and no deal is certified by it."""
    rules = clearable("strict")
    position = lay_out(rules, attempt_pack(rules, SEED, 0))
    stopped = search(rules, position, budget=5)

    assert ("unknown", False) == (stopped.verdict, stopped.exact)
    assert {"unknown", "clearable", "not_clearable"} >= {solve(rules, position).verdict}
    with pytest.raises(NoDeal):
        certify(rules, SEED, lambda r, p: search(r, p, budget=5).verdict, most=5)


def test_scenario_R60_a_solver_comes_to_an_end() -> None:
    """Whatever the budget, also the same or a smaller one when it is asked again."""
    rules = PatienceRules("wrap", draw_with_moves=False)
    position = lay_out(rules, attempt_pack(rules, SEED, 0))
    scores = [search(rules, position, budget).best for budget in (0, 1, 2, 500, 500, 20, 1)]

    assert scores[3] == scores[4] <= scores[5] <= scores[1] == scores[6]
    assert scores[0] == 35


@pytest.mark.parametrize("jokers", [0, 2])
def test_scenario_R64_every_card_is_as_likely_in_every_place(jokers: int) -> None:
    """Nothing is taken out, moved or dealt again after the shuffle: chi-square over some places."""
    rules = PatienceRules(jokers=jokers)
    number = 1500
    seen: dict[str, Counter[str]] = {"start": Counter(), "first": Counter(), "last": Counter()}
    for at in range(number):
        position = lay_out(rules, attempt_pack(rules, practice_seed(at), 0))
        seen["start"][position.foundation or ""] += 1
        seen["first"][position.stock[0]] += 1
        seen["last"][position.columns[6][-1]] += 1
    cards = Counter(rules.pack)
    for counts in seen.values():
        expected = {card: number * times / len(rules.pack) for card, times in cards.items()}
        chi = sum((counts[card] - of) ** 2 / of for card, of in expected.items())
        free = len(expected) - 1

        assert abs(chi - free) < 4 * (2 * free) ** 0.5


# ------------------------------------------------------------------- a glance


@settings(max_examples=300, deadline=None)
@given(positions(), all_rules())
def test_what_is_hopeless_at_a_glance_can_never_be_cleared(
    position: Position, rules: PatienceRules
) -> None:
    if hopeless(rules, position):
        assert best_of(rules, plain(position)) > 0


def test_four_queens_under_kings_are_hopeless_unless_kings_go_elsewhere() -> None:
    kings = [(Card(f"Q{suit}"), Card(f"K{suit}")) for suit in "SHDC"]
    rest = [card for card in pack() if card[0] not in "QK"]
    columns = [(*rest[3 * at : 3 * at + 3], *kings[at]) for at in range(4)]
    columns += [tuple(rest[12 + 5 * at : 17 + 5 * at]) for at in range(3)]
    position = Position(tuple(columns), rest[27], tuple(rest[28:]))
    strict, queen, wrap = PatienceRules("strict"), PatienceRules("queen"), PatienceRules("wrap")

    assert [True, True, False] == [hopeless(rules, position) for rules in (strict, queen, wrap)]
    assert "not_clearable" == solver(strict, position) == solver(queen, position)
    jokered = Position(position.columns, position.foundation, (*position.stock, Card("*")))

    assert not hopeless(strict, jokered)
    assert not hopeless(
        PatienceRules(empty_start=True), Position(position.columns, None, position.stock)
    )


def test_a_deal_at_which_nothing_can_be_done_is_hopeless() -> None:
    """Three deals of Black Hole in a hundred; whoever asked for none that is hopeless plays another one."""
    rules = replace(find_patience("black_hole").rules, deal_policy="not_hopeless")
    firsts = (lay_out(rules, attempt_pack(rules, practice_seed(at), 0)) for at in range(1000))
    number, dead = next(of for of in enumerate(firsts) if board_of(rules, of[1]).ending)

    assert hopeless(rules, dead)
    assert "not_clearable" == solver(rules, dead)
    assert 1 == certify(rules, practice_seed(number), nobody).attempt


# ------------------------------------------------------------------------- par


def test_par_is_three_four_or_five_and_does_not_look_at_suits() -> None:
    pars: Counter[int] = Counter()
    for number in range(30):
        rules = PatienceRules("wrap")
        position = lay_out(rules, attempt_pack(rules, practice_seed(number), 0))
        bare = Position(
            tuple(tuple(Card(c[0]) for c in column) for column in position.columns),
            Card((position.foundation or "")[0]),
            tuple(Card(c[0]) for c in position.stock),
        )
        par = par_of(rules, position)

        assert par == par_of(rules, bare)
        pars[par] += 1

    assert {3, 4, 5} == set(pars)
    assert pars[3] > pars[5]


def test_par_of_a_deal_never_changes() -> None:
    """A recipe has a number because cards with its pars are kept."""
    rules = PatienceRules("queen")
    packs = [attempt_pack(rules, practice_seed(number), 0) for number in range(12)]
    pars = [par_of(rules, lay_out(rules, cards)) for cards in packs]

    assert [3, 5, 5, 5, 5, 5, 4, 5, 3, 3, 5, 5] == pars
