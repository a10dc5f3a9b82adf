"""Looking ahead as a good player does: along every run of cards that can be played without drawing.

All tableaus that a position can come to are numbered as the solver numbers them, so that whatever was
found out about one of them is kept for the next question. What lies in the stock is not known here, only
which ranks have not been seen.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dormie_rules.cards import JOKER, RANKS, Card, rank
from dormie_rules.patience_lattice import size, strides
from dormie_rules.patience_layouts import COVERS
from dormie_rules.patience_moves import PatienceMove, Play
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules, followers
from dormie_rules.patience_sight import Sight, unseen
from dormie_rules.patience_state import Board
from dormie_rules.patience_tableaus import EVEN, Pile, Tableaus, Worth
from dormie_rules.values import replace

ALL_RANKS = RANKS + JOKER
STATES = 2500
"""After so many states looked at a player looks one card ahead only. It bounds the time of a decision, and
as it is a number and not a time, the same question always has the same answer."""


class Ahead:
    """What can be seen ahead from one board. It remembers what it has worked out, and nothing else.

    >>> sight = Sight(Board(((Card("5S"), Card("8H")), (Card("7D"),)), Card("9H"), 1, 1))
    >>> ahead = Ahead(PatienceRules(), sight)
    >>> ahead.left(ahead.run(ahead.start, ALL_RANKS.index("9")))
    1
    """

    def __init__(
        self, rules: PatienceRules, sight: Sight, states: int = STATES, work: int | None = None
    ) -> None:
        """Runs are followed to their ends for so many *states*; *work* says when it is `tired`, None never."""
        board = sight.board
        position = Position(board.columns, board.foundation, ())
        after = followers(rules)
        self._fits = tuple(sum(1 << ALL_RANKS.index(of) for of in after[top]) for top in ALL_RANKS)
        piles = _piles(rules, board)
        self._strides = tuple(pile.stride for pile in piles)
        self.start = size(position) - 1
        self.unseen = tuple(map(ALL_RANKS.index, unseen(rules, sight)))
        self._states, self._work = states, work
        self._may_wait = rules.draw_with_moves and board.stock > 0
        worth = Worth(self._onto, self._chances(stock=board.stock), EVEN if board.stock else 0.0)
        self._tableaus = Tableaus(piles, worth, len(board.down))
        self._best: dict[int, tuple[float, int]] = {}
        self._walks: dict[int, int] = {}

    @property
    def whole(self) -> bool:
        """Whether every run was looked at that was asked about, so that a best one is the best there is."""
        return len(self._best) < self._states

    @property
    def tired(self) -> bool:
        """Whether so much was looked at that a player with little time should ask no more."""
        return self._work is not None and self.looked_at >= self._work

    @property
    def looked_at(self) -> int:
        """How much was worked out so far: tableaus, and walks through them."""
        return len(self._tableaus) + len(self._walks)

    @property
    def waiting(self) -> float:
        """What it seems to be worth to play nothing now."""
        return self._tableaus[self.start].worth

    def left(self, tableau: int) -> int:
        """How many cards a tableau has left."""
        return self._tableaus[tableau].left

    def best(self, tableau: int, top: int) -> tuple[float, int]:
        """What the best run from here on seems to be worth, CLEARED if it leaves nothing, and its end."""
        return self._run(tableau, top)

    def after(self, column: int) -> int:
        """The tableau once a card of *column* is played from the first one."""
        return self.start - self._strides[column]

    def run(self, tableau: int, top: int) -> int:
        """The tableau after the best run from here on; maybe there is none, and it stays the same."""
        return self._run(tableau, top)[1] if self.whole else self._walk(tableau, top)

    def _run(self, tableau: int, top: int) -> tuple[float, int]:
        """What the best run is worth, and where it ends."""
        key = tableau * len(ALL_RANKS) + top
        found = self._best.get(key)
        if found is not None:
            return found
        here, fits = self._tableaus[tableau], self._fits[top]
        if not self.whole:
            return here.worth, tableau
        runs = [self._run(tableau - less, of) for of, less in here.exposed if fits >> of & 1]
        if not runs:
            found = here.worth, tableau
        elif self._may_wait:
            found = max((here.worth, tableau), *runs, key=_worth)
        else:
            found = max(runs, key=_worth)
        self._best[key] = found
        return found

    def _walk(self, tableau: int, top: int) -> int:
        """A run of which each card is chosen for what is seen after it."""
        on_the_way = []
        while (key := tableau * len(ALL_RANKS) + top) not in self._walks:
            on_the_way.append(key)
            here, fits = self._tableaus[tableau], self._fits[top]
            steps = [(of, tableau - less) for of, less in here.exposed if fits >> of & 1]
            if not steps:
                self._walks[key] = tableau
                break
            top, tableau = max(steps, key=self._step) if len(steps) > 1 else steps[0]
        end = self._walks[key]
        self._walks.update(dict.fromkeys(on_the_way, end))
        return end

    def _step(self, step: tuple[int, int]) -> float:
        top, tableau = step
        there, fits = self._tableaus[tableau], self._fits[top]
        goes_on = any(fits >> of & 1 for of, _ in there.exposed)
        return there.worth + goes_on

    @property
    def _onto(self) -> tuple[int, ...]:
        """For each card the ranks that it goes on."""
        return tuple(
            sum(1 << at for at, fit in enumerate(self._fits) if fit >> card & 1)
            for card in range(len(ALL_RANKS))
        )

    def _chances(self, *, stock: int) -> tuple[float, ...]:
        """How likely each rank is the stock's next."""
        there = Counter(self.unseen if stock else ())
        return tuple(there[at] / max(1, len(self.unseen)) for at in range(len(ALL_RANKS)))


@dataclass(frozen=True, slots=True)
class Run:
    """A run of cards: its first move, what its end is worth, and how many cards it leaves."""

    move: PatienceMove
    worth: float
    left: int
    sure: bool
    """No run has a better end; a run that leaves nothing is always sure."""


def best_run(ahead: Ahead, board: Board, moves: Sequence[PatienceMove]) -> Run | None:
    """The best run that begins with one of *moves*; None when no card fits."""
    best: Run | None = None
    for move in moves:
        if isinstance(move, Play):
            worth, end = ahead.best(
                ahead.after(move.column), number(board.columns[move.column][-1])
            )
            if best is None or worth > best.worth:
                best = Run(move, worth, ahead.left(end), sure=False)
    return None if best is None else replace(best, sure=ahead.whole or not best.left)


def number(card: Card) -> int:
    """The number of a card's rank: 0 for an Ace, 12 for a King, 13 for a joker."""
    return ALL_RANKS.index(rank(card))


def _piles(rules: PatienceRules, board: Board) -> tuple[Pile, ...]:
    steps = strides(Position(board.columns, board.foundation, ()))
    over = COVERS[rules.layout] or [()] * len(steps)
    return tuple(
        Pile(tuple(map(number, cards)), steps[at], _covering(board, over[at], steps))
        for at, cards in enumerate(board.columns)
    )


def _covering(board: Board, over: Sequence[int], steps: Sequence[int]) -> tuple[int, ...] | None:
    """What stands for the cards that lie on a place; None if one is face-down, which no look ahead removes."""
    if any(at in board.down for at in over):
        return None
    return tuple(steps[at] for at in over if board.columns[at])


def _worth(run: tuple[float, int]) -> float:
    return run[0]
