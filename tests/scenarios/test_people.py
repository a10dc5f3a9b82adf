"""People among people: who hears whom, who may come, on which devices, and how one is forgotten."""

import asyncio
import io
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from dormie_protocol import people_messages as p
from dormie_protocol.messages import Done, HistorySeen, Refused, Seen, Welcome
from dormie_server.app import App
from dormie_server.reports import Reports, in_words
from dormie_server.sqlite_store import SqliteStore
from tests.contracts.stores import Clock
from tests.diary import diary as everything
from tests.nasty import CASES
from tests.server.guest import ENTROPY, Guest, guests, play_alone
from tests.serving import fetch, serving

UNSEEN = [
    "a\0b",
    "\a",
    "\x1b[31m",
    "\x1b]0;pwn\x07\x1b[2J",
    "a\nb",
    "a\tb",
    "\u202eecilA",
    "a\u200bb",
]


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


def said(guest: Guest, code: str) -> list[tuple[str, str]]:
    """What somebody has heard at a table: who said what."""
    lines = [one for one in guest.heard if isinstance(one, p.Said) and one.table == code]
    return [(line.name, line.text) for line in lines]


async def hears(guest: Guest, text: str) -> p.Said:
    return await guest.hear(p.Said, lambda line: line.text == text)


async def sit(*people: Guest) -> str:
    """A table at which all of them sit and listen."""
    host, *others = people
    code = await host.create(size=max(2, len(people)))
    for other in others:
        await other.join(code)
    return code


# ------------------------------------------------------------------------ talk


async def test_what_is_said_reaches_everybody_who_watches_and_never_the_table(house: App) -> None:
    async with guests(house.port, "Ada", "Bob", "Eve") as (ada, bob, eve):
        code = await sit(ada, bob)
        await eve.do("watch", table=code)
        version = ada.last(code).version
        await ada.do("say", table=code, text="  Well   \uff50layed ")
        await bob.do("emote", table=code, emote="thank_you")
        for guest in (ada, bob, eve):
            line = await hears(guest, "Well played")
            assert (1, 0, "Ada", None) == (line.number, line.seat, line.name, line.emote)
            line = await hears(guest, "Thank you!")
            assert (2, 1, "thank_you") == (line.number, line.seat, line.emote)

        kept = await house.keeper.table(code)
        assert kept is not None
        assert version == kept.table.version


async def test_whoever_comes_back_gets_what_was_said_meanwhile(house: App) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await sit(ada, bob)
        for text in ("one", "two", "three"):
            await ada.do("say", table=code, text=text)
        await hears(bob, "three")
        again = await Guest.come(house.port, token=bob.token)
        await again.do("watch", table=code, chat_after=1)
        await hears(again, "three")
        assert [("Ada", "two"), ("Ada", "three")] == said(again, code)

        await again.do("chat", table=code, after=2)
        await again.do("chat", table=code, after=99)
        assert ["two", "three", "three", "one", "two", "three"] == [t for _, t in said(again, code)]
        await again.leave()


async def test_a_line_sent_twice_under_one_id_is_said_once(house: App) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await sit(ada, bob)
        for _ in range(3):
            await ada.do("say", table=code, text="hello", id="s1")
        assert "id_conflict" == await ada.refused("say", table=code, text="other", id="s1")
        await ada.do("say", table=code, text="bye")
        await hears(bob, "bye")

        assert ["hello", "bye"] == [text for _, text in said(bob, code)]


async def test_nobody_says_too_much_or_the_same_again(house: App) -> None:
    async with guests(house.port, "Ada") as (ada,):
        code = await ada.create()
        await ada.do("say", table=code, text="again")
        assert "repeated" == await ada.refused("say", table=code, text="again")
        words = [await ada.ask("say", table=code, text=f"line {n}") for n in range(6)]

        assert [Done] * 4 + [Refused] * 2 == [type(word) for word in words]
        assert {"too_fast"} == {word.word for word in words if isinstance(word, Refused)}


