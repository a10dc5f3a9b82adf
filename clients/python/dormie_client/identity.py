"""Who one is, kept from evening to evening: one token for each server, in a file of its own.

A token is all it takes to be somebody, so its file can be read by its owner only. Each server has its own
file, written whole or not at all: two programs that save at the same time do not lose each other's.
"""

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from dormie_client.address import server_name

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_MAX_SIZE = 4096


def config_home(environ: Mapping[str, str]) -> Path:
    """Where this program keeps things: $DORMIE_HOME, else a place among the others' settings.

    >>> config_home({"DORMIE_HOME": "/golf"}).as_posix()
    '/golf'
    >>> config_home({"XDG_CONFIG_HOME": "/settings", "HOME": "/home/ada"}).as_posix()
    '/settings/dormie'
    """
    if own := environ.get("DORMIE_HOME"):
        return Path(own)
    if (settings := environ.get("XDG_CONFIG_HOME")) and Path(settings).is_absolute():
        return Path(settings) / "dormie"
    return Path.home() / ".config" / "dormie"


def recall(home: Path, server: str) -> str | None:
    """The token kept for *server*; None when there is none, or only something damaged."""
    try:
        with _file(home, server).open("rb") as file:
            kept = json.loads(file.read(_MAX_SIZE))
    except (OSError, ValueError, RecursionError):
        return None
    token = kept.get("token") if isinstance(kept, dict) else None
    return token if isinstance(token, str) and _TOKEN.fullmatch(token) else None


def remember(home: Path, server: str, token: str) -> None:
    """Keep the token for *server*. Raises OSError when it cannot be kept."""
    file = _file(home, server)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = json.dumps({"format": 1, "server": server_name(server), "token": token}) + "\n"
    handle, name = tempfile.mkstemp(
        dir=file.parent, prefix=".new-"
    )  # for its owner only, from birth
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as new:
            new.write(text)
            new.flush()
            os.fsync(new.fileno())
        Path(name).replace(file)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def forget(home: Path, server: str) -> None:
    """Keep no token for *server* any more."""
    _file(home, server).unlink(missing_ok=True)


def _file(home: Path, server: str) -> Path:
    return file_of(home, server, "tokens")


def file_of(home: Path, server: str, kind: str) -> Path:
    """Where something of this *kind* is kept: a name people recognise, and a digest that makes it one server's."""
    name = server_name(server)
    readable = re.sub(r"[^a-z0-9.-]+", "_", name).strip("._")[:60]
    digest = hashlib.sha256(name.encode()).hexdigest()[:12]
    return home / kind / f"{readable}-{digest}.json"
