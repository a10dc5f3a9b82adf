"""The strong player at Golf Patience: tries every move against many orders that the stock may have."""

from collections.abc import Sequence
from functools import partial

from dormie_bots.bot import Luck
from dormie_bots.patience_bot import PatienceBot, PatienceChoice
from dormie_bots.patience_medium import patience_medium
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_ahead import Ahead, best_run
from dormie_rules.patience_chances import best_chance, chances
from dormie_rules.patience_moves import GiveUp, PatienceMove
from dormie_rules.patience_reason import reason
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_sight import Sight

WORK = 7_000
"""After so many tableaus and walks no more orders are tried. It bounds the time of a decision in every game, and
as it is a number and not a time, the same view and luck give the same move on a slow machine as well."""


def patience_hard(rules: PatienceRules) -> PatienceBot:
    """The bot for *rules*."""
    return partial(_choose, rules)


def _choose(
    rules: PatienceRules, sight: Sight, moves: Sequence[PatienceMove], luck: Luck
) -> PatienceChoice:
    able = [move for move in moves if not isinstance(move, GiveUp)]
    if len(able) < 2:  # noqa: PLR2004 - one is no choice
        why = reason("nothing_fits") if Draw() in able else reason("only_move")
        return PatienceChoice(moves[0], why)
    board = sight.board
    ahead = Ahead(rules, sight, work=WORK)
    run = best_run(ahead, board, able)
    if run is not None and run.left == 0:
        return PatienceChoice(run.move, reason("clears_now", stock=board.stock))
    if board.down:  # an average would have to guess the tableau too
        return patience_medium(rules)(sight, moves, luck)
    if run is not None and not board.stock:
        return PatienceChoice(run.move, reason("run", cards=board.left - run.left))
    best = best_chance(chances(ahead, sight, able, luck))
    tenths = round(10 * best.mean)
    if isinstance(best.move, Draw):
        return PatienceChoice(Draw(), reason("average_draw", tenths=tenths))
    return PatienceChoice(best.move, reason("average", tenths=tenths))
