"""Several servers on one Redis, and all of it fails in every way; the players' ledgers still agree.

The full version is `python -m bench chaos --servers 2`.
"""

import asyncio
from pathlib import Path
from random import Random

from tests.chaos.house import OPEN_DOORS
from tests.chaos.houses import Houses, open_houses
from tests.chaos.plan import Plan
from tests.chaos.staging import playing


async def test_nasty_C02_a_redis_killed_again_and_again_loses_and_doubles_nothing(
    tmp_path: Path,
) -> None:
    luck = Random(2)
    async with open_houses(tmp_path, OPEN_DOORS) as houses:
        plans = [Plan(n, holes=1, far_store=True, stubborn=n == 1, bots=n == 2) for n in range(3)]
        async with playing(houses, *plans) as evening:
            for _ in range(3):
                await evening.moves(luck.randrange(1, 60))
                await houses.redis_dies()
            result = await evening.end()
        faults = houses.faults()

    assert [] == result.wrong
    assert result.good
    assert [] == faults


async def test_nasty_C01_and_scenario_E2_servers_that_die_in_turn_lose_and_double_nothing(
    tmp_path: Path,
) -> None:
    """There is always one to come back to: nobody waits for a restart."""
    async with open_houses(tmp_path, OPEN_DOORS) as houses:
        plans = [Plan(n, holes=1, far_store=True, stubborn=n == 1, bots=n == 2) for n in range(3)]
        async with playing(houses, *plans) as evening:
            for server in (houses.servers[0], houses.servers[1], houses.servers[0]):
                await evening.moves(30)
                await server.die()
            await evening.moves(10)
            await houses.servers[1].restart()
            result = await evening.end()
        faults = houses.faults()

    assert [] == result.wrong
    assert result.good
    assert [] == faults


async def test_nasty_L12_a_server_cut_off_from_redis_acknowledges_nothing_and_loses_nothing(
    tmp_path: Path,
) -> None:
    """Resets, and a black hole longer than any patience: its players are refused, others play on."""
    async with open_houses(tmp_path, OPEN_DOORS) as houses:
        plans = [Plan(n, holes=1, far_store=True, stubborn=n == 1) for n in range(3)]
        async with playing(houses, *plans) as evening:
            await evening.moves(20)
            for number in (0, 1, 0, 1):
                houses.cut(number)
                await evening.moves(5)
            await cut_off(houses)
            await evening.moves(20)
            result = await evening.end()
        faults = houses.faults()

    assert [] == result.wrong
    assert result.good
    assert [] == faults


async def cut_off(houses: Houses) -> None:
    """First one server, then the other, then Redis itself stands still."""
    await houses.hole(0, 3.0)
    await houses.hole(1, 3.0)
    await houses.redis_freezes(3.0)
    await asyncio.sleep(0)
