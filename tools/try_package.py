"""Build the wheel and the sdist, install each in a clean environment, and play a hole from there.

A hole is played as a newcomer would: `dormie play --local`, answering what the prompt asks.
"""

import os
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ANSWERS = (
    (re.compile(r"Enter"), ""),
    (re.compile(r"cards up: flip (\d+)"), "flip {0}"),
    (re.compile(r"in hand: .*throw"), "throw"),
    (re.compile(r"in hand: swap (\d+)"), "swap {0}"),
    (re.compile(r"Your turn: draw"), "draw"),
    (re.compile(r"Your turn: .*pass"), "pass"),
    (re.compile(r"Your turn: flip (\d+)"), "flip {0}"),
    (re.compile(r"rematch"), "quit"),
)
PLAY = (
    "play",
    "--local",
    "--bots",
    "medium",
    "--seats",
    "2",
    "--option",
    "holes=1",
    "--name",
    "Eve",
)
WITHIN = 120


def main() -> int:
    """0 when a hole was played from both packages."""
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, str(ROOT)]
        subprocess.run(build, check=True, capture_output=True)
        for package in (*there.glob("*.whl"), *there.glob("*.tar.gz")):
            home = there / f"home-{package.suffix.strip('.')}"
            install(home, package)
            lines = play(home)
            print(f"{package.name}: played a hole, {len(lines)} lines; {lines[-1]}")
    return 0


def install(home: Path, package: Path) -> None:
    """A new environment with nothing in it but the package and what it needs."""
    venv.create(home, with_pip=True)
    pip = [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    lock = str(ROOT / "requirements.lock")
    subprocess.run([*pip, "--require-hashes", "-r", lock], check=True)
    subprocess.run([*pip, "--no-deps", str(package)], check=True)


def play(home: Path) -> list[str]:
    """Everything a newcomer reads while a hole is played."""
    clean = {"PATH": os.defpath, "HOME": str(home), "DORMIE_PAUSE_SECONDS": "0.1"}
    game = subprocess.Popen(
        [str(home / "bin" / "dormie"), *PLAY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**clean, "DORMIE_BOT_SECONDS": "0"},
        cwd=home,
        text=True,
    )
    lines = list(_conversation(game))
    if game.wait(WITHIN) or not any("Hole 1." in line for line in lines):
        raise SystemExit("\n".join(["no hole could be played:", *lines]))
    return lines


def _conversation(game: "subprocess.Popen[str]") -> Iterator[str]:
    assert game.stdin is not None, "it is a pipe"
    assert game.stdout is not None, "it is a pipe"
    for line in game.stdout:
        yield line.rstrip()
        answer = _answer(line.rstrip())
        if answer is not None:
            game.stdin.write(f"{answer}\n")
            game.stdin.flush()


def _answer(line: str) -> str | None:
    """What a newcomer types when the prompt says *line*."""
    if not line.endswith(">"):
        return None
    for prompt, answer in ANSWERS:
        if found := prompt.search(line):
            return answer.format(*found.groups())
    return None


if __name__ == "__main__":
    sys.exit(main())
