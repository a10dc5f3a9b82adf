"""Races of Golf Patience while their server dies: by strokes and by matches, for two, three and six.

The full version, with 18 holes, is in `bench/chaos.py`.
"""

from pathlib import Path

from tests.chaos.plan import Plan, race_of
from tests.chaos.staging import open_house, playing

STROKES, MATCHES = (3, 1, 2), (0, 5, 4)
"""By their numbers among the sorts of races: for two, three and six."""


async def race(folder: Path, sorts: tuple[int, ...]) -> None:
    async with open_house(folder) as house:
        plans = [race_of(Plan(n, stubborn=n == 1), sort, holes=2) for n, sort in enumerate(sorts)]
        async with playing(house, *plans) as evening:
            for _ in range(2):
                await evening.moves(80)
                await house.die()
            result = await evening.end()

    assert [] == result.wrong
    assert result.good
    assert {2, 3, 6} == {len(cards) for cards in evening.ledger.cards.values()}
    assert [] == house.faults()


async def test_races_by_strokes_lose_and_double_nothing_however_often_the_server_is_killed(
    tmp_path: Path,
) -> None:
    await race(tmp_path, STROKES)


async def test_races_by_matches_lose_and_double_nothing_however_often_the_server_is_killed(
    tmp_path: Path,
) -> None:
    await race(tmp_path, MATCHES)
