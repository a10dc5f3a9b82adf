"""Connections that only wait: `python -m bench idle` does it with five thousand, and weighs them."""

import pytest

from bench.idle import waves


@pytest.mark.parametrize("watching", [False, True], ids=["idle", "watching"])
async def test_everybody_answers_pings_and_leaves_nothing_behind(watching: bool) -> None:  # noqa: FBT001 - pytest names it
    result = await waves(connections=60, ping_seconds=0.5, count=2, watching=watching)

    assert [True, True] == [wave.pings >= 2 for wave in result]
    assert [(0, 0.0), (0, 0.0)] == [(wave.lines, wave.counted) for wave in result]
