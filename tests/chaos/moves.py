"""Which move anybody makes, whatever the game, and how it stands in a record."""

from collections.abc import Sequence
from random import Random
from typing import Any

from dormie_rules.grid_moves import Draw, write_move
from dormie_rules.patience_moves import Concede, GiveUp, Play, write_patience_move

GIVES_UP, CONCEDES = 0.002, 0.0005
"""So often somebody who could go on gives a hole up, or a match."""


def pick(moves: Sequence[Any], luck: Random, *, race: bool) -> Any:  # a move of any game
    """One of *moves* that luck chooses: in a race one that gets on, in turns anything legal.

    None when there is nothing that anybody waits for: whoever has finished a hole can still concede.
    """
    if not race or not moves:
        return luck.choice(moves) if moves else None
    plays = [move for move in moves if isinstance(move, Play)]
    draws = [move for move in moves if isinstance(move, Draw)]
    if (plays or draws) and Concede() in moves and luck.random() < CONCEDES:
        return Concede()
    if (plays or draws) and luck.random() >= GIVES_UP:
        return luck.choice(plays or draws)
    return GiveUp() if GiveUp() in moves else None


def anything(moves: Sequence[Any], *, race: bool) -> bool:
    """Whether there is a move that somebody waits for.

    >>> anything([Concede()], race=True), anything([Draw()], race=True), anything([], race=False)
    (False, True, False)
    """
    return any(not isinstance(move, Concede) for move in moves) if race else bool(moves)


def written(move: Any, *, race: bool) -> str:  # a move of any game
    """How a record writes it.

    >>> written(Draw(), race=False), written(Play(0), race=True)
    ('draw', 'play 1')
    """
    return write_patience_move(move) if race else write_move(move)
