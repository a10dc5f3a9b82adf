"""`dormie-server admin`: ask a running server, over its admin socket, and say what it answers."""

import argparse
import json
import socket
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dormie_server.admin_socket import place_of_admin
from dormie_server.admin_words import MOST_DAYS, NO_REPORTS
from dormie_server.config import BadSetting, read_settings
from dormie_server.one_line import OneLineParser, sorry

DONE = 0
PATIENCE = 30.0
EXAMPLES = """\
examples:
  dormie-server admin list                              the open tables
  dormie-server admin inspect MRY6KWCC                  one of them, without hidden cards
  dormie-server admin close MRY6KWCC "The club closes."  its players are told why
  dormie-server admin ban player p0123456789 --days 7   by the id that inspect and reports show
  dormie-server admin ban address 192.0.2.0/24
  dormie-server admin --json bans                       for programs
"""

BAN_EXAMPLES = """\
examples:
  dormie-server admin ban player p0123456789            by the id that inspect and reports show
  dormie-server admin ban player p0123456789 --days 7 --because "told the deal of the day"
  dormie-server admin ban address 192.0.2.0/24
"""
UNBAN_EXAMPLES = """\
examples:
  dormie-server admin unban 96ccc56f        by the id of the ban, as bans shows it
  dormie-server admin unban p0123456789
  dormie-server admin unban 192.0.2.0/24
"""

Found = dict[str, Any]  # what the server has answered, in JSON


class _Failed(Exception):
    """It cannot be done, and a sentence says why."""


def main(argv: Sequence[str]) -> int:
    """Ask: 0 when it was done, 2 with a line on stderr when it was not."""
    asked = vars(_parser().parse_args(argv))
    path, config = asked.pop("socket"), asked.pop("config")
    data, as_json = asked.pop("data"), asked.pop("json")
    try:
        answer = _ask(path or _place({"data": data} if data else {}, config), asked)
    except (BadSetting, _Failed) as why:
        return sorry(str(why))
    lines = [json.dumps(answer)] if as_json else _LINES[asked["command"]](answer)
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return DONE


def _place(flags: dict[str, object], config: Path | None) -> Path:
    path = place_of_admin(read_settings(flags, config))
    if path is None:
        raise _Failed("there is no admin socket by these settings: say --socket FILE")
    return path


def _ask(path: Path, asked: Found) -> Found:
    """The answer of the server that listens at *path*."""
    wish = {name: value for name, value in asked.items() if value is not None}
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(PATIENCE)
            line.connect(str(path))
            line.sendall(json.dumps(wish).encode() + b"\n")
            with line.makefile("rb") as answers:
                text = answers.readline()
    except OSError as error:
        raise _Failed(f"no server answers at {path}: {error.strerror or error}") from None
    try:
        answer: Found = json.loads(text)
    except ValueError:
        raise _Failed(f"the server at {path} has hung up") from None
    if "done" not in answer:
        raise _Failed(_plain(str(answer.get("because", answer.get("no")))))
    done: Found = answer["done"]
    return done


# ------------------------------------------------------------------------------- for people


def _said(answer: Found) -> list[str]:
    return [_plain(answer["said"])]


def _tables(answer: Found) -> list[str]:
    lines = [_table(one) for one in answer["tables"]] or ["no table is open"]
    if answer["more"]:
        lines.append(f"and {answer['more']} more: --limit shows them")
    if answer["unreadable"]:
        lines.append(f"{answer['unreadable']} cannot be read")
    return lines


def _table(one: Found) -> str:
    names = ", ".join(name for name in one["names"] if name) or "nobody"
    return _plain(
        f"{one['table']}  {_time(one['opened'])}  {one['phase']:8}  {one['variant']}"
        f"  {one['here']} here of {one['size']}: {names}"
    )


