"""What those who run a house ask of its store: read the reports, close one, forget a player.

Reports can be read beside a running server. To forget a player the server on a file must not be running:
it remembers its tables. On a Redis servers may run, because none believes what it remembers. (A player
can always ask the running server to be forgotten.)
"""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Protocol

from dormie_server.admin_words import NO_REPORTS
from dormie_server.alarms import Alarms
from dormie_server.config import BadSetting, Settings, read_settings
from dormie_server.cupboard import shared_cupboard
from dormie_server.erasing import Eraser
from dormie_server.keeper import Keeper
from dormie_server.luck_source import SystemLuck
from dormie_server.metrics import Metrics
from dormie_server.one_line import OneLineParser, sorry
from dormie_server.person import PLAYER, names_of
from dormie_server.players import Players
from dormie_server.reports import Reports, in_short, in_words
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Store, StoreUnavailable


class Cupboard(Store, Protocol):
    """A store that can also be looked through."""

    async def keys(self, kind: str) -> list[str]:
        """Every key that begins with *kind*."""


DONE, NOT_FOUND = 0, 1


def main(argv: Sequence[str]) -> int:
    """Do what is asked: 0 when it was done, 1 when there is nothing of that name, 2 when it cannot be."""
    asked = _parser().parse_args(argv)
    try:
        settings = read_settings({"store": asked.store} if asked.store else {})
        if settings.store is not None and not asked.data:
            return asyncio.run(_on_shared(settings, asked))
        data = asked.data or settings.data
        if not Path(data).is_file():
            return sorry(f"there is no file {data}")
        store = SqliteStore(data, alone=asked.command == "erase")
        return asyncio.run(_with(store, asked))
    except (BadSetting, StoreUnavailable) as why:
        return sorry(str(why))


async def _on_shared(settings: Settings, asked: argparse.Namespace) -> int:
    return await _with(await shared_cupboard(settings), asked)


async def _with(store: Cupboard, asked: argparse.Namespace) -> int:
    ways: dict[str, Callable[[], Awaitable[int]]] = {
        "reports": lambda: _reports(store),
        "report": lambda: _report(store, asked.id, close=asked.close),
        "erase": lambda: _erase(store, asked.who),
    }
    try:
        return await ways[asked.command]()
    finally:
        await store.close()


async def _reports(store: Cupboard) -> int:
    waiting = await Reports(store).waiting()
    _say(*(map(in_short, waiting) if waiting else (NO_REPORTS,)))
    return DONE


async def _report(store: Cupboard, name: str, *, close: bool) -> int:
    reports = Reports(store)
    filed = await reports.find(name.strip().upper())
    if filed is None:
        _say(f"there is no report {name}")
        return NOT_FOUND
    if close:
        await reports.close(filed.id)
        _say(f"report {filed.id} is closed")
    else:
        _say(*in_words(filed))
    return DONE


async def _erase(store: Cupboard, who: str) -> int:
    luck = SystemLuck()
    found = await _named(store, who)
    if len(found) > 1:
        _say(f"several players are called {who}; say which:", *(f"  {player}" for player in found))
        return NOT_FOUND
    metrics = Metrics(())
    alarms = Alarms(store, luck, metrics)
    keeper = Keeper(store, luck, alarms.changed, metrics)
    eraser = Eraser(store, keeper, Players(store, luck))
    erased = await eraser.erase(found[0] if found else who)
    await alarms.stop()
    _say("erased" if erased else "nothing is known of such a player")
    return DONE if erased else NOT_FOUND


async def _named(store: Cupboard, who: str) -> list[str]:
    """The ids of the players who have this id, or are or were called so."""
    found = list[str]()
    for key in await store.keys("player:"):
        document = await store.get(key)
        if document is None:
            continue
        player = PLAYER.validate_json(document.body)
        if who == player.id:
            return [player.id]
        if who in names_of(player):
            found.append(player.id)
    return found


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(prog="dormie-server", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    reports = commands.add_parser("reports", help="list the reports that nobody has closed")
    report = commands.add_parser("report", help="read a report, or close it")
    report.add_argument("id", metavar="ID")
    report.add_argument("--close", action="store_true", help="take it out of the queue")
    erase = commands.add_parser(
        "erase", help="forget a player; a server on a file must not be running"
    )
    erase.add_argument("who", metavar="NAME-or-ID")
    for command in (reports, report, erase):
        command.add_argument("--data", metavar="FILE", help="the file with the tables")
        command.add_argument("--store", metavar="URL", help="the Redis with the tables")
    return parser


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
