"""The whole server: what it says over HTTP, how it stops, and how it comes back."""

import asyncio
import time
from pathlib import Path
from urllib.error import HTTPError

import pytest
from websockets.exceptions import WebSocketException

from dormie_protocol.messages import Bye, Done, Refused
from dormie_rules.grid_moves import Flip
from dormie_rules.replay import verify
from dormie_server.app import App
from dormie_server.config import read_settings
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import StoreUnavailable
from tests.server.guest import ENTROPY, Guest, guests, play_alone
from tests.server.moody_store import MoodyStore
from tests.serving import QUICK, ServerProcess, fetch, serving
from tests.waiting import until
from tests.wire import HELLO, TEXT, Place, Wire, framed

GRID = {"variant": "playroom", "options": {"rows": 4, "cols": 4, "initial_face_up": 15}}


async def status(port: int, path: str) -> int:
    try:
        await fetch(port, path)
    except HTTPError as answer:
        return answer.code
    return 200


# ---------------------------------------------------------------------------- over HTTP


async def test_the_house_is_well_and_ready_and_counts() -> None:
    async with serving() as app, guests(app.port, "Ada") as (ada,):
        code = await ada.create(bots=["random"])
        figures = await fetch(app.port, "/metrics")

        assert ["OK\n", "OK\n"] == [await fetch(app.port, path) for path in ("/healthz", "/readyz")]
        assert "dormie_connections 1.0" in figures
        assert 'dormie_tables{phase="lobby"} 1.0' in figures
        assert code not in figures
        assert "<html" in (await fetch(app.port, "/")).lower()


async def test_a_house_whose_store_is_away_is_not_well() -> None:
    store = MoodyStore(SqliteStore(":memory:"))
    async with serving({"store": store}) as app:
        store.away = True

        assert [503, 200] == [await status(app.port, path) for path in ("/healthz", "/readyz")]
        assert 503 == await status(app.port, "/record/ABCDEFGH-1")
        store.away = False


async def test_the_record_of_a_finished_match_can_be_fetched_and_is_right() -> None:
    async with serving() as app, guests(app.port, "Ada") as (ada,):
        code = await ada.create(bots=["random"])
        assert 404 == await status(app.port, f"/record/{code}-1")
        await play_alone(ada, code)
        await until(lambda: app.keeper.phases() == {"over": 1})
        while await status(app.port, f"/record/{code}-1") != 200:
            await ada.ask("ready", table=code)  # takes a moment, in which the record may be kept

        assert verify(await fetch(app.port, f"/record/{code}-1")).ok


async def test_scenario_F1_a_hundred_tables_and_guests_leave_nothing_behind() -> None:
    async with serving() as app:
        before = asyncio.all_tasks()

        async def evening(number: int) -> None:
            guest = await Guest.come(app.port, f"P{number}")
            code = await guest.create(bots=["random"])
            await guest.do("ready", table=code, entropy=ENTROPY)
            await guest.do("end", table=code)
            await guest.leave()

        await evening(100)  # what a store starts when it is first needed may stay
        before |= asyncio.all_tasks()
        for tens in range(10):
            await asyncio.gather(*(evening(10 * tens + number) for number in range(10)))
        await until(lambda: asyncio.all_tasks() <= before)

        assert (set(), {}) == (app.reception.open, app.keeper.phases())
        assert {} == app.hub._rooms  # noqa: SLF001 - the very thing
        assert {} == app.alarms._timers  # noqa: SLF001 - the very thing
        assert "dormie_connections 0.0" in await fetch(app.port, "/metrics")


# ----------------------------------------------------------------------------- stopping


async def test_nasty_C12_whoever_stops_says_when_to_come_back_and_loses_nothing(
    tmp_path: Path,
) -> None:
    """Moves are in flight on twenty tables: each is answered and kept, or not acknowledged."""
    acknowledged: dict[str, int] = {}
    app = await App.open(read_settings({**QUICK, "data": str(tmp_path / "dormie.db")}))
    players = [await Guest.come(app.port, f"P{number}") for number in range(20)]
    playing = [asyncio.create_task(_flip_on(player, acknowledged)) for player in players]
    await until(lambda: sum(acknowledged.values()) > 60)
    began = time.monotonic()
    await app.close()
    took = time.monotonic() - began
    await asyncio.gather(*playing)

    assert took < 5
    assert {1012} == {await player.closed() for player in players}
    for player in players:
        (bye,) = [one for one in player.heard if isinstance(one, Bye)]
        assert ("stopping", True) == (bye.word, bye.retry_after is not None)
    with pytest.raises(OSError, match=r"[Cc]onnect"):
        await Guest.connect(app.port)
    async with serving(data=str(tmp_path / "dormie.db")) as again:
        for code, count in acknowledged.items():
            kept = await again.keeper.table(code)
            assert kept is not None
            host = kept.table.public.seats[0]
            assert host is not None
            assert host.count in (count, count + 1)
            assert not host.here


