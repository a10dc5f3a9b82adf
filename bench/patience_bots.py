"""How good the bots are at Golf Patience: so many deals each, straight on the rules, and par beside them.

`python -m bench patience_bots [--deals N] [--first NUMBER] [--level NAME] [--king RULE]`

The deals are the practice deals from a number on, so everybody can deal them again. Par is what recipe A
makes of the same deals, whoever plays. The intervals hold with 95 % certainty.
"""

import argparse
from dataclasses import dataclass, field
from time import process_time
from typing import get_args

from bench.bots import interval
from dormie_bots import PATIENCE_LEVELS, find_patience_bot
from dormie_rules.drawers import look
from dormie_rules.game import Deal, act
from dormie_rules.luck import digest
from dormie_rules.patience_deals import attempt_pack, practice_seed
from dormie_rules.patience_hole import GolfPatience
from dormie_rules.patience_par import par_of
from dormie_rules.patience_position import lay_out
from dormie_rules.patience_rules import KingRule, PatienceRules
from dormie_rules.patience_sight import sight_of


@dataclass(slots=True)
class Score:
    """What one level made of some deals."""

    holes: list[int] = field(default_factory=list)
    pars: list[int] = field(default_factory=list)
    millis: list[float] = field(default_factory=list)
    """The processor's milliseconds of every decision."""


def play(
    rules: PatienceRules, level: str, number: int, millis: list[float], attempt: int = 0
) -> int:
    """The score of a level at an attempt at practice deal *number*; its times are added to *millis*."""
    golf, bot, seed = GolfPatience(rules), find_patience_bot(level, rules), practice_seed(number)
    state = golf.deal(Deal(attempt_pack(rules, seed, attempt), b"")).state
    while golf.waiting_for(state):
        sight, moves = sight_of(state), golf.moves(look(state, 0))
        luck = digest(b"bench", seed, bytes([sight.board.pile]))
        began = process_time()
        move = bot(sight, moves, luck).move
        millis.append(1000 * (process_time() - began))
        state = act(golf, state, 0, move).state
    return state.public.board.score


def measure(rules: PatienceRules, level: str, deals: range) -> Score:
    """Let a level play some deals."""
    score = Score()
    for number in deals:
        score.holes.append(play(rules, level, number, score.millis))
        deal = lay_out(rules, attempt_pack(rules, practice_seed(number), 0))
        score.pars.append(par_of(rules, deal))
    return score


def row(king_rule: str, level: str, score: Score) -> str:
    """A line of the table in ``docs/bots.md`` and ``docs/par.md``."""
    mean, by = interval(score.holes)
    over, over_by = interval([a - b for a, b in zip(score.holes, score.pars, strict=True)])
    holes = len(score.holes)
    cleared = sum(points <= 0 for points in score.holes) / holes
    made = sum(a <= b for a, b in zip(score.holes, score.pars, strict=True)) / holes
    millis = sorted(score.millis)
    return (
        f"| `{king_rule}` | `{level}` | {mean:.2f} ± {by:.2f} | {100 * cleared:.1f} % "
        f"| {sum(score.pars) / holes:.2f} | {over:+.2f} ± {over_by:.2f} | {100 * made:.0f} % "
        f"| {sum(millis) / len(millis):.1f} / {millis[len(millis) * 99 // 100]:.1f} / {millis[-1]:.1f} |"
    )


def main() -> None:
    kings: tuple[KingRule, ...] = get_args(KingRule)
    parser = argparse.ArgumentParser(prog="python -m bench patience_bots", description=__doc__)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--level", choices=PATIENCE_LEVELS, action="append")
    parser.add_argument("--king", choices=kings, action="append")
    asked = parser.parse_args()
    print(
        "| Kings | bot | mean hole | cleared | par | over par | par or better | ms mean / p99 / max |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for king_rule in asked.king or kings:
        for level in asked.level or PATIENCE_LEVELS:
            deals = range(asked.first, asked.first + asked.deals)
            score = measure(PatienceRules(king_rule), level, deals)
            print(row(king_rule, level, score), flush=True)


if __name__ == "__main__":
    main()
