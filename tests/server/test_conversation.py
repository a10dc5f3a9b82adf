"""What is said at a table, to those who watch it: in order, and once, whatever they do meanwhile."""

import asyncio

from dormie_protocol import people_messages as p
from dormie_server.conversation import Conversation
from dormie_server.limits import Limits
from dormie_server.person import Caller, Player
from dormie_server.players import Players
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Store
from tests.contracts.stores import Clock
from tests.evening import CountingLuck
from tests.server.backstage import CODE, Ear, backstage
from tests.server.turns import TWO
from tests.waiting import until


class Slow(Players):
    """Nobody knows at once whose words somebody does not want to hear."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, CountingLuck())
        self.known = asyncio.Event()
        self.waiting = 0

    async def hidden(self, player: str) -> frozenset[str]:  # noqa: ARG002 - nobody hides anything
        if self.waiting:  # whoever asks later is answered earlier
            return frozenset()
        self.waiting += 1
        await self.known.wait()
        return frozenset()


async def test_whoever_watches_once_more_hears_everything_in_order_and_once() -> None:
    """Somebody was just about to be told when they began anew."""
    store = SqliteStore(":memory:", clock=Clock())
    async with backstage(store) as house:
        await house.begin(*TWO)
        players, ear = Slow(store), Ear("p-ada")
        conversation = Conversation(store, house.keeper, house.hub, players, Limits())
        await house.hub.watch(ear, CODE, 0, "")
        await conversation.listen(ear, CODE, 0)
        bob = Caller(Player("p-bob", "Bob", ""), Ear("p-bob"), "192.0.2.1")
        for number, text in enumerate(("one", "two"), 1):
            await conversation.answer(p.Say(id=f"s{number}", table=CODE, text=text), bob, 0.0)
        await until(lambda: players.waiting > 0)
        await house.hub.watch(ear, CODE, 0, "")
        await conversation.listen(ear, CODE, 0)
        players.known.set()
        await conversation.answer(p.Say(id="s3", table=CODE, text="three"), bob, 0.0)
        await until(lambda: any(isinstance(one, p.Said) and one.number == 3 for one in ear.heard))
        said = [one.number for one in ear.heard if isinstance(one, p.Said)]

    await store.close()
    assert [1, 2, 3] == said
