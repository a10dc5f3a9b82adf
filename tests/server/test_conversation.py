"""What is said at a table, to those who watch it: in order, and once, whatever they do meanwhile."""

import asyncio
from typing import Unpack

from dormie_protocol import people_messages as p
from dormie_server.chat import KEPT_SECONDS, chat_key
from dormie_server.conversation import Conversation
from dormie_server.limits import Limits
from dormie_server.person import Caller, Player
from dormie_server.players import Players
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Beside, Store
from tests.contracts.stores import Clock
from tests.evening import CountingLuck
from tests.server.backstage import CODE, Backstage, Ear, backstage
from tests.server.moody_store import MoodyStore
from tests.server.turns import TWO
from tests.simulator.cupboard import Cupboard
from tests.simulator.far_store import FarStore
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
        await listen(house, conversation, ear)
        for text in ("one", "two"):
            await say(conversation, text)
        await until(lambda: players.waiting > 0)
        await listen(house, conversation, ear)
        players.known.set()
        await say(conversation, "three")
        await until(lambda: "three" in words(ear))

    await store.close()
    assert ["one", "two", "three"] == words(ear)


async def test_what_the_store_could_not_be_asked_for_is_heard_when_it_can() -> None:
    """It goes away when something was kept, and before anybody was told."""
    inner = SqliteStore(":memory:", clock=Clock())
    store = GoesAway(inner)
    async with backstage(store) as house:
        await house.begin(*TWO)
        conversation, ear = talk(store, house), Ear("p-ada")
        await listen(house, conversation, ear)
        store.leaving = True
        await say(conversation, "one")
        await until(lambda: store.asked_away > 0)
        early = words(ear)
        store.away = False
        await until(lambda: bool(words(ear)))

    await inner.close()
    assert not early
    assert ["one"] == words(ear)


async def test_numbers_begin_again_when_nobody_has_said_anything_for_a_day() -> None:
    """Whoever watches all the while hears the new lines, though they have old numbers."""
    clock = Clock()
    store = SqliteStore(":memory:", clock=clock)
    async with backstage(store) as house:
        await house.begin(*TWO)
        conversation, ear = talk(store, house), Ear("p-ada")
        await listen(house, conversation, ear)
        for text in ("one", "two"):
            await say(conversation, text)
        await until(lambda: "two" in words(ear))
        clock.advance(KEPT_SECONDS + 1)
        for text in ("a day later", "and on"):
            await say(conversation, text)
        await until(lambda: "and on" in words(ear))

    await store.close()
    assert ["one", "two", "a day later", "and on"] == words(ear)
    assert [1, 2, 1, 2] == [one.number for one in ear.heard if isinstance(one, p.Said)]


async def test_a_house_alone_keeps_nobody_to_listen_for_other_servers() -> None:
    """At most tables nobody says a word, and each would have a task that waits for one."""
    store = SqliteStore(":memory:", clock=Clock())
    async with backstage(store) as house:
        await house.begin(*TWO)
        await listen(house, talk(store, house), Ear("p-ada"))
        room = house.hub.room(CODE)
        listener = room and room.talk

    await store.close()
    assert room is not None
    assert listener is None


async def test_what_is_said_is_heard_though_the_store_has_lost_what_had_that_number() -> None:
    """A copy took the store's place: a new line gets the number of the one that is lost."""
    store = FarStore(Cupboard(Clock()))
    async with backstage(store) as house:
        await house.begin(*TWO)
        conversation, ear = talk(store, house), Ear("p-ada")
        await listen(house, conversation, ear)
        await say(conversation, "one")
        life = store.cupboard.life(chat_key(CODE))
        assert life is not None
        before = life.body
        await say(conversation, "lost")
        await until(lambda: "lost" in words(ear))
        life.version, life.body, life.notes[:] = 1, before, life.notes[:1]
        room = house.hub.room(CODE)
        assert room is not None
        await until(lambda: [1] == [watching.heard for watching in room.watchers.values()])
        await say(conversation, "two")
        await until(lambda: "two" in words(ear))
        for task in room.end():
            await asyncio.gather(task, return_exceptions=True)

    await store.close()
    assert ["one", "lost", "two"] == words(ear)


class GoesAway(MoodyStore):
    """Away from the moment when something was said."""

    leaving = False
    asked_away = 0

    async def put(self, key: str, body: bytes, was: int, **beside: Unpack[Beside]) -> int:
        version = await super().put(key, body, was, **beside)
        self.away = self.leaving
        return version

    async def _answers(self) -> None:
        self.asked_away += self.away
        await super()._answers()


def talk(store: Store, house: Backstage) -> Conversation:
    players = Players(store, CountingLuck())
    return Conversation(store, house.keeper, house.hub, players, Limits())


async def listen(house: Backstage, conversation: Conversation, ear: Ear) -> None:
    await house.hub.watch(ear, CODE, 0, "")
    await conversation.listen(ear, CODE, 0)


async def say(conversation: Conversation, text: str) -> None:
    bob = Caller(Player("p-bob", "Bob", ""), Ear("p-bob"), "192.0.2.1")
    await conversation.answer(p.Say(id=text.replace(" ", "-"), table=CODE, text=text), bob, 0.0)


def words(ear: Ear) -> list[str]:
    """What somebody has heard."""
    return [one.text for one in ear.heard if isinstance(one, p.Said)]
