from dataclasses import replace
from pathlib import Path

import pytest

from dormie_client.scene import Scene, Screen, width
from dormie_client.terminal_view import (
    draw_table,
    places,
    score_card,
    short_card,
    spell_grid,
    who,
)
from dormie_protocol.messages import Language
from dormie_protocol.table_view import Seat
from dormie_rules.cards import Card, pack
from tests.clients.scenes import in_phase, scene
from tests.golden import unchanged

GOLDEN = Path(__file__).parent / "golden"
SIX = ("2S ## 7H ## KD ##", "TS ## 9C ## ## ##")
FOUR = (*SIX, "## ## ## ## ## JC", "AS 2H 3D 4C 5S QH")
NINE = ("2S ## 7H ## KD ## ## ## *", "## ## ## ## TD ## ## ## ##")
SIXTEEN = (" ".join(["2S", "TH", "##", "*"] * 4), " ".join(["##"] * 15 + ["QD"]))

SCENES: dict[str, Scene] = {
    "two players, my turn": scene(*SIX),
    "a card in hand": scene(*SIX, stage="drawn", drawn="5S"),
    "a card taken": scene(*SIX, stage="taken", taken="TH", discard=None),
    "somebody else's turn": scene(*SIX, turn=1),
    "somebody else has a card": scene(*SIX, stage="taken", taken="TH", turn=1),
    "four players": scene(*FOUR),
    "from another seat": scene(*FOUR, seat=2, turn=2),
    "for who watches": scene(*FOUR, seat=None),
    "somebody has left": scene(SIX[0], "", SIX[1]),
    "two by two": scene("5S ## ## KD", "## ## ## ##", variant="playroom", options={"cols": 2}),
    "three by three": scene(*NINE, variant="playroom", options={"rows": 3}),
    "four by four": scene(*SIXTEEN, variant="playroom", options={"rows": 4, "cols": 4}),
}
SCREENS = {
    "English": Screen(),
    "French": Screen("fr"),
    "letters": Screen(symbols=False),
    "a list": Screen(listed=True),
    "narrow": Screen(width=40),
}


def test_no_screen_has_changed() -> None:
    pages = [
        "\n".join([f"-- {name}, {how} --", *draw_table(replace(shown, screen=screen)), ""])
        for name, shown in SCENES.items()
        for how, screen in SCREENS.items()
    ]

    unchanged(GOLDEN / "tables.txt", "\n".join(pages))


@pytest.mark.parametrize("name", SCENES)
def test_a_table_fits_on_a_usual_screen(name: str) -> None:
    assert max(width(line) for line in draw_table(SCENES[name])) <= 80


@pytest.mark.parametrize("name", SCENES)
def test_letters_need_nothing_but_ascii(name: str) -> None:
    screen = Screen(symbols=False)
    lines = draw_table(replace(SCENES[name], screen=screen))

    assert "".join(lines).replace("Cléo", "").replace("李娜", "").isascii()


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("symbols", [True, False])
def test_no_two_cards_look_alike(language: Language, *, symbols: bool) -> None:
    screen = Screen(language, symbols=symbols)
    cards = {short_card(card, screen) for card in {*pack(), Card("*")}}

    assert 53 == len(cards)
    assert max(map(len, cards)) <= 3


def test_cards_are_named_as_french_decks_name_them() -> None:
    assert ["10♠", "V♥", "D♦", "R♣"] == [
        short_card(Card(card), Screen("fr")) for card in ("TS", "JH", "QD", "KC")
    ]


def test_nothing_is_drawn_before_there_are_cards() -> None:
    assert ["No cards have been dealt."] == draw_table(in_phase("lobby", Seat("Ada")))


@pytest.mark.parametrize("whose", ["2", "Ben", "ben", "b", "BEN"])
def test_a_grid_is_spelt_row_by_row(whose: str) -> None:
    assert [
        "Ben, row 1: ten of spades, face-down, nine of clubs.",
        "Ben, row 2: face-down, face-down, face-down.",
    ] == spell_grid(scene(*SIX), whose)


@pytest.mark.parametrize("whose", ["1", "me", "You", "Ada"])
def test_ones_own_grid_is_spelt_like_any_other(whose: str) -> None:
    lines = spell_grid(scene(*SIX), "You" if whose == "me" else whose)

    assert "You, row 1: two of spades, face-down, seven of hearts." == lines[0]


@pytest.mark.parametrize("whose", ["3", "0", "Zoe", "٢", "-1"])
def test_nobody_is_called_like_that(whose: str) -> None:
    assert ["Nobody like that plays here."] == spell_grid(scene(*SIX), whose)


def test_whoever_has_left_has_no_cards_to_spell() -> None:
    assert ["Nobody like that plays here."] == spell_grid(scene(SIX[0], "", SIX[1]), "2")


def test_the_score_card_lines_its_columns_up() -> None:
    assert [
        " Hole  You  Ben  Cléo  李娜",
        "    1   12   -5    20     7",
        "Total   12   -5    20     7",
    ] == score_card(scene(*FOUR))


def test_there_are_no_scores_before_the_first_hole_is_over() -> None:
    assert ["No hole is over yet."] == score_card(in_phase("lobby", Seat("Ada"), None))


def test_who_is_who() -> None:
    table = in_phase(
        "lobby",
        Seat("Ada", ready=True),
        Seat("Birdie", bot="medium", here=False, ready=True),
        Seat("Cléo", here=False),
        None,
    )

    assert [
        "1. Ada, you, host, ready",
        "2. Birdie, bot (medium)",
        "3. Cléo, away",
        "4. free",
    ] == who(table)


def test_places_are_in_order_and_may_be_shared() -> None:
    shown = scene(*FOUR)
    assert shown.view.match is not None
    match = replace(shown.view.match, places=(3, 1, 4, 1), totals=(12, -5, 20, -5))
    over = replace(shown, view=replace(shown.view, match=match))

    assert ["1. Ben, -5", "1. 李娜, -5", "3. You, 12", "4. Cléo, 20"] == places(over)


def test_there_are_no_places_before_the_match_is_over() -> None:
    assert [] == places(scene(*SIX))


def test_a_name_cannot_draw() -> None:
    """Whoever chooses "\\x1b[2J" for a name would like to wipe the screens of the others."""
    shown = scene(*SIX)
    nasty = Seat("B\x1b[2J\n\u202e\u200bn\x07")
    table = replace(shown, view=replace(shown.view, seats=(Seat("Ada"), nasty)))
    lines = [*draw_table(table), *who(table), *score_card(table), *spell_grid(table, "2")]

    assert [] == [line for line in lines if not line.isprintable()]
    assert "2. B[2Jn" == who(table)[1]


def test_a_name_of_nothing_is_a_number() -> None:
    shown = scene(*SIX)
    table = replace(shown, view=replace(shown.view, seats=(Seat("Ada"), Seat("\u200b"))))

    assert "Seat 2: 19" in draw_table(table)[0]
