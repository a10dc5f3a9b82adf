"""What the system knows of a server's connections: whose data waits because nobody takes it."""

from pathlib import Path

_ESTABLISHED = "01"
_MUCH = 10_000
"""Bytes: more than any line has under way whose other side takes what comes."""


def full_lines(port: int) -> int:
    """How many connections from a server at *port* hold data that the other side does not take.

    The system lists addresses and queues in hexadecimal, one connection to a line.
    """
    rows = (row.split() for row in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:])
    return sum(
        int(local.rpartition(":")[2], 16) == port
        and state == _ESTABLISHED
        and int(queues.partition(":")[0], 16) > _MUCH
        for _, local, _, state, queues, *_ in rows
    )
