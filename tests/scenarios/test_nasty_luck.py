"""Nasty cases about luck and about screens, which need no server or only a quiet one."""

from random import Random

import pytest

from dormie_client.console import Console
from dormie_client.terminal_view import draw_table, who
from dormie_protocol.table_view import Seat
from dormie_rules.luck import SECRET_BYTES
from dormie_rules.replay import verify
from dormie_server.luck_source import SystemLuck
from dormie_server.names import clean_name
from tests.clients.scenes import in_phase, scene
from tests.clients.screens import Paper
from tests.nasty import CASES
from tests.rules.recording import (
    THREE_HOLES,
    ChangesTheDeck,
    DealsTwiceFromALink,
    House,
    Match,
    OmitsAContribution,
)
from tests.server.guest import guests
from tests.serving import serving

ESCAPE: str = CASES["S08"]["input"]["text"]


def test_nasty_S08_no_name_writes_on_a_terminal() -> None:
    """The house refuses such a name; a client that meets one all the same shows what is left of it."""
    with pytest.raises(ValueError, match="no control"):
        clean_name(ESCAPE)
    paper = Paper()
    lobby = in_phase("lobby", Seat("Ada"), Seat(f"Bob{ESCAPE}"))
    console = Console(paper, echo=True)
    console.say(*who(lobby), *draw_table(scene("## ## ## ## ## ##", "## ## ## ## ## ##")), ESCAPE)
    console.ask(f"Your turn, {ESCAPE}")
    console.heard(ESCAPE)

    assert {"\n"} == {sign for sign in paper.getvalue() if not sign.isprintable()}
    assert "Bob]0;pwn[2J" in paper.getvalue()


@pytest.mark.parametrize(
    ("house", "complaint"),
    [
        (ChangesTheDeck, "of the pack, by its link"),
        (OmitsAContribution, "of the pack, by its link and what the seats added to luck"),
        (DealsTwiceFromALink, "this link was shown before"),
    ],
    ids=["changes the deck", "omits a contribution", "uses a link again"],
)
def test_nasty_S14_the_verifier_finds_every_way_to_cheat_with_a_deal(
    house: type[House], complaint: str
) -> None:
    cheat = house(THREE_HOLES, Random(1))
    cheat.contributions[-1] = b"for luck"
    honest = House(THREE_HOLES, Random(1))
    honest.contributions[-1] = b"for luck"

    assert verify(Match(honest).record).ok
    verdict = verify(Match(cheat).record)
    assert not verdict.ok
    assert complaint in verdict.because


class Scribe(SystemLuck):
    """Luck that remembers how much of it was drawn at once."""

    def __init__(self) -> None:
        self.drawn: list[bytes] = []

    def draw(self, size: int = 32) -> bytes:
        luck = super().draw(size)
        self.drawn.append(luck)
        return luck


async def test_nasty_S15_what_a_deal_is_promised_from_is_too_long_to_be_searched() -> None:
    """Two tables opened by one player at one time, in the same words, have nothing in common."""
    luck = Scribe()
    async with serving({"luck": luck}) as app, guests(app.port, "Ada") as (ada,):
        before = len(luck.drawn)
        codes = [await ada.create() for _ in range(2)]
        kept = [await app.keeper.table(code) for code in codes]
        masters = [one.table.secret.master for one in kept if one is not None]

        assert set(masters) <= {one.hex() for one in luck.drawn[before:]}
        assert {2 * SECRET_BYTES} == {len(master) for master in masters}
        assert SECRET_BYTES * 8 >= CASES["S15"]["expected"]["seed_bits_min"]
        promises = [ada.of(code)[0].fairness for code in codes]
        assert 2 == len({promise.commitment for promise in promises if promise})


def test_nasty_S15_every_byte_of_luck_is_luck() -> None:
    """Neither a short seed nor the time of day is hidden in a long secret."""
    drawn = [SystemLuck().draw() for _ in range(1000)]

    assert SECRET_BYTES == len(drawn[0])
    assert all(len(set(column)) > 200 for column in zip(*drawn, strict=True))
