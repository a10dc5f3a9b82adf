"""Before a day is closed no frame of the house tells anybody what the deal follows from, nor another's cards."""

import asyncio
import base64
import hashlib
import re
from collections.abc import Callable, Iterator
from random import Random

import pytest

from dormie_protocol import day_messages as d
from dormie_protocol.messages import Done, Refused
from dormie_rules.patience_day import day_attempt, day_promise, day_seed
from dormie_rules.patience_deals import attempt_seed
from dormie_rules.patience_moves import GiveUp
from dormie_server.app import App
from dormie_server.day_book import DayBook, HouseDay
from dormie_server.sqlite_store import SqliteStore
from tests.contracts.stores import Clock
from tests.evening import CountingLuck
from tests.leaks import Leak
from tests.server.at_once import AtOnce
from tests.server.day_house import DATE, NOON
from tests.server.guest import Guest
from tests.serving import fetch, serving

HASHES: tuple[Callable[[bytes], bytes], ...] = (
    lambda data: hashlib.sha256(data).digest(),
    lambda data: hashlib.sha512(data).digest(),
    lambda data: hashlib.sha1(data, usedforsecurity=False).digest(),
    lambda data: hashlib.blake2b(data, digest_size=8).digest(),
    lambda data: hashlib.blake2b(data).digest(),
    lambda data: day_seed(DATE, data),
    lambda data: day_promise(DATE, data),
)


def forbidden(day: HouseDay) -> Iterator[str]:
    """All that would tell the secret or hashes to something of it, but the promise."""
    secret = bytes.fromhex(day.secret)
    seed = day_seed(day.date, secret)
    sources = [secret, seed, *(attempt_seed(seed, at) for at in range((day.attempt or 0) + 2))]
    for one in (*sources, *(made(source) for source in sources for made in HASHES)):
        if one.hex() != day.promise:
            yield one.hex()
            yield base64.b64encode(one).decode().rstrip("=")
            yield base64.urlsafe_b64encode(one).decode().rstrip("=")
            yield str(int.from_bytes(one, "big"))
            yield str(list(one)).replace(" ", "")


def scan(day: HouseDay, frames: list[str]) -> None:
    """Raise Leak if a frame tells what it must not."""
    words = list(forbidden(day))
    for frame in frames:
        if found := next((word for word in words if word in frame), None):
            raise Leak(f"{found} in {frame[:300]}")


async def play(guest: Guest, luck: Random) -> str:
    """Somebody's whole try, made of any moves; the code of its table."""
    code = await guest.do("play_day")
    table = code.table
    assert table is not None
    await guest.do("watch", table=table)
    seen = await guest.see(table, lambda one: bool(one.moves))
    while seen.moves:
        move = luck.choice([one for one in seen.moves if not isinstance(one, GiveUp)] or seen.moves)
        answer = await guest.play(table, move)
        version = answer.version if isinstance(answer, Done) else None
        assert version is not None
        seen = await guest.see(table, lambda one, v=version: one.version >= v)  # type: ignore[misc]  # mypy cannot see its default
    return table


async def played(app: App) -> tuple[Guest, Guest]:
    """Ada has played, Eve has asked for all that can be asked."""
    app.alarms.worker = app.reception.desk.days.worker = AtOnce()
    ada, eve = await asyncio.gather(Guest.come(app.port, "Ada"), Guest.come(app.port, "Eve"))
    await eve.do("day")
    table = await play(ada, Random(7))
    await ada.do("day")
    for guest in (ada, eve):
        for kind, fields in (
            ("watch", {"table": table}),
            ("day_results", {"date": DATE}),
            ("day_results", {}),
            ("lobby", {}),
            ("mine", {}),
            ("history", {}),
            ("play_day" if guest is ada else "day", {}),
        ):
            await guest.ask(kind, **fields)
    return ada, eve


async def test_no_frame_before_the_end_tells_the_secret_or_what_hashes_to_it() -> None:
    clock = Clock()
    clock.time = NOON
    store = SqliteStore(":memory:", clock=clock)
    async with serving({"store": store}) as app:
        ada, eve = await played(app)
        day = await DayBook(store, CountingLuck()).day(DATE)
        assert day is not None
        assert day.attempt is not None
        frames = [*ada.frames, *eve.frames]
        scan(day, frames)

        assert any(day.promise in frame for frame in frames), "a scan that sees nothing is blind"
        with pytest.raises(Exception, match="404"):
            await fetch(app.port, f"/record/day-{DATE}")
        pack = day_attempt(DATE, bytes.fromhex(day.secret), day.attempt).pack
        told = [
            frame
            for frame in eve.frames
            if any(f'"{card}"' in frame for card in pack) or '"score":' in frame
        ]
        assert [] == [one for one in told if '"score":null' not in one]
        clock.time = NOON + 43_200.0
        await app.reception.desk.days.close(DATE)
        await eve.do("day", date=DATE)
        with pytest.raises(Leak):
            scan(day, eve.frames)
    await store.close()


async def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    clock.time = NOON
    store = SqliteStore(":memory:", clock=clock)
    async with serving({"store": store}) as app:
        days = app.reception.desk.days
        honest = days.seen

        async def leaky(message: d.Day, player: str) -> d.DaySeen:
            seen = await honest(message, player)
            day = await DayBook(store, CountingLuck()).day(seen.date)
            assert day is not None
            seed = day_seed(seen.date, bytes.fromhex(day.secret))
            return seen.model_copy(update={"promise": hashlib.sha256(seed).hexdigest()})

        monkeypatch.setattr(days, "seen", leaky)
        _, eve = await played(app)
        day = await DayBook(store, CountingLuck()).day(DATE)
        assert day is not None
        with pytest.raises(Leak):
            scan(day, eve.frames)
    await store.close()


async def test_what_is_asked_about_the_day_wrongly_is_refused_with_a_word() -> None:
    async with serving() as app:
        guest = await Guest.come(app.port, "Ada")
        for fields, word in (
            ({"date": "tomorrow"}, "unreadable"),
            ({"date": "2026-1-1"}, "unreadable"),
            ({"date": "----------"}, "no_day"),
            ({"date": "9999-12-31"}, "no_day"),
            ({"day": "2026-11-30"}, "unreadable"),
        ):
            answer = await guest.ask("day", **fields)
            assert isinstance(answer, Refused)
            assert word == answer.word, fields
        answer = await guest.ask("day_results", limit=101)

        assert isinstance(answer, Refused)
        assert re.match("unreadable", answer.word)
