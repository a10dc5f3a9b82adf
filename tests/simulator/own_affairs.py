"""What people do about themselves: a second device by a code, an old one forgotten, and being erased.

All of it happens at random in the middle of everything else, so that a code is on its way when a server
dies, and a player is forgotten between a move and its answer.
"""

from typing import TYPE_CHECKING

from dormie_client import Dormie, Table

if TYPE_CHECKING:
    from tests.simulator.people import Person

MOST_CLAIMS = 4
CLAIMS, FORGETS, ERASES = 0.06, 0.08, 0.015
"""How often each of them is thought of, whenever something may be done."""


class OwnAffairs:
    """Somebody with more than one device, who may have enough of the house."""

    def __init__(self, person: "Person") -> None:
        self.person = person
        self.claims = MOST_CLAIMS
        """So many more devices this person makes theirs."""
        self._tired = person.luck.random() < 0.4
        self._asked = False
        """Whether this person has asked to be erased; until that is done, it is asked again."""

    async def see_to(self, house: Dormie, table: Table) -> bool:
        """Do one of these things now and then; whether anything was done."""
        luck = self.person.luck
        if self._asked or (self._tired and _busy(table) and luck.random() < ERASES):
            await self._be_erased(house)
        elif self.claims and luck.random() < CLAIMS:
            await self._claim(house)
        elif luck.random() < FORGETS:
            return await self._forget(house)
        else:
            return False
        return True

    async def _claim(self, house: Dormie) -> None:
        """Go on with a new device, which becomes this person by a code; the old one stays for a while."""
        ticket = await house.claim_code()
        self.claims -= 1
        self.person.code = ticket.code
        self.person.come()

    async def _forget(self, house: Dormie) -> bool:
        """Let one of the other devices be nobody's; first the house is asked what they are called."""
        others = [one.device for one in await house.devices() if not one.this]
        if not others:
            return False
        gone = self.person.luck.choice(others)
        await house.forget_device(gone)
        self.person.world.trace.note("device", f"{self.person.name} forgets {gone}")
        return True

    async def _be_erased(self, house: Dormie) -> None:
        self._asked = self.person.enough = True
        await house.erase(self.person.name)
        self.person.erased = True


def _busy(table: Table) -> bool:
    return table.view.phase in ("playing", "between")
