import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_rules.record import Head, Player, finish, head, seal_line
from dormie_rules.record_reader import read
from dormie_rules.replay import verify
from tests.rules.playing import Table
from tests.rules.recording import House, Match

PAGE = Path(__file__).parents[2] / "docs" / "record.md"
SHORT = Table("six_card", 2, (("holes", 1), ("max_laps", 1)))


def short_match(*, dealer: int | None = None) -> Match:
    return Match(House(SHORT, Random(7), dealer=dealer))


def renamed(match: Match, *names: str) -> str:
    """The record of a match whose players are called otherwise; it is not sealed again."""
    about = match.house.about
    players = tuple(Player(name) for name in names)
    again = head(Head(about.table, about.match, about.variant, about.options, players))
    return "\n".join([*again, *match.record.split("\n")[len(again) :]])


def test_the_example_in_the_docs_is_right() -> None:
    (example,) = re.findall(
        r"^```text\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )

    verdict = verify(example)

    assert (True, 1, 12) == (verdict.ok, verdict.holes, verdict.moves), verdict.because


@pytest.mark.parametrize("word", ["dealer", "commit", "auto", "leave", "void", "seal"])
def test_the_docs_explain_every_line(word: str) -> None:
    assert re.search(rf"^\| `{word}[ `]", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("dealer", [None, 0, 1])
def test_what_was_written_at_the_beginning_is_read_again(dealer: int | None) -> None:
    match = short_match(dealer=dealer)

    record = read(match.record)

    assert match.house.about == record.head
    assert match.course == record.course
    assert match.house.commitment == record.commitment
    assert tuple(match.house.contributions) == record.contributions


def test_a_seat_that_added_an_empty_text_to_luck_added_nothing() -> None:
    match = short_match()
    match.house.contributions = [b"", b"\0"]

    assert (None, b"\0") == read(Match(match.house).record).contributions


@given(st.text(), st.text())
def test_no_name_changes_the_verdict(one: str, other: str) -> None:
    match = Match(House(SHORT, Random(1)))
    match.house.about = Head("T", 1, "six_card", dict(SHORT.options), (Player(""), Player("")))
    match = Match(match.house)

    verdict = verify(renamed(match, one, other))

    assert verdict.ok, verdict.because


@given(st.text())
def test_a_name_stays_on_its_line_and_can_be_written_to_a_file(name: str) -> None:
    lines = head(Head("ABCDEFGH", 1, "six_card", {}, (Player(name), Player(name, "hard"))))

    assert 8 == len(lines) == len("\n".join(lines).encode().splitlines())
    assert 8 == len("\n".join(lines).splitlines())


def test_a_seal_is_sha_256_of_the_lines_above_without_names() -> None:
    """``printf 'seats 1\\nseat 1 bot easy\\n' | sha256sum`` says the same."""
    known = "seal 2e1b6c521f223c1f1c6231f91eb2d6038da306ebce4287b7e30716bebb5870b4"

    assert known == seal_line(["seats 1", "seat 1 bot easy Birdie of the Links"])


def test_a_finished_record_is_its_lines_its_seal_and_the_end() -> None:
    assert f"hole 1\n{seal_line(['hole 1'])}\nend\n" == finish(["hole 1"])
