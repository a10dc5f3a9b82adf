"""Whether two matches that differ only in cards a viewer has not seen look alike to that viewer.

`python -m bench leaks [PAIRS]`, 100,000 if nothing is said: every variant at tables of all sizes, at
every moment of their matches. `tests/rules/test_leaks.py` does the same with a thousand.
"""

import sys
from itertools import count
from random import Random
from time import perf_counter

from dormie_rules.variants import find, names
from tests.leaks import check_renaming, record, viewers
from tests.rules.playing import Table


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    began, pairs = perf_counter(), 0
    for number in count():
        luck = Random(number)
        table = any_table(luck)
        journal = record(table, luck, most=luck.randint(1, 150))
        for viewer in viewers(table.seats):
            check_renaming(table.course, journal, viewer, luck)
            pairs += 1
        if pairs >= wanted:
            break
    print(f"{pairs} pairs, no difference, {perf_counter() - began:.0f} s")


def any_table(luck: Random) -> Table:
    variant = find(luck.choice(names()))
    rows, cols = luck.choice(variant.shapes)
    seats = luck.randint(variant.min_seats, variant.max_seats)
    return Table(variant.name, seats, (("cols", cols), ("rows", rows)))


if __name__ == "__main__":
    main()
