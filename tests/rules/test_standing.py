"""Who is out and who has won: worked cases, the corners of the rules, and whole matches by luck."""

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_rules.standing import Elimination, Finish, countback, eliminate, places, winners
from tests.worked_cases import Case, case_id, cases, failing, one_wrong


def gone(case: Case) -> dict[str, object]:
    asked = ("limit", "alive", "totals", "hole", "withdrawn")
    after: Elimination[str] = eliminate(*(case[field] for field in asked))
    return {"eliminated": after.eliminated, "alive": after.alive, "winners": after.winners}


def placed(case: Case) -> list[tuple[str, int]]:
    return list(places(Finish(*row) for row in case["history"]))


# ------------------------------------------------------------ worked cases


@pytest.mark.parametrize("case", cases("elimination"), ids=case_id)
def test_a_worked_hole_puts_out_whom_it_says(case: Case) -> None:
    assert [] == failing([case], gone)


def test_a_worked_elimination_with_another_answer_is_noticed() -> None:
    for wrong, listed in one_wrong(cases("elimination")):
        assert [wrong] == failing(listed, gone)


@pytest.mark.parametrize("case", cases("places"), ids=case_id)
def test_a_worked_match_ends_as_it_says(case: Case) -> None:
    assert [] == failing([case], placed)


def test_a_worked_match_with_another_answer_is_noticed() -> None:
    for wrong, listed in one_wrong(cases("places")):
        assert [wrong] == failing(listed, placed)


# ------------------------------------------------------------------ the rules


def test_a_limit_may_have_to_be_passed() -> None:
    totals, hole = {0: 90, 1: 91, 2: 0}, {0: 10, 1: 10, 2: 0}

    assert (0, 1) == eliminate(100, (0, 1, 2), totals, hole).eliminated
    assert (1,) == eliminate(100, (0, 1, 2), totals, hole, inclusive=False).eliminated


def test_the_match_goes_on_while_two_are_in() -> None:
    assert Elimination((), (0, 1), None) == eliminate(100, (0, 1), {0: 99, 1: 0}, {0: 0, 1: 99})


def test_whoever_stays_when_the_other_leaves_has_won() -> None:
    after = eliminate(100, (0, 1), {0: 99, 1: 0}, {0: 0}, withdrawn=(1,))

    assert Elimination((1,), (0,), (0,)) == after


def test_when_everybody_leaves_the_lowest_total_has_won() -> None:
    after = eliminate(100, (0, 1, 2), {0: 30, 1: 20, 2: 20}, {}, withdrawn=(0, 1, 2))

    assert Elimination((0, 1, 2), (), (1, 2)) == after


def test_who_left_gets_no_score_even_if_there_is_one() -> None:
    after = eliminate(100, (0, 1, 2), {0: 99, 1: 0, 2: 0}, {0: 50, 1: 1, 2: 1}, withdrawn=(0,))

    assert Elimination((0,), (1, 2), None) == after


def test_players_keep_their_order() -> None:
    after = eliminate(10, "DACB", dict.fromkeys("ABCD", 9), {"A": 1, "B": 0, "C": 0, "D": 1})

    assert Elimination(("D", "A"), ("C", "B"), None) == after


def test_nobody_playing_is_nobody_winning() -> None:
    assert Elimination((), (), ()) == eliminate(100, (), {}, {})


def test_who_left_comes_after_those_put_out_by_points_in_the_same_hole() -> None:
    rows = (
        Finish("left at 3", 3, 10, withdrawn=True),
        Finish("out at 3", 3, 140),
        Finish("left at 4", 4, 60, withdrawn=True),
        Finish("out at 2", 2, 101),
        Finish("in", None, 99),
        Finish("left at 3 too", 3, 10, withdrawn=True),
    )

    assert (
        ("in", 1),
        ("left at 4", 2),
        ("out at 3", 3),
        ("left at 3", 4),
        ("left at 3 too", 4),
        ("out at 2", 6),
    ) == places(rows)


def test_nobody_has_no_place() -> None:
    assert () == places([])
    assert () == winners([])


def test_equals_win_together() -> None:
    rows = [Finish(0, None, 5), Finish(1, None, 7), Finish(2, None, 5)]

    assert (0, 2) == winners(rows)


# ------------------------------------------------------------------ countback


def test_a_countback_looks_at_the_last_hole_first() -> None:
    card = [{"A": 1, "B": 5, "C": 3}, {"A": 2, "B": 2, "C": 6}, {"A": 6, "B": 2, "C": 0}]
    level = places(Finish(player, None, 9) for player in "ABC")

    assert (("C", 1), ("B", 2), ("A", 3)) == countback(level, card)


def test_a_countback_parts_only_those_who_share_a_place() -> None:
    by_seat = [(9, 0, 1, 2)]

    assert ((1, 1), (2, 2), (3, 3), (0, 4)) == countback(((1, 1), (3, 2), (2, 2), (0, 4)), by_seat)


def test_with_no_hole_played_nobody_can_be_parted() -> None:
    assert ((0, 1), (1, 1)) == countback(((0, 1), (1, 1)), [])


def test_equal_cards_go_on_sharing() -> None:
    level = (("A", 1), ("B", 2), ("C", 2), ("D", 2), ("E", 5))
    card = [dict.fromkeys("ABCDE", 3), {**dict.fromkeys("ABCDE", 3), "D": 2}]

    assert (("A", 1), ("D", 2), ("B", 3), ("C", 3), ("E", 5)) == countback(level, card)


def test_no_score_in_a_hole_is_worse_than_any() -> None:
    assert ((1, 1), (0, 2)) == countback(((0, 1), (1, 1)), [(3, 3), (None, 90)])


# -------------------------------------------------------------- whole matches


def match_by_luck(luck: Random, players: int, limit: int) -> tuple[list[Finish[int]], object]:
    """A match until it is decided: how it ended for everybody, and who was said to have won."""
    totals = dict.fromkeys(range(players), 0)
    alive: tuple[int, ...] = tuple(totals)
    ended: list[Finish[int]] = []
    for number in range(1, 10_000):
        left = [seat for seat in alive if luck.random() < 0.02]
        hole = {seat: luck.randint(-5, 30) for seat in alive if seat not in left}
        after = eliminate(limit, alive, totals, hole, left)
        totals = {seat: total + hole.get(seat, 0) for seat, total in totals.items()}
        ended += [Finish(seat, number, totals[seat], seat in left) for seat in after.eliminated]
        alive = after.alive
        check_hole(limit, totals, left, after)
        if after.winners is not None:
            return [*ended, *(Finish(seat, None, totals[seat]) for seat in alive)], after.winners
    raise AssertionError("a match by luck ends")


def check_hole(
    limit: int, totals: Mapping[int, int], left: list[int], after: Elimination[int]
) -> None:
    assert all(totals[seat] < limit for seat in after.alive)
    assert all(totals[seat] >= limit or seat in left for seat in after.eliminated)


@given(st.randoms(use_true_random=False), st.integers(1, 6), st.integers(20, 120))
def test_whoever_wins_is_in_the_first_place(luck: Random, players: int, limit: int) -> None:
    ended, won = match_by_luck(luck, players, limit)

    assert won == winners(sorted(ended, key=lambda finish: finish.player))


@given(st.randoms(use_true_random=False), st.integers(1, 6))
def test_places_skip_as_many_as_share(luck: Random, players: int) -> None:
    ended, _ = match_by_luck(luck, players, limit=40)
    order = places(ended)
    taken = [place for _, place in order]

    assert {finish.player for finish in ended} == {player for player, _ in order}
    assert taken == [1 + taken.index(place) for place in taken]
