"""A server that stands still for longer than a turn, as processes do that are stopped, and then goes on."""

import asyncio
import signal
from itertools import pairwise
from pathlib import Path

import pytest

from dormie_protocol.messages import Done
from dormie_protocol.table_view import TimeOut
from dormie_rules.grid_events import Drew
from dormie_rules.grid_moves import Draw
from tests.scenarios.tables import first_turn, on_turn, reach, started, view_of
from tests.server.guest import Guest
from tests.serving import ServerProcess

TABLES = 6
TURN = 5.0
"""Seconds, the shortest that a table may choose; the server stands still for longer."""


class Freezable(ServerProcess):
    """A server that can be stopped in its tracks."""

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None, "it was started"
        self._process.send_signal(number)


async def table_of(port: int) -> tuple[str, Guest, Guest]:
    """A table in its first turn: its code, who is to move, and who waits."""
    people = [await Guest.come(port, name) for name in ("Ada", "Bob")]
    code = await first_turn(*people, turn_seconds=int(TURN))
    first, second = await on_turn(code, *people)
    return code, first, second


def events_of(guest: Guest, code: str, kind: type[object]) -> int:
    return sum(isinstance(one.all, kind) for seen in guest.of(code) for one in seen.events)


async def test_nasty_C10_a_server_that_was_frozen_past_every_deadline_writes_nothing_twice(
    tmp_path: Path,
) -> None:
    """Half of those whose turn it is have moved meanwhile; either the move or the clock comes first."""
    server = Freezable(tmp_path / "dormie.db")
    async with started(server):
        tables = [await table_of(server.port) for _ in range(TABLES)]
        server.freeze()
        moves = [
            asyncio.create_task(first.ask("play", table=code, count=3, move=Draw()))
            for code, first, _ in tables[::2]
        ]
        with pytest.raises(AssertionError, match="is in use by another server"):
            async with started(ServerProcess(tmp_path / "dormie.db")):
                pass
        await asyncio.sleep(TURN)  # it is the process that sleeps, and no clock of ours can be set
        server.thaw()
        answers = dict(
            zip((code for code, _, _ in tables[::2]), await asyncio.gather(*moves), strict=True)
        )
        for code, *people in tables:
            for guest in people:
                await reach(guest, code, lambda _, g=guest, c=code: events_of(g, c, TimeOut) > 0)  # type: ignore[misc]  # mypy cannot see its defaults
                seen = guest.of(code)

                assert all(one.version == next_one.after for one, next_one in pairwise(seen))
                assert 1 == events_of(guest, code, TimeOut)
                assert (view_of(seen[-1]).deadline or 0) > seen[-1].now, (
                    "the next turn is a whole one"
                )
                assert 1 == events_of(guest, code, Drew), "by the player, or by the clock"
            answer = answers.get(code)
            assert answer is None or isinstance(answer, Done) or answer.word == "stale", answer
        assert {None} == {guest.socket.close_code for _, *people in tables for guest in people}
        await asyncio.gather(*(guest.leave() for _, *people in tables for guest in people))
        assert 0 == await server.stop()
