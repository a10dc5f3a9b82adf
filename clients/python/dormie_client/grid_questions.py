"""What the referee is asked about grid Golf: grids, penalties, who is out, who came where."""

from collections.abc import Mapping, Sequence
from typing import get_args

from dormie_client.question import (
    MAX_PLAYERS,
    MAX_SCORE,
    Ask,
    NoAnswer,
    Question,
    Why,
    read_name,
    read_names,
    read_score,
    read_scores,
)
from dormie_rules.cards import RANKS, Card, is_card, rank
from dormie_rules.penalties import Mode, Tie, charged
from dormie_rules.scoring import Scoring, grid_score
from dormie_rules.scoring_options import BadRules, read_scoring, rows, whole, word, yes_or_no
from dormie_rules.standing import Finish, eliminate, places
from dormie_rules.variants import find

MAX_SIDE = 10

HIDDEN = "#"
"""How a card that lies face-down is written."""


def _grid_score(question: Question) -> int:
    scoring = _scoring(question["rules"])
    lines = [
        rows(f"grid.{at}", row, MAX_SIDE)
        for at, row in enumerate(rows("grid", question["grid"], MAX_SIDE))
    ]
    cols = len(lines[0]) if lines else 0
    if not cols or any(len(line) != cols for line in lines):
        raise BadRules("grid", "rows of equal length are needed")
    priced = {rank for rank, _ in scoring.values}
    grid = [
        _card(f"grid.{row}.{col}", card, priced)
        for row, line in enumerate(lines)
        for col, card in enumerate(line)
    ]
    return grid_score(scoring, grid, cols)


def _scoring(given: object) -> Scoring:
    if isinstance(given, str):
        return _named_scoring(given)
    try:
        return read_scoring(given)
    except BadRules as bad:
        field = f"rules.{bad.field}" if bad.field else "rules"
        raise BadRules(field, bad.because) from None


def _named_scoring(variant: str) -> Scoring:
    try:
        return find(variant).rules.scoring
    except KeyError:
        raise NoAnswer(Why.UNKNOWN_VARIANT, "no variant has this name", "rules") from None


def _card(field: str, given: object, priced: set[str]) -> Card | None:
    if given == HIDDEN:
        return None
    if not isinstance(given, str) or not (is_card(given) or given in [*RANKS]):
        raise BadRules(field, "a card is a rank A23456789TJQK and maybe a suit SHDC, or * or #")
    card = Card(given)
    if rank(card) not in priced:
        raise BadRules(field, "these rules give this card no value")
    return card


def _round_score(question: Question) -> dict[str, int]:
    mode: Mode = word("mode", question["mode"], get_args(Mode))
    tie: Tie = word("tie", question["tie"], get_args(Tie))
    scores = read_scores("scores", question["scores"])
    closer = question["closer"]
    if closer is not None and (not isinstance(closer, str) or closer not in scores):
        raise BadRules("closer", "one of the players is needed, or null when nobody closed")
    return charged(mode, tie, scores, closer)


def _elimination(question: Question) -> dict[str, object]:
    limit = whole("limit", question["limit"], 1, MAX_SCORE)
    alive = read_names("alive", question["alive"])
    totals = read_scores("totals", question["totals"])
    hole = read_scores("hole", question["hole"])
    withdrawn = read_names("withdrawn", question["withdrawn"])
    inclusive = yes_or_no("limit_inclusive", question.get("limit_inclusive", True))
    _check_players(alive, totals, hole, withdrawn)
    after = eliminate(limit, alive, totals, hole, withdrawn, inclusive=inclusive)
    return {
        "eliminated": list(after.eliminated),
        "alive": list(after.alive),
        "winners": None if after.winners is None else list(after.winners),
    }


def _check_players(
    alive: Sequence[str],
    totals: Mapping[str, int],
    hole: Mapping[str, int],
    withdrawn: Sequence[str],
) -> None:
    if not alive:
        raise BadRules("alive", "at least one player is needed")
    if set(alive) - totals.keys():
        raise BadRules("totals", "everybody still in needs a total")
    if set(withdrawn) - set(alive):
        raise BadRules("withdrawn", "only who was still in can withdraw")
    if set(alive) - set(withdrawn) - hole.keys():
        raise BadRules("hole", "everybody still in needs a score, unless they withdraw")
    if hole.keys() - set(alive):
        raise BadRules("hole", "only who was still in can have a score")


def _places(question: Question) -> list[list[object]]:
    history = [
        _finish(f"history.{at}", row)
        for at, row in enumerate(rows("history", question["history"], MAX_PLAYERS))
    ]
    if len({finish.player for finish in history}) < len(history):
        raise BadRules("history", "the same player twice")
    return [list(placed) for placed in places(history)]


def _finish(field: str, given: object) -> Finish[str]:
    """A row of a history; a fourth field, true, marks a player who left."""
    row = rows(field, given, 4)
    if len(row) < 3:  # noqa: PLR2004 - the three that are named in the message
        raise BadRules(field, "a row is a player, the hole of elimination or null, and a total")
    player, out, total, withdrawn = (*row, False)[:4]
    return Finish(
        read_name(field, player),
        None if out is None else whole(field, out, 1, MAX_SCORE),
        read_score(field, total),
        withdrawn=yes_or_no(field, withdrawn),
    )


GRID_ASKS: Mapping[str, Ask] = {
    "grid_score": Ask(_grid_score, ("rules", "grid")),
    "round_score": Ask(_round_score, ("mode", "tie", "scores", "closer")),
    "elimination": Ask(
        _elimination, ("limit", "alive", "totals", "hole", "withdrawn"), ("limit_inclusive",)
    ),
    "places": Ask(_places, ("history",)),
}