@pytest.mark.parametrize(
    ("chat", "text", "emote"),
    [("on", "done", "done"), ("emotes", "emotes_only", "done"), ("off", "chat_off", "chat_off")],
)
async def test_a_table_says_what_may_be_said_at_it(
    house: App, chat: str, text: str, emote: str
) -> None:
    async with guests(house.port, "Ada") as (ada,):
        code = await ada.create(chat=chat)
        answers = [
            await ada.ask("say", table=code, text="hello"),
            await ada.ask("emote", table=code, emote="sorry"),
        ]
        about = ada.last(code).about

        assert about is not None
        assert chat == about.chat
        assert [text, emote] == [getattr(answer, "word", "done") for answer in answers]


async def test_only_those_who_sit_at_a_table_speak_there(house: App) -> None:
    async with guests(house.port, "Ada", "Eve") as (ada, eve):
        code = await ada.create()
        await eve.do("watch", table=code)

        assert "players_only" == await eve.refused("say", table=code, text="hello")
        assert "players_only" == await eve.refused("emote", table=code, emote="hello")
        await eve.do("unwatch", table=code)
        assert "not_seated" == await eve.refused("say", table=code, text="hello")
        assert "no_table" == await eve.refused("say", table="NQSVCHTE", text="hello")
        await ada.do("end", table=code)
        assert "wrong_time" == await ada.refused("say", table=code, text="hello")


@pytest.mark.parametrize("text", [*UNSEEN, "", "   ", "x" * 281, "a\u0301\u0301\u0301\u0301"])
async def test_nasty_J14_control_characters_have_no_place_in_what_is_said(
    house: App, text: str
) -> None:
    async with guests(house.port, "Ada") as (ada,):
        code = await ada.create()

        assert "bad_text" == await ada.refused("say", table=code, text=text)
        assert [] == said(ada, code)


@pytest.mark.parametrize("text", CASES["S07"]["input"]["each"])
async def test_nasty_S07_what_is_said_and_looks_like_a_program_is_only_text(
    house: App, text: str
) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await sit(ada, bob)
        await ada.do("say", table=code, text=text)

        assert text == (await hears(bob, text)).text


async def test_nasty_S08_nothing_that_is_said_writes_on_a_terminal(house: App) -> None:
    async with guests(house.port, "Ada") as (ada,):
        code = await ada.create()

        assert "bad_text" == await ada.refused(
            "say", table=code, text=CASES["S08"]["input"]["text"]
        )


@pytest.mark.parametrize("text", ["x" * 561, "x" * 4000])
async def test_scenario_F7_a_text_without_end_comes_to_nothing(house: App, text: str) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await sit(ada, bob)

        assert "unreadable" == await ada.refused("say", table=code, text=text)
        assert "unreadable" == await ada.refused(
            "report", table=code, seat=1, reason="spam", text=text
        )
        assert "unreadable" == await ada.refused("erase", name=text)


# ------------------------------------------------------- mute, block and report


async def test_scenario_F8_whoever_is_muted_or_blocked_is_heard_in_no_channel(house: App) -> None:
    async with guests(house.port, "Ada", "Bob", "Cleo") as (ada, bob, cleo):
        code = await sit(ada, bob, cleo)
        await bob.do("say", table=code, text="before")
        await hears(ada, "before")
        for number, word in enumerate(("mute", "block")):
            await ada.do(word, table=code, seat=1)
            await bob.do("say", table=code, text=f"hidden {number}")
            await bob.do("emote", table=code, emote="ouch")
            await cleo.do("say", table=code, text=f"heard {number}")
            await hears(ada, f"heard {number}")
            await hears(cleo, f"hidden {number}")
            await ada.do("unmute", table=code, seat=1)
        again = await Guest.come(house.port, token=ada.token)
        await again.do("watch", table=code, chat_after=0)

        assert {"Bob", "Cleo"} == {name for name, _ in said(cleo, code)}
        assert ["before"] == [text for name, text in said(ada, code) if name == "Bob"]
        assert [("Cleo", "heard 0"), ("Cleo", "heard 1")] == said(again, code)
        assert ada.player not in "".join(bob.frames)
        assert not any(isinstance(one, p.BlockedList) for one in bob.heard)
        await again.leave()


