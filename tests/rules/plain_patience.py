"""Golf Patience as slowly and plainly as it can be written: every way to play a few cards, tried in turn.

It shares no line with the rules or the solver, so that it can disagree with both.
"""

from functools import cache
from typing import Any, TypeAlias

from hypothesis import strategies as st

from dormie_rules.cards import Card
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import PatienceRules

Plain: TypeAlias = tuple[tuple[str, ...], str, str]
"""Columns, the top (or "" for none) and the stock, all as ranks."""

NUMBER = {one: at for at, one in enumerate("A23456789TJQK", 1)}


def goes_on(rules: PatienceRules, top: str, card: str) -> bool:
    if top == "":
        return rules.empty_start
    if top == "*":
        return True
    if top == "K" and rules.king_rule == "strict":
        return card == "*" and rules.joker_on_strict_king
    if card == "*":
        return True
    apart = abs(NUMBER[top] - NUMBER[card])
    return apart == 1 or (apart == 12 and rules.king_rule == "wrap")


def choices(rules: PatienceRules, at: Plain) -> dict[str, Plain]:
    """Every move that can be made, a column's number or D, and where it leads."""
    columns, top, stock = at
    if not any(columns):
        return {}
    found: dict[str, Plain] = {}
    for number, column in enumerate(columns):
        if column and goes_on(rules, top, column[-1]):
            less = (*columns[:number], column[:-1], *columns[number + 1 :])
            found[str(number)] = (less, column[-1], stock)
    if stock and (rules.draw_with_moves or not found):
        found["D"] = (columns, stock[0], stock[1:])
    return found


def best_of(rules: PatienceRules, at: Plain) -> int:
    """The lowest score, from every way to play on."""

    @cache
    def best(at: Plain) -> int:
        columns, _, stock = at
        left = sum(map(len, columns))
        now = left or -len(stock)
        return min([now, *(best(after) for after in choices(rules, at).values())])

    return best(at)


def keeping_of(rules: PatienceRules, at: Plain) -> set[str]:
    """The moves after which the hole can still end as low."""
    best = best_of(rules, at)
    return {move for move, after in choices(rules, at).items() if best_of(rules, after) == best}


def plain(position: Position) -> Plain:
    return (
        tuple("".join(card[0] for card in column) for column in position.columns),
        position.foundation[0] if position.foundation else "",
        "".join(card[0] for card in position.stock),
    )


def positions(most: int = 9, columns: int = 4) -> st.SearchStrategy[Position]:
    """Positions of a few cards whose ranks lie close together, so that many of them fit."""
    some = st.sampled_from("AA223QQKK*")
    column = st.lists(some, max_size=3)
    return st.builds(
        lambda cs, top, stock: Position(
            tuple(tuple(map(Card, c)) for c in cs), top and Card(top), tuple(map(Card, stock))
        ),
        st.lists(column, max_size=columns).filter(lambda cs: sum(map(len, cs)) <= most),
        st.none() | some,
        st.lists(some, max_size=4),
    )


def all_rules(**fixed: Any) -> st.SearchStrategy[PatienceRules]:
    """Every choice that a solver must know; *fixed* are not left to chance."""
    free: dict[str, st.SearchStrategy[Any]] = {
        "king_rule": st.sampled_from(["strict", "queen", "wrap"]),
        "empty_start": st.booleans(),
        "draw_with_moves": st.booleans(),
        "joker_on_strict_king": st.booleans(),
    }
    return st.builds(PatienceRules, **{**free, **{n: st.just(v) for n, v in fixed.items()}})
