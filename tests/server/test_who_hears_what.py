"""What was drawn is told to whoever drew it, whatever seat they have now, and to nobody else."""

import pytest

from dormie_protocol.messages import Heard
from dormie_server.documents import read_note
from dormie_server.keeper import table_key
from dormie_server.table.commands import Join, Leave, Rematch
from tests.server.backstage import CODE, Backstage, Ear, backstage

THREE = ("p-ada", "p-ben", "p-cy")


async def over(house: Backstage, *players: str) -> tuple[int, str]:
    """Play a match to its end; returns the version and the chain from before its first move."""
    await house.begin(*players)
    notes = await house.store.notes(table_key(CODE))
    while (move := await house.next_move()) is not None:
        await house.keeper.do(CODE, move)
    await house.until(lambda table: table.secret.owes_record is None)
    return len(notes), read_note(notes[-1].body).chain


def private(ear: Ear) -> list[Heard]:
    return [heard for seen in ear.seen for heard in seen.events if heard.mine is not None]


@pytest.mark.parametrize("player", ["p-ada", "p-cy"])
async def test_whoever_resumes_over_a_rematch_hears_no_other_seat(player: str) -> None:
    """Ben leaves, and Cy moves up into his seat."""
    async with backstage() as house:
        start, chain = await over(house, *THREE)
        await house.ask("p-ben", Leave())
        for other in ("p-ada", "p-cy"):
            await house.ask(other, Rematch())
        table = await house.until(lambda table: table.about.match == 2)
        ear = Ear(player)
        await house.hub.watch(ear, CODE, start, chain)
        own = THREE.index(player)

        assert ["p-ada", "p-cy"] == [sitter.player for sitter in table.secret.sitters if sitter]
        assert {getattr(heard.all, "seat", None) for heard in private(ear)} <= {own}


async def test_whoever_takes_the_seat_of_one_who_left_does_not_hear_what_was_drawn_there() -> None:
    async with backstage() as house:
        start, chain = await over(house, *THREE)
        await house.ask("p-ben", Leave())
        await house.ask("p-dan", Join("Dan"))
        ear, ada = Ear("p-dan"), Ear("p-ada")
        for one in (ear, ada):
            await house.hub.watch(one, CODE, start, chain)

        assert 1 == ear.seen[-1].seat
        assert [] == private(ear)
        assert {0} == {getattr(heard.all, "seat", None) for heard in private(ada)}
