"""Those who run a house ask a running server, over a real socket and with the real command."""

import asyncio
import json
import os
import stat
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Unpack

import pytest
import structlog
from websockets.exceptions import InvalidStatus

from dormie_client import ClosedError, Dormie, RefusedError
from dormie_protocol.messages import Bye, Refused
from dormie_protocol.table_view import Closed
from dormie_server import cli
from dormie_server.admin_desk import AdminDesk, inside
from dormie_server.admin_words import AddBan, AdminNo, LiftBan
from dormie_server.app import App
from dormie_server.config import BadSetting
from dormie_server.documents import Kept
from dormie_server.notices import NOTICES
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Beside, StoreUnavailable
from tests.redis_server import RedisServer
from tests.server.guest import ENTROPY, Guest, guests
from tests.serving import ServerProcess, serving, url_of
from tests.waiting import until


@pytest.fixture
def nook() -> Iterator[Path]:
    """A folder with a short name: the path of a socket has at most 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="dormie-") as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def diary() -> Iterator[list[structlog.typing.EventDict]]:
    """What the house writes down."""
    with structlog.testing.capture_logs() as lines:
        yield lines


@pytest.fixture
async def house(nook: Path) -> AsyncIterator[App]:
    async with serving(admin_socket=str(nook / "a.sock")) as app:
        yield app


class Office:
    """Whoever runs the house, at a terminal."""

    def __init__(self, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.place = place
        self.said = ""
        self.sorry = ""
        self._capsys = capsys

    async def ask(self, *words: str) -> int:
        """The exit status of ``dormie-server admin``; what it says is kept."""
        self._capsys.readouterr()
        argv = ["admin", "--socket", str(self.place), *words]
        status = await asyncio.to_thread(cli.main, argv)
        self.said, self.sorry = self._capsys.readouterr()
        return status

    async def json(self, *words: str) -> dict[str, object]:
        """What it answers to programs."""
        assert 0 == await self.ask("--json", *words), self.sorry
        answer: dict[str, object] = json.loads(self.said)
        return answer


@pytest.fixture
def office(nook: Path, capsys: pytest.CaptureFixture[str]) -> Office:
    return Office(nook / "a.sock", capsys)


async def raw(place: Path, *lines: bytes) -> list[bytes]:
    """What the socket itself answers, line by line."""
    reader, writer = await asyncio.open_unix_connection(str(place))
    writer.write(b"".join(line + b"\n" for line in lines))
    answers = [await reader.readline() for _ in lines]
    writer.close()
    return answers


# ------------------------------------------------------------------------------- the socket


async def test_only_its_owner_may_use_the_socket_and_it_goes_with_the_server(nook: Path) -> None:
    place = nook / "a.sock"
    async with serving(admin_socket=str(place)):
        assert 0o600 == stat.S_IMODE(place.stat().st_mode)
        assert stat.S_ISSOCK(place.stat().st_mode)

    assert not place.exists()


async def test_it_lies_beside_the_file_and_can_be_off(nook: Path) -> None:
    async with serving(data=str(nook / "dormie.db")):
        assert (nook / "admin.sock").exists()
    async with serving(data=str(nook / "dormie.db"), admin_socket="off"):
        assert not (nook / "admin.sock").exists()


async def test_a_dead_servers_socket_is_taken_away_and_nothing_else_is(nook: Path) -> None:
    place = nook / "a.sock"
    async with serving(admin_socket=str(place)):
        os.link(place, nook / "left.sock")  # what a server that was killed leaves behind
        with pytest.raises(BadSetting, match="another server listens there"):
            async with serving(admin_socket=str(place)):
                pass
        assert await raw(place, b'{"command":"bans"}')
    async with serving(admin_socket=str(nook / "left.sock")):
        assert await raw(nook / "left.sock", b'{"command":"bans"}')
    (nook / "file").write_text("mine")
    with pytest.raises(BadSetting, match="no socket"):
        async with serving(admin_socket=str(nook / "file")):
            pass

    assert "mine" == (nook / "file").read_text()


async def test_a_place_that_nobody_chose_and_that_is_none_keeps_no_house_closed(nook: Path) -> None:
    deep = nook / ("very-long-name" * 8)
    async with serving(data=str(deep / "dormie.db")) as app:
        assert app.admin is None
        async with guests(app.port, "Ada") as (ada,):
            assert await ada.create()


async def test_whatever_is_no_command_gets_one_line_and_the_next_one_is_read(
    house: App, nook: Path
) -> None:
    answers = await raw(
        nook / "a.sock",
        b"{",
        b'{"command":"dance"}',
        b'{"command":"list","limit":0}',
        b'{"command":"list","token":"x"}',
        b'{"command":"list"}',
    )
    words = [json.loads(line).get("no") for line in answers]

    assert [*["unreadable"] * 4, None] == words


async def test_a_line_without_an_end_is_hung_up_on(house: App, nook: Path) -> None:
    reader, writer = await asyncio.open_unix_connection(str(nook / "a.sock"))
    writer.write(b"x" * 100_000)

    assert b"" == await reader.read()
    writer.close()


async def test_without_a_server_there_is_one_line_and_status_2(office: Office) -> None:
    assert 2 == await office.ask("list")

    assert 1 == len(office.sorry.splitlines())
    assert "no server answers" in office.sorry
    assert 2 == await asyncio.to_thread(cli.main, ["admin", "--data", ":memory:", "list"])


# --------------------------------------------------------------------------- list, inspect


async def test_tables_are_listed_and_inspected(house: App, office: Office) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await ada.create()
        await bob.join(code)
        other = await bob.create()
        assert 0 == await office.ask("list")
        lines = office.said.splitlines()

        assert {code, other} == {line.split()[0] for line in lines}
        assert any("2 here of 2: Ada, Bob" in line for line in lines)
        await office.ask("list", "--limit", "1")
        assert "and 1 more" in office.said
        assert 0 == await office.ask("inspect", code.lower())
        assert f"seat 2  Bob  player {bob.player}" in office.said
        assert 2 == await office.ask("inspect", "NQSVCHTE")
        assert "dormie-server: there is no table NQSVCHTE\n" == office.sorry


async def test_what_is_inspected_does_not_depend_on_a_hidden_card(house: App) -> None:
    """Two tables that differ only in pockets and in what is locked away look the same."""
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await begun(ada, bob)
        kept = await house.keeper.table(code)
        assert kept is not None
        table = kept.table
        state = table.state
        assert state.secret.hole is not None
        secret = replace(state.secret, hole=None, master="00" * 32, salt="x", key="y")
        other = replace(table, state=replace(state, pockets=state.pockets[::-1], secret=secret))

        assert inside(kept, 1.0) == inside(Kept(other), 1.0)


async def begun(ada: Guest, bob: Guest, **options: object) -> str:
    """A match of two that has begun."""
    code = await ada.create(password="open sesame", **options)
    await bob.do("join", table=code, password="open sesame")
    await bob.do("watch", table=code)
    await ada.do("ready", table=code, entropy=ENTROPY)
    await bob.do("ready", table=code, entropy="cd" * 16)
    await ada.see(
        code, lambda s: s.view is not None and s.view.match is not None and s.view.match.hole > 0
    )
    return code


async def test_no_answer_and_no_line_of_the_diary_has_a_secret(house: App, office: Office) -> None:
    with structlog.testing.capture_logs() as diary:
        async with guests(house.port, "Ada", "Bob") as (ada, bob):
            code = await begun(ada, bob)
            await ada.do("report", table=code, seat=1, reason="abuse", text="rude")
            kept = await house.keeper.table(code)
            assert kept is not None
            said = list[str]()
            (name, *_), *_ = [line.split() for line in await told(office, "reports")]
            for words in (
                ["list"],
                ["inspect", code],
                ["report", name],
                ["ban", "player", bob.player, "--because", "rude"],
                ["ban", "address", "203.0.113.9"],
                ["bans"],
                ["unban", bob.player],
                ["report", name, "--close"],
                ["close", code, "That is enough."],
            ):
                said += await told(office, *words)
            for words in (["list"], ["inspect", code], ["bans"], ["reports"]):
                said += await told(office, "--json", *words)
            secret = kept.table.secret
            canaries = {ada.token, bob.token, "open sesame", ENTROPY, secret.master, secret.salt}
            canaries |= {secret.key or "", str(secret.hole)} - {""}
    everything = "\n".join(said)

    assert [] == [one for one in canaries if one in everything or one in str(diary)]
    assert "203.0.113.9" in everything
    assert "203.0.113.9" not in str(diary)
    assert "sitters" not in everything


async def told(office: Office, *words: str) -> list[str]:
    """The lines of an answer."""
    assert 0 == await office.ask(*words), office.sorry
    return office.said.splitlines()


async def test_every_command_has_a_line_in_the_diary(house: App, office: Office) -> None:
    with structlog.testing.capture_logs() as diary:
        await office.ask("list")
        await office.ask("close", "NQSVCHTE", "because")
        await raw(office.place, b"{")
    lines = [line for line in diary if line["event"] == "admin"]

    assert [
        ("list", "done", None),
        ("close", "no_table", "NQSVCHTE"),
        ("unreadable", None, None),
    ] == [(line["command"], line.get("outcome"), line.get("table")) for line in lines]


# ------------------------------------------------------------------------------------ close


async def test_players_of_a_table_that_is_closed_are_told_why(house: App, office: Office) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await begun(ada, bob)
        assert 0 == await office.ask("close", code, "The club closes at eleven.")
        closed = Closed("house", said="The club closes at eleven.")
        for guest in (ada, bob):
            seen = await guest.phase(code, "closed")
            assert closed in [event.all for event in seen.events]
        assert 0 == await office.ask("close", code, "Once more.")

        assert "was closed already" in office.said
        assert 2 == await office.ask("close", code, "\x1b[2J")
        assert 2 == await office.ask("close", code, "x" * 281)


# ------------------------------------------------------------------------------------- bans


async def test_a_player_who_is_banned_goes_at_once_and_comes_back_when_let_in(
    house: App, office: Office
) -> None:
    bob = await Guest.come(house.port, "Bob")
    assert 0 == await office.ask("ban", "player", bob.player)
    assert 1008 == await bob.closed()
    again = await Guest.connect(house.port)
    await again.say({"type": "hello", "id": "h", "token": bob.token})
    refused = await again.hear(Refused)

    assert ("banned", 1008) == (refused.word, await again.closed())
    with pytest.raises(RefusedError, match="do not let you in"):
        await Dormie.connect(url_of(house), token=bob.token)
    assert 0 == await office.ask("bans")
    assert bob.player in office.said
    assert 0 == await office.ask("unban", bob.player)
    back = await eventually_come(house, bob.token)
    assert back.player == bob.player
    await back.leave()
    assert 2 == await office.ask("unban", bob.player)
    assert 2 == await office.ask("ban", "player", "p-nobody")


async def test_a_ban_that_was_lifted_unheard_is_told_when_it_is_lifted_again() -> None:
    """Else the ban is on no list any more, and every door keeps it until it would have ended."""

    class NoNotices(SqliteStore):
        dumb = False

        async def put(self, key: str, body: bytes, was: int, **beside: Unpack[Beside]) -> int:
            if self.dumb and key == NOTICES:
                raise StoreUnavailable("away")
            return await super().put(key, body, was, **beside)

    store = NoNotices(":memory:")
    async with serving({"store": store}) as app:
        bob = await Guest.come(app.port, "Bob")
        desk = AdminDesk(store, app.keeper, (), app.asked_to_stop.set)
        await desk.answer(AddBan(what="player", who=bob.player))
        await bob.closed()
        store.dumb = True
        with pytest.raises(AdminNo, match="the store does not answer"):
            await desk.answer(LiftBan(who=bob.player))
        store.dumb = False
        with pytest.raises(AdminNo, match="there is no ban"):
            await desk.answer(LiftBan(who=bob.player))
        await (await eventually_come(app, bob.token)).leave()


async def eventually_come(house: App, token: str) -> Guest:
    """Say hello as soon as the server has heard that one may."""
    player = (await house.reception.players.hello(token, None))[0].id
    await until(lambda: player not in house.reception.porter.barred.players)
    return await Guest.come(house.port, token=token)


async def test_whoever_is_banned_by_address_in_the_middle_of_it_is_told_and_comes_no_more(
    office: Office,
) -> None:
    """Without a word for it, a program would try to come back for ever."""
    async with (
        serving(admin_socket=str(office.place), host="127.0.0.1") as app,
        await Dormie.connect(url_of(app), name="Bob") as bob,
    ):
        table = await bob.create()
        assert 0 == await office.ask("ban", "address", "127.0.0.1")
        with pytest.raises(ClosedError, match="do not let you in"):
            await table.until(lambda _: False)
        assert bob.over


@pytest.mark.parametrize(
    ("words", "because"),
    [
        (("ban", "player", "p1", "--days", "0"), "argument --days: a number above 0"),
        (("ban", "player", "p1", "--days", "nan"), "argument --days: a number above 0"),
        (("dance",), "argument command: invalid choice"),
        ((), "the following arguments are required: command"),
    ],
)
def test_a_slip_of_whoever_runs_the_house_is_answered_in_one_line(
    words: tuple[str, ...], because: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["admin", *words])
    said = capsys.readouterr()

    assert (2, "", 1) == (end.value.code, said.out, said.err.count("\n"))
    assert said.err.startswith(f"dormie-server: {because}")


async def test_where_there_is_nothing_to_show_a_sentence_says_so(
    house: App, office: Office
) -> None:
    assert house.admin is not None
    for words, nothing in (
        ("list", "no table is open"),
        ("bans", "nobody is banned"),
        ("reports", "no report waits"),
    ):
        assert 0 == await office.ask(words)
        assert f"{nothing}\n" == office.said


async def test_a_socket_closes_quietly_on_whoever_is_still_there(
    house: App, nook: Path, diary: list[structlog.typing.EventDict]
) -> None:
    """As after drain, whose own line is still open."""
    complaints = list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, what: complaints.append(what))
    reader, writer = await asyncio.open_unix_connection(str(nook / "a.sock"))
    writer.write(b'{"command": "bans"}\n')
    assert b'{"done":{"bans":[]}}\n' == await reader.readline()
    assert house.admin is not None
    await house.admin.close()

    assert b"" == await reader.read()
    writer.close()
    assert [] == complaints
    opening = ("open", "redis_forgets")
    assert ["admin"] == [line["event"] for line in diary if line["event"] not in opening]


async def test_an_address_that_is_banned_is_kept_out_at_the_door(
    nook: Path, office: Office
) -> None:
    async with serving(admin_socket=str(office.place), host="127.0.0.1") as app:
        bob = await Guest.come(app.port, "Bob")
        reader, writer = await asyncio.open_connection("127.0.0.1", app.port)  # says nothing yet
        assert 0 == await office.ask("ban", "address", "127.0.0.0/24", "--days", "0.5")
        assert (1008, b"") == (await bob.closed(), await reader.read())
        writer.close()
        with pytest.raises(InvalidStatus) as error:
            await Guest.connect(app.port)
        assert 403 == error.value.response.status_code
        with pytest.raises(RefusedError) as refused:
            await Dormie.connect(url_of(app), language="fr")
        assert "banned" == refused.value.word
        assert 0 == await office.ask("unban", "127.0.0.0/24")
        await until(lambda: not app.reception.porter.barred.networks)
        await (await Guest.come(app.port, "Bob")).leave()


async def test_a_proxy_or_half_the_world_cannot_be_banned(nook: Path, office: Office) -> None:
    async with serving(admin_socket=str(office.place), trusted_proxies="127.0.0.1"):
        assert 2 == await office.ask("ban", "address", "127.0.0.1")
        assert "proxy" in office.sorry
        assert 2 == await office.ask("ban", "address", "0.0.0.0/0")
        assert 2 == await office.ask("ban", "address", "the moon")
        past = b'{"command": "ban", "what": "address", "who": "10.0.0.1", "days": -1}'
        assert b'{"no":"unreadable"' in (await raw(office.place, past))[0]


# ------------------------------------------------------------------------ several servers


async def test_on_a_redis_any_server_lists_closes_and_bans_for_all(
    redis: RedisServer, office: Office
) -> None:
    async with (
        serving(store=redis.url) as there,
        serving(store=redis.url, admin_socket=str(office.place)),
        guests(there.port, "Ada") as (ada,),
    ):
        bob = await Guest.come(there.port, "Bob")
        code = await ada.create()
        tables = (await office.json("list"))["tables"]
        assert isinstance(tables, list)
        assert [code] == [one["table"] for one in tables]
        assert 0 == await office.ask("close", code, "Good night.")
        seen = await ada.phase(code, "closed")
        assert [Closed("house", said="Good night.")] == [event.all for event in seen.events]

        assert 0 == await office.ask("ban", "player", bob.player)
        assert 1008 == await bob.closed()
        again = await Guest.connect(there.port)
        await again.say({"type": "hello", "id": "h", "token": bob.token})
        assert "banned" == (await again.hear(Refused)).word
        await again.closed()
    async with serving(store=redis.url) as later:  # a server that starts knows it, too
        late = await Guest.connect(later.port)
        await late.say({"type": "hello", "id": "h", "token": bob.token})
        assert "banned" == (await late.hear(Refused)).word
        await late.closed()


# ------------------------------------------------------------------------------------ drain


async def test_a_real_server_that_is_drained_says_goodbye_and_ends_well(
    nook: Path, office: Office
) -> None:
    server = ServerProcess(nook / "dormie.db", "--admin-socket", str(office.place))
    await server.start()
    try:
        ada = await Guest.come(server.port, "Ada")
        assert 0 == await office.ask("drain")
        assert "this server stops" in office.said
        bye = await ada.hear(Bye)
        assert ("stopping", 1012) == (bye.word, await ada.closed())
        status = await server.ended()
        diary = server.log.read_text()

        assert 0 == status
        assert '"command": "drain"' in diary
    finally:
        await server.kill()
