"""Whose time is over on one server is gone from all of them."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from websockets.protocol import State

from dormie_protocol.messages import Welcome
from dormie_protocol.people_messages import ClaimTicket, DeviceList
from dormie_server.bans import Ban, Bans
from dormie_server.notices import Notice, follow, mark_of, post, post_patiently
from dormie_server.people import People
from dormie_server.person import Player
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Document, StoreUnavailable
from dormie_server.table.refusal import No
from dormie_server.table_shelves import OPEN_TABLES
from tests.contracts.stores import Clock
from tests.redis_server import RedisServer
from tests.server.guest import Guest
from tests.serving import serving
from tests.simulator.cupboard import Cupboard
from tests.simulator.far_store import FarStore
from tests.waiting import until


async def test_nasty_S17_whoever_is_erased_is_cut_off_on_other_servers_at_once(
    redis: RedisServer,
) -> None:
    async with serving(store=redis.url) as here, serving(store=redis.url) as there:
        ada = await Guest.come(here.port, "Ada")
        other = await Guest.come(there.port, token=ada.token)
        bob = await Guest.come(there.port, "Bob")
        done = await ada.do("erase", name="Ada")

        assert done.re
        assert [4401, 4401] == [await other.closed(), await ada.closed()]
        again = await Guest.connect(there.port)
        await again.say({"type": "hello", "id": "h", "token": ada.token})
        assert 4401 == await again.closed()
        await bob.create()
        await bob.leave()
        assert not await said_of(redis, ada.player, ada.token, "Ada")


async def said_of(redis: RedisServer, *words: str) -> list[str]:
    """Which of *words* Redis still has, as far as it can be asked for everything."""
    async with serving(store=redis.url) as app:
        store = app.store
        kept = [str(await store.get(key)) for key in await store.keys("")]  # type: ignore[attr-defined]
        kept += [str(note) for note in await store.notes("house:notices")]
    return [word for word in words if any(word in text for text in kept)]


async def test_a_device_that_is_forgotten_is_cut_off_on_other_servers_at_once(
    redis: RedisServer,
) -> None:
    async with serving(store=redis.url) as here, serving(store=redis.url) as there:
        ada = await Guest.come(here.port, "Ada")
        await ada.do("claim_code")
        ticket = await ada.hear(ClaimTicket)
        phone = await Guest.connect(there.port)
        await phone.say({"type": "hello", "id": "h", "claim": ticket.code})
        await phone.hear(Welcome)
        await ada.do("devices")
        seen = await ada.hear(DeviceList)
        other = next(one for one in seen.devices if not one.this)
        await ada.do("forget_device", device=other.device)

        assert 4401 == await phone.closed()
        assert await ada.create()
        await ada.leave()


async def test_an_erased_player_who_was_banned_leaves_no_ban_behind() -> None:
    async with serving() as app:
        ada = await Guest.come(app.port, "Ada")
        now = await app.store.now()
        await Bans(app.store).add(Ban("b1", "player", ada.player, now, now + 60))
        people: People = app.reception.desk.people
        await people._eraser.erase(ada.player)  # noqa: SLF001 - as the command does

        assert () == await Bans(app.store).all()
        await ada.closed()


async def test_to_erase_what_is_no_player_lifts_no_ban() -> None:
    """The command takes any word, and a ban is lifted by several."""
    async with serving() as app:
        now = await app.store.now()
        ban = Ban("b1", "address", "192.0.2.7/32", now, now + 60)
        await Bans(app.store).add(ban)
        people: People = app.reception.desk.people
        for word in ("192.0.2.7", "b1"):
            assert not await people._eraser.erase(word)  # noqa: SLF001 - as the command does

        assert (ban,) == await Bans(app.store).all()


async def test_a_notice_of_a_newer_server_is_no_trouble() -> None:
    async with serving() as app:
        ada = await Guest.come(app.port, "Ada")
        await post(app.store, Notice("dance", "x"))  # type: ignore[arg-type]  # from the future
        await post(app.store, Notice("player", mark_of("somebody else")))
        await asyncio.gather(*(post(app.store, Notice("bans")) for _ in range(10)))
        assert await ada.create()
        await post(app.store, Notice("player", mark_of(ada.player)))

        assert 4401 == await ada.closed()


async def test_what_cannot_be_told_at_once_is_told_when_the_store_is_back() -> None:
    class Away(SqliteStore):
        away = 2

        async def get(self, key: str) -> Document | None:
            self.away -= 1
            if self.away >= 0:
                raise StoreUnavailable("gone for a walk")
            return await super().get(key)

    store = Away(":memory:")
    await post_patiently(store, Notice("bans"))
    notes = await store.notes("house:notices")
    await store.close()

    assert [b"bans"] == [note.body for note in notes]


async def test_a_notice_is_heard_again_when_the_store_is_back_and_a_bad_one_is_passed() -> None:
    """Else a ban would be kept by the store and by no door, until somebody else is banned."""
    heard = list[str]()
    troubles = [StoreUnavailable("away"), ValueError("a damaged document")]

    async def hear(notice: Notice) -> None:
        heard.append(notice.what)
        if troubles:
            raise troubles.pop(0)

    store = SqliteStore(":memory:")
    await post(store, Notice("bans"))
    await post(store, Notice("player", mark_of("p-ada")))
    following = asyncio.create_task(follow(store, hear))
    await until(lambda: "player" in heard)
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    await store.close()

    assert ["bans", "bans", "player"] == heard


async def test_a_notice_is_heard_that_has_the_number_of_one_that_the_store_has_lost() -> None:
    """A copy took the store's place: what comes next must not be taken for what was heard."""
    heard = list[str]()

    async def hear(notice: Notice) -> None:
        heard.append(notice.what)

    store = FarStore(Cupboard(Clock()))
    following = asyncio.create_task(follow(store, hear))
    await post(store, Notice("bans"))
    await post(store, Notice("player", mark_of("p-ada")))
    await until(lambda: "player" in heard)
    life = store.cupboard.life("house:notices")
    assert life is not None
    life.version, life.notes[:] = 1, life.notes[:1]
    await until(lambda: heard.count("bans") > 1)  # once more from the beginning does no harm
    await post(store, Notice("device", mark_of("d-1")))
    await until(lambda: "device" in heard)
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    await store.close()


