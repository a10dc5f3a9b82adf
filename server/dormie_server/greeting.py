"""What a house says when it has opened."""

import contextlib
import shutil
import sys
from pathlib import Path


def greeting(found: tuple[str, ...]) -> tuple[str, ...]:
    """What a host needs to read about a house that is reached at *found*: where it is, how friends join."""
    here, *elsewhere = found
    return (
        f"Dormie is ready: {here}",
        *(f"For friends on your network: {link}" for link in elsewhere),
        f"Open a table for yourself, a friend and two bots: {_command()} play {here} --bots medium,easy",
        "It prints what a friend types to join. Ctrl-C closes the house.",
    )


def _command() -> str:
    """How to start a client here: by its name where the system finds it, else by its place."""
    beside = Path(sys.executable).parent / "dormie"
    if shutil.which("dormie") or not beside.exists():
        return "dormie"
    with contextlib.suppress(ValueError):
        return str(beside.relative_to(Path.cwd()))
    return str(beside)
