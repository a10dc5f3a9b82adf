"""``dormie verify``: one line a record, whatever the record."""

import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from dormie_client.verify import main_verify
from dormie_rules.day_record import write_day
from dormie_rules.patience_day import DayTable, begin_try, end_try
from dormie_rules.record import MAX_BYTES
from dormie_rules.replay import RIGHT
from dormie_rules.solver import solve

RECORDS = Path(__file__).parents[1] / "cases" / "records"
GOOD = RECORDS / "two_holes.dormie"
TEXT = GOOD.read_text("utf-8")
SAYS = "2 holes, 36 moves, every deal, move and score is right"
WRONG = TEXT.replace("raw 1 22 40", "raw 1 22 41")
WRONG_LINE = 1 + WRONG.split("\n").index("raw 1 22 41")
BECAUSE = "the raw score of seat 2 is 40, not 41"


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.dormie"
    path.write_text(WRONG, "utf-8")
    return path


def test_a_record_that_is_right_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main_verify([str(GOOD)])
    assert (f"{GOOD}: {SAYS}\n", "") == capsys.readouterr()


def test_the_record_of_a_day_is_checked_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "day.dormie"
    begun = begin_try(DayTable("2026-11-30", b""), "Ada")
    assert begun is not None
    table = end_try(begun, "Ada", 35, "G")
    text = write_day(table, bytes(32), lambda rules, position: solve(rules, position).verdict)
    path.write_text(text, "utf-8")

    assert 0 == main_verify([str(path)])
    assert (f"{path}: 1 hole, 1 move, {RIGHT}\n", "") == capsys.readouterr()
    path.write_text(text.replace("try 1 35 G", "try 1 34 G"), "utf-8")

    assert 1 == main_verify([str(path)])
    assert (f"{path}:7: these moves come to 35\n", "") == capsys.readouterr()


def test_a_wrong_line_is_named(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 1 == main_verify([str(wrong)])
    assert (f"{wrong}:{WRONG_LINE}: {BECAUSE}\n", "") == capsys.readouterr()


def test_a_file_that_is_not_there_is_told_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "missing.dormie"

    assert 2 == main_verify([str(missing)])
    assert ("", f"dormie verify: {missing}: No such file or directory\n") == capsys.readouterr()


@pytest.mark.parametrize("name", ["a\0b", "", "/"])
def test_a_name_that_is_no_file_is_told_in_one_line(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == main_verify([name])

    out, err = capsys.readouterr()
    assert "" == out
    assert 1 == len(err.splitlines())


def test_several_records_are_all_told_and_the_worst_decides(
    wrong: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 1 == main_verify([str(wrong), str(GOOD)])
    assert 2 == main_verify([str(GOOD), f"{wrong}?", str(wrong)])
    assert 4 == len(capsys.readouterr().out.splitlines())


def test_quiet_says_only_what_is_wrong(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 1 == main_verify(["--quiet", str(GOOD), str(wrong)])
    assert (f"{wrong}:{WRONG_LINE}: {BECAUSE}\n", "") == capsys.readouterr()


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        (TEXT.encode(), 0, f"-: {SAYS}\n"),
        (TEXT.replace("\n", "\r\n").encode(), 0, f"-: {SAYS}\n"),
        (TEXT.replace("Ada", "Ad\udcff").encode(errors="surrogateescape"), 0, f"-: {SAYS}\n"),
        (b"", 1, "-: there is nothing in this record\n"),
        (b"\xff\xfe\0\0", 1, '-:1: a line with "dormie-record" is needed here\n'),
        (b"\n" * (MAX_BYTES + 10), 1, "-: a record has at most 4 MiB\n"),
    ],
    ids=["right", "from Windows", "bytes in a name", "empty", "junk", "huge"],
)
def test_standard_input_is_a_record_too(
    content: bytes,
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(content)))

    assert status == main_verify(["-"])
    assert (said, "") == capsys.readouterr()


@pytest.mark.parametrize(
    ("argv", "status"), [(["--help"], 0), ([], 2), (["--loud", "a.dormie"], 2)]
)
def test_words_that_are_not_understood_end_in_a_usage_and_no_more(
    argv: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status == main_verify(argv)
    assert "usage: dormie verify" in "".join(capsys.readouterr())


def test_a_name_never_writes_to_the_screen_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "\x1b[2J\nbell\a\udcff.dormie"
    path.write_text(TEXT, "utf-8")
    monkeypatch.chdir(tmp_path)

    assert 0 == main_verify([path.name])
    assert (
        rf"\x1b[2J\nbell\x07\udcff.dormie: {SAYS}" + "\n"
    ).encode() == capsysbinary.readouterr().out


def test_a_screen_without_the_letters_shows_them_some_other_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Zoé.dormie").write_text(TEXT, "utf-8")
    monkeypatch.chdir(tmp_path)
    screen = BytesIO()
    monkeypatch.setattr("sys.stdout", TextIOWrapper(screen, "ascii"))

    assert 0 == main_verify(["Zoé.dormie"])
    assert rf"Zo\xe9.dormie: {SAYS}".encode() == screen.getvalue().strip()


def test_a_reader_who_leaves_early_is_no_trouble() -> None:
    program = "from dormie_client.verify import main_verify; raise SystemExit(main_verify())"
    asked = [sys.executable, "-c", program, *[str(GOOD)] * 50]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()

        assert b"" == process.stderr.read()
    assert 1 == process.returncode