async def test_scenario_F8_a_blocked_player_finds_no_table_of_those_who_block_them(
    house: App,
) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        first = await sit(ada, bob)
        await ada.do("block", table=first, seat=1)
        second = await ada.create()
        refused = await bob.ask("join", table=second)
        missing = await bob.ask("join", table="NQSVCHTE")

        assert isinstance(refused, Refused)
        assert isinstance(missing, Refused)
        assert ("no_table", missing.because) == (refused.word, refused.because)
        assert isinstance(await bob.ask("join", table=first), Done), "whoever sits there stays"

        await ada.do("blocks")
        (entry,) = (await ada.hear(p.BlockedList)).players
        assert "Bob" == entry.name
        assert bob.player not in "".join(ada.frames)
        await ada.do("unblock", entry=entry.entry)
        assert "no_such_entry" == await ada.refused("unblock", entry=entry.entry)
        assert isinstance(await bob.ask("join", table=second), Done)


async def test_one_mutes_blocks_and_reports_people_and_nobody_else(house: App) -> None:
    async with guests(house.port, "Ada", "Eve") as (ada, eve):
        code = await ada.create(size=3, bots=["easy"])
        for word in ("mute", "unmute", "block"):
            answers = [await ada.ask(word, table=code, seat=seat) for seat in (0, 1, 2, 5)]
            assert ["yourself", *["no_such_seat"] * 3] == [one.word for one in answers]  # type: ignore[union-attr]  # all refused
        assert "not_seated" == await eve.refused("report", table=code, seat=0, reason="other")


async def test_scenario_F8_a_report_shows_what_everybody_saw_and_heard(house: App) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await sit(ada, bob)
        for guest in (ada, bob):
            await guest.do("ready", table=code, entropy=ENTROPY)
        await ada.phase(code, "playing")
        await bob.do("say", table=code, text="you are slow")
        await bob.do("leave", table=code)
        report = {"table": code, "seat": 1, "reason": "abuse", "text": "he was rude"}
        await ada.do("report", **report, id="r1")
        await ada.do("report", **report, id="r1")
        (filed,) = await Reports(house.store).waiting()
        text = "\n".join(in_words(filed))

        assert (bob.player, "Bob", "abuse") == (filed.about, filed.about_name, filed.reason)
        assert "he was rude" in text
        assert "Bob: you are slow" in text
        assert "Bob leaves" in text
        for _ in range(9):
            await ada.do("report", **report)
        assert "too_many_reports" == await ada.refused("report", **report)
        assert await Reports(house.store).close(filed.id)
        assert 9 == len(await Reports(house.store).waiting())


# --------------------------------------------------------------------- devices


async def test_scenario_A12_a_seat_moves_to_another_device_with_a_code(house: App) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await sit(ada, bob)
        await ada.do("claim_code")
        ticket = await ada.hear(p.ClaimTicket)
        phone = await Guest.connect(house.port)
        await phone.say({"type": "hello", "id": "h", "claim": ticket.code, "name": "Somebody else"})
        phone.welcome = await phone.hear(Welcome)
        assert (ada.player, "Ada", (code,)) == (
            phone.player,
            phone.welcome.name,
            phone.welcome.tables,
        )
        assert phone.token not in {ada.token, None}
        await phone.do("watch", table=code)

        assert 0 == phone.last(code).seat
        await phone.do("say", table=code, text="from my phone")
        await hears(bob, "from my phone")
        assert isinstance(await phone.ask("ready", table=code, entropy=ENTROPY), Done)
        await phone.leave()


