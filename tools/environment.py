"""Make the environment in which Dormie runs: `.venv`, with exactly what the lock names.

The standard library is enough for it, because on a fresh clone there is nothing else. With uv the
work takes seconds: one on PATH is used, else the locked one is installed; without it, pip does.
"""

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".venv"
BIN = HOME / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / "python"
LOCK = ROOT / "requirements-dev.lock"
WHERE = HOME / "where.mk"  # an environment does not survive a move: the Makefile compares
STAMP = HOME / "stamp"  # newer than the lock: nothing to do
SETTINGS = {
    "UV_PYTHON_DOWNLOADS": "never",  # the Python that is here is the one that was asked for
    "UV_LINK_MODE": "copy",  # no warning where the cache is on another disk
    "UV_SYSTEM_CERTS": "true",  # a network with certificates of its own has told the system
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever starts this may have any Python
        sys.exit(f"Dormie needs Python 3.11 or newer, and this is {sys.version.split()[0]}.")
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    os.chdir(ROOT)
    if not fits():
        build()
    fill()
    WHERE.write_text(f"MADE_IN := {ROOT}\n", "utf-8")
    STAMP.touch()


def fits() -> bool:
    """Whether the environment that is there works, here, and with the Python that asks."""
    moved = WHERE.exists() and WHERE.read_text("utf-8") != f"MADE_IN := {ROOT}\n"
    if moved or not PYTHON.exists():
        return False
    ask = "import sys; from importlib.util import find_spec as has; assert has('pip') or has('uv');"
    ask += "print(*sys.version_info[:2])"
    answer = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True, check=False)
    return answer.stdout.split() == [str(part) for part in sys.version_info[:2]]


def build() -> None:
    say(f"making .venv with Python {sys.version.split()[0]}")
    try:
        venv.create(HOME, clear=True, symlinks=os.name != "nt", with_pip=True)
    except subprocess.CalledProcessError:
        if not shutil.which("uv"):
            shutil.rmtree(HOME, ignore_errors=True)
            sys.exit("This Python cannot make environments. On Debian: apt install python3-venv")


def fill() -> None:
    uv = shutil.which("uv") or locked_uv()
    if uv and ran(uv, "pip", "sync", "--quiet", "--python", PYTHON, "--require-hashes", LOCK):
        install: list[str | Path] = [uv, "pip", "install", "--quiet", "--python", PYTHON]
    else:
        say("going on with pip")
        install = [PYTHON, "-m", "pip", "install", "--quiet"]
        if not ran(*install, "--require-hashes", "-r", LOCK):
            sys.exit("The libraries could not be installed; the lines above say why.")
    if not ran(*install, "--no-build-isolation", "--no-deps", "--editable", "."):
        sys.exit("Dormie itself could not be installed; the lines above say why.")


def locked_uv() -> "Path | None":
    """Return the uv that the lock names, installed first if need be."""
    uv = BIN / "uv"
    line = re.search(r"^uv==.*\n(?: +--hash.*\n)+", LOCK.read_text("utf-8"), re.MULTILINE)
    if uv.exists() or line is None:
        return uv if uv.exists() else None
    wish = HOME / "uv.lock"
    wish.write_text(line[0], "utf-8")
    pip = (PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", wish)
    return uv if ran(*pip) else None


def ran(*command: "str | Path") -> bool:
    return subprocess.run(command, check=False).returncode == 0


def say(what: str) -> None:
    print(f"dormie: {what}", flush=True)


if __name__ == "__main__":
    main()
