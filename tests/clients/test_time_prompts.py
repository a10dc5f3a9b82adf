"""What is asked about time, and how the clocks are told."""

from dataclasses import replace

import pytest

from dormie_client.clock_lines import clock_lines
from dormie_client.clocks import TimeLeft
from dormie_client.prompts import prompt
from dormie_client.scene import Scene, Screen
from dormie_client.terminal_view import score_card, who
from dormie_protocol.clocks import Ask, Break, Clock, Clocks, fresh
from tests.clients.scenes import scene
from tests.grid_only import grid_match

MINE, THEIRS, THIRD = "2S ## 7H ## KD ##", "TS ## 9C ## ## ##", "AS ## ## ## ## 3D"
CLOCKS = fresh(Clock(), 3)
ASK = Ask(seat=1, what="pause", seconds=600.0, agreed=(1,), at=0.0, until=0.0)


def at(clocks: Clocks, *, turn: int = 0, seat: int = 0) -> Scene:
    shown = scene(MINE, THEIRS, THIRD, turn=turn, seat=seat)
    return replace(shown, view=replace(shown.view, clocks=clocks))


ASKED = [
    (
        "a pause",
        at(replace(CLOCKS, ask=ASK)),
        "Ben asks for a pause of 10 min: agree or refuse",
        "Ben demande une pause de 10 min : accepte ou refuse",
    ),
    (
        "to go on",
        at(replace(CLOCKS, ask=replace(ASK, what="resume"))),
        "Ben asks to go on: agree or refuse",
        "Ben demande de continuer : accepte ou refuse",
    ),
    (
        "a move back",
        at(replace(CLOCKS, ask=replace(ASK, what="undo"))),
        "Ben asks to take the last move back: agree or refuse",
        "Ben demande à reprendre le dernier coup : accepte ou refuse",
    ),
    ("one's own wish", at(replace(CLOCKS, ask=replace(ASK, seat=0, agreed=(0,)))), None, None),
    (
        "in a pause",
        at(replace(CLOCKS, pause=Break(1, 0.0, 0.0, "turn"))),
        "The table has a pause: resume",
        "La table fait une pause : continue",
    ),
    (
        "a vote",
        at(replace(CLOCKS, runs="vote", votes=(None, None, None)), turn=1),
        "The time of Ben is over: vote wait, vote bot, vote withdraw or vote end",
        "Le temps est écoulé pour Ben : vote attends, vote robot, vote retire ou vote ferme",
    ),
    ("voted", at(replace(CLOCKS, votes=("bot", None, None)), turn=1), None, None),
    (
        "a bot for me",
        at(replace(CLOCKS, sits_in=("medium", None, None)), turn=1),
        "A bot plays for you: resume",
        "Un robot joue pour vous : continue",
    ),
]


@pytest.mark.parametrize(
    ("shown", "english", "french"), [case[1:] for case in ASKED], ids=[case[0] for case in ASKED]
)
def test_what_is_asked_about_time_comes_first(
    shown: Scene, english: str | None, french: str | None
) -> None:
    usual = None if shown.hole is None or shown.hole.turn else "Your turn: draw or take 7♠"

    assert (english or usual) == prompt(shown)
    if french is not None:
        assert french == prompt(replace(shown, screen=Screen("fr")))


def test_the_last_turn_says_who_has_closed() -> None:
    shown = scene(MINE, THEIRS)
    assert shown.hole is not None
    closed = replace(shown.hole, closer=1, last=(0,))
    view = replace(shown.view, match=replace(grid_match(shown.view), play=closed))
    last = replace(shown, view=view)

    assert "Your last turn, Ben has closed: draw or take 7♠" == prompt(last)
    assert "Votre dernier tour, Ben a fermé : pioche ou prends 7♠" == prompt(
        replace(last, screen=Screen("fr"))
    )


def test_the_clocks_are_told_line_by_line() -> None:
    clock = Clock(game_seconds=300.0, when_out="bot")
    shown = at(fresh(clock, 3))
    shown = replace(shown, about=replace(shown.about, clock=clock))
    left = TimeLeft("turn", 59.6, (300.0, 12.0, 300.0), (120.0, 0.0, 120.0))

    assert [
        "Time to think: 1 min.",
        "You: 5 min in the bank, 2 min for a broken line.",
        "Ben: 12 s in the bank, 0 s for a broken line.",
        "Cléo: 5 min in the bank, 2 min for a broken line.",
        "Pauses left: 3, 15 min in all.",
        "When time is over: a bot (medium) sits in until the player is back.",
    ] == clock_lines(shown, left)
    assert ["No clock is running."] == clock_lines(shown, None)


def test_whoever_has_a_bot_or_is_out_is_marked() -> None:
    shown = at(replace(CLOCKS, sits_in=(None, "medium", None)))
    assert shown.view.match is not None
    match = replace(shown.view.match, out=(None, None, 2))
    lines = who(replace(shown, view=replace(shown.view, match=match)))

    assert "2. Ben, a bot (medium) sits in" == lines[1]
    assert "3. Cléo, out of the match" == lines[2]


def test_a_score_card_that_does_not_fit_is_told_hole_by_hole() -> None:
    shown = scene(MINE, THEIRS, THIRD, screen=Screen(width=20))

    assert ["Hole 1. You: 12; Ben: -5; Cléo: 20", "Total. You: 12; Ben: -5; Cléo: 20"] == (
        score_card(shown)
    )
