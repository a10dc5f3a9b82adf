"""The power fails under Redis: what was acknowledged is there, or the window is known."""

from pathlib import Path
from random import Random

from tests.chaos.redis_power import Writer, one_cut, powered_redis, said

TRIALS = 15


async def test_nasty_C04_a_power_cut_under_redis_takes_nothing_that_was_acknowledged(
    tmp_path: Path, power: Path
) -> None:
    """With fsync always, and whatever else of the log is on the disk, torn at any byte."""
    luck, lost, acknowledged, unsynced = Random(4), 0, 0, 0
    writers = [Writer(f"table:{number}") for number in range(12)]
    with powered_redis(tmp_path, power, "always") as (redis, disk):
        for trial in range(TRIALS):
            torn = luck if trial % 2 else None
            over = said(writers, luck.randrange(1, 60))
            losses, more, cut = await one_cut(redis, disk, writers, over, torn)
            lost += sum(loss.versions for loss in losses)
            acknowledged += more
            unsynced += cut.unsynced
            assert all(loss.whole for loss in losses), f"trial {trial}: {losses}"

    assert 0 == lost
    assert acknowledged >= TRIALS
    assert unsynced > 0, "and there was something to lose"


async def test_nasty_C04_the_disk_does_forget_without_a_sync(tmp_path: Path, power: Path) -> None:
    """The same with fsync every second loses what came since; so the test above can fail."""
    lost = 0
    writers = [Writer(f"table:{number}") for number in range(12)]
    with powered_redis(tmp_path, power, "everysec") as (redis, disk):
        for _ in range(3):
            losses, _more, _cut = await one_cut(redis, disk, writers, said(writers, 200), None)
            lost += sum(loss.versions for loss in losses)
            assert all(loss.whole for loss in losses)

    assert lost > 0