async def test_nasty_S03_a_code_for_a_device_is_good_once_and_for_one(house: App) -> None:
    async with guests(house.port, "Ada") as (ada,):
        await ada.do("claim_code")
        first = (await ada.hear(p.ClaimTicket)).code
        await ada.do("claim_code")
        second = (await ada.hear(p.ClaimTicket)).code
        closed = [await _claims(house, code) for code in (first, second, second, "NQSVCHTE")]

        assert [4401, None, 4401, 4401] == closed


async def test_nasty_S03_a_code_for_a_device_is_soon_too_old() -> None:
    clock = Clock()
    store = SqliteStore(":memory:", clock=clock)
    async with serving({"store": store}) as app, guests(app.port, "Ada") as (ada,):
        await ada.do("claim_code")
        code = (await ada.hear(p.ClaimTicket)).code
        clock.advance(301)

        assert 4401 == await _claims(app, code)


async def test_nasty_S01_guesses_at_claim_codes_are_counted() -> None:
    async with (
        serving(limits={"code_misses_per_address": 3}) as app,
        guests(app.port, "Ada") as (ada,),
    ):
        await ada.do("claim_code")
        code = (await ada.hear(p.ClaimTicket)).code
        for _ in range(3):
            assert 4401 == await _claims(app, "NQSVCHTE")

        assert 4401 == await _claims(app, code), "a right guess is answered like a wrong one"


async def _claims(app: App, code: str) -> int | None:
    """Say a code; the close code, None when it was welcome."""
    guest = await Guest.connect(app.port)
    await guest.say({"type": "hello", "id": "h", "claim": code})
    await guest.wait(lambda: guest.heard or None)
    if isinstance(guest.heard[0], Welcome):
        await guest.leave()
        return None
    return await guest.closed()


async def test_nasty_S03_a_device_that_was_forgotten_is_cut_off_and_its_token_refused(
    house: App,
) -> None:
    async with guests(house.port, "Ada") as (ada,):
        await ada.do("claim_code")
        ticket = await ada.hear(p.ClaimTicket)
        phone = await Guest.connect(house.port)
        await phone.say({"type": "hello", "id": "h", "claim": ticket.code})
        phone.welcome = await phone.hear(Welcome)
        await ada.do("devices")
        listed = (await ada.hear(p.DeviceList)).devices
        mine, other = sorted(listed, key=lambda one: not one.this)
        assert (True, True, False, True) == (mine.this, mine.here, other.this, other.here)
        assert phone.token not in "".join(ada.frames)
        await ada.do("forget_device", device=other.device)

        assert 4401 == await phone.closed()
        assert "no_such_device" == await ada.refused("forget_device", device=other.device)
        assert "last_device" == await ada.refused("forget_device", device=mine.device)
        again = await Guest.connect(house.port)
        await again.say({"type": "hello", "id": "h", "token": phone.token})
        assert 4401 == await again.closed()
        assert isinstance(await ada.ask("devices"), Done), "the other device is what it was"


# --------------------------------------------------------------------- erasing


@pytest.fixture
def diary() -> Iterator[io.StringIO]:
    """Everything the house writes down."""
    with everything("debug") as pages:
        yield pages


NAMES = ("Xenophontia", "Yggdrasilla")


