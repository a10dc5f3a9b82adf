"""A million frames nobody should send, from everybody who might: what comes back, and who is harmed.

`python -m bench fuzz [--frames N] [--seed WORD] [--processes N]`, a million frames if nothing is said.
`--only N` does one attack again, as a finding names it; `--strict` in a house with the usual limits.
`tests/fuzz` says how it is done, and does the same with fewer frames.

Example: `make bench ARGS="fuzz --frames 100000 --seed tuesday"`
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from time import perf_counter

from tests.fuzz.campaign import Plan, fuzz
from tests.fuzz.outcome import Outcome, Weight

GROWN = 8 * 1024
"""KiB: a process that has grown by more since half of its frames is not flat."""
MARKS = (10, 50, 100)
SHOWN = 10


def main(given: Sequence[str] | None = None) -> int:
    """Do a campaign and print its table; 1 if anything was found."""
    asked = _parser().parse_args(given)
    began = perf_counter()
    plans = _plans(asked)
    if len(plans) == 1:
        outcomes = [fuzz(plans[0], partial(_progress, 0, plans[0].frames, told=set()))]
    else:
        with ProcessPoolExecutor(len(plans)) as processes:
            outcomes = list(processes.map(_fuzz_aside, range(len(plans)), plans))
    whole = Outcome()
    for outcome in outcomes:
        whole.add(outcome)
    grown = max(outcome.growth for outcome in outcomes)
    _print_table(whole, outcomes, perf_counter() - began)
    faults = whole.faults() + ([f"grown by {grown} KiB"] if grown > GROWN else [])
    for fault in faults[:SHOWN]:
        print(f"\n{fault}")
    if len(faults) > SHOWN:
        print(f"\n... and {len(faults) - SHOWN} more")
    return int(bool(faults))


def _parser() -> argparse.ArgumentParser:
    about, _, example = (__doc__ or "").partition("Example: ")
    parser = argparse.ArgumentParser(
        prog="python -m bench fuzz",
        description=about.partition("\n")[0],
        epilog=f"Example: {example.strip().strip('`')}",
    )
    parser.add_argument("--frames", type=int, default=1_000_000, help="in all (1000000)")
    parser.add_argument("--seed", default="1", help="the same seed attacks in the same way (1)")
    parser.add_argument("--only", type=int, help="one attack alone, by its number")
    parser.add_argument("--strict", action="store_true", help="in a house with the usual limits")
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, help="one for each core"
    )
    return parser


def _plans(asked: argparse.Namespace) -> list[Plan]:
    """What each process does: attacks are dealt out by number, like cards."""
    if asked.only is not None:
        return [Plan(asked.seed, asked.frames, asked.only, strict=asked.strict)]
    share = -(-asked.frames // asked.processes)
    between = min(20_000, max(500, share // 10))
    return [
        Plan(asked.seed, share, None, number, asked.processes, asked.strict, between)
        for number in range(asked.processes)
    ]


def _fuzz_aside(number: int, plan: Plan) -> Outcome:
    return fuzz(plan, partial(_progress, number, plan.frames, told=set()))


def _progress(number: int, frames: int, outcome: Outcome, told: set[str]) -> None:
    """Say how far a process is, and at once what it found: it might not live to the table."""
    now = outcome.weights[-1]
    for fault in outcome.faults():
        if fault not in told:
            print(f"process {number + 1}: {fault}", file=sys.stderr)
            told.add(fault)
    print(
        f"process {number + 1}: {outcome.frames:>9,} of {frames:,} frames, {outcome.attacks:,} attacks, "
        f"{outcome.records} records right, {now.kib / 1024:.1f} MiB, {now.objects:,} objects, "
        f"{len(outcome.faults())} findings",
        file=sys.stderr,
        flush=True,
    )


def _print_table(whole: Outcome, outcomes: Sequence[Outcome], seconds: float) -> None:
    found = whole.findings
    rows = {
        "frames": f"{whole.frames:,} in {whole.attacks:,} attacks: {_listed(found.frames)}",
        "answers": _listed(found.words),
        "lines ended": _listed(found.closes),
        "wrong answers": str(len(found.wrong)),
        "hidden cards told": str(len(found.leaks)),
        "views of a day's hole": str(found.unscanned),
        "exceptions": str(len(whole.exceptions)),
        "tables harmed": str(len(whole.harmed)),
        "records right": str(whole.records),
        "left over": str(len(whole.left_over)),
        **{f"memory, process {n + 1}": _weights(one.weights) for n, one in enumerate(outcomes)},
        "frames a second": f"{whole.frames / seconds:,.0f} ({seconds:.0f} s; {whole.cpu:.0f} s of "
        f"processor time, attackers and honest people included)",
    }
    for name, value in rows.items():
        print(f"{name:>20}  {value}")


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.most_common()) or "none"


def _weights(weights: Sequence[Weight]) -> str:
    """MiB and objects after a tenth, a half and all of the frames."""
    return "; ".join(
        f"at {mark} % {one.kib / 1024:.1f} MiB, {one.objects:,} objects"
        for mark in MARKS
        for one in [next(w for w in weights if w.frames >= weights[-1].frames * mark / 100)]
    )


if __name__ == "__main__":
    sys.exit(main())
