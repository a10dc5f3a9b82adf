"""Deals that are not what was promised: whatever a house tries, its record gives it away."""

from random import Random

from dormie_rules.luck import CHAIN_LENGTH, earlier
from dormie_rules.record import commit_line
from dormie_rules.replay import verify
from tests.rules.recording import (
    MANY_HOLES,
    THREE_HOLES,
    TWO_HOLES,
    BeginsTheSameChainAgain,
    ChangesTheDeck,
    DealsTwiceFromALink,
    House,
    Match,
    OmitsAContribution,
    changed,
    complaint,
    lines_of,
)


def test_a_match_of_more_than_64_holes_goes_on_with_another_chain() -> None:
    match = Match(House(MANY_HOLES, Random(3)))
    promises = [line for line in match.lines if line.startswith("commit")]

    verdict = verify(match.record)

    assert verdict.ok, verdict
    assert CHAIN_LENGTH < verdict.holes
    assert 2 == len(promises)
    assert 'hole 65: a new chain is needed: "commit" comes before hole 65' == complaint(
        changed(promises[1], "", match.record)
    )


def test_a_chain_is_promised_once() -> None:
    match = Match(House(MANY_HOLES, Random(3)))
    promise = [line for line in match.lines if line.startswith("commit")][1]
    other = commit_line(bytes(32))

    assert f"{other}: a new chain begins after every 64 holes" == complaint(
        changed(promise, f"{promise}\n{other}", match.record)
    )
    assert f"{other}: a new chain begins after every 64 holes" == complaint(
        changed("hole 2", f"{other}\nhole 2")
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


def test_a_chain_that_is_used_again_is_found() -> None:
    record = Match(BeginsTheSameChainAgain(MANY_HOLES, Random(3))).record

    assert complaint(record).startswith("commit ")
    assert complaint(record).endswith("this chain was used before, so the deals could be foreseen")


def test_a_new_chain_whose_links_were_shown_before_is_found() -> None:
    """Its promise is new, but the first link is the old promise."""
    house = House(MANY_HOLES, Random(3))
    house.ends = [bytes(32), earlier(bytes(32), 1)]

    said = complaint(Match(house).record)

    assert said.startswith("link 65 ")
    assert said.endswith("this link was shown before, so the deal could be foreseen")


def test_a_link_that_is_not_of_the_chain_is_found() -> None:
    link = next(line for line in lines_of(TWO_HOLES) if line.startswith("link 2 "))
    other = f"link 2 {bytes(32).hex()}"

    assert f"{other}: this link does not hash to the one before it" == complaint(
        changed(link, other)
    )
