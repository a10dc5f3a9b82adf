"""How fast a house is, and what it holds on to, beside bare `websockets` servers in the same run.

`python -m bench speed [PART ...] [--quick] [--rounds N] [--seconds S] [--tables N] [--profile FILE]`

    python -m bench speed                      everything, some six minutes
    python -m bench speed moves                what a move costs, in one minute
    python -m bench speed glance --rounds 3    the same in a quarter of a minute, without most yardsticks
    python -m bench speed account              where each microsecond of a move goes
    python -m bench speed --profile moves.txt  where a house spends its time, with py-spy

Server and load have a core each. The servers take turns, and of every one the best window counts:
other programs can only make it slower. `docs/performance.md` says what the lines mean.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from bench.load.build import NoCompiler, build
from bench.load.parts import EXTRA, PARTS
from bench.load.processes import Ended
from bench.load.rows import Row, table
from bench.load.stage import QUICK, Place, Sizes, house

SAMPLES = 400
"""A second, of a profile."""


def main() -> None:
    asked = _parser().parse_args()
    try:
        build()
    except NoCompiler as why:
        sys.exit(f"speed: {why}")
    sizes = _sizes(asked)
    with tempfile.TemporaryDirectory(prefix="dormie-speed-") as folder:
        place = Place(Path(folder), lambda text: print(text, flush=True))
        try:
            if asked.profile is None:
                print(table(measure(asked.parts, sizes, place)))
            else:
                profile(sizes, place, asked.profile)
        except Ended as why:
            sys.exit(f"speed: {why}")


def measure(parts: list[str], sizes: Sizes, place: Place) -> list[Row]:
    """Measure the parts that are named, all of them if none is."""
    rows = []
    for name in parts or PARTS:
        place.say(f"--- {name}")
        rows += {**PARTS, **EXTRA}[name](sizes, place)
    return rows


def profile(sizes: Sizes, place: Place, file: Path) -> None:
    """Write where a busy house spends its time: one line for each stack, and how often it was seen."""
    spy = shutil.which("py-spy", path=Path(sys.executable).parent) or shutil.which("py-spy")
    if spy is None:
        sys.exit("speed: a profile needs py-spy on the PATH")
    with house(place, "profile") as pair:
        pair.sit(sizes.tables)
        seconds = max(1, round(sizes.seconds * sizes.times))
        options = ["--rate", SAMPLES, "--duration", seconds, "--format", "raw", "--output", file]
        words = [spy, "record", "--pid", pair.house.pid, *options]
        with subprocess.Popen([*map(str, words)]) as watching:
            window = pair.do(f"closed {seconds + 1}")
            watching.wait()
    print(f"{window.micros:.0f} µs a move while it was watched; {file}")


def _sizes(asked: argparse.Namespace) -> Sizes:
    sizes = QUICK if asked.quick else Sizes()
    chosen = {"tables": asked.tables, "seconds": asked.seconds, "times": asked.rounds}
    return replace(sizes, **{name: value for name, value in chosen.items() if value is not None})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench speed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = ", ".join([*PARTS, *EXTRA])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {names}")
    parser.add_argument("--quick", action="store_true", help="small and imprecise, under a minute")
    parser.add_argument("--rounds", type=int, help="windows of each server (5)")
    parser.add_argument("--seconds", type=float, help="of a window (3)")
    parser.add_argument("--tables", type=int, help="where the part does not say (100)")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="only watch a busy house")
    return parser


if __name__ == "__main__":
    main()
