"""What was typed after `dormie play`: where, who, and which table."""

import argparse
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from dormie_client.one_line import OneLineParser
from dormie_protocol.listener import Verbosity
from dormie_protocol.messages import CODE_LENGTH, CODE_LETTERS, Language
from dormie_protocol.spoken import EventClass, Volume

DEFAULT_URL = "http://127.0.0.1:8421"
USUAL_SEATS = 4

EXAMPLES = """\
examples:
  dormie play                                     the table where you sit, or a new one of four
  dormie play --bots medium,easy,easy             a new table with three bots
  dormie play http://192.168.1.20:8421 PARTEE23   a friend's table
  dormie play --watch PARTEE23                    look on
  dormie play --local --bots medium               without a server: one starts and ends with you
  dormie play --variant playroom --option rows=3 --option cols=3
  dormie play --lang fr --verbosity moves=brief,scores=full

Without an address it is DORMIE_URL, or this machine. `dormie rules` lists the variants and options.
Who you are is kept for each server in DORMIE_HOME (~/.config/dormie): with another one you are
somebody else. Lines are read from a pipe as well: each one waits until something is asked.
"""

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
    new: bool = False
    """A table of one's own, whatever else there is."""
    watch: bool = False
    local: bool = False
    language: Language = "en"
    volume: Volume = "normal"
    listed: bool = False
    letters: bool = False

    @property
    def size(self) -> int:
        """How many seats a new table has: nobody else can come to a server of one's own."""
        if self.seats is not None:
            return self.seats
        return 1 + len(self.bots or ("",)) if self.local else USUAL_SEATS


def read_wish(argv: Sequence[str], environment: Mapping[str, str] = os.environ) -> Wish:
    """What *argv* asks for. Ends the program with one line when that makes no sense.

    >>> read_wish(["golf.example", "partee23"], {}).code
    'PARTEE23'
    >>> read_wish(["--option", "rows=3", "--option", "end=holes"], {}).options
    {'rows': 3, 'end': 'holes'}
    """
    parser = _parser(environment)
    asked = vars(parser.parse_intermixed_args(argv))
    where = asked.pop("where")
    code = where.pop().upper() if where and _CODE.fullmatch(where[-1]) else None
    if len(where) > 1:
        parser.error(f"{where[-1]!r} is not the code of a table")
    if asked["watch"] and code is None:
        parser.error("which table? --watch needs its code")
    if asked["local"] and (where or code):
        parser.error("--local is a server of your own: it has no address and no code")
    made = ("variant", "options", "seats", "bots", "turn_seconds")
    if code and any(asked[name] is not None for name in made):
        parser.error(f"table {code} is there already: its host has chosen its options")
    asked["new"] |= any(asked[name] is not None for name in made)
    asked["options"] = dict(asked["options"] or [])
    if where:
        asked["url"] = where[0]
    return Wish(code=code, **{name: of for name, of in asked.items() if of is not None})


def language_of(environment: Mapping[str, str]) -> Language:
    """The language of the player's system.

    >>> language_of({"LANG": "fr_CA.UTF-8"}), language_of({"LC_ALL": "C", "LANG": "fr_FR"})
    ('fr', 'en')
    """
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "fr" if (next(filter(None, names), "")).startswith("fr") else "en"


def _parser(environment: Mapping[str, str]) -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog="dormie play",
        description="Play Golf in this terminal, line by line.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(url=environment.get("DORMIE_URL") or DEFAULT_URL)
    add = parser.add_argument
    add("where", nargs="*", metavar="URL | CODE", help="the server, the code of a table, or both")
    add("--name", help="how others call you")
    add("--watch", action="store_true", help="look on without a seat of your own")
    add("--local", action="store_true", help="start a server for as long as you play")
    _add_table(parser)
    _add_screen(parser, environment)
    return parser


def _add_table(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("a new table").add_argument
    add("--new", action="store_true", help="open one, even if you sit at another")
    add("--variant", help="how Golf is played there (six_card)")
    add(
        *("--option", "-o"),
        dest="options",
        action="append",
        type=_option,
        metavar="NAME=VALUE",
        help="something else than the variant says, like holes=3; may be repeated",
    )
    add("--seats", type=int, choices=range(2, 7), help=f"how many ({USUAL_SEATS})")
    add("--bots", type=_levels, metavar="LEVELS", help="bots to seat, like medium,easy")
    add("--turn-seconds", type=int, metavar="SECONDS", help="for a turn")


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


def _option(text: str) -> tuple[str, Any]:  # any JSON
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} should be like holes=3")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


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
