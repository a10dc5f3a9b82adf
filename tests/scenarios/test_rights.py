"""Seats and rights: who may do what, when, and what happens when everybody wants the same."""

import asyncio
from collections.abc import AsyncIterator, Callable
from copy import deepcopy

import pytest

from dormie_protocol.messages import Done, Welcome
from dormie_rules.course_state import HoleScored
from dormie_rules.grid_moves import Draw
from dormie_server.app import App
from dormie_server.table.commands import (
    Agree,
    End,
    Join,
    Leave,
    Pause,
    PlayMove,
    Ready,
    Rematch,
    Request,
    Resume,
    SetBot,
    Start,
    Vote,
    Wake,
)
from tests.evening import HOST, Evening
from tests.scenarios.evenings import BOB, EVE, at_phase, play_one, told, word_of
from tests.scenarios.tables import first_turn, on_turn, view_of
from tests.server.guest import Guest, guests
from tests.serving import serving


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


# ------------------------------------------------------------------------- who one is


@pytest.mark.parametrize("name", ["", " ", "\t", "\u200b"])
async def test_scenario_C2_without_a_name_one_is_nobody_elses_player(house: App, name: str) -> None:
    """An empty name is refused; a missing one makes a new guest with a token of their own."""
    async with guests(house.port, "Ada") as (ada,):
        await ada.create()
        wrong = await Guest.connect(house.port)
        await wrong.say({"type": "hello", "id": "h", "name": name})
        assert 1008 == await wrong.closed()
        nobodies = [await Guest.connect(house.port) for _ in range(2)]
        for guest in nobodies:
            await guest.say({"type": "hello", "id": "h"})
        texts = [(await guest.hear(Welcome)).token or "" for guest in nobodies]

        assert ada.token not in [*wrong.frames, *texts]
        assert 2 == len(set(texts) - {""})
        for guest in nobodies:
            await guest.leave()


@pytest.mark.parametrize(
    "more",
    [{"name": "Ada"}, {"player": "p-ada"}, {"token": "a" * 43}, {"seat": -1}, {"seat": "0"}],
    ids=lambda more: next(iter(more)),
)
async def test_scenario_C2_a_wish_for_a_seat_cannot_say_who_one_is(
    house: App, more: dict[str, object]
) -> None:
    async with guests(house.port, "Ada", "Eve") as (ada, eve):
        code = await ada.create()

        assert "unreadable" == await eve.refused("join", table=code, **more)
        assert "seat_taken" == await eve.refused("join", table=code, seat=0)
        assert [None] == list(view_of(ada.last(code)).seats[1:])


# ---------------------------------------------------------------------------- what one may

PHASES = ("lobby", "starting", "playing", "between", "over", "closed")
OPEN = PHASES[:-1]
PERMITTED: dict[type[Request], tuple[str, tuple[str, ...]]] = {
    Ready: ("seated", ("lobby", "starting", "playing", "between")),
    Start: ("host", ("lobby",)),
    SetBot: ("host", ("lobby", "over")),
    Leave: ("seated", OPEN),
    End: ("host", OPEN),
    Rematch: ("seated", ("over",)),
    Pause: ("seated", ("playing", "between")),
    Resume: ("seated", ("playing", "between")),
    Agree: ("seated", ("playing", "between")),
    Vote: ("seated", ("playing",)),
}
"""Written down a second time, apart from the table that the server reads."""
NOTHING_ASKED = {Resume: "wrong_time", Agree: "wrong_time", Vote: "no_vote"}
"""What is said to those who may answer, when nothing was asked of them."""


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("kind", PERMITTED, ids=lambda kind: kind.__name__)
def test_scenario_C8_nobody_may_do_what_is_not_theirs_to_do_or_not_now(
    kind: type[Request], phase: str
) -> None:
    role, times = PERMITTED[kind]
    made: dict[type[Request], Request] = {SetBot: SetBot("random"), Vote: Vote("bot")}
    request = made.get(kind) or kind()  # type: ignore[call-arg]  # the others need nothing
    full = "no_table" if (kind, phase) == (SetBot, "over") else NOTHING_ASKED.get(kind, "done")
    right = full if phase in times else "wrong_time"
    words = []
    for player in (EVE, BOB, HOST):
        evening = at_phase(phase)
        before = evening.table
        words.append(word_of(lambda: evening.ask(player, request)))  # noqa: B023 - asked at once
        assert words[-1] == "done" or before is evening.table

    assert ["not_seated", right if role == "seated" else "not_host", right] == words


