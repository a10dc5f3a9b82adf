"""A deal at which nothing fits and nothing can be drawn: its hole is over at once, and nobody waits."""

from collections.abc import Iterator
from itertools import count

import pytest

from dormie_rules.race_state import RacePublic
from dormie_rules.replay import verify
from tests.evening import Evening


def evenings(size: int, **options: object) -> Iterator[Evening]:
    """Matches of Black Hole, each after its first deal."""
    for number in count():
        evening = Evening("black_hole", options, size=size, seed=f"dead {number}")
        evening.begin(*["p-bob", "p-cid"][: size - 1])
        yield evening


def dead(size: int, **options: object) -> Evening:
    """The first at which nobody could do anything; three deals in a hundred are like that."""
    return next(one for one in evenings(size, **options) if not one.waiting())


def match_of(evening: Evening) -> RacePublic:
    match = evening.table.public.match
    assert isinstance(match, RacePublic)
    return match


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_dead_deal_is_scored_and_the_next_hole_comes(size: int) -> None:
    evening = dead(size, holes=2)

    assert ("between", ((51,) * size,)) == (evening.phase, match_of(evening).card)
    while evening.phase == "between":
        evening.sleep()
    assert 2 == match_of(evening).hole


@pytest.mark.parametrize("size", [1, 2])
def test_a_match_that_ends_with_a_dead_deal_is_over_and_its_record_is_right(size: int) -> None:
    evening = dead(size, holes=1)

    assert ("over", (1,) * size) == (evening.phase, match_of(evening).places)
    assert verify(evening.record()).ok, verify(evening.record())
    assert "move" not in evening.record()


def test_a_dead_deal_in_mid_match_is_in_the_record() -> None:
    evening = dead(2, holes=2)
    while evening.phase != "over":
        while seats := evening.waiting():
            evening.play(seats[0], evening.moves(seats[0])[0])
        if evening.phase != "over":
            evening.sleep()

    assert verify(evening.record()).ok, verify(evening.record())
    gone = evening.record().splitlines()
    gone.remove(next(line for line in gone if line.startswith("link 1")))
    assert not verify("\n".join(gone)).ok
