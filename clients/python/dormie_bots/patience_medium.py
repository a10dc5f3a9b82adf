"""The careful player at Golf Patience: looks along every run, and takes the one with the best end.

The best end has few cards, columns of even length, and exposed cards that the stock is likely to meet.
"""

from collections.abc import Sequence
from functools import partial

from dormie_bots.bot import Luck
from dormie_bots.patience_bot import PatienceBot, PatienceChoice
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_ahead import Ahead, best_run
from dormie_rules.patience_moves import PatienceMove
from dormie_rules.patience_reason import reason
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_sight import Sight


def patience_medium(rules: PatienceRules) -> PatienceBot:
    """The bot for *rules*."""
    return partial(_choose, rules)


def _choose(
    rules: PatienceRules, sight: Sight, moves: Sequence[PatienceMove], luck: Luck
) -> PatienceChoice:
    ahead = Ahead(rules, sight)
    run = best_run(ahead, sight.board, moves)
    if run is None:
        return PatienceChoice(moves[0], reason("nothing_fits"))
    if run.left == 0:
        return PatienceChoice(run.move, reason("clears_now", stock=sight.board.stock))
    if Draw() in moves and ahead.waiting > run.worth:
        return PatienceChoice(Draw(), reason("waits"))
    return PatienceChoice(run.move, reason("run", cards=sight.board.left - run.left))
