"""`dormie solve`: how low a deal of Golf Patience can end, and how.

A deal comes from a file, in the text form of PySolFC and the solvers around it, or from its number. The
answer is exact; it knows the stock, which nobody who plays does, so it says what exists and not what
should have been done.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, get_args

from dormie_client.one_line import OneLineParser, sorry
from dormie_client.play_wish import language_of
from dormie_client.progress_bar import ProgressBar
from dormie_client.solve_text import bad_deal_text, line_text, solution_text, text
from dormie_protocol.messages import Language
from dormie_rules.patience_deals import attempt_pack, practice_seed
from dormie_rules.patience_par import par_of
from dormie_rules.patience_position import Position, lay_out
from dormie_rules.patience_rules import KingRule, PatienceRules
from dormie_rules.patience_text import BadDeal, read_deals, write_deal
from dormie_rules.solver import solve

WHO = "dormie solve"
STDIN = "-"
MAX_BYTES = 1_000_000
MAX_SEED = 2**63
MAX_SEEDS = 100_000

EXAMPLES = """\
examples:
  dormie solve --seed 7                        the deal of a number
  dormie solve deal.txt --king-rule wrap       Talon:, Foundations: and seven columns
  dormie solve --seeds 0-299 --king-rule queen
  dormie solve --seed 7 --show > deal.txt      the deal itself, for other programs

strict: nothing goes on a King; queen: a Queen does; wrap: a Queen and an Ace do.
"""


class _Unreadable(Exception):
    """A file from which no deals come; the sentence says why."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A deal to solve, and what it is called."""

    name: str
    position: Position


def main_solve(argv: Sequence[str]) -> int:
    """Solve what was asked for; 2 when it cannot be read, with the reason in one line."""
    asked = _parser().parse_args(argv)
    language: Language = asked.language
    if bool(asked.files) == (asked.seeds is not None):
        return sorry(WHO, text("what", language))
    rules = PatienceRules(asked.king_rule, empty_start=asked.empty_start)
    try:
        deals = list(_from_files(asked.files, language)) if asked.files else None
    except _Unreadable as no:
        return sorry(WHO, str(no))
    if deals is None:
        deals = [_of_seed(rules, seed, language) for seed in asked.seeds]
    if asked.show:
        print("\n".join(write_deal(deal.position) for deal in deals), end="")
        return 0
    _solve_all(rules, deals, language)
    return 0


def _solve_all(rules: PatienceRules, deals: Sequence[_Asked], language: Language) -> None:
    """Each deal in a line as soon as it is solved; one alone with its moves, many with a sum."""
    bar, scores = ProgressBar(sys.stderr, len(deals)), []
    for done, deal in enumerate(deals, 1):
        solution = solve(rules, deal.position)
        par = par_of(rules, deal.position)
        bar.make_room()
        print(solution_text(deal.name, rules.king_rule, solution, par, language), flush=True)
        scores.append(solution.best)
        bar.after(done, text("progress", language, done=done, all=len(deals)))
        if len(deals) == 1:
            print(line_text(solution.line, language))
    if len(deals) > 1:
        mean = f"{sum(scores) / len(scores):.2f}"
        cleared = sum(score <= 0 for score in scores)
        fields = {"all": len(scores), "clearable": cleared, "mean": mean}
        print(text("sum", language, king_rule=rules.king_rule, **fields))


def _of_seed(rules: PatienceRules, seed: int, language: Language) -> _Asked:
    """The practice deal of a number."""
    position = lay_out(rules, attempt_pack(rules, practice_seed(seed), 0))
    return _Asked(text("deal", language, number=seed), position)


def _from_files(names: Sequence[str], language: Language) -> Iterator[_Asked]:
    for name in names:
        try:
            deals = read_deals(_read(name, language))
        except BadDeal as bad:
            raise _Unreadable(bad_deal_text(name, bad, language)) from None
        for deal in deals:
            called = name if len(deals) == 1 else f"{name}:{deal.line}"
            yield _Asked(called, deal.position)


def _read(name: str, language: Language) -> str:
    """The text of a file, but no more of it than shows that it is too long."""
    try:
        if name == STDIN:
            data = _bytes(sys.stdin.buffer)
        else:
            with Path(name).open("rb") as file:
                data = _bytes(file)
    except (OSError, ValueError) as error:  # a name with a zero in it is a ValueError
        why = error.strerror if isinstance(error, OSError) else None
        known = f"{name}: {why}" if why and language == "en" else None
        raise _Unreadable(known or text("cannot_open", language, name=name)) from None
    if len(data) > MAX_BYTES:
        raise _Unreadable(text("too_long", language, name=name, most=MAX_BYTES))
    return data.decode("utf-8-sig", "replace")


def _bytes(file: IO[bytes]) -> bytes:
    return file.read(MAX_BYTES + 1)


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=WHO,
        description="Say how low a deal of Golf Patience can end, and how.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help='deals as text; "-" is standard input')
    which = parser.add_mutually_exclusive_group().add_argument
    which("--seed", dest="seeds", type=_seed, metavar="N", help="the deal of a number")
    which("--seeds", dest="seeds", type=_seeds, metavar="A-B", help="the deals of some numbers")
    add("--king-rule", choices=get_args(KingRule), default="strict", help="(strict)")
    add("--empty-start", action="store_true", help="the foundation begins without a card")
    add("--show", action="store_true", help="write the deal as text, and do not solve it")
    add("--lang", dest="language", choices=get_args(Language), default=language_of(os.environ))
    return parser


def _seed(given: str) -> range:
    number = _number(given)
    return range(number, number + 1)


def _seeds(given: str) -> range:
    first, dash, last = given.partition("-")
    if not dash or not 0 <= _number(last) - _number(first) < MAX_SEEDS:
        raise argparse.ArgumentTypeError(f"{given!r} should be like 0-299")
    return range(_number(first), _number(last) + 1)


def _number(given: str) -> int:
    if not (given.isascii() and given.isdigit()) or len(given) > len(str(MAX_SEED)):
        raise argparse.ArgumentTypeError(f"{given!r} is not the number of a deal")
    return int(given)
