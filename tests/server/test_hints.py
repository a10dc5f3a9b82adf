"""Hints at a table: what the solver is asked, and what nobody is told who plays fair."""

import pytest

from dormie_rules.patience_hints import open_hint
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.race_state import RaceSecret
from dormie_rules.solver import solve
from dormie_server.hints import hint_for
from tests.evening import HOST, Evening
from tests.server.at_once import AtOnce


@pytest.mark.parametrize("variant", ["elevator", "tripeaks", "escalator", "golf_patience_wrap"])
@pytest.mark.parametrize("moves", [0, 6])
async def test_the_open_hint_knows_the_cards_that_lie_face_down(variant: str, moves: int) -> None:
    """Without them it promised scores that nobody can reach, and called them sure."""
    evening = Evening(variant, {"holes": 1}, size=1, seed="hints")
    evening.begin()
    secret, rules = evening.table.secret.hole, evening.table.about.rules
    assert isinstance(secret, RaceSecret)
    assert isinstance(rules, PatienceRules)
    worker = AtOnce()
    best = solve(rules, secret.deal).best
    for _ in range(moves):
        hint = await hint_for(evening.table, HOST, "open", b"", worker)
        evening.play(0, hint.move)
    hint = await hint_for(evening.table, HOST, "open", b"", worker)

    assert 10 * best == hint.tenths
    assert moves or hint == open_hint(rules, secret.deal, solve)
