"""The hole of the day over real sockets: played in terminals in both languages, closed at midnight, checked."""

import asyncio
import re
from pathlib import Path

import pytest

from dormie_client import day_evening
from dormie_client.day_evening import NotRight
from dormie_client.day_wish import practice, read_day
from dormie_client.errors import RefusedError
from dormie_client.play_command import play
from dormie_client.play_wish import read_wish
from dormie_client.promises import kept_promise
from dormie_client.session import Dormie
from dormie_protocol.day_messages import Day, DayLine, DayResults, DayResultsSeen, DaySeen
from dormie_rules.patience_moves import GiveUp
from dormie_rules.values import replace
from dormie_server.app import App
from dormie_server.sqlite_store import SqliteStore
from tests.contracts.stores import Clock
from tests.server.at_once import AtOnce
from tests.server.day_house import DATE, NEXT, NOON
from tests.server.guest import Guest
from tests.serving import ServerProcess, serving
from tests.terminals import Terminal

SCREEN = ("--letters", "--width", "200")


class DayTerminal(Terminal):
    """A terminal at which `dormie day` or `dormie practice` was typed."""

    def ask(self, home: Path, *argv: str) -> None:
        day, rest = read_day(argv)
        wish = replace(read_wish([*rest, *SCREEN], {}), day=day)
        self._playing = asyncio.create_task(play(wish, self._theirs, self.paper, home))


@pytest.fixture
def clock() -> Clock:
    clock = Clock()
    clock.time = NOON
    return clock


async def play_out(one: Terminal, draw: str, give_up: str, over: str) -> None:
    """Play whatever fits, else draw, else give up, until the try is over."""
    while (prompt := await one.prompted(over, one)) is not None:
        column = re.search(r"olon\w+ (\d)|olumn (\d)", prompt)
        if column:
            one.type(column[1] or column[2])
        else:
            one.type(draw if f"({draw})" in prompt else give_up)


async def asked(app: App, home: Path, *argv: str) -> str:
    """What `dormie day` says that only looks. Raises NotRight."""
    one = DayTerminal("looks")
    try:
        one.ask(home, f"http://127.0.0.1:{app.port}", *argv)
        await one.ended()
        return one.shown
    finally:
        await one.close()


def at_once(app: App) -> None:
    app.alarms.worker = app.reception.desk.days.worker = AtOnce()


async def test_the_day_is_played_in_two_languages_and_checked_by_both(
    tmp_path: Path, clock: Clock
) -> None:
    store = SqliteStore(":memory:", clock=clock)
    async with serving({"store": store}) as app:
        at_once(app)
        url, ada, ben = (
            f"http://127.0.0.1:{app.port}",
            DayTerminal("Ada", looked_at=True),
            DayTerminal("Ben", looked_at=True),
        )
        try:
            ada.ask(tmp_path / "ada", url, "--name", "Ada", "--lang", "en")
            await ada.sees(f"The hole of {DATE}: nobody has begun")
            promise = (await ada.sees("promised by ")).split()[-1]
            await ada.sees("You have one try, until midnight")
            await play_out(ada, "d", "g", "That was your try")
            ben.ask(tmp_path / "ben", url, "--name", "Ben", "--lang", "fr")
            await ben.sees(f"Le trou du {DATE} : une personne a commencé")
            assert promise in await ben.sees("promise par ")
            await play_out(ben, "p", "g", "C’était votre essai")
            for one, word in ((ada, "quit"), (ben, "quitte")):
                one.type(word)
                await one.ended()
        finally:
            await ada.close()
            await ben.close()
        again = await asked(app, tmp_path / "ada", "--lang", "en")

        assert "Your try: " in again
        assert promise == kept_promise(tmp_path / "ada", url, DATE)
        with pytest.raises(NotRight, match="not over yet"):
            await asked(app, tmp_path / "ada", "--lang", "en", "--verify", DATE)
        clock.time = NOON + 43_200.0
        await app.reception.desk.days.close(DATE)
        results = await asked(app, tmp_path / "ada", "--lang", "en", "--results")
        named = await asked(
            app, tmp_path / "ada", "--lang", "en", "--results", "--date", "yesterday"
        )
        english = await asked(app, tmp_path / "ada", "--lang", "en", "--verify", DATE)
        french = await asked(app, tmp_path / "ben", "--lang", "fr", "--verify", "hier")

        assert "1. " in results
        assert f"The hole of {DATE} is over: 2 have begun." in results
        assert results == named
        assert {"You", "Ben"} <= set(re.findall(r"\d\. (\w+) ", results))
        assert "this device was told on the day" in english
        assert re.search(
            rf"{DATE}: the promise, the deal, every try \(2\) and every move \(\d+\) are right",
            english,
        )
        assert f"{DATE} : la promesse, la donne, chaque essai (2)" in french
    await store.close()


