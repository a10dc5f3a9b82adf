"""What was once answered badly is answered well."""

import asyncio

import pytest

from tests.fuzz.corpus import CORPUS, replay
from tests.fuzz.house import OPEN_HANDED, attacked
from tests.fuzz.line import OpenLoop


async def answered(name: str) -> list[str]:
    """What is wrong with how a house takes a case."""
    async with attacked("corpus", OPEN_HANDED, ("turn",)) as house:
        (table,) = house.standing
        await table.freeze(house.app.store)
        for _ in range(3):
            await replay(house, CORPUS[name])
        return [*await table.check(house.app.store), *house.faults()]


@pytest.mark.parametrize("name", CORPUS)
def test_what_was_once_answered_badly_is_answered_well(name: str) -> None:
    with asyncio.Runner(loop_factory=OpenLoop) as runner:
        assert [] == runner.run(answered(name)), CORPUS[name]["why"]
