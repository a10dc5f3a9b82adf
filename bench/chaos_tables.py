"""The tables at which chaos is played: who sits there, and by which line they come."""

import argparse
from dataclasses import replace

from tests.chaos.plan import SORTS, Plan, race_of, sort_of

TURN_SECONDS = 5


def plans(asked: argparse.Namespace) -> list[Plan]:
    """What kinds of tables there are, by their numbers.

    Of tables of four a fifth have two bots, a fifth are on a bad line, a quarter stubborn; at a third people
    talk. Two of five have something more to do: one of each of the sorts of `tests/chaos/plan.py` in turn;
    and every fifth is a race. People who take any table for two are there once: others of their kind would
    meet them, and each table is kept in one ledger.
    """
    if asked.races:
        return [_race(asked, number, number) for number in range(asked.tables)]
    tables = [_table_of_four(asked, number) for number in range(asked.tables)]
    if asked.alone or asked.power_cuts:
        return tables
    for place, number in enumerate(range(0, asked.tables, 5)):
        tables[number] = sort_of(tables[number], _sort(2 * place))
        if number + 2 < asked.tables:
            tables[number + 2] = sort_of(tables[number + 2], _sort(2 * place + 1))
        if number + 3 < asked.tables and place % 2:
            tables[number + 3] = _race(asked, number + 3, place // 2)
    return tables


def _sort(number: int) -> int:
    again = number >= len(SORTS) and "quick" in SORTS[number % len(SORTS)]
    return number + 1 if again else number


def _table_of_four(asked: argparse.Namespace, number: int) -> Plan:
    return Plan(
        number,
        bots=2 if number % 5 == 3 else 0,
        rough=number % 5 == 4 and not asked.alone,
        stubborn=number % 4 == 1,
        holes=1 if number % 5 == 4 else 3,  # on a bad line a hole takes a minute
        turn_seconds=60 if asked.power_cuts else TURN_SECONDS,
        company=number % 3 == 0,
        think=asked.think,
    )


def _race(asked: argparse.Namespace, number: int, sort: int) -> Plan:
    """Golf Patience, a third of whose tables have a stubborn player."""
    plan = replace(_table_of_four(asked, number), rough=False, stubborn=sort % 3 == 1)
    return race_of(plan, sort, asked.holes)
