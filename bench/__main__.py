"""Say which benches there are, or run one: `python -m bench NAME`."""

import runpy
import sys
from pathlib import Path


def main() -> None:
    there = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
    if len(sys.argv) > 1 and sys.argv[1] in there:
        del sys.argv[0]
        runpy.run_module(f"bench.{sys.argv[0]}", run_name="__main__", alter_sys=True)
    else:
        print("make bench ARGS=NAME, where NAME is one of:", *(there or ["none yet"]))


if __name__ == "__main__":
    main()
