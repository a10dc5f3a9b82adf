"""Which deals are played: any, or those of some kind (option ``deal_policy``).

``not_hopeless`` takes a glance, ``clearable`` asks a solver, and the kinds of the solo levels ask the twenty
players of recipe A (``patience_par``): five of them clear a ``gentle`` deal, and a deal of ``par_4_5`` can
be cleared, says a solver, but is none at which they make par 3.

A deal that is turned down is followed by the next attempt, with a seed of its own, and the number of the
attempt that was kept is written down. So anyone can deal all of them again and see that none was kept
back for another reason.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from dormie_rules.cards import JOKER, Card, rank
from dormie_rules.luck import digest, shuffle
from dormie_rules.patience_board import board_of
from dormie_rules.patience_par import LOWEST, honest_scores, par_of
from dormie_rules.patience_position import Position, lay_out
from dormie_rules.patience_rules import DealPolicy, PatienceRules
from dormie_rules.patience_solution import Verdict

Judge: TypeAlias = Callable[[PatienceRules, Position], Verdict]
"""A solver: ``lambda rules, position: solve(rules, position).verdict``. It is handed in, because it needs
a library and time that not everybody who deals has."""

MOST_ATTEMPTS = 1000
"""Under every rule at least one deal of four can be cleared: so many attempts fail once in 10^120."""

PICKED_ATTEMPTS = 500
"""So many attempts are picked by how players fare at them; after those any deal that can be cleared will do.

Even where gentle deals are rarest, one of 68 under ``strict``, that happens to one hole in 1,700.
"""

GENTLE = 5
"""So many of the twenty players of recipe A, one of four, clear a gentle deal."""


@dataclass(frozen=True, slots=True)
class Certified:
    """A deal that a policy lets through, and the number of its attempt, from 0."""

    attempt: int
    pack: tuple[Card, ...]
    """Shuffled; the top card is the last one."""


class NoDeal(Exception):
    """No attempt was let through: the judge knows too little, or the rules make it too hard."""


def practice_seed(number: int) -> bytes:
    """The seed of a deal that is known by its number. Only for practice: anyone can know such a deal beforehand.

    >>> practice_seed(1).hex()[:16]
    '2490d2b65feac981'
    """
    return digest(b"dormie practice", str(number).encode())


def attempt_seed(seed: bytes, attempt: int) -> bytes:
    """The seed of attempt number *attempt*, from 0, at a deal."""
    return digest(b"dormie attempt", seed, attempt.to_bytes(4, "big"))


def attempt_pack(rules: PatienceRules, seed: bytes, attempt: int) -> tuple[Card, ...]:
    """The shuffled pack of an attempt."""
    return shuffle(attempt_seed(seed, attempt), rules.pack)


def certify(
    rules: PatienceRules, seed: bytes, judge: Judge, most: int = MOST_ATTEMPTS
) -> Certified:
    """The first attempt at a deal that the rules' policy lets through. Raises NoDeal after *most* of them.

    >>> def never(rules: PatienceRules, position: Position) -> Verdict: return "unknown"
    >>> certify(PatienceRules(), bytes(32), never).attempt
    0
    >>> certify(PatienceRules(deal_policy="clearable"), bytes(32), never, most=3)
    Traceback (most recent call last):
        ...
    dormie_rules.patience_deals.NoDeal: none of 3 deals was let through
    """
    for attempt in range(most):
        pack = attempt_pack(rules, seed, attempt)
        if lets_through(rules, pack, judge, attempt):
            return Certified(attempt, pack)
    raise NoDeal(f"none of {most} deals was let through")


def why_not_certified(rules: PatienceRules, seed: bytes, attempt: int, judge: Judge) -> str | None:
    """What is wrong with a deal said to be attempt number *attempt*, in a sentence, or None.

    Every attempt before it is judged again: each must be one that the policy turns down.
    """
    for number in range(attempt):
        if lets_through(rules, attempt_pack(rules, seed, number), judge, number):
            return f"attempt {number} was good enough, and attempt {attempt} was dealt"
    if not lets_through(rules, attempt_pack(rules, seed, attempt), judge, attempt):
        return f"attempt {attempt} is not what {policy_at(rules, attempt)} asks for"
    return None


def policy_at(rules: PatienceRules, attempt: int) -> DealPolicy:
    """What is asked of an attempt: as the rules say, but nobody is picky for ever.

    >>> [policy_at(PatienceRules(deal_policy="gentle"), attempt) for attempt in (0, 499, 500)]
    ['gentle', 'gentle', 'clearable']
    """
    picked = rules.deal_policy in {"gentle", "par_4_5"}
    return "clearable" if picked and attempt >= PICKED_ATTEMPTS else rules.deal_policy


def lets_through(
    rules: PatienceRules, pack: tuple[Card, ...], judge: Judge, attempt: int = 0
) -> bool:
    """Whether the policy accepts a deal; what the judge does not know is not accepted."""
    match policy_at(rules, attempt):
        case "random":
            return True
        case "not_hopeless":
            return not hopeless(rules, lay_out(rules, pack))
        case "clearable":
            return judge(rules, lay_out(rules, pack)) == "clearable"
        case "gentle":
            return gentle(rules, lay_out(rules, pack))
        case "par_4_5":
            position = lay_out(rules, pack)
            return par_of(rules, position) > LOWEST and judge(rules, position) == "clearable"


def gentle(rules: PatienceRules, position: Position) -> bool:
    """Whether enough players clear the deal who look one card ahead and do not know the stock.

    That they do proves as well that it can be cleared: no solver is needed.
    """
    scores = honest_scores(rules, position)
    return sum(score <= 0 for score in scores) >= GENTLE


def hopeless(rules: PatienceRules, position: Position) -> bool:
    """Whether a glance shows that the tableau cannot be cleared: nothing fits, or every Queen lies under a King.

    In the first case nothing can be drawn either. In the second no King can ever leave, because a King goes on
    a Queen. It goes on an Ace as well under ``wrap``, on a joker, and on an empty foundation: there a glance at
    Kings proves nothing.

    >>> under = tuple((Card("QS"), Card("KS")) for _ in range(4))
    >>> hopeless(PatienceRules(), Position(under, Card("5S"), ()))
    True
    """
    if board_of(rules, position).ending == "stuck":
        return True
    places = [*position.columns, position.stock]
    start_is_free = position.foundation is None and rules.empty_start
    if rules.king_rule == "wrap" or start_is_free or position.foundation == JOKER:
        return False
    if any(JOKER in cards for cards in places):
        return False
    buried = sum(map(_queens_under_kings, position.columns))
    all_queens = sum(rank(card) == "Q" for cards in places for card in cards)
    on_top = position.foundation is not None and rank(position.foundation) == "Q"
    there_is_a_king = any(rank(card) == "K" for column in position.columns for card in column)
    return there_is_a_king and not on_top and buried == all_queens


def _queens_under_kings(column: tuple[Card, ...]) -> int:
    """How many Queens have a King between them and the end of the column."""
    ranks = [rank(card) for card in column]
    last_king = max((at for at, one in enumerate(ranks) if one == "K"), default=0)
    return ranks[:last_king].count("Q")
