"""Hints for whoever plays Golf Patience alone: worked out in the process beside the server.

A fair hint is made from what the player can see; the open one looks into the stock, and says so.
"""

from dormie_protocol.patience_messages import HintKind
from dormie_rules.patience_hints import Hint, fair_hint, open_hint
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_sight import Sight, sight_in
from dormie_rules.race_hole import position_of
from dormie_rules.race_state import RacePocket, RaceSecret
from dormie_rules.solver import solve
from dormie_server.table.refusal import No
from dormie_server.table.state import Table, day_of, seat_of
from dormie_server.worker import Busy, Worker

_WITHIN = 15.0
"""Seconds after which nobody waits for a hint any more."""


async def hint_for(table: Table, player: str, kind: HintKind, luck: bytes, worker: Worker) -> Hint:
    """A good move for *player*. Raises No where none is given, or none can be found in time."""
    if seat_of(table, player) is None:
        raise No("not_seated")
    if table.public.phase != "playing":
        raise No("wrong_time")
    rules, hole, pocket = table.about.rules, table.secret.hole, table.state.pockets[0]
    alone = len(table.public.seats) == 1
    if not isinstance(rules, PatienceRules) or not alone or day_of(table):
        raise No("no_hint")
    if not isinstance(hole, RaceSecret) or not isinstance(pocket, RacePocket) or not pocket.board:
        raise No("hole_over")
    board = pocket.board
    try:
        if kind == "open":
            position = position_of(hole.deal, board)
            hint = await worker.run(openly, rules, position, within=_WITHIN)
        else:
            sight = sight_in(hole.deal, board)
            hint = await worker.run(fairly, rules, sight, luck, within=_WITHIN)
    except Busy:
        raise No("busy") from None
    if hint is None:
        raise No("hole_over" if board.ending else "hint_unknown")
    return hint


def fairly(rules: PatienceRules, sight: Sight, luck: bytes) -> Hint | None:
    """The fair hint; takes up to some tenths of a second."""
    return fair_hint(rules, sight, luck)


def openly(rules: PatienceRules, position: Position) -> Hint | None:
    """The open hint; likewise."""
    return open_hint(rules, position, solve)
