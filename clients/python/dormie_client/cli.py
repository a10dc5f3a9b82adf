"""`dormie`: play in a terminal, run a bot, read the rules, settle an argument, solve a deal, check a record."""

import os
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version

from dormie_client.one_line import OneLineParser, sorry

INTERRUPTED = 130
NOBODY_READS = 1

EXAMPLES = """\
commands:
  play      play in this terminal, alone with bots or with friends
  watch     look on at a table
  lobby     look around: which tables there are, and yours
  day       play the hole of the day, read its results, or check them
  practice  practise a hole of Golf Patience by its number
  bot       let a bot play at a table
  rules     list the variants, or explain one and its options
  referee   answer questions about scores, one JSON object a line
  solve     say how low a deal of Golf Patience can end, and how
  verify    check the record of a match without asking anybody

examples:
  dormie play --local --bots medium     a match against one bot, with no server
  dormie play http://192.168.1.20:8421 PARTEE23
  dormie watch http://192.168.1.20:8421 PARTEE23
  dormie day                            today's hole: the same deal for everybody, one try
  dormie practice 17                    a hole that only has a number, as often as you like
  dormie rules six_card
  dormie solve --seed 7 --king-rule queen
  dormie verify PARTEE23-1

`dormie COMMAND --help` says more about each.
"""


RULES_EXAMPLES = """\
examples:
  dormie rules                                every variant in a line
  dormie rules six_card                       one of them, with its options
  dormie rules golf_patience_queen --lang fr
"""

REFEREE_EXAMPLES = """\
examples:
  dormie referee questions.jsonl
  echo '{"ask": "match_play", "holes_in_round": 3, "extra_holes": false, "holes": ["A", [4, 5]]}' | dormie referee
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Do what was asked for and return the exit status; what goes wrong is said in one line."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has left, and nothing must be flushed to them at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READS
    except SystemExit as end:  # argparse has said why, or how to ask
        return int(end.code or 0)
    return status


def _run(words: list[str]) -> int:
    if words and words[0] in COMMANDS:
        return COMMANDS[words[0]](words[1:])
    parser = OneLineParser(
        prog="dormie",
        description="Golf, the card game: a table for friends, bots and strangers.",
        epilog=EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"dormie {version('dormie')}")
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="see below")
    parser.add_argument("words", nargs="*", metavar="...", help="what the command takes")
    parser.parse_args(words)
    raise AssertionError("a command that is known has been run")


# Each command imports what it needs when it is asked for: `dormie --help` should not wait for all.
# ruff: noqa: PLC0415


def _play(words: list[str]) -> int:
    from dormie_client.play_command import main_play

    return main_play(words)


def _watch(words: list[str]) -> int:
    from dormie_client.play_command import main_play

    return main_play(["--watch", *words], "dormie watch")


def _lobby(words: list[str]) -> int:
    from dormie_client.play_command import main_play

    return main_play(["--lobby", *words], "dormie lobby")


def _day(words: list[str]) -> int:
    from dormie_client.play_command import main_day

    return main_day(words)


def _practice(words: list[str]) -> int:
    from dormie_client.day_wish import practice
    from dormie_client.play_command import main_play

    return main_play(practice(words), "dormie practice")


def _bot(words: list[str]) -> int:
    from dormie_client.bot_runner import main_bot

    return main_bot(words)


def _rules(words: list[str]) -> int:
    from dormie_client.patience_page import patience_list, patience_page
    from dormie_client.play_wish import language_of
    from dormie_client.rules_page import rules_page, variant_list
    from dormie_rules.patience_variants import find_patience, patience_names
    from dormie_rules.variants import find, names

    parser = OneLineParser(
        prog="dormie rules",
        description="List the variants, or explain one.",
        epilog=RULES_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="a variant, like six_card")
    parser.add_argument("--lang", choices=("en", "fr"), default=language_of(os.environ))
    asked = parser.parse_args(words)
    name, language = asked.name, asked.lang
    there = (*names(), *patience_names())
    if name is not None and name not in there:
        because = f"there is no variant {name!r}; there are {', '.join(there)}"
        return sorry("dormie rules", because)
    if name is None:
        print(f"{variant_list(language)}\n{patience_list(language)}")
    elif name in names():
        print(rules_page(find(name), language=language))
    else:
        print(patience_page(find_patience(name), language))
    return 0


def _referee(words: list[str]) -> int:
    from dormie_client.referee import main_referee

    parser = OneLineParser(
        prog="dormie referee",
        description="Answer questions about scores: one JSON object a line, one answer a line.",
        epilog=REFEREE_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="or - for what is piped"
    )
    return main_referee([parser.parse_args(words).file], sys.stdin, sys.stdout)


def _solve(words: list[str]) -> int:
    from dormie_client.solve import main_solve

    return main_solve(words)


def _verify(words: list[str]) -> int:
    from dormie_client.verify import main_verify

    return main_verify(words)


COMMANDS: Mapping[str, Callable[[list[str]], int]] = {
    "play": _play,
    "watch": _watch,
    "lobby": _lobby,
    "day": _day,
    "practice": _practice,
    "bot": _bot,
    "rules": _rules,
    "referee": _referee,
    "solve": _solve,
    "verify": _verify,
}

if __name__ == "__main__":
    sys.exit(main())
