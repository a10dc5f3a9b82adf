"""The options of Golf Patience: what may be changed about a variant, and why a choice is refused."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, get_args

from dormie_rules.match_play import TiedMatch
from dormie_rules.patience_layouts import FACE_DOWN
from dormie_rules.patience_rules import (
    DealPolicy,
    JokerFollow,
    KingRule,
    OpponentView,
    PatienceRules,
    PatienceScoring,
    TimeUp,
    Undo,
)
from dormie_rules.patience_variant import PatienceVariant
from dormie_rules.scoring_options import BadRules, whole, word, yes_or_no
from dormie_rules.standing import TieBreak

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
    "par_of_deal": yes_or_no,
    "scoring": partial(word, words=get_args(PatienceScoring)),
    "tie_break": partial(word, words=get_args(TieBreak)),
    "tied_match": partial(word, words=get_args(TiedMatch)),
    "play_out": yes_or_no,
    "opponent_view": partial(word, words=get_args(OpponentView)),
    "hole_seconds": partial(whole, low=10, high=86_400),
    "time_up": partial(word, words=get_args(TimeUp)),
}

FIXED = ("columns", "per_column", "redeals", "decks", "layout", "start", "build")
"""What a game has once and for all: another number of columns, or another layout, is a game of its own."""

_NOT_MEASURED = "nobody has measured what a deal of this game is worth"


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
    base = base or PatienceRules()
    chosen = {name: _read(base, name, of) for name, of in options.items()}
    rules = replace(base, **chosen)
    if rules.scoring == "match" and rules.undo != "off":
        raise BadRules("undo", "whoever plays a match takes nothing back")
    if rules.undo == "before_draw" and FACE_DOWN[rules.layout]:
        raise BadRules(
            "undo", "here any card may have turned up another one, which would be known then"
        )
    if rules.par_of_deal and not rules.golf:
        raise BadRules("par_of_deal", _NOT_MEASURED)
    if rules.deal_policy in {"gentle", "par_4_5"} and not rules.seven_columns:
        raise BadRules("deal_policy", _NOT_MEASURED)
    return rules


def choose_race(
    variant: PatienceVariant, options: Mapping[str, object], seats: int
) -> PatienceRules:
    """The rules of a table for so many *seats* that plays *variant* with these *options*.

    Raises BadRules as ``choose_patience`` does, and for seats that the variant does not have. Whoever plays
    with others takes nothing back, even where the variant lets a player who is alone.

    >>> from dormie_rules.patience_variants import find_patience
    >>> [choose_race(find_patience("golf_patience_easy"), {}, seats).undo for seats in (1, 2)]
    ['unlimited', 'off']
    >>> choose_race(find_patience("golf_patience_easy"), {"undo": "unlimited"}, 2)
    Traceback (most recent call last):
        ...
    dormie_rules.scoring_options.BadRules: whoever plays with others takes nothing back
    """
    least = max(variant.min_seats, 2 * (options.get("scoring") == "match"))
    if not least <= seats <= variant.max_seats:
        because = f"this is played by {least} to {variant.max_seats} players"
        raise BadRules("seats", because)
    base = variant.rules if seats == 1 else replace(variant.rules, undo="off")
    rules = choose_patience(options, base)
    if seats > 1 and rules.undo != "off":
        raise BadRules("undo", "whoever plays with others takes nothing back")
    return rules


def _read(base: PatienceRules, name: str, given: object) -> Any:  # as in PATIENCE_OPTIONS
    if name in FIXED:
        there = getattr(base, name)
        if type(given) is not type(there) or given != there:
            raise BadRules(name, "this game has it once and for all")
        return there
    if name not in PATIENCE_OPTIONS:
        raise BadRules("options", "there is an option here that Golf Patience does not have")
    return PATIENCE_OPTIONS[name](name, given)
