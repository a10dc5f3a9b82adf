from dataclasses import replace

import pytest

from dormie_client.prompts import numbers, prompt
from dormie_client.scene import Scene, Screen
from dormie_protocol.table_view import Seat
from tests.clients.scenes import in_phase, scene

MINE, THEIRS = "2S ## 7H ## KD ##", "TS ## 9C ## ## ##"
NEW = "## ## ## ## ## ##"
ADA, BEN = Seat("Ada"), Seat("Ben")
READY = Seat("Ada", ready=True)

ASKED: list[tuple[str, Scene, str | None, str | None]] = [
    ("turn", scene(MINE, THEIRS), "Your turn: draw or take 7♠", "À vous : pioche ou prends 7♠"),
    (
        "drawn",
        scene(MINE, THEIRS, stage="drawn", drawn="QH"),
        "Q♥ in hand: swap 1-6 or throw",
        "D♥ en main : échange 1-6 ou jette",
    ),
    (
        "taken",
        scene(MINE, THEIRS, stage="taken", taken="5S"),
        "5♠ in hand: swap 1-6",
        "5♠ en main : échange 1-6",
    ),
    (
        "flip or pass",
        scene(MINE, THEIRS, stage="flip"),
        "Your turn: flip 2, 4, 6 or pass",
        "À vous : retourne 2, 4, 6 ou passe",
    ),
    (
        "must flip",
        scene(MINE, THEIRS, stage="flip", options={"flip_after_discard": "must"}),
        "Your turn: flip 2, 4, 6",
        "À vous : retourne 2, 4, 6",
    ),
    (
        "setup",
        scene(NEW, NEW, stage="setup", turn=None),
        "Turn 2 of your cards up: flip 1-6",
        "Retournez 2 de vos cartes : retourne 1-6",
    ),
    (
        "setup, half done",
        scene("## 5S ## ## ## ##", NEW, stage="setup", turn=None),
        "Turn 1 of your cards up: flip 1, 3, 4, 5, 6",
        "Retournez 1 de vos cartes : retourne 1, 3, 4, 5, 6",
    ),
    ("setup, done", scene(MINE, NEW, stage="setup", turn=None), None, None),
    ("their turn", scene(MINE, THEIRS, turn=1), None, None),
    ("watching", scene(MINE, THEIRS, seat=None), None, None),
    (
        "alone in the lobby",
        in_phase("lobby", ADA, None, None),
        "1 of 3 seats taken: Enter when you are ready or bot LEVEL",
        "1 sur 3 à table : Entrée quand c’est bon ou robot NIVEAU",
    ),
    (
        "host",
        in_phase("lobby", ADA, BEN, None),
        "2 of 3 seats taken: Enter when you are ready, start or bot LEVEL",
        "2 sur 3 à table : Entrée quand c’est bon, commence ou robot NIVEAU",
    ),
    (
        "host, ready",
        in_phase("lobby", READY, BEN, None),
        "2 of 3 seats taken: start or bot LEVEL",
        "2 sur 3 à table : commence ou robot NIVEAU",
    ),
    (
        "guest",
        in_phase("lobby", ADA, BEN, None, host=1),
        "2 of 3 seats taken: Enter when you are ready",
        "2 sur 3 à table : Entrée quand c’est bon",
    ),
    ("guest, ready", in_phase("lobby", READY, BEN, None, host=1), None, None),
    (
        "everybody",
        in_phase("lobby", ADA, BEN),
        "Everybody is here: Enter when you are ready",
        "Tout le monde est là : Entrée quand c’est bon",
    ),
    ("everybody, ready", in_phase("lobby", READY, BEN), None, None),
    ("starting", in_phase("starting", ADA, BEN), None, None),
    ("between", in_phase("between", ADA, BEN), "Next hole: Enter", "Trou suivant : Entrée"),
    ("between, ready", in_phase("between", READY, BEN), None, None),
    (
        "over",
        in_phase("over", ADA, BEN),
        "The match is over: rematch, leave or quit",
        "La partie est terminée : revanche, abandonne ou quitte",
    ),
    ("over, asked", in_phase("over", READY, BEN), None, None),
    ("closed", in_phase("closed", ADA, BEN), None, None),
    (
        "replaced",
        replace(scene(MINE, THEIRS), replaced=True),
        "Played elsewhere: back or quit",
        "Jouée ailleurs : reprends ou quitte",
    ),
]


@pytest.mark.parametrize(
    ("shown", "english", "french"), [case[1:] for case in ASKED], ids=[case[0] for case in ASKED]
)
def test_what_is_asked_is_what_may_be_done(
    shown: Scene, english: str | None, french: str | None
) -> None:
    assert english == prompt(shown)
    assert french == prompt(replace(shown, screen=Screen("fr")))


@pytest.mark.parametrize(
    ("cards", "text"), [([0], "1"), ([0, 1], "1, 2"), ([0, 1, 2], "1-3"), ([1, 2, 4], "2, 3, 5")]
)
def test_places_that_follow_each_other_are_said_in_short(cards: list[int], text: str) -> None:
    assert text == numbers(cards)