async def _flip_on(player: Guest, acknowledged: dict[str, int]) -> None:
    """Turn up card after card, and note what was acknowledged, until the line ends."""
    code = await player.create(bots=["random"], **GRID)
    await player.do("ready", table=code, entropy=ENTROPY)
    await player.see(code, lambda seen: bool(seen.moves))
    acknowledged[code] = 0
    for count in range(1, 16):
        try:
            answer = await player.ask("play", table=code, count=count, move=Flip(count - 1))
        except (AssertionError, WebSocketException):
            return  # the line has ended, and there was no answer
        if isinstance(answer, Refused):
            assert "stopping" == answer.word
            return
        acknowledged[code] = count


async def test_nasty_C13_fifty_who_do_not_read_cannot_hold_the_house_open() -> None:
    app = await App.open(read_settings(QUICK))
    place = Place("127.0.0.1", app.port)
    wires = [await asyncio.to_thread(Wire, place, small=True) for _ in range(50)]
    for wire in wires:
        await asyncio.to_thread(wire.greet, more=framed(TEXT, HELLO))
    await until(lambda: len(app.reception.open) == 50)
    for talk in app.reception.open:
        while not talk.paused:
            talk.write_text(b"x" * 4096)
    began = time.monotonic()
    await app.close()
    took = time.monotonic() - began
    for wire in wires:
        wire.line.close()

    assert took < 5


async def test_whoever_has_not_said_a_word_yet_cannot_hold_the_house_open() -> None:
    app = await App.open(read_settings(QUICK))
    place = Place("127.0.0.1", app.port)
    silent, greeted = [await asyncio.to_thread(Wire, place) for _ in range(2)]
    await asyncio.to_thread(greeted.greet)
    began = time.monotonic()
    await app.close()

    assert time.monotonic() - began < 5
    assert 1012 == await asyncio.to_thread(greeted.close_code)
    for wire in (silent, greeted):
        wire.line.close()


async def test_while_the_house_stops_requests_are_refused() -> None:
    async with serving() as app, guests(app.port, "Ada") as (ada,):
        code = await ada.create()
        before = await app.keeper.table(code)
        app.reception.stopping = True

        assert "stopping" == await ada.refused("ready", table=code)
        assert before == await app.keeper.table(code)
        assert 503 == await status(app.port, "/readyz")
        app.reception.stopping = False


async def test_a_house_that_cannot_open_leaves_nothing_behind() -> None:
    async with serving() as app, guests(app.port, "Ada") as (ada,):
        await ada.create()  # the other house is in full swing
        before = asyncio.all_tasks()
        store = SqliteStore(":memory:")
        with pytest.raises(OSError, match="in use"):
            await App.open(read_settings({**QUICK, "port": app.port}), store)
        await until(lambda: asyncio.all_tasks() <= before)

        with pytest.raises(StoreUnavailable):
            await store.get("anything")


async def test_sigterm_ends_the_process_politely_and_everything_is_there_again(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path / "dormie.db")
    await server.start()
    ada = await Guest.come(server.port, "Ada")
    code = await ada.create(bots=["random"])
    last = ada.last(code)
    began = time.monotonic()
    assert 0 == await server.stop()

    assert time.monotonic() - began < 5
    assert 1012 == await ada.closed()
    await server.start()
    again = await Guest.come(server.port, token=ada.token)
    assert (code,) == again.welcome.tables
    await again.do("watch", table=code, after=last.version, chain=last.chain)
    seen = again.last(code)
    assert (last.version, True, False) == (seen.after, seen.replay, seen.rolled_back)
    await again.leave()
    assert 0 == await server.stop()
    assert "Traceback" not in server.log.read_text()


async def test_a_put_that_never_ends_cannot_hold_the_house_open() -> None:
    store = MoodyStore(SqliteStore(":memory:"))
    app = await App.open(read_settings(QUICK), store)
    ada = await Guest.come(app.port, "Ada")
    code = await ada.create()
    store.open.clear()
    await ada.say({"type": "ready", "id": "r", "table": code})
    await until(lambda: store.waiting == 1)
    async with asyncio.timeout(5):
        await app.close()

    assert [] == [one for one in ada.heard if isinstance(one, Done) and one.re == "r"]
