"""The promises of days, kept on one's own device: a house that changes one afterwards is found out."""

import json
from contextlib import suppress
from pathlib import Path

from dormie_client.identity import file_of

MOST = 60
"""So many days are remembered, the newest."""
_MAX_SIZE = 65_536


def kept_promise(home: Path, server: str, date: str) -> str | None:
    """What *server* promised for a day; None when it was not asked on that day."""
    return _read(home, server).get(date)


def keep_promise(home: Path, server: str, date: str, promise: str) -> None:
    """Keep the first promise for a day: a later one cannot replace it. What cannot be kept is not."""
    kept = _read(home, server)
    if date in kept:
        return
    newest = dict(sorted({**kept, date: promise}.items())[-MOST:])
    file = file_of(home, server, "promises")
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        new.write_text(json.dumps(newest) + "\n", "utf-8")
        new.replace(file)


def _read(home: Path, server: str) -> dict[str, str]:
    try:
        with file_of(home, server, "promises").open("rb") as file:
            kept = json.loads(file.read(_MAX_SIZE))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(kept, dict):
        return {}
    return {date: of for date, of in kept.items() if isinstance(of, str)}
