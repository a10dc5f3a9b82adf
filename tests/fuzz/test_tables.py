"""What the eye on a standing table holds against the house, and what it does not."""

import asyncio

import pytest

from tests.fuzz.house import OPEN_HANDED, attacked
from tests.fuzz.line import OpenLoop


async def harms_of_a_forgotten(phase: str) -> list[str]:
    async with attacked("forgotten", OPEN_HANDED, (phase,)) as house:
        (table,) = house.standing
        await table.freeze(house.app.store)
        await house.app.store.drop(f"table:{table.code}")
        return await table.check(house.app.store)


@pytest.mark.parametrize(("phase", "harmed"), [("closed", False), ("turn", True)])
def test_only_a_closed_table_may_be_forgotten(phase: str, *, harmed: bool) -> None:
    """Ten minutes after it was closed it is, however long a campaign lasts."""
    with asyncio.Runner(loop_factory=OpenLoop) as runner:
        assert harmed == bool(runner.run(harms_of_a_forgotten(phase)))
