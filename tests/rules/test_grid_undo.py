"""Taking back: only what has shown nobody a card, which the witness of the leak tests knows by itself."""

from copy import deepcopy
from random import Random

import pytest

from dormie_rules.drawers import look
from dormie_rules.game import act
from dormie_rules.grid_moves import Discard, Draw, Flip, Swap, Take
from dormie_rules.grid_undo import MOST_UNDONE, Before, reveals_nothing, with_move
from dormie_rules.variants import find, names
from tests.leaks import Witness
from tests.rules.playing import Made, Table, choose_doing, do


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("seed", range(12))
def test_scenario_H5_what_can_be_taken_back_has_shown_nobody_a_card(name: str, seed: int) -> None:
    variant, luck = find(name), Random(f"{name} {seed}")
    seats = luck.randint(variant.min_seats, variant.max_seats)
    table = Table(name, seats=seats)
    course, witness = table.course, Witness(seats)
    state = course.start(0)
    past: tuple[Before, ...] = ()
    undone = 0
    for _ in range(400):
        if state.public.places:
            break
        doing = choose_doing(table, state, luck, leaving=0.001)
        after = do(course, state, doing).state
        seen = deepcopy(witness.seen)
        witness.watch(state, doing, after)
        if not isinstance(doing, Made):
            past = ()
        else:
            past = with_move(past, state, doing.seat, doing.move, after)
            if past:
                assert seen == witness.seen
                assert Before(doing.seat, state) == past[-1]
                assert after == act(course, past[-1].state, doing.seat, doing.move).state
                undone += 1
        assert len(past) <= MOST_UNDONE
        for back in past:  # the cards nobody has seen lie where they lay, and so do all others
            before, now = back.state.secret, after.secret
            assert before is not None
            assert now is not None
            assert (before.hidden, before.stock, before.luck) == (now.hidden, now.stock, now.luck)
            assert before.gone == now.gone
            assert all(look(back.state, s).pocket == look(after, s).pocket for s in range(seats))
        state = after
    assert undone


def test_scenario_R71_a_draw_and_what_was_drawn_are_never_taken_back() -> None:
    table = Table("six_card", seats=2)
    course = table.course
    state = course.deal(course.start(0), table.deal(b"1")).state
    made: dict[str, set[bool]] = {}
    luck = Random(5)
    for _ in range(300):
        if course.wants_deal(state) or state.public.places:
            break
        seat = course.waiting_for(state)[0]
        move = luck.choice(course.moves(look(state, seat)))
        after = act(course, state, seat, move).state
        stage = state.public.play.stage if state.public.play else ""
        kind = f"{type(move).__name__} {stage}"
        made.setdefault(kind, set()).add(reveals_nothing(state.public, move, after.public))
        state = after

    for shows in (Draw, Discard, Flip):
        found = [told for kind, told in made.items() if kind.startswith(shows.__name__)]
        assert {False} == set().union(*found)
    assert {False} == made[f"{Swap.__name__} drawn"]
    assert True in made[f"{Take.__name__} turn"]
