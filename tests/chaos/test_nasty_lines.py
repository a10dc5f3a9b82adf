"""The lines between players and a server are bad, and strangers shake the door, while play goes on.

The full versions are in `bench/chaos.py`.
"""

import asyncio
from pathlib import Path
from random import Random

from tests.chaos.plan import Plan
from tests.chaos.proxy import ROUGH, Proxy, Weather
from tests.chaos.staging import open_house, playing
from tests.chaos.strangers import Storm


async def test_nasty_L11_delays_throttling_and_resets_end_no_match_and_lose_nothing(
    tmp_path: Path,
) -> None:
    async with open_house(tmp_path) as house:
        proxy = Proxy(house.port, Weather(), Random(11), "127.7.7.7")
        await proxy.open()
        plans = [Plan(n, holes=1, seats=2, rough=True, stubborn=n == 1) for n in range(3)]
        async with playing(house, *plans, rough_url=proxy.url) as evening:
            proxy.weather = ROUGH
            await evening.moves(12)
            proxy.half_close(share=0.4)
            await evening.moves(8)
            await proxy.swallow(0.5)
            proxy.weather = Weather(resets=0.02)
            await evening.moves(150)
            proxy.cut(share=0.5)
            await evening.moves(20)
            await evening.until(lambda: proxy.done["reset"] > 3, "some lines were reset")
            proxy.weather = Weather()
            result = await evening.end()
        await proxy.close()

    assert [] == result.wrong
    assert result.good
    assert proxy.done["half-closed"] > 0
    assert [] == house.faults()


async def test_nasty_P01_whatever_is_sent_again_is_done_once_and_answered_alike(
    tmp_path: Path,
) -> None:
    async with open_house(tmp_path) as house:
        plans = [Plan(n, holes=1, stubborn=True) for n in range(2)]
        async with playing(house, *plans) as evening:
            await evening.moves(60)
            await house.die()
            await evening.moves(100)
            await evening.until(lambda: evening.ledger.repeats > 50, "much is sent again")
            result = await evening.end()

    assert [] == result.wrong
    assert result.good


async def test_scenario_A4_wrong_tokens_and_guesses_from_everywhere_change_nothing_for_players(
    tmp_path: Path,
) -> None:
    """Strangers come from the players' own address, too, and know the codes of their tables."""
    async with (
        open_house(tmp_path) as house,
        playing(house, Plan(1, holes=1), Plan(2, holes=1, stubborn=True)) as evening,
    ):
        codes = [table.code for table in evening.crowd.tables]
        storm = Storm(house.port, codes, Random(4))
        blowing = asyncio.create_task(storm.blow(300))
        await evening.moves(50)
        await blowing
        undisturbed = not evening.ledger.absences
        await house.die()  # and the players' own tokens open the door as ever
        await evening.moves(50)
        result = await evening.end()

    assert [] == storm.harm
    assert undisturbed, "nobody was cut off"
    assert storm.answers["unknown_token"] > 0
    assert storm.answers["too_fast"] > 0, "and after so many nobody is answered"
    assert storm.answers["no_table"] > 0
    assert [] == result.wrong
    assert result.good
    assert [] == house.faults()
