"""What is typed after `dormie day`."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from dormie_client.one_line import OneLineParser

EXAMPLES = """\
examples:
  dormie day                                 today's hole: one try, the same deal for everybody
  dormie day http://192.168.1.20:8421        at that server
  dormie day --results                       how yesterday ended
  dormie day --results --date 2026-11-28     and another day
  dormie day --verify yesterday              check that the deal was the one promised, and every result

Everything that `dormie play` knows about the screen and about names does here, too: --lang fr, --name Ada.
"""


PRACTICE_EXAMPLES = """\
examples:
  dormie practice 17                              hole 17, at this machine's house
  dormie practice 17 http://192.168.1.20:8421     at that server
  dormie practice 17 --local                      without a server: one starts and ends with you
  dormie practice 17 --option holes=9             and the eight holes after it
  dormie practice 17 --option undo=unlimited --option king_rule=strict

Everything that `dormie play` knows about the screen and about names does here, too: --lang fr, --name Ada.
"""

YESTERDAY = ("yesterday", "hier")
LARGEST = 10**9
"""The largest number of a hole that can be practised."""


@dataclass(frozen=True, slots=True)
class DayWish:
    """What is wished for about a day."""

    results: bool = False
    date: str | None = None
    verify: str | None = None
    """The day that is to be checked."""


def read_day(argv: Sequence[str]) -> tuple[DayWish, list[str]]:
    """What *argv* asks of a day, and the rest of it, which is about the server and the screen.

    >>> read_day(["--results", "--lang", "fr"])
    (DayWish(results=True, date=None, verify=None), ['--lang', 'fr'])
    """
    parser = OneLineParser(
        prog="dormie day",
        description="Play the hole of the day, read its results, or check it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--results", action="store_true", help="the table of results of a day that is over")
    other = "another day than today, or than yesterday for results"
    add("--date", metavar="DATE", type=_day, help=other)
    over = "check a day that is over, like 2026-11-29 or yesterday"
    add("--verify", metavar="DATE", type=_day, help=over)
    asked, rest = parser.parse_known_args(argv)
    return DayWish(asked.results, asked.date, asked.verify), rest


def _day(said: str) -> str:
    """A date, or one of the words for yesterday, which only the house can date.

    >>> _day("2026-11-29"), _day("yesterday")
    ('2026-11-29', 'yesterday')
    """
    if said in YESTERDAY:
        return said
    try:
        return date.fromisoformat(said).isoformat()
    except ValueError:
        because = f"{said!r} is no day: say one like 2026-11-29, or yesterday"
        raise argparse.ArgumentTypeError(because) from None


def practice(argv: Sequence[str]) -> list[str]:
    """What `dormie practice NUMBER ...` is in the words of `dormie play`.

    >>> practice(["17", "--local"])
    ['--game', 'patience', '--option', 'holes=1', '--practice', '17', '--local']
    """
    parser = OneLineParser(
        prog="dormie practice",
        description="Practise a hole of Golf Patience by its number: the same deal every time.",
        epilog=PRACTICE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "number", type=int, metavar="NUMBER", help=f"which hole, from 0 to {LARGEST}"
    )
    asked, rest = parser.parse_known_args(argv)
    if not 0 <= asked.number <= LARGEST:
        parser.error(f"a hole has a number from 0 to {LARGEST}")
    return ["--game", "patience", "--option", "holes=1", "--practice", str(asked.number), *rest]
