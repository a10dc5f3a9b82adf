"""Which lines wait, and for what; and what is heard beside the game."""

import asyncio

import pytest

from dormie_client.errors import ClosedError
from dormie_client.over_text import over_text
from dormie_client.typed_lines import Lines, may_act
from dormie_client.wire import FINAL
from tests.clients.fake_table import FakeTable
from tests.clients.screens import evening, play
from tests.waiting import until


@pytest.mark.parametrize(
    ("line", "patient", "busy", "asked", "watching", "now"),
    [
        ("draw", False, False, False, False, True),
        ("draw", False, True, True, False, False),
        ("look", False, True, True, False, True),
        ("quit", False, True, True, False, True),
        ("draw", True, False, False, False, False),
        ("draw", True, False, True, False, True),
        ("look", True, False, False, False, False),
        ("say hello", True, False, False, False, True),
        ("say hello", True, True, False, False, False),
        ("nonsense", True, False, False, False, False),
        (None, True, False, False, False, False),
        (None, True, False, True, False, True),
        (None, False, False, False, True, True),
        (None, True, False, False, True, False),
        ("who", True, False, False, True, True),
    ],
)
def test_what_belongs_to_the_game_waits_for_the_game(
    line: str | None, *, patient: bool, busy: bool, asked: bool, watching: bool, now: bool
) -> None:
    assert now is may_act(line, "en", patient=patient, busy=busy, asked=asked, watching=watching)


async def test_lines_that_were_handed_back_come_first() -> None:
    async def source() -> str | None:
        return "third"

    lines = Lines(source)
    lines.back.extend(["first", "second"])

    assert ["first", "second", "third"] == [await lines.next() for _ in range(3)]


async def test_what_is_said_is_heard_between_everything_else() -> None:
    table = FakeTable()
    game, paper = evening(table, ["quit"])
    table.hear("well \x1b[2Jdone")
    table.hear("", name="", seat=0, emote="good_game")
    table.hear("psst", name="Eve", seat=None)
    playing = asyncio.create_task(game.play())
    await until(lambda: "psst" in paper.getvalue())
    await playing

    said = [line for line in paper.getvalue().splitlines() if "say" in line]
    assert [
        "Birdie says: well [2Jdone",
        "You say: Good game!",
        "Eve, who watches, says (#1): psst",
    ] == [line for line in said if not line.startswith("Type")]


async def test_every_word_of_a_table_asks_for_what_it_says() -> None:
    typed = (
        *("kick 2", "ban birdie", "hand over 2", "host Bir", "lock", "unlock"),
        *("password birdie", "nopassword", "pause", "pause 5", "resume", "agree", "refuse", "undo"),
        *("vote end", "say hi", "emote sorry", "mute 2", "unmute 2", "block 2", "report 2 spam ad"),
        *("spectators no", "spectators chat all", "spectators delay 60", "mute #7"),
    )
    table = FakeTable()
    await play(table, *typed, "quit")

    assert [
        *("kick 1", "ban 1", "hand_over 1", "hand_over 1", "lock True", "lock False"),
        *("password birdie", "password None", "pause None", "pause 300", "resume"),
        *("agree True", "agree False", "undo", "vote end", "say hi", "emote sorry"),
        *("mute 1", "unmute 1", "block 1", "report 1 spam ad", "spectators False None None None"),
        *("spectators None None all None", "spectators None None None 60", "mute 7"),
    ] == table.asked


async def test_words_about_a_house_need_one() -> None:
    assert 2 == (await play(FakeTable(), "lobby", "claim")).count("no house here but this table")


@pytest.mark.parametrize(
    "why",
    [
        "The table is closed.",
        "The host has sent you away from this table.",
        "You may not watch this table any more.",
        "There is no Dormie server at golf.example: nobody answers there.",
        "There is no Dormie server at golf.example: it does not speak TLS.",
        "There is no Dormie server at golf.example: it answers with HTTP status 502.",
        "There is no Dormie server at golf.example: it closes the connection.",
        "The server could not be started: it said nothing",
        "Those who run this house do not let you in.",
        *FINAL.values(),
    ],
)
def test_why_it_is_over_is_said_in_french(why: str) -> None:
    error = ClosedError(why)

    assert why == over_text(error, "en")
    french = over_text(error, "fr")
    assert why != french
    assert "(it " not in french, "no English is left in it"
