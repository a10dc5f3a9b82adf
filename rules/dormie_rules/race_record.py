"""What the record of a race says of a hole that is over, beside what every record says.

The deal's attempt and par, how the hole ended for each seat, its scores, and how every match stands.
"""

from dormie_rules.race_state import RacePublic
from dormie_rules.record import score_lines, stands_lines, void_line


def time_line(hole: int) -> str:
    """The time of a hole was up, and it ended for everybody who still played it."""
    return f"time {hole}"


def attempt_line(hole: int, attempt: int) -> str:
    """Which attempt at a deal was dealt; those before it were turned down (option ``deal_policy``)."""
    return f"attempt {hole} {attempt}"


def race_result_lines(public: RacePublic) -> tuple[str, ...]:
    """The result of the hole that has just ended.

    The raw score is what a board came to; what is charged differs from it when time was up and the hole
    is lost by that.
    """
    hole, play = public.hole, public.play
    assert play is not None, "a hole that has ended was played"
    assert play.shown is not None, "a hole that has ended is shown"
    attempt = attempt_line(hole, play.attempt)
    stands = stands_lines(hole, public.matches)
    if play.void:
        return (attempt, void_line(hole), *stands)
    row = public.card[-1]
    boards = zip(play.shown.boards, row, strict=True)
    raw = [None if board is None or score is None else board.score for board, score in boards]
    endings = [board.ending if board and board.ending else "-" for board in play.shown.boards]
    return (
        attempt,
        f"par {hole} {public.pars[-1]}",
        " ".join(("ended", str(hole), *endings)),
        *score_lines(hole, raw, row, public.totals),
        *stands,
    )
