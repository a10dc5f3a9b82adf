"""`dormie solve`: a deal in, a verdict out, and one line for everything that is wrong."""

from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest

from dormie_client import cli
from dormie_client.solve import MAX_BYTES
from dormie_client.solve_text import FRENCH, TEXTS
from dormie_rules.patience_text import TEXT_WORDS

Said = pytest.CaptureFixture[str]
PYSOLFC = Path(__file__).parents[1] / "cases" / "patience" / "pysolfc_1_to_20.txt"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")


def test_a_numbered_deal_is_solved_with_its_line(capsys: Said) -> None:
    assert 0 == cli.main(["solve", "--seed", "7", "--king-rule", "wrap"])
    said = capsys.readouterr()
    verdict, line = said.out.splitlines()

    assert "deal 7 (wrap): a clearing order exists; best -7, par 3" == verdict
    assert line.startswith("columns from 1: ")
    assert 35 == sum(move.isdigit() for move in line.split()[3:])
    assert "" == said.err


def test_it_speaks_french(capsys: Said) -> None:
    assert 0 == cli.main(["solve", "--seed", "7", "--king-rule", "wrap", "--lang", "fr"])
    out = capsys.readouterr().out

    assert "donne 7 (wrap) : un ordre qui vide le tableau existe ; meilleur -7, par 3" in out
    assert "pioche" in out


def test_a_deal_that_was_shown_is_solved_alike(tmp_path: Path, capsys: Said) -> None:
    cli.main(["solve", "--seed", "3", "--show"])
    file = tmp_path / "deal.txt"
    file.write_text(capsys.readouterr().out, "utf-8")
    cli.main(["solve", "--seed", "3"])
    by_number = capsys.readouterr().out

    assert 0 == cli.main(["solve", str(file)])
    assert by_number == capsys.readouterr().out.replace(str(file), "deal 3")


def test_many_deals_have_a_line_each_a_sum_and_progress(capsys: Said) -> None:
    assert 0 == cli.main(["solve", "--seeds", "0-11", "--king-rule", "wrap"])
    said = capsys.readouterr()

    assert 13 == len(said.out.splitlines())
    assert said.out.splitlines()[-1].startswith("12 deals (wrap): ")
    assert said.err.endswith("12 of 12 deals solved\n")
    assert 10 == len(said.err.splitlines())


class _Screen(StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_many_deals_have_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    screen = _Screen()
    monkeypatch.setattr("sys.stderr", screen)

    assert 0 == cli.main(["solve", "--seeds", "0-2", "--king-rule", "wrap"])
    bars = [shown for shown in screen.getvalue().split("\r\x1b[K") if shown]
    assert ["[########................] 1 of 3 deals solved"] == bars[:1]
    assert f"[{'#' * 24}] 3 of 3 deals solved\n" == bars[-1]
    assert 4 == len(capsys.readouterr().out.splitlines())


def test_one_deal_has_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", screen := _Screen())
    cli.main(["solve", "--seed", "1", "--king-rule", "wrap"])

    assert "" == screen.getvalue()


def test_deals_of_a_file_are_told_apart_by_their_lines(capsys: Said) -> None:
    assert 0 == cli.main(["solve", str(PYSOLFC), "--king-rule", "wrap"])
    lines = capsys.readouterr().out.splitlines()

    assert f"{PYSOLFC}:4 (wrap): a clearing order exists; best -3, par 3" == lines[0]
    assert lines[-1].startswith("20 deals (wrap): 19 clearable")


def test_a_deal_may_come_from_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    text = PYSOLFC.read_bytes().split(b"\n\n")[1]
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text)))

    assert 0 == cli.main(["solve", "-", "--king-rule", "wrap"])
    assert "best -3" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--seed", "x"],
        ["--seed", "-1"],
        ["--seed", "9" * 30],
        ["--seeds", "5"],
        ["--seeds", "5-4"],
        ["--seeds", "0-1000000"],
        ["--seed", "1", "--seeds", "1-2"],
        ["--seed", "1", "deal.txt"],
        ["--seed", "1", "--king-rule", "relaxed"],
        ["."],
        ["\0"],
    ],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_slip_is_answered_in_one_line(words: list[str], language: str, capsys: Said) -> None:
    assert 2 == cli.main(["solve", *words, "--lang", language])
    said = capsys.readouterr()

    assert ("", 1) == (said.out, said.err.count("\n"))


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", ":3: 5H was there already"), ("fr", ":3 : 5H est en double")],
)
def test_a_text_that_is_no_deal_is_told_by_line_and_card(
    tmp_path: Path, capsys: Said, language: str, sentence: str
) -> None:
    file = tmp_path / "deal.txt"
    text = PYSOLFC.read_text("utf-8").split("\n\n")[1]
    file.write_text(text.replace("JD 5H", "5H 5H").replace("# deal 1 best -3\n", ""), "utf-8")

    assert 2 == cli.main(["solve", str(file), "--lang", language])
    assert f"dormie solve: {file}{sentence}\n" == capsys.readouterr().err


def test_scenario_R61_a_file_without_end_is_not_read_to_its_end(
    tmp_path: Path, capsys: Said
) -> None:
    file = tmp_path / "deal.txt"
    file.write_bytes(b"#" * (MAX_BYTES + 10))

    assert 2 == cli.main(["solve", str(file)])
    assert "are no deals" in capsys.readouterr().err


@pytest.mark.parametrize("language", ["en", "fr"])
def test_scenario_R62_a_deal_that_is_not_there_is_an_answer(
    tmp_path: Path, capsys: Said, language: str
) -> None:
    missing = tmp_path / "missing.txt"

    assert 2 == cli.main(["solve", str(missing), "--lang", language])
    said = capsys.readouterr()

    assert ("", 1) == (said.out, said.err.count("\n"))
    assert f"dormie solve: {missing}" in said.err


def test_everything_is_said_in_both_languages() -> None:
    assert set(TEXT_WORDS) == set(FRENCH)
    assert all(english and french for english, french in TEXTS.values())
