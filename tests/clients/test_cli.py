import io
import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from dormie_client import cli
from dormie_client.one_line import sorry
from dormie_rules.patience_variants import patience_names
from dormie_rules.variants import names

NAMES = (*names(), *patience_names())
Said = pytest.CaptureFixture[str]
NOBODY_HOME = "http://127.0.0.1:1"


def run(*argv: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """What `dormie` says when it is started as people start it."""
    return subprocess.run(
        [sys.executable, "-m", "dormie_client.cli", *argv],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "LANG": "C.UTF-8", **environment},
    )


def test_help_lists_every_command_and_shows_examples(capsys: Said) -> None:
    status = cli.main(["--help"])
    page = capsys.readouterr().out

    assert 0 == status
    assert [] == [name for name in cli.COMMANDS if f"\n  {name} " not in page]
    assert "examples:" in page


def test_the_version_is_the_one_that_is_installed(capsys: Said) -> None:
    assert 0 == cli.main(["--version"])
    assert f"dormie {version('dormie')}\n" == capsys.readouterr().out


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_can_be_asked_how_and_shows_examples(command: str, capsys: Said) -> None:
    assert 0 == cli.main([command, "--help"])
    page = capsys.readouterr().out

    assert f"usage: dormie {command} " in page
    assert f"\n  dormie {command}" in page[page.index("examples:") :]


def test_the_first_page_has_an_example_of_what_people_play() -> None:
    examples = cli.EXAMPLES[cli.EXAMPLES.index("examples:") :]
    shown = {line.split()[1] for line in examples.splitlines() if line.startswith("  dormie ")}

    assert {"play", "watch", "day", "practice", "rules", "solve", "verify"} == shown


def test_the_question_that_is_shown_for_an_example_has_an_answer() -> None:
    question = cli.REFEREE_EXAMPLES.split("'")[1]
    done = run("referee", stdin=question)

    assert (0, "A 2 up") == (done.returncode, json.loads(done.stdout)["answer"]["last_state"])


@pytest.mark.parametrize(
    ("argv", "because"),
    [
        (["watch"], "dormie watch: which table?"),
        (["lobby", "--local"], "dormie lobby: --lobby is for looking around"),
        (["day", "ABC", "DEF"], "dormie day: 'DEF' is not the code of a table"),
        (["day", "--date", "2026-13-45"], "dormie day: argument --date: '2026-13-45' is no day"),
        (["day", "--verify", "soon"], "dormie day: argument --verify: 'soon' is no day"),
        (["practice", "17", "--unheard-of"], "dormie practice: unrecognized arguments"),
    ],
)
def test_a_slip_is_told_by_the_command_that_was_typed(
    argv: list[str], because: str, capsys: Said
) -> None:
    assert 2 == cli.main(argv)
    assert capsys.readouterr().err.startswith(because)


@pytest.mark.parametrize(
    "argv", [[], ["dance"], ["--unheard-of"], ["play", "--seats", "9"], ["rules", "a", "b"]]
)
def test_a_slip_is_answered_in_one_line(argv: list[str], capsys: Said) -> None:
    status = cli.main(argv)
    said = capsys.readouterr()

    assert (2, "", 1) == (status, said.out, said.err.count("\n"))


@pytest.mark.parametrize("words", [["PARTEE23"], ["--variant", "tripeaks"], ["--new"]])
def test_the_day_is_played_at_no_table_but_its_own(words: list[str], capsys: Said) -> None:
    """Today's only try must not begin for somebody who wanted to go elsewhere."""
    assert 2 == cli.main(["day", NOBODY_HOME, *words])
    assert capsys.readouterr().err.startswith("dormie day: the day has a table of its own")


def test_rules_lists_the_variants(capsys: Said) -> None:
    assert 0 == cli.main(["rules"])
    assert list(NAMES) == [line.split()[0] for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("name", NAMES)
def test_rules_explains_a_variant(name: str, capsys: Said) -> None:
    assert 0 == cli.main(["rules", name])
    assert "\noption " in capsys.readouterr().out


def test_an_unknown_variant_is_said_with_those_there_are(capsys: Said) -> None:
    assert 2 == cli.main(["rules", "minigolf"])
    assert (
        f"dormie rules: there is no variant 'minigolf'; there are {', '.join(NAMES)}\n"
        == capsys.readouterr().err
    )


def test_the_referee_answers(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"id": 1, "ask": "nothing"}\n'))

    assert 1 == cli.main(["referee"])
    assert '"unknown_ask"' in capsys.readouterr().out


def test_verify_checks_a_record(tmp_path: Path, capsys: Said) -> None:
    record = tmp_path / "empty"
    record.write_text("", "utf-8")

    assert cli.main(["verify", str(record)]) > 0


def test_an_interruption_is_no_accident(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    def interrupted(_: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "COMMANDS", {"play": interrupted})

    assert 130 == cli.main(["play"])
    assert ("", "") == tuple(capsys.readouterr())


def test_a_reason_is_one_line_without_control_signs(capsys: Said) -> None:
    assert 2 == sorry("dormie play", "it says:\n\x1b[2J  no\u202e")
    assert "dormie play: it says: [2J no\n" == capsys.readouterr().err


# ------------------------------------------------------- as people start them


def test_nobody_reads_to_the_end() -> None:
    program = (sys.executable, "-m", "dormie_client.cli", "rules", "six_card")
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdout.close()
        complaints = started.stderr.read()

    assert (1, b"") == (started.returncode, complaints)


@pytest.mark.parametrize(
    ("argv", "because"),
    [
        (("play", NOBODY_HOME), "There is no Dormie server at 127.0.0.1:1: nobody answers there."),
        (("play", "http://"), "This is not the address of a server"),
        (("play", "gopher://golf.example"), "This is not the address of a server"),
        (("play", "http://127.0.0.1:99999"), "This is not the address of a server"),
    ],
)
def test_a_server_that_is_not_there_is_said_in_one_line(
    argv: tuple[str, ...], because: str, tmp_path: Path
) -> None:
    done = run(*argv, HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path))

    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert done.stderr.startswith(f"dormie play: {because}")
