"""The options of a table: what may be changed about a variant, and why a choice is refused.

Options arrive as plain JSON values from people, so every value is checked here, once, and each refusal
names the field and gives the reason in words.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any, Literal, get_args

from dormie_rules.grid_rules import (
    End,
    FinalLapRule,
    FlipAfterDiscard,
    GridRules,
    NextFirst,
    StockEmpty,
    deck_count,
    shared,
    spare_cards,
)
from dormie_rules.match_play import TiedMatch
from dormie_rules.penalties import Mode, Tie
from dormie_rules.scoring import Scoring
from dormie_rules.scoring_options import BadRules, read_scoring, whole, word, yes_or_no
from dormie_rules.standing import TieBreak
from dormie_rules.variant import Variant

BadOption = BadRules
"""An option that cannot be had: the field and the reason in words."""

JOKER_VALUE = -3
"""What a joker is worth when a table adds jokers to a variant without any (rule Q3)."""

USUAL_HOLES, USUAL_LIMIT = 9, 100

LATER = frozenset(
    {
        "allow_return_discard",
        "first_player",
        "flip_as_action",
        "hidden_cards",
        "initial_peek",
        "knock",
        "setup_constraint",
    }
)
"""Options that the rules describe and that no table offers yet."""


def _or(word: object, read: Callable[[str, object], Any]) -> Callable[[str, object], Any]:
    """A reader that takes *word* as it is and leaves the rest to *read*."""
    return lambda field, given: (
        given if given == word and given is not False else read(field, given)
    )


OPTIONS: Mapping[str, Callable[[str, object], Any]] = {  # each reads what its field holds
    "rows": partial(whole, low=1, high=16),
    "cols": partial(whole, low=1, high=16),
    "initial_face_up": partial(whole, low=0, high=15),
    "flip_after_discard": partial(word, words=get_args(FlipAfterDiscard)),
    "last_flip_optional": yes_or_no,
    "final_lap": partial(word, words=get_args(FinalLapRule)),
    "closer_penalty": partial(word, words=get_args(Mode)),
    "closer_tie": partial(word, words=get_args(Tie)),
    "jokers_per_deck": partial(whole, low=0, high=3),
    "decks": _or("auto", partial(whole, low=1, high=4)),
    "stock_empty": partial(word, words=get_args(StockEmpty)),
    "max_reshuffles": _or(None, partial(whole, low=0, high=20)),
    "no_progress_laps": _or(None, partial(whole, low=1, high=20)),
    "max_laps": partial(whole, low=1, high=200),
    "end": partial(word, words=get_args(End)),
    "holes": _or(None, partial(whole, low=1, high=36)),
    "limit": _or(None, partial(whole, low=1, high=2000)),
    "limit_inclusive": yes_or_no,
    "tie_break": partial(word, words=get_args(TieBreak)),
    "next_first_player": partial(word, words=get_args(NextFirst)),
    "match_play": yes_or_no,
    "tied_match": partial(word, words=get_args(TiedMatch)),
}
SCORING = frozenset(field.name for field in fields(Scoring))


def choose(variant: Variant, options: Mapping[str, object], seats: int) -> GridRules:
    """The rules of a table of *seats* that plays *variant* with these *options*.

    Raises BadOption for an option that is unknown, out of range, or does not go with the others.

    >>> from dormie_rules.variants import find
    >>> choose(find("playroom"), {"rows": 3, "cols": 3}, seats=4).cells
    9
    >>> choose(find("playroom"), {"rows": 1, "cols": 6}, seats=4)
    Traceback (most recent call last):
        ...
    dormie_rules.scoring_options.BadRules: a grid has at least two rows
    """
    if not variant.min_seats <= seats <= variant.max_seats:
        bounds = f"{variant.min_seats} to {variant.max_seats}"
        raise BadOption("seats", f"{variant.name} is played by {bounds} players")
    for field in options:
        if field in LATER:
            raise BadOption(field, "this option is not offered yet")
        if field not in OPTIONS and field not in SCORING:
            raise BadOption("options", f"there is an option here that {variant.name} does not have")
    chosen = {field: OPTIONS[field](field, of) for field, of in options.items() if field in OPTIONS}
    rules = replace(variant.rules, **_with_its_end(variant.rules, chosen))
    rules = replace(rules, scoring=_scoring(rules, options), decks=_decks(variant, rules, seats))
    _check(variant, rules, seats)
    return shared(rules)


def _with_its_end(rules: GridRules, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The choices and what they say about the end of the match where that was left open."""
    if "end" not in chosen or chosen["end"] == rules.end:
        return dict(chosen)
    by_holes = chosen["end"] == "holes"
    usual = {
        "holes": rules.holes or USUAL_HOLES if by_holes else None,
        "limit": None if by_holes else rules.limit or USUAL_LIMIT,
    }
    return {**usual, **chosen}


def _scoring(rules: GridRules, options: Mapping[str, object]) -> Scoring:
    """The variant's scoring with the table's choices laid over it, and a value for jokers if there are any."""
    base = rules.scoring
    if rules.jokers_per_deck and "*" not in dict(base.values):
        base = replace(base, values=(*base.values, ("*", JOKER_VALUE)))
    return read_scoring({f: value for f, value in options.items() if f in SCORING}, base)


def _decks(variant: Variant, rules: GridRules, seats: int) -> int | Literal["auto"]:
    """The decks chosen; "auto" never means fewer than the variant's own number (rule A2)."""
    own = variant.rules.decks
    if rules.decks != "auto" or own == "auto":
        return rules.decks
    return max(own, deck_count(rules, seats))


def _check_match(rules: GridRules) -> None:
    """Hole against hole is played over so many holes, and has its own way with ties."""
    if not rules.match_play:
        if rules.tied_match != "halve":
            raise BadOption("tied_match", "only match play has a match that can be tied")
        return
    if rules.end != "holes" or rules.limit is not None:
        field = "end" if rules.end != "holes" else "limit"
        raise BadOption(field, "a match is played over so many holes, whatever the points")
    if rules.tie_break != "share":
        raise BadOption("tie_break", "in match play tied_match says what becomes of a tie")


def _check(variant: Variant, rules: GridRules, seats: int) -> None:
    """What must hold between the choices."""
    if rules.rows < 2:  # noqa: PLR2004 - rule A2: a column of one card would always be "all equal"
        raise BadOption("rows", "a grid has at least two rows")
    if (rules.rows, rules.cols) not in variant.shapes:
        raise BadOption("rows", f"{variant.name} is played on {_shapes(variant)}, rows first")
    if rules.initial_face_up >= rules.cells:
        raise BadOption("initial_face_up", "at least one card must stay face-down")
    if rules.end == "holes" and rules.holes is None:
        raise BadOption("holes", "a match that ends after so many holes needs their number")
    if rules.end != "holes" and rules.limit is None:
        raise BadOption("limit", "a match that ends at a limit needs one")
    if spare_cards(rules, seats) < 2:  # noqa: PLR2004 - rule A1: one to draw, one to discard on
        few = f"too few cards for {seats} players of {rules.cells} cards each"
        raise BadOption("decks", few)
    _check_match(rules)


def _shapes(variant: Variant) -> str:
    *most, last = [f"{rows}x{cols}" for rows, cols in variant.shapes]
    return f"{', '.join(most)} or {last}" if most else last
