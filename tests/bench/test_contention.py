"""The bench of contention counts every move, and notices one that was lost."""

import pytest

from bench.contention import Game, account, conflicts_of, measure, told
from tests.serving import serving


async def test_every_move_of_a_race_and_of_turns_is_made_and_measured(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with serving() as app:
        rounds = await measure([app.port], rounds=1, seconds=0.05)
        conflicts = await conflicts_of([app.port])

    assert 1 == len(rounds)
    assert all(window.times and window.rate for window in rounds[0])
    assert 0 == conflicts, "one server has one queue for a table"
    assert 0 < told("one server", rounds, conflicts)
    assert "none was refused" in capsys.readouterr().out


async def test_a_move_that_is_not_there_is_noticed() -> None:
    class Deaf:
        views = {"T": {"view": {"seats": [{"count": 8}]}}}  # noqa: RUF012 - it never changes

    game = Game(["T"])
    game.made["T", 0] = 7
    with pytest.raises(AssertionError, match="7 moves were acknowledged"):
        await account([Deaf()], game)  # type: ignore[list-item]  # it has all that is looked at
