"""Write the two locks: what Dormie runs on, and what it is built and tested with.

A lock names versions and hashes and no place to fetch them from, so that any mirror will do.
Without arguments everything moves to the newest version allowed; `--upgrade-package NAME` moves
one library, and `--keep` only adds or removes what pyproject.toml has come to say.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS: dict[str, list[str]] = {
    "requirements.lock": [],
    "requirements-dev.lock": ["--group", "dev"],
}
COMPILE = (
    *(str(Path(sys.executable).with_name("uv")), "pip", "compile", "pyproject.toml"),
    *("--universal", "--generate-hashes", "--no-annotate"),  # and no address: the default
    *("--custom-compile-command", "make lock", "--quiet", "--system-certs"),
)


def main() -> None:
    wish = sys.argv[1:] or ["--upgrade"]
    wish = [word for word in wish if word != "--keep"]
    for lock, groups in LOCKS.items():
        command = [*COMPILE, *groups, *wish, "-o", lock]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
