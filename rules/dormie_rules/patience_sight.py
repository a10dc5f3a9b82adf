"""What a player of Golf Patience may know: the board, and every card that has lain open on it.

The cards of the stock are known only as what is missing, and their order not at all. Bots and fair hints
are given a sight and nothing else, so they cannot know what a person in their place would not know.
"""

from collections import Counter
from dataclasses import dataclass

from dormie_rules.cards import RANKS, Card, rank
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_state import Board, PatienceState


@dataclass(frozen=True, slots=True)
class Sight:
    """A board, and what its player remembers."""

    board: Board
    seen: tuple[Card, ...] = ()
    """The cards below the top of the foundation; whoever does not count cards leaves it empty."""


def sight_of(state: PatienceState) -> Sight:
    """What the player of a hole may know.

    >>> from dormie_rules.game import Deal
    >>> from dormie_rules.patience_hole import GolfPatience
    >>> rules = PatienceRules()
    >>> sight = sight_of(GolfPatience(rules).deal(Deal(rules.pack, b"")).state)
    >>> sight.seen, len(unseen(rules, sight)), sight.board.stock
    ((), 16, 16)
    """
    return Sight(state.public.board, state.secret.under)


def sight_in(deal: Position, board: Board) -> Sight:
    """What a player may know on whose *board* the hole that began with *deal* has come so far.

    A card that still lies face-down was never seen.

    >>> from dormie_rules.patience_board import board_of
    >>> deal = Position(((Card("5S"),),), Card("9H"), (Card("6D"), Card("2C")))
    >>> sight_in(deal, board_of(PatienceRules(), Position(deal.columns, Card("6D"), deal.stock[1:]))).seen
    ('9H',)
    """
    shown = len(deal.stock) - board.stock
    up = tuple(cards for at, cards in enumerate(deal.columns) if at not in board.down)
    turned = Counter([*_lying(up, deal.foundation), *deal.stock[:shown]])
    return Sight(
        board, tuple((turned - Counter(_lying(board.columns, board.foundation))).elements())
    )


def unseen(rules: PatienceRules, sight: Sight) -> str:
    """The ranks of all cards that have not lain open, in the order A to K, then jokers.

    >>> unseen(PatienceRules(), Sight(Board((), Card("AS"), 1, 1), PatienceRules().pack[:50]))
    'QK'
    """
    board = sight.board
    left = Counter(map(rank, rules.pack))
    left.subtract(map(rank, (*_lying(board.columns, board.foundation), *sight.seen)))
    return "".join(one * left[one] for one in (*RANKS, "*"))


def _lying(columns: tuple[tuple[Card, ...], ...], top: Card | None) -> tuple[Card, ...]:
    cards = tuple(card for column in columns for card in column)
    return cards if top is None else (*cards, top)