@pytest.mark.parametrize("phase", PHASES)
def test_scenario_C8_strangers_come_in_only_while_seats_are_free(phase: str) -> None:
    evening = at_phase(phase)

    assert ("done" if phase == "lobby" else "no_table") == word_of(
        lambda: evening.ask(EVE, Join("Eve"))
    )


@pytest.mark.parametrize("phase", PHASES)
def test_scenario_C8_a_move_is_made_by_a_player_in_a_hole(phase: str) -> None:
    evening = at_phase(phase)
    word = {"playing": "must_flip", "between": "hole_over"}.get(phase, "wrong_time")
    for player, hoped in ((EVE, "not_seated"), (BOB, word)):
        sitters = evening.table.secret.sitters
        sitter = next((one for one in sitters if one and one.player == player), None)
        count = evening.seat(1).count + 1
        move = PlayMove(player, sitter.generation if sitter else 0, count, Draw())

        assert hoped == word_of(lambda: evening.do(move))  # noqa: B023 - done at once


async def test_scenario_C11_a_message_that_names_a_card_is_no_message(house: App) -> None:
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await first_turn(ada, bob)
        first, _ = await on_turn(code, ada, bob)
        before = first.last(code).version
        for extra in ({"card": "AS"}, {"seat": 1}, {"at": 0}):
            move = {"move": "draw", **extra}
            assert "unreadable" == await first.refused("play", table=code, count=3, move=move)
        wrong = {"table": code, "count": 3, "move": {"move": "draw"}}
        assert "unreadable" == await first.refused("play", **wrong, card="AS")

        assert before == first.last(code).version


# --------------------------------------------------------------------- everybody at once


async def test_scenario_C6_a_bot_and_fifty_people_at_one_seat_are_two_at_the_table(
    house: App,
) -> None:
    async with guests(house.port, "Ada") as (ada,):
        code = await ada.create()
        crowd = await asyncio.gather(*(Guest.come(house.port, "Crowd") for _ in range(50)))
        asked = [one.ask("join", table=code) for one in crowd]
        asked[25:25] = [ada.ask("bot", table=code, level="random") for _ in range(3)]
        got = await asyncio.gather(*asked)
        kept = await house.keeper.table(code)
        assert kept is not None

        assert 1 == sum(isinstance(answer, Done) for answer in got)
        assert 2 == len([seat for seat in kept.table.public.seats if seat])
        await asyncio.gather(*(one.leave() for one in crowd))


def test_scenario_C6_a_person_takes_the_seat_of_a_bot_that_was_sent_away() -> None:
    evening = Evening(size=2, bots=("random",))
    assert "no_table" == word_of(lambda: evening.ask(BOB, Join("Bob")))
    evening.ask(HOST, SetBot(None, 1))
    evening.ask(BOB, Join("Bob"))

    assert "no_table" == word_of(lambda: evening.ask(HOST, SetBot("random")))
    assert [None, None] == [seat.bot for seat in evening.table.public.seats if seat]


@pytest.mark.parametrize("first", ["the move", "the clock"])
def test_scenario_C13_the_last_move_and_the_clock_score_a_hole_once(first: str) -> None:
    evening = at_phase("playing")
    while True:
        before = deepcopy(evening)
        play_one(evening)
        if evening.phase == "between":
            break
    before.now = before.table.public.deadline or 0.0
    doings: list[Callable[[], object]] = [lambda: play_one(before), lambda: before.do(Wake())]
    if first == "the clock":
        doings.reverse()
    doings[0]()
    assert "between" == before.phase
    count = len(told(before, HoleScored))
    doings[1]() if first == "the move" else before.do(Wake())

    assert 1 == count == len(told(before, HoleScored))
    versions = [change.version for change in before.changes]
    assert list(range(1, len(versions) + 1)) == versions
