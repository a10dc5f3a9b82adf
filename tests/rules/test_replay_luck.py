"""Deals that are not what was promised: whatever a house tries, its record gives it away."""

from random import Random

import pytest

from dormie_rules.luck import CHAIN_LENGTH
from dormie_rules.record import commit_line
from dormie_rules.replay import verify
from tests.rules.recording import (
    ENDLESS,
    THREE_HOLES,
    TWO_HOLES,
    ChangesTheDeck,
    DealsTwiceFromALink,
    House,
    Match,
    OmitsAContribution,
    changed,
    complaint,
    lines_of,
)


def test_one_chain_serves_the_longest_match() -> None:
    verdict = verify(Match(House(ENDLESS, Random(3))).record)

    assert (True, CHAIN_LENGTH) == (verdict.ok, verdict.holes), verdict


def test_a_match_with_more_holes_than_links_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """For its last holes the house could only have chosen links when it knew what the seats added."""
    with monkeypatch.context() as longer:
        for room in ("dormie_rules.course_score", "tests.rules.recording"):
            longer.setattr(f"{room}.CHAIN_LENGTH", CHAIN_LENGTH + 1)
        record = Match(House(ENDLESS, Random(3))).record

    assert 'hole 257: a line with "places" is needed here' == complaint(record)


@pytest.mark.parametrize("promised", [bytes(32), None])
def test_no_chain_is_promised_when_the_match_has_begun(promised: bytes | None) -> None:
    """Neither another one nor the same again."""
    first = next(line for line in lines_of(TWO_HOLES) if line.startswith("commit "))
    promise = first if promised is None else commit_line(promised)

    assert f'{promise}: a line with "hole" or "leave" is needed here' == complaint(
        changed("hole 2", f"{promise}\nhole 2")
    )


def test_a_deck_that_was_changed_after_the_promise_is_found() -> None:
    """The last two cards were exchanged in the deal and in the record of it."""
    verdict = verify(Match(ChangesTheDeck(THREE_HOLES, Random(1))).record)

    assert (False, 1) == (verdict.ok, verdict.holes)
    assert (
        "card 51 of the pack, by its link and what the seats added to luck, is" in verdict.because
    )


def test_a_contribution_that_was_left_out_of_the_deal_is_found() -> None:
    house = OmitsAContribution(THREE_HOLES, Random(1))
    house.contributions[-1] = b"for luck"

    assert "of the pack, by its link and what the seats added" in complaint(Match(house).record)


def test_a_contribution_that_is_dropped_or_changed_afterwards_is_found() -> None:
    given = next(line for line in lines_of(TWO_HOLES) if line.startswith("entropy 2 "))

    for other in ("entropy 2 -", "entropy 2 00", given[:-1] + "0", given + "00"):
        assert "card 1 of the pack, by its link" in complaint(changed(given, other))


def test_a_link_that_is_used_again_is_found() -> None:
    record = Match(DealsTwiceFromALink(THREE_HOLES, Random(1))).record

    assert complaint(record).startswith("link 2 ")
    assert complaint(record).endswith("this link was shown before, so the deal could be foreseen")


def test_a_promise_is_no_link() -> None:
    promise = next(line for line in lines_of(TWO_HOLES) if line.startswith("commit "))
    link = next(line for line in lines_of(TWO_HOLES) if line.startswith("link 1 "))
    other = promise.replace("commit", "link 1")

    assert f"{other}: this link was shown before, so the deal could be foreseen" == complaint(
        changed(link, other)
    )


def test_a_link_that_is_not_of_the_chain_is_found() -> None:
    link = next(line for line in lines_of(TWO_HOLES) if line.startswith("link 2 "))
    other = f"link 2 {bytes(32).hex()}"

    assert f"{other}: this link does not hash to the one before it" == complaint(
        changed(link, other)
    )
