"""A line that is half typed when news comes in, on a terminal that somebody looks at."""

import os
import re
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.clients.test_play_command import DORMIE, IN_TIME, PIPE, house, quick

MOVES_OR_STYLES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COLOURS = re.compile(r"\x1b\[[0-9;]*(?:3[0-7]|4[0-7]|9[0-7]|38|48)[0-9;]*m")


class Screen:
    """A terminal as a person has one."""

    def __init__(self, mine: int) -> None:
        self._mine = mine

    def type(self, text: str) -> None:
        os.write(self._mine, text.encode())

    def reads(self, *words: str) -> str:
        """What is shown until *words* are, one after the other; they may come in one piece."""
        shown = ""
        in_order = re.compile(".*?".join(map(re.escape, words)), re.DOTALL)
        while not in_order.search(MOVES_OR_STYLES.sub("", shown)):
            ready, _, _ = select.select([self._mine], [], [], IN_TIME)
            assert ready, f"waited in vain for {words!r} after {shown!r}"
            shown += os.read(self._mine, 4096).decode()
        return shown


@contextmanager
def at_a_terminal(*argv: str, home: Path, **environment: str) -> Iterator[Screen]:
    """`dormie play` on a terminal."""
    mine, theirs = os.openpty()
    system = {**quick(), "DORMIE_HOME": str(home), "TERM": "xterm", **environment}
    with subprocess.Popen(
        [*DORMIE, "play", *argv], stdin=theirs, stdout=theirs, stderr=PIPE, env=system
    ) as started:
        try:
            yield Screen(mine)
        finally:
            started.terminate()
            os.close(theirs)
    os.close(mine)


def ben_comes(url: str, code: str, home: Path) -> None:
    subprocess.run(
        [*DORMIE, "play", url, code, "--name", "Ben"],
        input="",
        text=True,
        check=True,
        timeout=60,
        stdout=subprocess.DEVNULL,
        env={**quick(), "DORMIE_HOME": str(home / "ben")},
    )


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with house() as address:
        yield address


def test_what_was_half_typed_stands_below_the_news(url: str, tmp_path: Path) -> None:
    with at_a_terminal(url, "--size", "3", "--name", "Ada", home=tmp_path) as ada:
        opened = ada.reads("everything you can do.")  # the prompt may be there before
        code = re.findall(r"dormie play \S+ (\w{8})", opened)[0]
        ada.type("sco")
        ada.reads("sco")
        ben_comes(url, code, tmp_path)
        ada.reads("Ben takes seat 2.")
        again = ada.reads("> sco")
        ada.type("re\r")
        answer = ada.reads("No hole is over yet.")

    assert "2 of 3 seats taken" in MOVES_OR_STYLES.sub("", again)
    assert "That is no command" not in answer


def test_a_terminal_is_never_coloured(url: str, tmp_path: Path) -> None:
    with at_a_terminal(url, "--new", "--name", "Ada", home=tmp_path, NO_COLOR="1") as ada:
        page = ada.reads("bot LEVEL >")
        ada.type("?\r")
        page += ada.reads("? me")

    assert [] == COLOURS.findall(page)


@pytest.mark.parametrize(
    ("argv", "environment"),
    [(("--plain",), {}), (("--list",), {}), ((), {"TERM": "dumb"})],
)
def test_who_wants_plain_lines_gets_nothing_else(
    argv: tuple[str, ...], environment: dict[str, str], url: str, tmp_path: Path
) -> None:
    with at_a_terminal(url, "--new", *argv, home=tmp_path, **environment) as ada:
        page = ada.reads("bot LEVEL >")
        ada.type("who\n")
        page += ada.reads("4. free")

    assert "\x1b" not in page


def test_a_narrow_terminal_breaks_lines_between_words(url: str, tmp_path: Path) -> None:
    with at_a_terminal(url, "--new", "--width", "40", "--plain", home=tmp_path) as ada:
        page = ada.reads("bot LEVEL >")
        for typed, last in (
            ("?", "pioche..."),
            ("options", '"*":-3}.'),
            ("rules", '"*":-3}'),
        ):
            ada.type(f"{typed}\n")
            page += ada.reads(last, "bot LEVEL >")

    lines = [line for line in page.replace("\r", "").splitlines() if "http" not in line]
    assert [] == [line for line in lines if len(line) > 40]
