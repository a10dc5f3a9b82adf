"""What was typed after `dormie play`: where, who, and which table."""

import argparse
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from dormie_client.day_wish import DayWish
from dormie_client.errors import ClosedError
from dormie_client.invitation import read_invitation
from dormie_client.one_line import OneLineParser
from dormie_client.option_lines import USUAL_SEATS
from dormie_client.play_help import help_of
from dormie_client.table_wish import TableWish, read_value, sorted_out
from dormie_protocol.listener import Verbosity
from dormie_protocol.messages import CODE_LENGTH, CODE_LETTERS, Language
from dormie_protocol.spoken import EventClass, Volume
from dormie_protocol.table_view import Chatter

DEFAULT_URL = "http://127.0.0.1:8421"
USUAL_PATIENCE = "golf_patience_queen"

_KINDS = ("listed_table", "private", "chat")
_CODE = re.compile(f"[{CODE_LETTERS}]{{{CODE_LENGTH}}}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wish:
    """Where to play, as whom, and how the screen should speak."""

    url: str = DEFAULT_URL
    code: str | None = None
    name: str | None = None
    variant: str = "six_card"
    options: Mapping[str, Any] | None = None  # any JSON: the rules check it
    seats: int | None = None
    bots: tuple[str, ...] | None = None
    turn_seconds: int | None = None
    practice: int | None = None
    """The number of a hole that is to be practised."""
    day: DayWish | None = None
    """What is wished for about the hole of the day, and no other table."""
    password: str | None = None
    """Of the table one joins, or of the new one."""
    private: bool = False
    listed_table: bool = False
    chat: Chatter | None = None
    claim: str | None = None
    """The code that makes this device one's own."""
    lobby: bool = False
    """Look around before sitting down."""
    new: bool = False
    """A table of one's own, whatever else there is."""
    watch: bool = False
    local: bool = False
    language: Language = "en"
    volume: Volume = "normal"
    listed: bool = False
    letters: bool = False
    width: int | None = None
    plain: bool = False
    """The terminal's own line, even where a better one could be had."""

    @property
    def size(self) -> int:
        """How many seats a new table has: nobody else can come to a server of one's own."""
        if self.seats is not None:
            return self.seats
        return 1 + len(self.bots or ("",)) if self.local else USUAL_SEATS

    def table_wish(self, bots: Sequence[str]) -> TableWish:
        """The new table that is wished for, with these *bots*. Raises Unclear."""
        said = {
            "turn_seconds": self.turn_seconds,
            "password": self.password,
            "private": self.private or None,
            "listed": self.listed_table or None,
            "chat": self.chat,
            "practice": self.practice,
        }
        given = {name: value for name, value in said.items() if value is not None}
        pairs = {"size": self.size, "bots": tuple(bots), **(self.options or {}), **given}
        return sorted_out(self.variant, pairs.items())


def read_wish(
    argv: Sequence[str], environment: Mapping[str, str] = os.environ, name: str = "dormie play"
) -> Wish:
    """What *argv* asks for; *name* is the command. Ends the program with one line when that makes no sense.

    >>> read_wish(["golf.example", "partee23"], {}).code
    'PARTEE23'
    >>> read_wish(["--option", "rows=3", "--option", "end=holes"], {}).options
    {'rows': 3, 'end': 'holes'}
    >>> read_wish(["--game", "patience"], {}).variant
    'golf_patience_queen'
    """
    parser = _parser(environment, name)
    asked = vars(parser.parse_intermixed_args(argv))
    where = asked.pop("where")
    if where and "#" in where[-1]:
        where, asked["password"] = _invited(parser, where)
    code = where.pop().upper() if where and _CODE.fullmatch(where[-1]) else None
    if len(where) > 1:
        parser.error(f"{where[-1]!r} is not the code of a table")
    if asked["watch"] and code is None:
        parser.error("which table? --watch needs its code")
    if asked["local"] and (where or code):
        parser.error("--local is a server of your own: it has no address and no code")
    made = ("game", "variant", "options", "seats", "bots", "turn_seconds", "practice", *_KINDS)
    if asked["lobby"] and (code or asked["local"]):
        parser.error("--lobby is for looking around before there is a table")
    if code and any(asked[name] is not None for name in made):
        parser.error(f"table {code} is there already: its host has chosen its options")
    asked["new"] |= any(asked[name] is not None for name in (*made, "password"))
    if asked.pop("game") == "patience":
        _usual_patience(asked)
    asked["options"] = dict(asked["options"] or [])
    if where:
        asked["url"] = where[0]
    return Wish(code=code, **{name: of for name, of in asked.items() if of is not None})


def _usual_patience(asked: dict[str, Any]) -> None:  # as the parser has read it
    """Golf Patience is played alone where nobody says more."""
    asked["variant"] = asked["variant"] or USUAL_PATIENCE
    if asked["seats"] is None and asked["bots"] is None:
        asked["seats"], asked["bots"] = 1, ()


def _invited(parser: argparse.ArgumentParser, where: list[str]) -> tuple[list[str], str | None]:
    """What an invitation says: the address, the code and the password."""
    if len(where) > 1:
        parser.error("an invitation says it all: address, code and password")
    try:
        invitation = read_invitation(where[0])
    except ClosedError as error:
        parser.error(str(error).rstrip("."))
    return [invitation.url, invitation.code], invitation.key


def language_of(environment: Mapping[str, str]) -> Language:
    """The language of the player's system.

    >>> language_of({"LANG": "fr_CA.UTF-8"}), language_of({"LC_ALL": "C", "LANG": "fr_FR"})
    ('fr', 'en')
    """
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "fr" if (next(filter(None, names), "")).startswith("fr") else "en"


def _parser(environment: Mapping[str, str], name: str) -> argparse.ArgumentParser:
    told = help_of(name)
    parser = OneLineParser(
        prog=name,
        description=told.about,
        epilog=told.examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(url=environment.get("DORMIE_URL") or DEFAULT_URL)
    add = parser.add_argument
    add("where", nargs="*", metavar="URL | CODE", help="the server, the code of a table, or both")
    add("--name", help="how others call you")
    add("--watch", action="store_true", help="look on without a seat of your own")
    add("--lobby", action="store_true", help="look around in the house before sitting down")
    add("--password", help="of the table you join, or of the new one")
    add("--claim", metavar="CODE", help="be who you are on your other device, which shows the code")
    add("--local", action="store_true", help="start a server for as long as you play")
    _add_table(parser)
    _add_screen(parser, environment)
    return parser


def _add_table(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("a new table").add_argument
    add("--new", action="store_true", help="open one, even if you sit at another")
    add("--game", choices=("grid", "patience"), help="grid Golf, or Golf Patience alone (grid)")
    add("--variant", help="how Golf is played there (six_card)")
    add(
        *("--option", "-o"),
        dest="options",
        action="append",
        type=_option,
        metavar="NAME=VALUE",
        help="something else than the variant says, like holes=3; may be repeated",
    )
    add(
        *("--size", "--seats"),
        dest="seats",
        type=int,
        choices=range(1, 7),
        help=f"how many seats ({USUAL_SEATS})",
    )
    add("--bots", type=_levels, metavar="LEVELS", help="bots to seat, like medium,easy")
    add(
        "--practice",
        type=int,
        metavar="NUMBER",
        help="practise a hole of Golf Patience by its number",
    )
    add("--turn-seconds", type=int, metavar="SECONDS", help="for a turn")
    add(
        "--listed",
        dest="listed_table",
        action="store_true",
        default=None,
        help="everybody finds it in the lobby",
    )
    add("--private", action="store_true", default=None, help="only who has the link comes in")
    add("--chat", choices=get_args(Chatter), help="anything, quick words only, or nothing (on)")


def _add_screen(parser: argparse.ArgumentParser, environment: Mapping[str, str]) -> None:
    add = parser.add_argument_group("the screen").add_argument
    add("--lang", dest="language", choices=get_args(Language), default=language_of(environment))
    add(
        "--verbosity",
        dest="volume",
        type=_volume,
        metavar="LEVEL",
        help=f"{', '.join(get_args(Verbosity))}; or one for each of {', '.join(get_args(EventClass))}",
    )
    add("--list", dest="listed", action="store_true", help="one player a line, to listen to")
    add("--letters", action="store_true", help="suits as letters")
    add("--width", type=int, metavar="COLUMNS", help="break lines there (the terminal's width)")
    add("--plain", action="store_true", help="no editing of the line: for screen readers")


def _option(text: str) -> tuple[str, Any]:  # any JSON
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} should be like holes=3")
    return name, read_value(name, value)


def _levels(text: str) -> tuple[str, ...]:
    return tuple(level.strip() for level in text.split(",") if level.strip())


def _volume(text: str) -> Volume:
    if text in get_args(Verbosity):
        return _level(text)
    pairs = [part.partition("=") for part in text.split(",")]
    wrong = [name for name, _, _ in pairs if name not in get_args(EventClass)]
    if wrong:
        classes = ", ".join(get_args(EventClass))
        raise argparse.ArgumentTypeError(f"{wrong[0]!r} is none of {classes}")
    return {_class(name): _level(level) for name, _, level in pairs}


def _level(text: str) -> Verbosity:
    for level in get_args(Verbosity):
        if level == text:
            found: Verbosity = level
            return found
    raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(get_args(Verbosity))}")


def _class(text: str) -> EventClass:
    found: EventClass = next(name for name in get_args(EventClass) if name == text)
    return found
