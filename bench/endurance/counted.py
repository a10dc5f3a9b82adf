"""``dormie-server`` as people run it, but for one thing: asked with SIGUSR1, it counts what it holds.

How heavy a process is says little of what it forgot to let go: the collector comes seldom, and what
Python has given back the allocator keeps for the next one. So this collects, counts and writes a line.
"""

import gc
import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path

from bench.endurance.census import heap
from bench.endurance.house import COUNT, COUNTED_IN
from dormie_server.cli import main


def count(*_: object) -> None:
    """Write down what is alive: objects the collector knows, pieces of memory, KiB in use."""
    gc.collect()
    living = Counter(type(one).__qualname__ for one in gc.get_objects())
    said = {
        "objects": living.total(),
        "blocks": sys.getallocatedblocks(),
        "used_kib": heap().used,
        "free_kib": heap().free,
        "kinds": dict(living.most_common(300)),
    }
    if COUNTED_IN not in os.environ:
        sys.stdout.write(f"{json.dumps(said)}\n")
        sys.stdout.flush()
        return
    path = Path(os.environ[COUNTED_IN])
    path.with_suffix(".new").write_text(json.dumps(said), encoding="utf-8")
    path.with_suffix(".new").replace(path)


if __name__ == "__main__":
    signal.signal(COUNT, count)
    sys.exit(main())
