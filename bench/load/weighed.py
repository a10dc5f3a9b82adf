"""A Dormie house whose memory is traced: `python -m bench.load.weighed FLAGS OF dormie-server`.

At SIGUSR1 it says, in one line of JSON, how many bytes are held that were asked for in each module,
once the collector has been through.
"""

import gc
import json
import signal
import sys
import tracemalloc
from collections import Counter
from types import FrameType

from dormie_server import cli

LARGE = "large"
"""What Python asked the system's allocator for, because it is more than 512 bytes: counted twice."""


def main() -> int:
    tracemalloc.start()

    def say(_number: int, _frame: FrameType | None) -> None:
        gc.collect()
        told = Counter[str]()
        for trace in tracemalloc.take_snapshot().traces:
            place = trace.traceback[0]
            told[_short(place.filename)] += trace.size
            told[LARGE] += trace.size if trace.size > 512 else 0
        sys.stdout.write(f"{json.dumps(told)}\n")
        sys.stdout.flush()

    signal.signal(signal.SIGUSR1, say)
    return cli.main()


def _short(path: str) -> str:
    """The last two parts of a path: which package, which module."""
    return "/".join(path.removesuffix(".py").rsplit("/", 2)[-2:])


if __name__ == "__main__":
    sys.exit(main())