async def test_a_house_that_changes_its_promise_afterwards_is_found_out(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(":memory:", clock=clock)
    async with serving({"store": store}) as app:
        at_once(app)
        days = app.reception.desk.days
        honest = days.seen

        async def lies(message: object, player: str) -> DaySeen:
            seen = await honest(message, player)  # type: ignore[arg-type]  # as it was asked
            return seen.model_copy(update={"promise": "ab" * 32, "state": "closing"})

        monkeypatch.setattr(days, "seen", lies)
        await asked(app, tmp_path, "--name", "Ada", "--lang", "en")
        monkeypatch.setattr(days, "seen", honest)
        clock.time = NOON + 43_200.0
        await days.close(DATE)
        with pytest.raises(NotRight, match="not what was promised"):
            await asked(app, tmp_path, "--lang", "en", "--verify", DATE)
    await store.close()


async def test_a_house_that_promises_the_deal_of_another_day_again_is_found_out(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was shown when that day was over: whoever remembers it would know the stock."""
    store = SqliteStore(":memory:", clock=clock)
    async with serving({"store": store}) as app:
        at_once(app)
        days, url = app.reception.desk.days, f"http://127.0.0.1:{app.port}"
        async with await Dormie.connect(url, name="Ben") as ben:
            for date in (DATE, NEXT):
                assert date == (await ben.day()).date
                clock.time += 86_400.0
                await days.close(date)
        honest = days.seen

        async def lies(message: Day, player: str) -> DaySeen:
            seen = await honest(message.model_copy(update={"date": DATE}), player)
            return seen.model_copy(update={"date": NEXT})

        monkeypatch.setattr(days, "seen", lies)
        with pytest.raises(NotRight, match="not what was promised"):
            await asked(app, tmp_path, "--name", "Ada", "--lang", "en", "--verify", NEXT)
    await store.close()


async def test_a_record_that_comes_as_no_answer_of_the_web_cannot_be_fetched(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something in between may answer, and whatever it says is told in one line."""

    async def babble(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"babble\r\n")
        writer.close()

    store = SqliteStore(":memory:", clock=clock)
    async with (
        serving({"store": store}) as app,
        await asyncio.start_server(babble, "127.0.0.1") as other,
    ):
        at_once(app)
        async with await Dormie.connect(f"http://127.0.0.1:{app.port}", name="Ben") as ben:
            await ben.day()
        clock.time += 86_400.0
        await app.reception.desk.days.close(DATE)
        where = f"http://127.0.0.1:{other.sockets[0].getsockname()[1]}/"
        monkeypatch.setattr(day_evening, "named_record_url", lambda *_: where)
        with pytest.raises(NotRight, match="cannot be fetched"):
            await asked(app, tmp_path, "--name", "Ada", "--lang", "en", "--verify", DATE)
    await store.close()


async def test_a_namesake_who_did_as_well_is_not_you(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(":memory:", clock=clock)
    async with serving({"store": store}) as app:
        at_once(app)
        days, own = app.reception.desk.days, DayLine(place=1, name="Ada", score=3, cleared=False)
        async with await Dormie.connect(f"http://127.0.0.1:{app.port}", name="Ben") as ben:
            await ben.day()

        async def results(message: DayResults, _: str) -> DayResultsSeen:
            return DayResultsSeen(re=message.id, date=DATE, lines=(own, own), of=2, own=own)

        monkeypatch.setattr(days, "results", results)
        shown = await asked(app, tmp_path, "--name", "Ada", "--lang", "en", "--results")

        assert ["1. You 3", "1. Ada 3"] == re.findall(r"\d\. .*", shown)
    await store.close()


async def test_what_is_told_of_a_day_that_is_over_is_no_promise_kept_from_it(
    tmp_path: Path, clock: Clock
) -> None:
    """By then the house knows what it would like to have promised."""
    store = SqliteStore(":memory:", clock=clock)
    async with serving({"store": store}) as app:
        at_once(app)
        days, url = app.reception.desk.days, f"http://127.0.0.1:{app.port}"
        async with await Dormie.connect(url, name="Ben") as ben:
            assert "open" == (await ben.day()).state
        clock.time = NOON + 43_200.0
        await days.close(DATE)
        await asked(app, tmp_path / "ada", "--lang", "en", "--date", DATE)
        checked = await asked(app, tmp_path / "ada", "--lang", "en", "--verify", DATE)

        assert kept_promise(tmp_path / "ada", url, DATE) is None
        assert "This device kept no promise of that day" in checked
    await store.close()


async def test_a_hole_that_is_practised_is_the_same_each_time_and_leaves_no_record(
    tmp_path: Path,
) -> None:
    async with serving() as app:
        boards = []
        for name in ("one", "two"):
            one = Terminal(name)
            try:
                words = practice(["17", f"http://127.0.0.1:{app.port}", "--lang", "en", *SCREEN])
                one.start(tmp_path / name, *words)
                await one.sees("Hole 1 of 1")
                await one.sees("foundation ")
                boards.append(one.shown[one.shown.index("Hole 1 of 1") : one.shown.index("stock ")])
                one.type("g", "g")
                await one.sees("The match is over")
                assert "/record/" not in one.shown
            finally:
                await one.close()

        assert boards[0] == boards[1]


async def test_practice_is_for_one_who_plays_patience(tmp_path: Path) -> None:
    async with serving() as app, await Dormie.connect(f"http://127.0.0.1:{app.port}") as ada:
        for variant in ("golf_patience_queen", "six_card"):
            with pytest.raises(RefusedError, match=r"played alone"):
                await ada.create(variant, size=2, practice=3)


async def test_a_try_and_its_promise_outlive_the_server_and_the_player_plays_on(
    tmp_path: Path,
) -> None:
    """The server is killed between the secret and the first card, and again in the middle of a try."""
    server = ServerProcess(tmp_path / "house.db")
    await server.start()
    first = await Guest.come(server.port, "Ada")
    await first.do("day")
    promised = next(one for one in first.heard if isinstance(one, DaySeen))
    await server.kill()
    await server.start()
    second = await Guest.come(server.port, token=first.token)
    code = (await second.do("play_day")).table
    assert code is not None
    await second.do("watch", table=code)
    seen = await second.see(code, lambda one: bool(one.moves))
    await second.play(code, next(one for one in seen.moves if not isinstance(one, GiveUp)))
    await server.kill()
    await server.start()
    third = await Guest.come(server.port, token=first.token)
    again = (await third.do("play_day")).table
    await third.do("day", date=promised.date)
    kept = next(one for one in third.heard if isinstance(one, DaySeen))
    for guest in (first, second, third):
        await guest.vanish()
    await server.stop()

    assert promised.promise == kept.promise
    if kept.own is not None:  # else midnight came between
        assert code == again == kept.own.table
