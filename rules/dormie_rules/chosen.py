"""What a table has chosen that is not its variant's usual way, in words for people."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, TypeAlias

from dormie_rules.grid_rules import GridRules
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.scoring import BlockBonus, Scoring

AnyRules: TypeAlias = GridRules | PatienceRules

MOST = 60
"""Characters in one choice; what is longer ends in dots."""

_ABOVE = frozenset({"scoring", "decks"})
"""How cards count is told field by field, and how many decks there are follows from the players."""


def chosen(usual: AnyRules, rules: AnyRules) -> tuple[str, ...]:
    """The options in which *rules* differ from the *usual* ones, by name and value.

    >>> from dormie_rules.grid_options import choose
    >>> from dormie_rules.variants import find
    >>> six = find("six_card")
    >>> chosen(six.rules, choose(six, {"holes": 1, "final_lap": "none", "values": {"K": 10}}, 2))
    ('final_lap none', 'holes 1', 'values K 10')
    >>> chosen(six.rules, choose(six, {"holes": 9}, 2))
    ()
    """
    told = [*_of(usual, rules)]
    if isinstance(usual, GridRules) and isinstance(rules, GridRules):
        told += _scoring(usual, rules)
    texts = [f"{name} {value}" for name, value in told]
    return tuple(text if len(text) <= MOST else f"{text[: MOST - 1]}…" for text in texts)


def _of(usual: AnyRules, rules: AnyRules) -> Iterator[tuple[str, str]]:
    for field in fields(rules):
        value = getattr(rules, field.name)
        above = field.name in _ABOVE and isinstance(rules, GridRules)
        if not above and value != getattr(usual, field.name):
            yield field.name, _words(value)


def _scoring(usual: GridRules, rules: GridRules) -> Iterator[tuple[str, str]]:
    before = dict(usual.scoring.values)
    for field in fields(Scoring):
        value = getattr(rules.scoring, field.name)
        if value == getattr(usual.scoring, field.name):
            continue
        if field.name == "values":
            value = tuple((rank, worth) for rank, worth in value if before.get(rank) != worth)
        yield field.name, _words(value)


def _words(value: Any) -> str:  # whatever an option may hold
    """A value as people write it.

    >>> _words(True), _words(None), _words((("K", 10), ("*", -3))), _words(())
    ('yes', 'none', 'K 10, * -3', 'none')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, BlockBonus):
        return value.shape
    if isinstance(value, tuple):
        pairs = [" ".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in value]
        return ", ".join(pairs) or "none"
    return "none" if value is None else str(value)