def _inside(answer: Found) -> list[str]:
    due = answer["alarm"]
    seats = [
        f"  seat {seat['seat'] + 1}  {seat['name']}  "
        + (f"bot {seat['bot']}" if seat["bot"] else f"player {seat['player'] or 'gone'}")
        + ("" if seat["here"] else ", away")
        for seat in answer["seats"]
    ]
    lines = [
        _table(answer["line"]),
        f"  version {answer['line']['version']}"
        + (", owes a record" if answer["owes_record"] else "")
        + (f", due {_time(due)} (now {_time(answer['now'])})" if due else ", nothing is due"),
        *seats,
        "what everybody at the table sees:",
        "  " + json.dumps(answer["public"], ensure_ascii=True),
    ]
    return [_plain(line) for line in lines]


def _bans(answer: Found) -> list[str]:
    lines = [
        f"{one['id']}  {one['what']} {one['who']}  until {_time(one['until'])}  {one['because']}"
        for one in answer["bans"]
    ]
    return [_plain(line).rstrip() for line in lines] or ["nobody is banned"]


def _reports(answer: Found) -> list[str]:
    if "lines" not in answer:
        return _said(answer)
    return [_plain(line) for line in answer["lines"]] or [NO_REPORTS]


_LINES: dict[str, Callable[[Found], list[str]]] = {
    "list": _tables,
    "inspect": _inside,
    "close": _said,
    "drain": _said,
    "bans": _bans,
    "ban": _said,
    "unban": _said,
    "reports": _reports,
    "report": _reports,
}


def _plain(text: str) -> str:
    """What strangers wrote moves no terminal."""
    return "".join(sign for sign in text if sign.isprintable())


def _time(when: float) -> str:
    return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%d %H:%M:%S")


# --------------------------------------------------------------------------------- the words


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog="dormie-server admin",
        description="Ask a running server. It has to listen at an admin socket (admin_socket).",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--socket", metavar="FILE", type=Path, help="where the server listens")
    parser.add_argument("--config", metavar="FILE", type=Path, help="the server's TOML file")
    parser.add_argument("--data", metavar="FILE", help="the server's file with the tables")
    parser.add_argument("--json", action="store_true", help="answer in JSON, for programs")
    add = parser.add_subparsers(dest="command", required=True).add_parser
    add("list", help="the open tables").add_argument("--limit", type=int, metavar="NUMBER")
    add("inspect", help="one table, without hidden cards").add_argument("table", metavar="CODE")
    close = add("close", help="close a table, and tell its players why")
    close.add_argument("table", metavar="CODE")
    close.add_argument("because", metavar="REASON")
    add("drain", help="stop the server, as SIGTERM does")
    _add_bans(add)
    add("reports", help="the reports that nobody has closed")
    report = add("report", help="read a report, or close it")
    report.add_argument("id", metavar="ID")
    report.add_argument("--close", action="store_true", help="take it out of the queue")
    return parser


def _shown(examples: str) -> dict[str, Any]:
    return {"epilog": examples, "formatter_class": argparse.RawDescriptionHelpFormatter}


def _days(said: str) -> float:
    """For how many days somebody is banned; nan is none."""
    try:
        days = float(said)
    except ValueError:
        days = 0.0
    if not 0 < days <= MOST_DAYS:
        raise argparse.ArgumentTypeError(f"a number above 0, up to {MOST_DAYS}, is needed")
    return days


def _add_bans(add: Callable[..., argparse.ArgumentParser]) -> None:
    add("bans", help="who is not let in")
    ban = add("ban", help="let a player or an address not in any more", **_shown(BAN_EXAMPLES))
    ban.add_argument("what", choices=("player", "address"))
    ban.add_argument("who", metavar="ID-or-NETWORK")
    ban.add_argument("--days", type=_days, metavar="NUMBER", help="for how long (30)")
    ban.add_argument("--because", metavar="NOTE", help="for those who run the house")
    unban = add("unban", help="let somebody in again", **_shown(UNBAN_EXAMPLES))
    unban.add_argument("who", metavar="BAN, ID or NETWORK")
