"""The machine under a server fails in every way there is, and the players' ledgers still agree.

The full versions are in `bench/chaos.py`.
"""

from pathlib import Path
from random import Random

from tests.chaos.plan import Plan
from tests.chaos.power import Disk, sound
from tests.chaos.staging import open_house, playing


async def test_nasty_C17_a_server_killed_again_and_again_loses_and_doubles_nothing(
    tmp_path: Path,
) -> None:
    luck = Random(17)
    async with open_house(tmp_path) as house:
        plans = [Plan(n, holes=1, stubborn=n == 1, bots=n == 2) for n in range(4)]
        async with playing(house, *plans) as evening:
            for _ in range(3):
                await evening.moves(luck.randrange(1, 100))
                await house.die()
            result = await evening.end()
        await house.kill()

    assert [] == result.wrong
    assert result.good
    assert [] == house.faults()
    assert sound(house.data) == "ok"


async def test_nasty_C17_with_FULL_power_cuts_lose_nothing(tmp_path: Path, power: Path) -> None:
    """Whatever of the unsynced bytes is on the disk: all of what was acknowledged is."""
    data, luck = tmp_path / "dormie.db", Random(17)
    disk = Disk(data, power, tmp_path / "shadow")
    disk.settle()
    async with open_house(tmp_path, environment=disk.environment) as house:
        plans = [Plan(n, holes=1, stubborn=n == 1) for n in range(3)]
        async with playing(house, *plans) as evening:
            for way in (None, luck, luck):
                await evening.moves(luck.randrange(1, 80))
                await house.lose_power(disk, way)
            result = await evening.end()

    assert [] == result.wrong
    assert result.good
    assert result.taken_back == 0
    assert [] == house.faults()


async def test_nasty_C17_what_NORMAL_loses_at_a_power_cut_is_said_to_everybody_and_play_goes_on(
    tmp_path: Path, power: Path
) -> None:
    """Continuity is never faked: who saw more than the house remembers is told so."""
    data = tmp_path / "dormie.db"
    disk = Disk(data, power, tmp_path / "shadow")
    disk.settle()
    normal = ("--synchronous", "NORMAL")
    async with (
        open_house(tmp_path, *normal, environment=disk.environment) as house,
        playing(house, Plan(1, holes=1), Plan(2, holes=1, stubborn=True)) as evening,
    ):
        ledger, unsynced = evening.ledger, 0
        await house.die_settled(disk)  # guests and tables have been on the disk for a while
        await evening.all_back(times=1)
        while not sum(loss.moves for loss in ledger.losses):  # unless a sync came just before
            await evening.moves(30)
            unsynced = (await house.lose_power(disk, None)).unsynced
            await evening.all_back(times=len(house.outages))
        result = await evening.end()

    assert unsynced > 0
    assert result.taken_back >= sum(loss.moves for loss in ledger.losses)
    assert [] == result.wrong
    assert result.good


async def test_nasty_C10_a_server_that_was_frozen_past_every_deadline_wakes_up_and_does_no_harm(
    tmp_path: Path,
) -> None:
    """It does not know that time has passed; each turn that is overdue is ended once."""
    async with open_house(tmp_path) as house:
        plans = [Plan(n, holes=1, turn_seconds=5, stubborn=n == 1) for n in range(3)]
        async with playing(house, *plans) as evening:
            await evening.moves(30)
            await house.freeze(5.5)
            await evening.moves(30)
            result = await evening.end()

    assert [] == result.wrong
    assert result.good
    one_turn_a_table = 4  # seats: while first cards are turned up, the turn is everybody's
    clients = 4 * len(plans)
    assert evening.ledger.clock_moves <= one_turn_a_table * clients
    assert [] == house.faults()


async def test_nasty_C12_a_server_that_is_asked_to_stop_takes_nothing_with_it(
    tmp_path: Path,
) -> None:
    async with (
        open_house(tmp_path) as house,
        playing(house, Plan(1, holes=1), Plan(2, holes=1, stubborn=True)) as evening,
    ):
        await evening.moves(40)
        await house.restart()
        await evening.moves(10)
        result = await evening.end()

    assert [] == result.wrong
    assert result.good
    assert [] == house.faults()
