"""Two hundred small worlds in which everything goes wrong, and every promise is kept."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.simulator.features import missing
from tests.simulator.plan import SQLITE_EVERY, plan_of
from tests.simulator.planted import PLANTED
from tests.simulator.simulation import simulate
from tests.simulator.soak import soak

SEEDS, CHUNK = 200, 10
ROOT = Path(__file__).parent.parent.parent
PLANTED_WITHIN = 40
"""So many seeds must be enough to find a planted bug."""
DIGESTS = """
from tests.simulator.simulation import simulate
print(*(simulate(seed).trace.digest() for seed in range(8)))
"""


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_every_promise_is_kept_and_every_feature_occurs(
    first: int, tmp_path_factory: pytest.TempPathFactory, testrun_uid: str, worker_id: str
) -> None:
    """Whichever part of the seeds comes last looks at what all of them have counted."""
    counts = Counter[str]()
    for seed in range(first, first + CHUNK):
        outcome = simulate(seed)
        assert outcome.broken is None, outcome.report()
        counts += outcome.trace.counts
    own = tmp_path_factory.getbasetemp()
    together = (own if worker_id == "master" else own.parent) / f"counts-{testrun_uid}"
    together.mkdir(exist_ok=True)
    kept = together / f"{first}.json.new"
    kept.write_text(json.dumps(counts), encoding="utf-8")
    kept.rename(kept.with_suffix(""))
    parts = [Counter[str](json.loads(part.read_text())) for part in together.glob("*.json")]

    assert len(parts) < SEEDS // CHUNK or [] == missing(sum(parts, Counter[str]()))


def test_the_same_seed_gives_the_same_run_in_another_process_too() -> None:
    """Whatever the hashes of strings, the addresses of objects, and what ran before."""

    def run(hashes: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hashes}
        command = [sys.executable, "-c", DIGESTS]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    here = " ".join(simulate(seed).trace.digest() for seed in range(8))

    assert [here] * 2 == [run("1").strip(), run("2").strip()]


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_bug_is_found(name: str) -> None:
    outcomes = (simulate(seed, name) for seed in range(PLANTED_WITHIN))
    found = next((outcome for outcome in outcomes if outcome.broken), None)

    assert found is not None, f"{name} was not found"
    report = found.report()
    for part in (
        f"seed {found.plan.seed}: at step ",
        f'again: make bench ARGS="simulator --seed {found.plan.seed} --planted {name}"',
    ):
        assert part in report


def test_enough_goes_wrong() -> None:
    """A simulator in which nothing happens would find nothing."""
    counts = Counter[str]()
    for seed in range(12):
        counts += simulate(seed).trace.counts
    lines = ("break", "silence", "stall", "half-close", "slow", "device lost", "takeover")
    others = ("kill", "freeze", "outage", "store", "resume", "verified", "alarm", "refused")

    assert [] == [kind for kind in lines + others if not counts[kind]]


def test_every_store_has_its_seeds() -> None:
    plans = [plan_of(seed) for seed in range(2 * SQLITE_EVERY)]

    assert 2 == sum(plan.sqlite for plan in plans)
    assert {1} == {plan.servers for plan in plans if plan.sqlite}


def test_nasty_L09_after_a_long_time_nothing_is_left() -> None:
    """A day and a night of it are in bench/simulator.py."""
    soaked = soak(2.5)

    assert soaked.trace.broken is None, "\n".join(soaked.trace.lines(20))
    assert soaked.first.tasks == soaked.last.tasks
    assert soaked.first.timers == soaked.last.timers
    assert (0, 0) == (soaked.last.documents, soaked.last.tables)
    assert soaked.last.objects < soaked.first.objects * 1.02
