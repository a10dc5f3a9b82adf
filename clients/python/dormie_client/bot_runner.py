"""A bot at a distant table: the house's own bots, as strangers on the same wire as everybody else.

A bot sits down, plays, agrees to a rematch that others want, and goes when the table is closed or
somebody else plays its seat.
"""

import argparse
import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dormie_bots import LEVELS
from dormie_client.bot_seat import Manners, play_at
from dormie_client.errors import ClosedError, RefusedError, no
from dormie_client.one_line import OneLineParser
from dormie_client.session import Dormie
from dormie_client.table import Table

PATIENCE = 10.0
"""So many seconds the command waits for a server that is not there yet."""
FAREWELL = 2.0
"""So long a bot that is stopped takes to give its seat up."""


@dataclass(frozen=True, slots=True)
class _Invitation:
    """What the command line asks for."""

    url: str
    code: str | None
    level: str
    count: int
    name: str
    variant: str
    size: int
    manners: Manners


async def run_bot(  # noqa: PLR0913 - where, who, and what few people change by its name
    url: str,
    level: str,
    code: str | None = None,
    *,
    create: Mapping[str, Any] | None = None,  # what Dormie.create takes
    name: str | None = None,
    token: str | None = None,
    patience: float | None = None,
    manners: Manners | None = None,
    seated: Callable[[Table], None] | None = None,
) -> None:
    """Let a bot play at the table *code*, or at a new one made with *create*, until that is closed.

    *seated* is told the table once the bot sits there. Raises RefusedError and ClosedError for
    what keeps the bot from sitting down.
    """
    if level not in LEVELS:
        raise no("no_such_bot", field="level")
    connecting = Dormie.connect(url, name=name, token=token, patience=patience, code=code)
    async with await connecting as house:
        table = await (house.create(**(create or {})) if code is None else house.join(code))
        if seated is not None:
            seated(table)
        try:
            await play_at(table, level, manners or Manners(), house.server_time)
        except asyncio.CancelledError:
            await _give_up(table)
            raise


def main_bot(argv: Sequence[str]) -> int:
    """``dormie bot``: seat one bot or several at a table; 2 when that cannot be."""
    try:
        invitation = _invitation(argv)
        asyncio.run(_accept(invitation))
    except SystemExit as done:
        return int(done.code or 0)
    except (RefusedError, ClosedError) as error:
        print(f"dormie bot: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


async def _give_up(table: Table) -> None:
    """Leave the seat to others, if that can still be said."""
    try:
        async with asyncio.timeout(FAREWELL):
            await table.leave()
    except (RefusedError, ClosedError, TimeoutError):
        return


async def _accept(invitation: _Invitation) -> None:
    """Let all bots play; the first one opens the table if there is none yet."""
    first: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def seated(table: Table) -> None:
        if not first.done():
            print(f"Table {table.code}", flush=True)
            first.set_result(table.code)

    def bot(number: int, code: str | None) -> asyncio.Task[None]:
        name = invitation.name if number == 1 else f"{invitation.name} {number}"
        create = {"variant": invitation.variant, "size": invitation.size}
        playing = run_bot(
            invitation.url,
            invitation.level,
            code,
            create=create,
            name=name,
            patience=PATIENCE,
            manners=invitation.manners,
            seated=seated,
        )
        return asyncio.create_task(playing)

    bots = [bot(1, invitation.code)]
    try:
        either: list[asyncio.Future[Any]] = [bots[0], first]  # their results differ
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if first.done():
            bots += [bot(number, first.result()) for number in range(2, invitation.count + 1)]
        await asyncio.gather(*bots)
    finally:
        for playing in bots:
            playing.cancel()
        await asyncio.gather(*bots, return_exceptions=True)


EXAMPLES = """\
examples:
  dormie bot http://127.0.0.1:8421 PARTEE23                 one bot at a table that is open
  dormie bot http://127.0.0.1:8421 PARTEE23 --level medium --explain
  dormie bot http://127.0.0.1:8421 --count 2 --size 3       a new table with two bots and a seat for you
"""


def _invitation(argv: Sequence[str]) -> _Invitation:
    parser = OneLineParser(
        prog="dormie bot",
        description="Seat bots at a table.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("url", metavar="URL", help="the server, as in http://localhost:8421")
    parser.add_argument("code", metavar="CODE", nargs="?", help="the table; without, a new one")
    parser.add_argument("--level", choices=LEVELS, default="medium", help="how well they play")
    parser.add_argument("--name", default="Robin", help="what they are called")
    parser.add_argument("--count", type=int, default=1, choices=range(1, 7), metavar="1-6")
    parser.add_argument("--variant", default="six_card", help="what a new table plays")
    parser.add_argument("--size", type=int, default=4, help="how many seats a new table has")
    parser.add_argument("--explain", action="store_true", help="say why they move as they do")
    parser.add_argument("--fast", action="store_true", help="do not pretend to think")
    given = parser.parse_args(argv)
    manners = Manners(explain=_print_line if given.explain else None, thinks=not given.fast)
    return _Invitation(
        given.url,
        given.code,
        given.level,
        given.count,
        given.name,
        given.variant,
        given.size,
        manners,
    )


def _print_line(line: str) -> None:
    print(line, flush=True)
