"""`dormie play` as people and programs start it, with real servers."""

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

DORMIE = (sys.executable, "-m", "dormie_client.cli")
SERVER = (sys.executable, "-m", "dormie_server", "--host", "127.0.0.1", "--data", ":memory:")
IN_TIME = 60
PIPE = subprocess.PIPE
OVER = ("The match is over: ", "La partie est terminée : ")

Run: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]


def quick() -> dict[str, str]:
    """A system like the one we are on, with bots that do not pretend to think."""
    kept = {name: of for name, of in os.environ.items() if not name.startswith(("DORMIE", "LC_"))}
    return {**kept, "DORMIE_BOT_SECONDS": "0", "LANG": "C.UTF-8"}


@pytest.fixture
def system(tmp_path: Path) -> dict[str, str]:
    """A system on which nobody has played yet."""
    return {**quick(), "DORMIE_HOME": str(tmp_path)}


@pytest.fixture
def run(system: dict[str, str], tmp_path: Path) -> Run:
    def run(*argv: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        """What the program says when *typed* comes through a pipe."""
        return subprocess.run(
            [*DORMIE, *argv],
            input=typed,
            capture_output=True,
            text=True,
            check=False,
            timeout=IN_TIME,
            env={**system, **more},
            cwd=tmp_path,
        )

    return run


@contextmanager
def house(port: int = 0) -> Iterator[str]:
    """The address of a server that remembers nothing."""
    with subprocess.Popen(
        [*SERVER, "--port", str(port)],
        stdout=PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=quick(),
    ) as started:
        try:
            assert started.stdout is not None
            found = re.search(r"http://\S+", started.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            started.terminate()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of a server that is there for every test."""
    with house() as address:
        yield address


def answer_to(prompt: str) -> str:
    """What a player of little ambition types: what is offered last, with the first card there is."""
    last = re.split(r", (?!\d)| or | ou ", prompt.rpartition(": ")[2])[-1]
    word, _, cards = last.partition(" ")
    if word in ("Enter", "Entrée"):
        return ""
    if word in ("swap", "flip", "échange", "retourne"):
        return f"{word} {re.split('[-,]', cards)[0]}"
    return word


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("Your turn: draw or take 7♠", "take"),
        ("5♠ in hand: swap 1-6 or throw", "throw"),
        ("7♠ in hand: swap 1-6", "swap 1"),
        ("Your turn: flip 2, 4, 6", "flip 2"),
        ("À vous : retourne 2, 4, 6 ou passe", "passe"),
        ("Next hole: Enter", ""),
    ],
)
def test_the_player_of_these_tests_reads_prompts(prompt: str, answer: str) -> None:
    assert answer == answer_to(prompt)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_whole_match_can_be_played_by_its_prompts_alone(
    system: dict[str, str], language: str
) -> None:
    """Whoever cannot see the page can do here whatever can be done there (I3)."""
    wish = ("--local", "--option", "holes=2", "--lang", language, "--bots", "easy,medium")
    with subprocess.Popen(
        [*DORMIE, "play", *wish], stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True, env=system
    ) as started:
        assert started.stdin is not None
        assert started.stdout is not None
        assert started.stderr is not None
        screen: list[str] = []
        for line in started.stdout:
            screen.append(line.rstrip("\n"))
            prompt = screen[-1].removesuffix(" >")
            if prompt != screen[-1]:
                typed = "quit" if prompt.startswith(OVER) else answer_to(prompt)
                started.stdin.write(f"{typed}\n")
                started.stdin.flush()
        complaints = started.stderr.read()
    results = [line for line in screen if line.startswith(("Hole 2. ", "Trou 2. "))]

    assert (0, "", 1) == (started.returncode, complaints, len(results))
    assert any("/record/" in line for line in screen)


def test_a_game_needs_no_server(run: Run) -> None:
    done = run("play", "--local", typed="\nscore\n")

    assert (0, "") == (done.returncode, done.stderr)
    assert "Turn 2 of your cards up: flip 1-6 >" in done.stdout


def test_one_comes_back_to_the_seat_one_left(run: Run, url: str) -> None:
    first = run("play", url, "--bots", "easy", "--seats", "2", "--name", "Ada", typed="\n")
    again = run("play", url, typed="who\n")
    code = re.findall(r"dormie play \S+ (\w{8})", first.stdout)[0]

    assert (0, 0) == (first.returncode, again.returncode)
    assert first.stdout.startswith(f"Table {code} is open. Others join it with:\n")
    assert first.stdout.endswith(f"To come back: dormie play {url.rstrip('/')} {code}\n")
    assert again.stdout.startswith(f"You sit at table {code}, seat 1: six_card.\n")
    assert "\n1. Ada, you, host" in again.stdout


def test_a_friend_joins_by_the_code(run: Run, url: str, tmp_path: Path) -> None:
    opened = run("play", url, "--seats", "2", "--name", "Ada")
    code = re.findall(r"dormie play \S+ (\w{8})", opened.stdout)[0]
    friend = run(
        "play",
        url,
        code.lower(),
        "--name",
        "Ben",
        "--lang",
        "fr",
        DORMIE_HOME=str(tmp_path / "b"),
    )

    assert f"Vous êtes à la table {code}, place 2 : six_card.\n" in friend.stdout


def test_a_server_that_has_forgotten_everything_gets_a_new_guest(run: Run) -> None:
    with house() as url:
        run("play", url, typed="")
        port = int(url.rstrip("/").rpartition(":")[2])
    with house(port) as url:
        again = run("play", url, typed="")

    assert (0, "") == (again.returncode, again.stderr)
    assert again.stdout.startswith("The server does not know you any more: you are a new guest.\n")


@pytest.mark.parametrize(
    ("argv", "because"),
    [
        (("PARTEE23",), "There is no such table, or no seat for you."),
        (("--watch", "PARTEE23"), "There is no such table, or no seat for you."),
        (("--variant", "minigolf"), "There is no variant minigolf here; there are "),
        (("--bots", "tiger"), "There is no bot tiger here; there are "),
        (("--option", "rows=1"), "rows: "),
        (("--option", "holes=many"), "holes: "),
    ],
)
def test_what_the_house_refuses_is_said_in_one_line(
    argv: tuple[str, ...], because: str, run: Run, url: str
) -> None:
    done = run("play", url, *argv)

    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert done.stderr.startswith(f"dormie play: {because}")


def test_who_one_is_need_not_be_kept(run: Run, url: str, tmp_path: Path) -> None:
    nowhere = tmp_path / "file"
    nowhere.write_text("no folder", "utf-8")
    done = run("play", url, DORMIE_HOME=str(nowhere))

    assert 0 == done.returncode
    assert done.stdout.startswith("Who you are cannot be kept here (Not a directory)")


def read_until(terminal: int, words: str) -> str:
    """What a terminal shows until it shows *words*."""
    shown = ""
    while words not in shown:
        ready, _, _ = select.select([terminal], [], [], IN_TIME)
        assert ready, f"waited in vain for {words!r} after {shown!r}"
        shown += os.read(terminal, 4096).decode()
    return shown


@pytest.mark.parametrize(("sign", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("kind", ["dumb", "xterm"])
def test_a_terminal_shows_prompts_behind_which_one_types(
    system: dict[str, str], kind: str, sign: signal.Signals, status: int
) -> None:
    mine, theirs = os.openpty()
    with subprocess.Popen(
        [*DORMIE, "play", "--local"],
        stdin=theirs,
        stdout=theirs,
        stderr=PIPE,
        env={**system, "TERM": kind},
    ) as started:
        assert started.stderr is not None
        read_until(mine, "Everybody is here: Enter when you are ready >")
        os.write(mine, b"\r")
        read_until(mine, "Turn 2 of your cards up: flip 1-6 >")
        started.send_signal(sign)
        started.wait(IN_TIME)
        complaints = started.stderr.read()
    os.close(mine)
    os.close(theirs)

    assert (status, b"") == (started.returncode, complaints)