async def test_whoever_is_banned_or_erased_while_being_greeted_does_not_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serving() as app:
        desk, barred = app.reception.desk, app.reception.porter.barred
        tables = desk.tables
        meanwhile = list[Callable[[Player], Awaitable[None]]]()

        async def slowly(player: Player) -> tuple[str, ...]:
            await meanwhile.pop(0)(player)
            return await tables(player)

        async def ban(player: Player) -> None:
            now = await app.store.now()
            await Bans(app.store).add(Ban("b1", "player", player.id, now, now + 60))
            await post(app.store, Notice("bans"))
            await until(lambda: player.id in barred.players)

        async def erase(player: Player) -> None:
            await desk.people._eraser.erase(player.id)  # noqa: SLF001 - as the command does

        monkeypatch.setattr(desk, "tables", slowly)
        meanwhile += [ban, erase]
        codes = list[int | None]()
        while meanwhile:
            guest = await Guest.connect(app.port)
            await guest.say({"type": "hello", "id": "h", "name": "Ada"})
            codes.append(await guest.closed())

        assert [1008, 4401] == codes
        await until(lambda: desk.lobby.census.counts().online == 0)


async def test_whoever_was_sent_away_does_nothing_more_before_hearing_of_it() -> None:
    """Until they answer the goodbye, a line can still be spoken on: nothing may come of it."""
    async with serving() as app:
        ada = await Guest.come(app.port, "Ada")
        (line,) = app.reception.open
        ada.socket.transport.pause_reading()
        await post(app.store, Notice("player", mark_of(ada.player)))
        await until(lambda: line.state is not State.OPEN)
        await ada.say({"type": "create", "id": "late", "options": {"holes": 1}, "size": 2})
        await until(lambda: not app.reception.open)
        ada.socket.transport.resume_reading()
        await ada.closed()

        assert {} == await app.store.on(OPEN_TABLES)


async def test_whoever_could_not_be_erased_comes_again_and_is_found_out_if_another_device_could(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line that waits for its answer is spared by the notice, and no other one comes."""
    async with serving() as app:
        ada = await Guest.come(app.port, "Ada")
        people = app.reception.desk.people
        erase = people._eraser.erase  # noqa: SLF001 - another device has asked another server for it

        async def fails(player: str) -> bool:
            await erase(player)
            raise No("store_unavailable")

        monkeypatch.setattr(people._eraser, "erase", fails)  # noqa: SLF001 - this server's fails after that

        assert "store_unavailable" == await ada.refused("erase", name="Ada")
        assert 1012 == await ada.closed()
        again = await Guest.connect(app.port)
        await again.say({"type": "hello", "id": "h", "token": ada.token})
        assert 4401 == await again.closed()
