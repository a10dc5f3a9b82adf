"""The options of Golf Patience: what may be changed about a variant, and why a choice is refused."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, get_args

from dormie_rules.patience_rules import (
    DealPolicy,
    JokerFollow,
    KingRule,
    PatienceRules,
    PatienceScoring,
    Undo,
)
from dormie_rules.scoring_options import BadRules, whole, word, yes_or_no

MAX_HOLES = 36

PATIENCE_OPTIONS: Mapping[str, Callable[[str, object], Any]] = {  # each reads what its field holds
    "king_rule": partial(word, words=get_args(KingRule)),
    "jokers": partial(whole, low=0, high=2),
    "empty_start": yes_or_no,
    "draw_with_moves": yes_or_no,
    "joker_on_strict_king": yes_or_no,
    "joker_follow": partial(word, words=get_args(JokerFollow)),
    "undo": partial(word, words=get_args(Undo)),
    "deal_policy": partial(word, words=get_args(DealPolicy)),
    "holes": partial(whole, low=1, high=MAX_HOLES),
    "par": partial(whole, low=3, high=5),
    "scoring": partial(word, words=get_args(PatienceScoring)),
}

FIXED: Mapping[str, int] = {"columns": 7, "per_column": 5, "redeals": 0}
"""Golf has no other numbers: its relatives are games of their own."""


def choose_patience(
    options: Mapping[str, object], base: PatienceRules | None = None
) -> PatienceRules:
    """The rules with these *options* laid over *base*.

    Raises BadRules for an option that is unknown, out of range, or does not go with the others.

    >>> choose_patience({"king_rule": "wrap", "jokers": 1}).stock
    17
    >>> choose_patience({"holes": 37})
    Traceback (most recent call last):
        ...
    dormie_rules.scoring_options.BadRules: a number from 1 to 36 is needed
    """
    chosen = {name: _read(name, of) for name, of in options.items()}
    rules = replace(base or PatienceRules(), **chosen)
    if rules.scoring == "match" and rules.undo != "off":
        raise BadRules("undo", "whoever plays a match takes nothing back")
    return rules


def _read(name: str, given: object) -> Any:  # as in PATIENCE_OPTIONS
    if name in FIXED:
        return whole(name, given, FIXED[name], FIXED[name])
    if name not in PATIENCE_OPTIONS:
        raise BadRules("options", "there is an option here that Golf Patience does not have")
    return PATIENCE_OPTIONS[name](name, given)
