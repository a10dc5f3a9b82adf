import asyncio

import pytest

from dormie_client.errors import ClosedError, RefusedError
from dormie_protocol.messages import Heard
from dormie_protocol.table_view import Dropped, Returned
from dormie_rules.grid_moves import Draw, Flip
from tests.clients.fake_table import FakeTable
from tests.clients.screens import evening, play
from tests.waiting import until


async def test_after_a_hole_comes_the_next() -> None:
    table = FakeTable(options={"holes": 2, "max_laps": 1, "no_progress_laps": None})
    hole = ("flip 1", "flip 2", "d", "x", "pass", "d", "x", "pass")
    screen = await play(table, "", *hole, "", *hole)

    assert ["ready", "ready"] == [asked for asked in table.asked if asked == "ready"]
    assert "Next hole: Enter > " in screen
    assert "Hole 2 begins." in screen
    assert "The match is over" in screen


async def test_who_watches_sees_no_card_before_it_lies_on_the_table() -> None:
    table = FakeTable(seat=None)
    game, paper = evening(table, [])
    watching = asyncio.create_task(game.play())
    await table.ready()
    for move in (Flip(0), Flip(1), Draw()):
        await table.play(move, on=table.last)
    await until(lambda: "Ada draws a card." in paper.getvalue())
    watching.cancel()

    assert paper.getvalue().startswith("You watch table PARTEE23: six_card.\n")
    assert "You" not in paper.getvalue().removeprefix("You watch")
    assert ">" not in paper.getvalue().replace("\n> Ada", "")


# ------------------------------------------------------------------ the table


async def test_the_end_of_the_lines_keeps_the_seat() -> None:
    table = FakeTable()
    screen = await play(table)

    assert screen.endswith(
        "\nYour seat stays yours. To come back: dormie play http://127.0.0.1:8421 PARTEE23\n"
    )
    assert [] == table.asked


async def test_who_watches_watches_to_the_end() -> None:
    table = FakeTable(seat=None)
    table.close()
    screen = await play(table)

    assert screen.endswith("The host has closed the table.\n")


async def test_a_closed_table_is_the_end() -> None:
    table = FakeTable(phase="over")
    screen = await play(table, "end", "end", "never typed")

    assert ["end"] == table.asked
    assert "That closes the table for everybody. Type end again if you mean it." in screen
    assert screen.endswith("The host has closed the table.\n")


async def test_leaving_is_asked_twice() -> None:
    table = FakeTable()
    screen = await play(table, "leave", "score", "leave", "leave", "never typed")

    assert ["leave"] == table.asked
    assert screen.endswith("You leave the table.\nYou have given your seat up.\n")


async def test_the_host_seats_bots() -> None:
    table = FakeTable(names=("Ada", "Birdie", "Bogey"))
    table.free(2)
    screen = await play(table, "bot", "bot tiger", "bot medium", "nobot 2", "start")

    assert ["bot medium None", "bot None 1"] == table.asked[:2]
    assert screen.count("Say the level of the bot: easy, medium.") == 2
    assert "Birdie, a bot (medium), takes seat 2." in screen


async def test_luck_is_sent_without_being_asked_for() -> None:
    """A host who starts waits for nobody; whoever has not said "ready" still wants a fair deal."""
    table = FakeTable()
    game, _ = evening(table, ["start"])
    playing = asyncio.create_task(game.play())
    await until(lambda: table.phase == "playing")
    playing.cancel()

    assert ["start", "ready"] == table.asked


async def test_a_refusal_is_said_in_the_language_of_the_screen() -> None:
    table = FakeTable(refuse={"start": RefusedError("not_host", "Only the host may do that.")})
    screen = await play(table, "commence", language="fr")

    assert "Seul l’hôte peut faire cela." in screen


async def test_a_refusal_without_a_word_of_ours_is_said_as_the_house_says_it() -> None:
    table = FakeTable(refuse={"start": RefusedError("full_moon", "Not at full moon.")})

    assert "\nNot at full moon.\n" in await play(table, "start")


async def test_a_move_that_was_overtaken_can_be_thought_over() -> None:
    table = FakeTable(refuse={"play": RefusedError("stale", "This was overtaken; look again.")})
    screen = await play(table, "", "flip 1", "flip 2")

    assert "> flip 1\nThis was overtaken; look again.\nTurn 2 of your cards up" in screen
    assert "You turn card 2 up" in screen


async def test_enter_says_whom_the_table_waits_for() -> None:
    table = FakeTable()
    game, paper = evening(table, [])
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    game.line, game.patient = lines.get, False
    playing = asyncio.create_task(game.play())
    await until(lambda: "Enter when you are ready" in paper.getvalue())
    table.let_others_play = False
    for typed in ("", "flip 1", "flip 2", ""):
        lines.put_nowait(typed)
    await until(lambda: "Waiting for Birdie." in paper.getvalue())
    lines.put_nowait(None)
    await playing

    assert "ready" in table.asked


