"""What a power cut takes of a Redis: `python -m bench chaos --servers 2 --power-cuts 20` ends up here.

Writers put documents as servers do, the power is cut again and again, and what was acknowledged is looked
up: nothing may be missing with fsync always, and with fsync every second the window is measured.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.chaos.power import build
from tests.chaos.redis_power import Writer, one_cut, powered_redis, said

WRITERS = 16
LONGEST = 3.0
"""The power stays on for so many seconds at most, so that cuts come at any time since the last sync."""


async def cuts(asked: argparse.Namespace, folder: Path) -> bool:
    """Cut the power so often; print what was lost. Whether every promise was kept. Raises NoPower."""
    luck, windows = Random(asked.seed), list[float]()
    writers = [Writer(f"table:{number}") for number in range(WRITERS)]
    acknowledged = lost = broken = 0
    with powered_redis(folder, build(folder), asked.appendfsync) as (redis, disk):
        for number in range(asked.power_cuts):
            over = _over(writers, luck.uniform(0.2, LONGEST))
            torn = luck if number % 2 else None
            losses, more, cut = await one_cut(redis, disk, writers, over, torn)
            acknowledged += more
            lost += sum(loss.versions for loss in losses)
            broken += sum(not loss.whole for loss in losses)
            windows.append(max(loss.seconds for loss in losses))
            took = f"{windows[-1]:.2f} s" if windows[-1] else "nothing"
            print(
                f"{number + 1}/{asked.power_cuts}: {more:,} acknowledged, {took} lost,"
                f" {cut.unsynced:,} bytes not synced",
                file=sys.stderr,
                flush=True,
            )
    windows.sort()
    print(
        f"| {asked.power_cuts} power cuts under Redis, appendfsync {asked.appendfsync} | |\n|---|---|"
    )
    print(f"| puts acknowledged | {acknowledged:,} |\n| of these lost | {lost:,} |")
    print(f"| documents, notes and cards that do not agree | {broken} |")
    print(
        f"| window lost: median, longest | {windows[len(windows) // 2]:.2f} s, {windows[-1]:.2f} s |"
    )
    good = not broken and (asked.appendfsync != "always" or not lost)
    print("every promise was kept" if good else "a promise was broken")
    return good


def _over(writers: list[Writer], seconds: float) -> Callable[[], bool]:
    """Whether so much time has passed, and anything was acknowledged."""
    until, some = time.monotonic() + seconds, said(writers, 1)
    return lambda: time.monotonic() > until and some()
