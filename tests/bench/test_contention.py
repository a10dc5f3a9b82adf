"""The bench of contention counts every move, and notices one that was lost."""

import asyncio
from random import Random

import pytest

from bench.contention import LEAST, Game, account, conflicts_of, measure, told
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


async def test_a_move_that_is_refused_as_a_window_ends_keeps_nobody_waiting() -> None:
    game = Game(["T"])

    class Late:
        """Is told yes for as long as a window needs, and then no, when it is over."""

        def __init__(self) -> None:
            self.mine = {"count": 0, "ready": True}
            view = {"phase": "playing", "seats": [self.mine]}
            self.views = {"T": {"seat": 0, "view": view, "moves": [{"move": "draw"}]}}

        async def ask(self, *_: object, **__: object) -> None:
            await asyncio.sleep(0)
            if self.mine["count"] == LEAST:
                while game.on.is_set():
                    await asyncio.sleep(0)
                raise AssertionError("refused")
            self.mine["count"] += 1

    seat = asyncio.create_task(game.sit(Late(), "T", Random(1)))  # type: ignore[arg-type]  # it has all that is looked at
    async with asyncio.timeout(5):
        window = await game.window(0.05)

    assert LEAST == len(window.times)
    with pytest.raises(AssertionError, match="refused"):
        await seat
