"""The bench that says how rare the deals of the solo levels are."""

from bench.patience_levels import find, row
from dormie_rules.patience_rules import PatienceRules


def test_a_row_tells_how_many_attempts_a_deal_took_and_how_bots_fared() -> None:
    rules = PatienceRules("wrap", deal_policy="gentle")
    found = find(rules, range(4))

    assert [1, 4, 4, 5] == found.attempts
    assert row(rules, found, ["easy"]).startswith("| `wrap` | `gentle` | 3.5 | 5 | ")
    assert 6 == row(rules, found, ["easy"]).count(" | ") + 1