# -------------------------------------------------------------- the connection


async def test_who_types_ahead_is_served_in_order() -> None:
    table = FakeTable(answers=asyncio.Event())
    game, paper = evening(table, ["", "flip 1", "2", "d", "score", "x", "look 2", "quit"])
    game.patient = False
    playing = asyncio.create_task(game.play())
    await until(lambda: len(game.typed_ahead) == 8)  # the end, too
    before = list(table.asked)
    table.let_answer()
    await playing
    page = paper.getvalue()
    places = [
        page.find(line) for line in ("You draw a card", "No hole is over", "You discard", "row 1")
    ]

    assert (["ready"], ["ready", "play", "play", "play", "play"]) == (before, table.asked)
    assert sorted(places) == places
    assert -1 not in places


async def test_one_can_quit_while_the_table_does_not_answer() -> None:
    table = FakeTable(answers=asyncio.Event())
    game, paper = evening(table, ["", "quit"])
    game.patient = False
    await asyncio.wait_for(game.play(), 5)

    assert ["ready"] == table.asked
    assert "Your seat stays yours." in paper.getvalue()


async def test_a_lost_connection_is_said_and_so_is_its_return() -> None:
    table = FakeTable()
    game, paper = evening(table, [])
    game.hear_state("connected")
    game.hear_state("reconnecting")
    game.hear_state("connected")
    await game.play()

    assert paper.getvalue().startswith(
        "The connection is lost; it is being made again.\nThe connection is back.\n"
    )


async def test_a_server_that_is_gone_for_good_is_an_error() -> None:
    table = FakeTable()
    table.lose(ClosedError("The server does not know this token."))
    game, _ = evening(table, [])

    with pytest.raises(ClosedError, match="token"):
        await game.play()


async def test_a_seat_that_is_played_elsewhere_can_be_taken_back() -> None:
    table = FakeTable()
    table.replaced = True
    table.tell()
    screen = await play(table, "back")

    assert ["take_back"] == table.asked
    assert "Your seat is played from another connection now.\n" in screen
    assert "Played elsewhere: back or quit > back\n" in screen


async def test_what_was_missed_is_said() -> None:
    table = FakeTable()
    table.miss(7)

    assert "Events you missed: 7.\n" in await play(table)


async def test_a_server_that_was_set_back_is_said() -> None:
    table = FakeTable()
    table.tell(rolled_back=True)

    assert "The server was set back to an earlier moment" in await play(table)


async def test_what_is_replayed_needs_no_view() -> None:
    table = FakeTable()
    table.tell(Heard(all=Dropped(1)), view=None, replay=True)
    table.tell(Heard(all=Returned(1)))
    screen = await play(table)

    assert "Birdie has lost the connection.\nBirdie is back.\n" in screen


# -------------------------------------------------------------------- the clock


async def test_few_seconds_left_are_said() -> None:
    table = FakeTable(deadline=10.01)
    game, paper = evening(table, [])
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    game.line = lines.get
    playing = asyncio.create_task(game.play())
    lines.put_nowait("")
    await until(lambda: "10 seconds left." in paper.getvalue())
    lines.put_nowait(None)
    await playing

    assert "20 seconds" not in paper.getvalue()


# ----------------------------------------------------------------------- words


async def test_scenario_I5_the_player_types_how_much_is_told() -> None:
    table = FakeTable()
    screen = await play(table, "brief", "full nonsense", "full scores", "", "flip 1")

    assert "As you wish: brief." in screen
    assert "Say of what, or nothing: moves, scores, people, fairness." in screen
    assert "As you wish, scores: full." in screen
    assert "You, 1: Jack of diamonds." in screen


async def test_scenario_I5_the_player_types_it_in_french_too() -> None:
    screen = await play(FakeTable(), "bref", "complet points", language="fr")

    assert "Comme vous voudrez : bref." in screen
    assert "Comme vous voudrez, points : complet." in screen


async def test_rules_can_be_read_at_the_table() -> None:
    screen = await play(FakeTable(options={"holes": 3}), "rules", "?")

    assert "Six Card Golf, as most people play it." in screen
    assert "On your turn: draw (d)" in screen


async def test_a_name_cannot_write_on_the_screen() -> None:
    table = FakeTable(names=("Ada", "Bir\x1b[2Jdie\nYou win!\u202e"))
    screen = await play(table, "", "flip 1", "2", "who", "score", "look 2")

    assert [] == [line for line in screen.splitlines() if not line.isprintable()]
    assert [] == [line for line in screen.splitlines() if line.startswith("You win")]
