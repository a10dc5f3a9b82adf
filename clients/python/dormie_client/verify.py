"""Checking the record of a match on your own machine, without asking anybody.

Every deal, move and score of a record is worked out again. Whatever is not right is named by its
line, and a record that is right says so in one line too.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import IO, TextIO

from dormie_rules.day_record import DAY_WORD, BadDay, check_day
from dormie_rules.record import MAX_BYTES
from dormie_rules.replay import RIGHT, Verdict, verify

STDIN = "-"
EXAMPLES = """\
examples:
  curl -O http://127.0.0.1:8421/record/PARTEE23-1
  dormie verify PARTEE23-1
  curl -s http://127.0.0.1:8421/record/day-2026-11-29 | dormie verify -
  dormie verify --quiet *-1                 only what is wrong
"""


def main_verify(argv: list[str] | None = None) -> int:
    """Check records: 0 when all are right, 1 when one is wrong, 2 when one cannot be read."""
    try:
        asked = _words().parse_args(argv)
    except SystemExit as end:  # argparse has said why, or how to ask
        return int(end.code or 0)
    try:
        return max([_check(name, quiet=asked.quiet) for name in asked.files])
    except BrokenPipeError:  # the reader has left, and nothing must be flushed to them at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def spoken(name: str, verdict: Verdict) -> str:
    """The line that tells a verdict.

    >>> spoken("a.dormie", Verdict(True, None, "every deal, move and score is right", 1, 24))
    'a.dormie: 1 hole, 24 moves, every deal, move and score is right'
    >>> spoken("a.dormie", Verdict(False, 17, "card 3 of the pack is TD, not 5S", 0, 0))
    'a.dormie:17: card 3 of the pack is TD, not 5S'
    """
    if verdict.ok:
        played = f"{_count(verdict.holes, 'hole')}, {_count(verdict.moves, 'move')}"
        return f"{name}: {played}, {verdict.because}"
    where = name if verdict.line is None else f"{name}:{verdict.line}"
    return f"{where}: {verdict.because}"


def _words() -> argparse.ArgumentParser:
    words = argparse.ArgumentParser(
        prog="dormie verify",
        description="Replay records of matches and days, and say which line is wrong.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    words.add_argument("files", nargs="+", metavar="FILE", help='a record; "-" is standard input')
    words.add_argument(
        "--quiet", action="store_true", help="say nothing about records that are right"
    )
    return words


def _check(name: str, *, quiet: bool) -> int:
    try:
        text = _read(name)
    except (OSError, ValueError) as error:  # a name with a zero in it is a ValueError
        why = error.strerror if isinstance(error, OSError) else None
        _say(f"dormie verify: {name}: {why or 'this cannot be opened'}", sys.stderr)
        return 2
    verdict = _day(text) if text.startswith(DAY_WORD) else verify(text)
    if not (quiet and verdict.ok):
        _say(spoken(name, verdict), sys.stdout)
    return 0 if verdict.ok else 1


def _day(text: str) -> Verdict:
    """The verdict on the record of a hole of the day."""
    from dormie_rules.solver import solve  # noqa: PLC0415 - numpy is loaded when it is needed

    try:
        moves = check_day(text, lambda rules, position: solve(rules, position).verdict)
    except BadDay as bad:
        return Verdict(ok=False, line=bad.line, because=bad.because, holes=0, moves=0)
    return Verdict(ok=True, line=None, because=RIGHT, holes=1, moves=moves)


def _read(name: str) -> str:
    """The text of a file, but no more of it than shows that it is too long."""
    if name == STDIN:
        return _text(sys.stdin.buffer)
    with Path(name).open("rb") as file:
        return _text(file)


def _text(file: IO[bytes]) -> str:
    """Bytes that are no text become a sign that no line but a comment or a name may have."""
    return file.read(MAX_BYTES + 1).decode("utf-8", "replace")


def _say(line: str, to: TextIO) -> None:
    """Print a line; what is no visible character, or unknown to the screen, is escaped."""
    visible = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
    encoding = to.encoding or "utf-8"
    print(visible.encode(encoding, "backslashreplace").decode(encoding), file=to, flush=True)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
