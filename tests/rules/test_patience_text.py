"""Deals as text: what is written is read again, and whatever is wrong is named by its line and card."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_rules.cards import Card
from dormie_rules.patience_deals import attempt_pack, practice_seed
from dormie_rules.patience_position import lay_out
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_text import (
    LONGEST_LINE,
    TEXT_WORDS,
    BadDeal,
    read_deal,
    read_deals,
    write_deal,
)

GOOD = """\
Talon: 8H 2C JH 7D 6D 8S 8D QS 6C 3D 8C TC 6S 9C 2H 6H
Foundations: TH
JD 5H KH AS 4H
2D KD 3H AH AC
9H KC 2S 3C 4D
JC 9S KS 4C 7S
5D 5S 9D 5C 3S
7H AD QD TS TD
7C QC JS QH 4S
"""


def wrong(text: str) -> tuple[int, str, str]:
    with pytest.raises(BadDeal) as refused:
        read_deal(text)

    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 100
    return refused.value.line, refused.value.word, refused.value.card


@pytest.mark.parametrize("rules", [PatienceRules(), PatienceRules(jokers=2, empty_start=True)])
@pytest.mark.parametrize("number", range(5))
def test_a_deal_is_read_as_it_was_written(rules: PatienceRules, number: int) -> None:
    position = lay_out(rules, attempt_pack(rules, practice_seed(number), 0))

    assert position == read_deal(write_deal(position))


def test_a_deal_of_another_program_is_written_as_it_came() -> None:
    assert GOOD == write_deal(read_deal(GOOD))


def test_spellings_of_others_are_understood() -> None:
    heads, columns = GOOD.splitlines()[:2], GOOD.splitlines()[2:]
    lines = ["# mine", "", *reversed(heads), *(f": {column}" for column in columns), ""]

    assert read_deal(GOOD) == read_deal("\r\n".join(lines).lower())
    assert read_deal(GOOD) == read_deal(GOOD.replace("T", "10").replace("10alon", "Talon"))


def test_several_deals_may_follow_each_other() -> None:
    deals = read_deals(f"# two\n{GOOD}\n{GOOD}")

    assert [2, 12] == [deal.line for deal in deals]
    assert (10, "second_deal", "") == wrong(GOOD + GOOD)


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("JD 5H", "XD 5H", (3, "no_card", "XD")),
        ("JD 5H", "JX 5H", (3, "no_card", "JX")),
        ("JD 5H", "1D 5H", (3, "no_card", "1D")),
        ("JD 5H", "JACKOFDIAMONDS 5H", (3, "no_card", "JACK")),
        ("JD 5H", "5H 5H", (3, "double", "5H")),
        ("TH\n", "4H\n", (3, "double", "4H")),
        ("JD 5H", "* 5H", (9, "missing", "JD")),
        (" 8H", "", (9, "missing", "8H")),
        ("AS 4H", "AS", (3, "column_length", "AS")),
        ("7S\n", "7S *\n", (6, "column_length", "*")),
        ("JD 5H KH AS 4H\n", "", (8, "few_columns", "")),
        ("7C QC JS QH 4S\n", "7C QC JS QH 4S\n* *\n", (10, "many_columns", "*")),
        ("Foundations: TH\n", "", (8, "no_foundation", "")),
        ("Talon:", "#", (9, "no_talon", "")),
        ("Foundations: TH", "Foundations: TH *", (2, "many_starts", "*")),
        ("Foundations: TH", "Talon: TH", (2, "second_head", "Talon:")),
        ("Foundations: TH", "Foundation: TH", (2, "no_card", "Foun")),
    ],
)
def test_whatever_is_wrong_is_named_by_its_line_and_card(
    old: str, new: str, where: tuple[int, str, str]
) -> None:
    assert where == wrong(GOOD.replace(old, new, 1))


def test_three_jokers_are_one_too_many() -> None:
    assert (1, "double", "*") == wrong(GOOD.replace("8H", "8H * * *"))


def test_scenario_R61_what_is_read_in_has_bounds() -> None:
    """Over-long lines and columns, and any number of them, are one error each and nothing else."""
    assert (3, "long_line", "") == wrong(GOOD.replace("JD 5H", "JD " * LONGEST_LINE))
    assert (3, "double", "JD") == wrong(GOOD.replace("JD 5H", "JD " * 50))
    assert (10, "many_columns", "*") == wrong(GOOD + "* *\n" * 100_000)
    assert (1, "no_deal", "") == wrong("")
    assert (2, "no_deal", "") == wrong("# nothing\n\n")


@given(st.text(alphabet=st.sampled_from("TalonFud: AKQ5SHDC*-10#\n\r\x00é"), max_size=300))
def test_scenario_R61_any_text_is_a_deal_or_one_error(text: str) -> None:
    try:
        read_deals(text)
    except BadDeal as bad:
        assert bad.word in TEXT_WORDS
        assert 1 <= bad.line <= text.count("\n") + text.count("\r") + 1


@given(st.integers(0, len(GOOD)), st.sampled_from(["", "5S", "\n", " ", "Talon:", "*", "9", "é"]))
def test_scenario_R61_any_slip_of_a_finger_is_a_deal_or_one_error(at: int, slip: str) -> None:
    try:
        read_deals(GOOD[:at] + slip + GOOD[at + 1 :])
    except BadDeal as bad:
        assert bad.word in TEXT_WORDS


def test_scenario_R44_an_empty_stock_is_written_and_its_lack_is_noticed() -> None:
    """A position in the middle of a hole can be written; a whole deal is what can be read."""
    position = read_deal(GOOD)
    spent = type(position)(position.columns, Card("6H"), ())
    text = write_deal(spent)

    assert "Talon:\n" in text
    assert (9, "missing", "6S") == wrong(text)
