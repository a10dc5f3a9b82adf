"""The odds are those of the pack without the cards one can see."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_bots import LEVELS
from dormie_bots.odds import Odds, unseen
from dormie_rules.cards import pack, rank
from tests.bots.asking import course_view, watch
from tests.rules.playing import SIX, Hole, Table

packs = st.dictionaries(st.sampled_from("A25JK*"), st.integers(1, 4), min_size=1)
WORTH = {"A": 1, "2": -2, "5": 5, "J": 10, "K": 0, "*": -3}


def odds_of(counts: dict[str, int]) -> Odds:
    return Odds(counts, sum(counts.values()))


def cards_of(counts: dict[str, int]) -> list[str]:
    return [of for of, count in counts.items() for _ in range(count)]


def test_cards_that_lie_open_are_seen_and_so_is_the_own_drawn_card() -> None:
    hole = Hole(SIX, ("K57/K39", "A62/84T"), discard="9", stock="Q5")
    hole.plays("draw")
    left = Counter(rank(card) for card in pack()) - Counter("K5" + "A6" + "9" + "Q")

    assert left == unseen(SIX, course_view(hole.view(0))).unseen
    assert left + Counter("Q") == unseen(SIX, course_view(hole.view(1))).unseen


def test_a_card_taken_from_the_discard_pile_is_still_seen_by_all() -> None:
    hole = Hole(SIX, ("K57/K39", "A62/84T"), discard="9")
    before = unseen(SIX, course_view(hole.view(1)))
    hole.plays("take")

    assert before == unseen(SIX, course_view(hole.view(1)))


@pytest.mark.parametrize("table", [Table("six_card_table", 4), Table("playroom", 3)])
def test_all_that_a_seat_cannot_see_is_counted(table: Table) -> None:
    for asked in watch(table, LEVELS, Random(4)):
        secret, seat = asked.before.secret, asked.view.seat
        assert secret is not None, "a hole is being played"
        rows = (*secret.hidden, secret.stock, secret.under, secret.gone)
        cards = [card for row in rows for card in row if card is not None]
        pockets = (p.drawn for at, p in enumerate(asked.before.pockets) if at != seat)
        cards += [card for card in pockets if card is not None]

        assert Counter(map(rank, cards)) == unseen(table.rules, asked.view).unseen


def test_a_card_more_than_the_pack_should_have_does_no_harm() -> None:
    """Tests and puzzles deal packs of their own."""
    view = course_view(Hole(SIX, ("KKK/KKK", "KKK/KKK"), up="123456"[:5], discard="K").view())

    assert "K" not in unseen(SIX, view).unseen
    assert 48 == unseen(SIX, view).total


@given(counts=packs)
def test_mean_and_spread_are_those_of_the_cards(counts: dict[str, int]) -> None:
    values = [WORTH[of] for of in cards_of(counts)]
    mean = sum(values) / len(values)
    spread = (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5

    assert pytest.approx(mean) == odds_of(counts).mean(WORTH)
    assert pytest.approx(spread, abs=1e-9) == odds_of(counts).spread(WORTH)


@given(counts=packs, number=st.integers(1, 4), of=st.sampled_from("A25"))
def test_the_chance_that_cards_are_all_of_one_rank(
    counts: dict[str, int], number: int, of: str
) -> None:
    hands = list(combinations(cards_of(counts), number))
    same = sum(set(hand) == {of} for hand in hands)

    assert pytest.approx(same / max(1, len(hands))) == odds_of(counts).all_are(of, number)


@given(counts=packs)
def test_the_chances_of_a_draw_add_up_to_one(counts: dict[str, int]) -> None:
    odds = odds_of(counts)

    assert pytest.approx(1.0) == sum(chance for _, chance in odds.draws())
    for of, _ in odds.draws():
        assert odds_of(dict(Counter(cards_of(counts)) - Counter([of]))) == odds.without(of)


def test_where_everything_is_seen_nothing_is_expected() -> None:
    assert 0 == Odds({}, 0).mean(WORTH)
    assert [] == list(Odds({}, 0).draws())
    assert 0 == replace(Odds({}, 0), total=0).spread(WORTH)
