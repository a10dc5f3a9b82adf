"""The bots of the house: they see what their seat sees, and nobody waits for a bot's mistake."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from dormie_bots import LEVELS
from dormie_rules.drawers import View, look
from dormie_rules.grid_moves import Discard, Draw, GridMove, Swap
from dormie_server import house_bots
from dormie_server.house_bots import bot_move
from dormie_server.table.clock import waiting_bot
from dormie_server.table.commands import BotMove
from dormie_server.table.state import Policy, course_of, match_of
from tests.evening import CountingLuck, Evening

BOT = 1


@pytest.fixture
def evening() -> Evening:
    """One person and one bot, whose turn it is."""
    return on_turn("random")


def on_turn(level: str) -> Evening:
    evening = Evening(bots=(level,), policy=Policy(pace=1))
    evening.begin()
    while (
        (play := match_of(evening.table).public.play) is None or play.stage != "turn" or play.turn
    ):
        if 0 in evening.waiting():
            evening.play(0, evening.moves(0)[-1])
        else:
            evening.sleep()
    evening.play(0, evening.moves(0)[-1])  # takes the top of the discard pile
    evening.play(0, evening.moves(0)[0])
    assert (BOT,) == evening.waiting()
    return evening


Thinking = Callable[[Any, Any, bytes], GridMove]


def think(monkeypatch: pytest.MonkeyPatch, how: Thinking) -> None:
    """Let every bot of the house think like this."""

    def bot(view: Any, moves: Any, luck: bytes) -> SimpleNamespace:
        return SimpleNamespace(move=how(view, moves, luck))

    monkeypatch.setattr(house_bots, "find_bot", lambda _level, _rules: bot)


def test_nobody_waits_for_a_bot_where_none_is_to_move() -> None:
    evening = Evening()
    evening.begin("p-bob")

    assert None is waiting_bot(evening.table)
    assert None is bot_move(evening.table, CountingLuck())


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_of_every_level_makes_a_legal_move(level: str) -> None:
    evening = on_turn(level)
    move = bot_move(evening.table, CountingLuck())

    assert move is not None
    assert (BOT, evening.seat(BOT).count + 1) == (move.seat, move.count)
    assert move.move in evening.moves(BOT)


def test_a_bot_sees_what_its_seat_sees_and_brings_luck_of_its_own(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[Any, bytes]] = []

    def watch(view: Any, moves: Any, luck: bytes) -> GridMove:
        seen.append((view, luck))
        first: GridMove = moves[0]
        return first

    think(monkeypatch, watch)
    luck = CountingLuck("bots")
    bot_move(evening.table, luck)
    bot_move(evening.table, luck)

    view = look(match_of(evening.table), BOT)
    assert isinstance(view, View)
    assert [view, view] == [one for one, _ in seen]
    assert seen[0][1] != seen[1][1]


@pytest.mark.parametrize("error", [ZeroDivisionError("oh"), KeyError("level"), RecursionError()])
def test_a_bot_that_fails_makes_the_default_move(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(_view: Any, _moves: Any, _luck: bytes) -> GridMove:
        raise error

    think(monkeypatch, fail)

    assert default_of(evening) == bot_move(evening.table, CountingLuck())


@pytest.mark.parametrize("nonsense", [Swap(99), Discard(), None, "draw", 7])
def test_a_bot_that_makes_an_illegal_move_makes_the_default_move(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, nonsense: Any
) -> None:
    think(monkeypatch, lambda _view, _moves, _luck: nonsense)

    assert default_of(evening) == bot_move(evening.table, CountingLuck())


def default_of(evening: Evening) -> BotMove:
    course = course_of(evening.table)
    move = course.default(look(match_of(evening.table), BOT))
    assert isinstance(move, Draw)
    return BotMove(BOT, evening.seat(BOT).count + 1, move)
