"""A Dormie house with a stopwatch at every seam: `python -m bench.load.watched FLAGS OF dormie-server`.

At SIGUSR1 it says, in one line of JSON, what it has counted so far.
"""

import gc
import json
import signal
import sys
import time
from collections.abc import Sequence
from types import FrameType
from typing import Any

from bench.load.stopwatch import Seam, Stopwatch, cost
from dormie_rules.course import GridCourse
from dormie_server import cli, connection, documents, keeper
from dormie_server.alarms import Alarms
from dormie_server.connection import Reception
from dormie_server.desk import Desk
from dormie_server.documents import Kept
from dormie_server.guard import GuardedConnection
from dormie_server.hub import Hub
from dormie_server.keeper import Keeper
from dormie_server.pen import Pen
from dormie_server.seen import Page
from dormie_server.sqlite_file import SqliteFile
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table import matches
from dormie_server.talk import Talk

HOLES = "a hole's end: waking up, the next deal, a match's record"
"""Whatever an alarm sets off, all stages together."""

SEAMS: Sequence[Seam] = (
    ("receiving: a frame, a message of it, a limit", GuardedConnection, "data_received"),
    ("receiving: a frame, a message of it, a limit", Reception, "receive"),
    ("reading the message", connection, "read_client"),
    ("the desk: who asks for what", Desk, "answer"),
    ("the keeper: one at a time, compare and set", Keeper, "do"),
    ("the table: seats, turns, clocks", keeper, "handle"),
    ("the rules: legal or not, and what it does", matches, "act"),
    ("text: what everybody sees", Kept, "__post_init__"),
    ("text: events, note and chain", documents, "write_events"),
    ("text: events, note and chain", documents, "write_note"),
    ("text: the rest of the document", Pen, "write"),
    ("the store's queue", SqliteStore, "put"),
    ("the store's queue", SqliteStore, "_commit"),
    ("the store's queue", SqliteStore, "_announce"),
    ("SQLite: begin, document, note, commit", SqliteFile, "commit"),
    ("alarms", Alarms, "changed"),
    (HOLES, Alarms, "ring"),
    (HOLES, Alarms, "_answer"),
    ("the hub: who watches, and from which seat", Hub, "tell"),
    ("what each seat is sent", Page, "__init__"),
    ("what each seat is sent", Page, "text"),
    ("listing legal moves", GridCourse, "moves"),
    ("frames, and the answer", Talk, "push"),
    ("frames, and the answer", Talk, "answer"),
    ("handing frames to the loop", GuardedConnection, "write_frame"),
)


COLLECTOR = "the garbage collector"


def main() -> int:
    inner, outer = cost()
    watch = Stopwatch({HOLES})
    for seam in SEAMS:
        watch.watch(seam)
    collector, before = watch.stage(COLLECTOR), []

    def collect(phase: str, _about: dict[str, Any]) -> None:
        if phase == "start":
            before.append(watch.enter(collector))
        elif before:
            watch.back(before.pop())

    def say(_number: int, _frame: FrameType | None) -> None:
        counted = watch.counted._asdict()
        told = counted | {"inner": inner, "outer": outer, "thread": time.thread_time_ns()}
        sys.stdout.write(f"{json.dumps(told)}\n")
        sys.stdout.flush()

    gc.callbacks.append(collect)
    signal.signal(signal.SIGUSR1, say)
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
