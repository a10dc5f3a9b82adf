"""The bench counts as others do, and notices when it does not."""

from bench.patience_rates import KINDS, Kind, agrees, rate
from dormie_rules.patience_rules import PatienceRules


def test_a_rate_counts_the_deals_that_can_be_cleared() -> None:
    assert rate(KINDS["two jokers wrap"], 3) == 100
    assert 0 <= rate(KINDS["golf strict"], 4) <= 100


def test_rates_that_luck_explains_agree_and_others_do_not() -> None:
    kind = Kind(PatienceRules(), 26.19, 0.42)

    assert agrees(kind, 28.0, 1000)
    assert not agrees(kind, 36.0, 1000)
    assert agrees(Kind(PatienceRules()), 3.0, 10)


def test_over_the_same_deals_luck_explains_nothing() -> None:
    kind = KINDS["one joker strict"]

    assert agrees(kind, 66.4, 1000)
    assert not agrees(kind, 66.3, 1000)
    assert agrees(kind, 62.0, 100), "these are only some of them"
