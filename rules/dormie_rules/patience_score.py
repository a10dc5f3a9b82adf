"""What a hole of Golf Patience, and a course of them, are worth, and what golfers call it."""

from collections.abc import Sequence

NAMES = {
    -3: "albatross",
    -2: "eagle",
    -1: "birdie",
    0: "par",
    1: "bogey",
    2: "double bogey",
    3: "triple bogey",
}
"""What a hole is called by its strokes above par (rule A11)."""

USUAL_PAR = 5


def hole_score(tableau_left: int, stock_left: int) -> int:
    """The cards left in the tableau; when there are none, the stock counts, and counts for the player.

    >>> hole_score(12, 9), hole_score(0, 5)
    (12, -5)
    """
    return tableau_left or -stock_left


def hole_name(score: int, par: int) -> str:
    """What a score is called.

    >>> hole_name(5, 5), hole_name(1, 3), hole_name(-5, 4), hole_name(35, 5)
    ('par', 'eagle', '9 under par', '30 over par')
    """
    above = score - par
    return NAMES.get(above) or f"{abs(above)} {'over' if above > 0 else 'under'} par"


def against(total: int, par: int) -> str:
    """A total as golfers write it: E for even, else with its sign.

    >>> against(45, 45), against(32, 45), against(315, 45)
    ('E', '-13', '+270')
    """
    return f"{total - par:+d}" if total != par else "E"


def course_won(scores: Sequence[int], pars: Sequence[int]) -> bool:
    """Whether a course was won: no more strokes than its par.

    >>> course_won([5, 4], [5, 5]), course_won([5, 6], [5, 5])
    (True, False)
    """
    return sum(scores) <= sum(pars)
