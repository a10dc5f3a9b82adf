"""Make the load generator from its C, when it is not there yet: one command, under a second."""

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path
from shutil import which

HERE = Path(__file__).resolve().parent
BUILT = HERE.parent.parent / "build" / "load"
SOURCES = ("load.c", "base.c", "line.c", "table.c", "window.c")
FLAGS = ("-O2", "-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra")


class NoCompiler(Exception):
    """There is nothing here that makes a program from C."""


def compiler() -> str | None:
    """The C compiler of this machine, if it has one."""
    return which(os.environ.get("CC", "cc"))


def build(into: Path = BUILT) -> Path:
    """Return the program, made anew when a source has changed. Raises NoCompiler."""
    program = into / f"load-{_digest()}"
    if program.exists():
        return program
    cc = compiler()
    if cc is None:
        raise NoCompiler("a C compiler is needed: install gcc or clang, or name one in CC")
    into.mkdir(parents=True, exist_ok=True)
    # Made beside its place and then moved there: two that build at once do not meet.
    with tempfile.TemporaryDirectory(dir=into) as corner:
        fresh = Path(corner) / "load"
        sources = [str(HERE / name) for name in SOURCES]
        subprocess.run([cc, *FLAGS, "-o", str(fresh), *sources], check=True)
        fresh.replace(program)
    return program


def _digest() -> str:
    read = hashlib.sha256(" ".join(FLAGS).encode())
    for name in ("load.h", *SOURCES):
        read.update((HERE / name).read_bytes())
    return read.hexdigest()[:12]
