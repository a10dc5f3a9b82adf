"""The record of a match, line by line: all one needs to check the match without asking anybody.

These are the functions that write the lines of format 1, which ``docs/record.md`` describes.
Programs count seats from 0 and people from 1, so every function takes the former and writes the
latter. A record is the lines in the order of what happened, closed by ``finish``.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dormie_rules.cards import Card
from dormie_rules.course_state import CoursePublic
from dormie_rules.grid_moves import GridMove, write_move
from dormie_rules.match_play import Pairing, Side

FORMAT = 1
MAX_BYTES = 4 * 1024 * 1024
"""A record is never longer; whatever is longer is none."""

END = "end"
"""The last line."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who has a seat; *bot* is the level when it is a bot."""

    name: str
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """What is settled before anything happens: the table, the rules and the players."""

    table: str
    match: int
    """The number of the match at its table, from 1."""
    variant: str
    options: Mapping[str, Any]  # as the host chose them: any JSON the rules accept
    players: tuple[Player, ...]
    """One for each seat, in the order of the seats."""
    dealer: int | None = None
    """Who deals the first hole if that is settled, as in a rematch; None leaves it to luck."""


def head(about: Head) -> tuple[str, ...]:
    """The lines with which a record begins; ``commit_line`` and ``entropy_lines`` come next.

    >>> players = (Player("Ada"), Player("Birdie", "medium"))
    >>> head(Head("ABCDEFGH", 1, "six_card", {"holes": 2}, players))[4:]
    ('options {"holes":2}', 'seats 2', 'seat 1 human Ada', 'seat 2 bot medium Birdie')
    """
    options = json.dumps(about.options, sort_keys=True, separators=(",", ":"))
    dealer = () if about.dealer is None else (f"dealer {about.dealer + 1}",)
    return (
        f"dormie-record {FORMAT}",
        f"table {about.table}",
        f"match {about.match}",
        f"variant {about.variant}",
        f"options {options}",
        f"seats {len(about.players)}",
        *(_seat_line(seat, player) for seat, player in enumerate(about.players)),
        *dealer,
    )


def commit_line(commitment: bytes) -> str:
    """The promise of the match's hash chain: its s_0."""
    return f"commit {commitment.hex()}"


def entropy_lines(contributions: Sequence[bytes | None]) -> tuple[str, ...]:
    """What every seat added to luck; None for a seat that added nothing.

    >>> entropy_lines([b"ada", None])
    ('entropy 1 616461', 'entropy 2 -')
    """
    texts = [given.hex() if given else "-" for given in contributions]
    return tuple(f"entropy {seat} {text}" for seat, text in enumerate(texts, 1))


def hole_line(hole: int) -> str:
    """Hole number *hole* (from 1) is dealt."""
    return f"hole {hole}"


def move_line(seat: int, move: GridMove, *, auto: bool = False) -> str:
    """A seat made a move; *auto* when its time was up and the default move was made for it.

    >>> from dormie_rules.grid_moves import Draw, Swap
    >>> move_line(0, Swap(3)), move_line(1, Draw(), auto=True)
    ('move 1 swap 4', 'auto 2 draw')
    """
    return f"{'auto' if auto else 'move'} {seat + 1} {write_move(move)}"


def leave_line(seat: int) -> str:
    """A seat left; one that the limit had put out before may leave too, which changes nothing."""
    return f"leave {seat + 1}"


def undo_line(seat: int) -> str:
    """A seat took back its move, the last one that was made, and the match is as it was before it."""
    return f"undo {seat + 1}"


def link_line(hole: int, link: bytes) -> str:
    """The link of the chain that a hole was dealt from, shown when the hole is over."""
    return f"link {hole} {link.hex()}"


def pack_line(hole: int, pack: Sequence[Card]) -> str:
    """The pack as it was shuffled for a hole; its top is the last card."""
    return " ".join(["pack", str(hole), *pack])


def score_lines(
    hole: int,
    raw: Sequence[int | None],
    charged: Sequence[int | None],
    totals: Sequence[int],
) -> tuple[str, ...]:
    """What a hole was worth, what was charged for it, and the totals after it.

    >>> score_lines(1, (12, 5, None), (12, 5, None), (20, 5, 40))
    ('raw 1 12 5 -', 'charged 1 12 5 -', 'totals 1 20 5 40')
    """
    rows = (("raw", raw), ("charged", charged), ("totals", totals))
    return tuple(f"{word} {hole} {_numbers(row)}" for word, row in rows)


def void_line(hole: int) -> str:
    """A hole that ended without a result, because nobody was left to play against."""
    return f"void {hole}"


def result_lines(public: CoursePublic) -> tuple[str, ...]:
    """The result of the hole that has just ended: ``score_lines`` or ``void_line``, and how a match stands."""
    assert public.play is not None, "a hole that has ended was played"
    stands = stands_lines(public.hole, public.matches)
    if public.play.ending == "abandoned":
        return (void_line(public.hole), *stands)
    scores = score_lines(public.hole, public.raw, public.card[-1], public.totals)
    return (*scores, *stands)


def stands_lines(hole: int, matches: Sequence[Pairing]) -> tuple[str, ...]:
    """How every match stands after a hole, in match play."""
    return tuple(_stands_line(hole, pair) for pair in matches)


def places_line(places: Sequence[int]) -> str:
    """The place of every seat."""
    return f"places {_numbers(places)}"


def seal_line(lines: Iterable[str]) -> str:
    """A fingerprint of all the *lines* of a record; the players' names are left out of it.

    >>> seal_line(["seat 1 human Ada"]) == seal_line(["seat 1 human Ben"])
    True
    """
    text = "".join(f"{_without_name(line)}\n" for line in lines)
    return f"seal {hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}"


def finish(lines: Sequence[str]) -> str:
    """The whole text of a record: its *lines* up to the places, then the seal and the end."""
    return "\n".join([*lines, seal_line(lines), END, ""])


def _seat_line(seat: int, player: Player) -> str:
    kind = "human" if player.bot is None else f"bot {player.bot}"
    return f"seat {seat + 1} {kind} {_printable(player.name)}"


def _stands_line(hole: int, pair: Pairing) -> str:
    """How a match between two seats stands: its holes, the lead of the first, how it ended, who has won.

    >>> from dormie_rules.match_play import Terms, after
    >>> _stands_line(2, Pairing(0, 2, "=B", after(Terms(9), "=B")))
    'stands 2 1 3 =B -1 playing -'
    >>> _stands_line(9, Pairing(0, 1, "AA", after(Terms(3), "AA")))
    'stands 9 1 2 AA +2 up 1'
    """
    standing = pair.standing
    seats: dict[Side, int] = {"A": pair.one + 1, "B": pair.two + 1}
    winner = seats[standing.winner] if standing.winner else "-"
    ending = standing.ending or "playing"
    holes = pair.holes or "-"
    lead = f"{standing.up:+d}" if standing.up else "0"
    return f"stands {hole} {pair.one + 1} {pair.two + 1} {holes} {lead} {ending} {winner}"


def _printable(name: str) -> str:
    r"""A name that stays on its line: what cannot be seen is written as ``\n`` or ``\u200b``."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name
    )


def _without_name(line: str) -> str:
    words = line.split(" ")
    if words[0] != "seat":
        return line
    return " ".join(words[: 4 if words[2:3] == ["bot"] else 3])


def _numbers(row: Sequence[int | None]) -> str:
    return " ".join("-" if number is None else str(number) for number in row)