@pytest.mark.parametrize("synchronous", ["FULL", "NORMAL"])
async def test_nasty_S17_nothing_is_left_of_a_player_who_was_erased(
    tmp_path: Path, diary: io.StringIO, synchronous: str
) -> None:
    """They played to the end, sit at a table, left another, spoke, were reported and blocked."""
    data = tmp_path / "dormie.db"
    async with (
        serving(data=str(data), synchronous=synchronous) as app,
        guests(app.port, NAMES[0], "Bob") as (old, bob),
    ):
        record = await sit(bob)
        await bob.do("bot", table=record, level="random")
        gone = await Guest.connect(app.port)
        await gone.say({"type": "hello", "id": "h", "token": old.token, "name": NAMES[1]})
        gone.welcome = await gone.hear(Welcome)
        finished = await gone.create(bots=["random"])
        await play_alone(gone, finished)
        await gone.do("leave", table=finished)
        await bob.create(listed=True)
        shared = await sit(bob, gone)
        for guest in (bob, gone):
            await guest.do("ready", table=shared, entropy=ENTROPY)
        await bob.phase(shared, "playing")
        await gone.do("leave", table=shared)
        await bob.wait(lambda: view_over(bob, shared))
        banned = await sit(bob, gone)
        await bob.do("kick", table=banned, seat=1, ban=True)
        playing = await sit(bob, gone)
        for guest in (bob, gone):
            await guest.do("ready", table=playing, entropy=ENTROPY)
        await bob.phase(playing, "playing")
        left = await sit(bob, gone)
        await gone.do("say", table=left, text="my words")
        await hears(bob, "my words")
        await gone.do("mute", table=left, seat=0)
        await bob.do("block", table=left, seat=1)
        await bob.do("report", table=left, seat=1, reason="spam", text="so many words")
        await gone.do("report", table=left, seat=0, reason="other")
        await gone.do("leave", table=left)
        hosted = await gone.create(listed=True)
        await until_history(bob)
        await gone.do("claim_code")
        before = {code: bob.last(code) for code in (playing, left)}
        traces = [name.encode() for name in NAMES] + [gone.player.encode(), b"my words"]
        assert [1, 1, 1] == [min(1, _found(data, trace)) for trace in traces[1:]], "they are found"
        assert "wrong_name" == await gone.refused("erase", name=NAMES[0])
        await gone.do("erase", name=NAMES[1])
        assert 4401 == await gone.closed()
        assert 4401 == await old.closed()

        assert [0] * len(traces) == [_found(data, trace) for trace in traces]
        await bob.do("history")
        assert ("Bob", "Somebody") in [
            match.names
            for seen in bob.heard
            if isinstance(seen, HistorySeen)
            for match in seen.matches
        ]
        await bob.do("lobby")
        assert "seat 1 human Somebody" in await fetch(app.port, f"/record/{finished}-1")
        seen = await bob.see(playing, lambda one: _names(one)[1] == "Somebody")
        assert ["Bob", "Somebody"] == _names(seen)
        for code, past in before.items():
            again = await Guest.come(app.port, token=bob.token)
            await again.do("watch", table=code, after=past.version, chain=past.chain)
            assert not any(one.rolled_back for one in again.of(code)), "what was seen is remembered"
            assert [] == [name for name in NAMES if name in "".join(again.frames)]
            await again.leave()
        assert [] == [name for name in NAMES if hosted in (await bob.refused("join", table=hosted))]
        (one, other) = await Reports(app.store).waiting()
        assert {"Somebody", "Bob"} == {one.about_name, one.reporter_name}
        assert {"Somebody", "Bob"} == {other.about_name, other.reporter_name}
        stranger = await Guest.connect(app.port)
        await stranger.say({"type": "hello", "id": "h", "token": old.token})
        assert 4401 == await stranger.closed()
    for trace in traces:
        assert 0 == _found(data, trace)
        assert trace.decode() not in diary.getvalue()


def view_over(guest: Guest, code: str) -> bool | None:
    view = guest.last(code).view
    return (view is not None and view.phase == "over") or None


async def until_history(guest: Guest) -> None:
    """Wait until a match that is over is in somebody's history."""
    for _ in range(200):
        await guest.do("history")
        if any(isinstance(seen, HistorySeen) and seen.matches for seen in guest.heard):
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the match never came")


def _found(data: Path, trace: bytes) -> int:
    """How often a few bytes stand in the files of a store."""
    return sum(one.read_bytes().count(trace) for one in data.parent.glob(data.name + "*"))


def _names(seen: Seen) -> list[str | None]:
    seats = seen.view.seats if seen.view else ()
    return [seat.name if seat else None for seat in seats]
