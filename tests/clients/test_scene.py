import pytest

from dormie_client.scene import clean, pad, width
from dormie_protocol.table_view import Seat
from dormie_rules.grid_moves import Discard, Draw, Flip, GridMove, Swap
from tests.clients.scenes import in_phase, scene

MINE, THEIRS = "2S ## 7H ## KD ##", "TS ## 9C ## ## ##"


@pytest.mark.parametrize(
    ("move", "word"),
    [
        (Draw(), None),
        (Swap(0), "nothing_drawn"),
        (Flip(1), "nothing_drawn"),
        (Discard(), "nothing_drawn"),
    ],
)
def test_why_not_is_known_without_asking(move: GridMove, word: str | None) -> None:
    assert word == scene(MINE, THEIRS).why_not(move)


def test_why_not_before_and_between_and_for_who_watches() -> None:
    assert "wrong_time" == in_phase("lobby", Seat("Ada"), None).why_not(Draw())
    assert "not_seated" == scene(MINE, THEIRS, seat=None).why_not(Draw())
    assert "not_your_turn" == scene(MINE, THEIRS, turn=1).why_not(Draw())


@pytest.mark.parametrize(
    ("seat", "turn", "drawn", "taken", "held"),
    [
        (0, 0, "5S", None, "5S"),
        (0, 0, None, "7S", "7S"),
        (0, 1, None, "7S", None),
        (None, 0, None, "7S", None),
        (None, None, None, None, None),
    ],
)
def test_a_card_is_in_the_hand_of_whose_turn_it_is(
    seat: int | None, turn: int | None, drawn: str | None, taken: str | None, held: str | None
) -> None:
    assert held == scene(MINE, THEIRS, seat=seat, turn=turn, drawn=drawn, taken=taken).held


def test_the_table_waits_for_others() -> None:
    new = "## ## ## ## ## ##"

    assert [] == scene(MINE, THEIRS).waiting_for()
    assert ["Ben"] == scene(MINE, THEIRS, turn=1).waiting_for()
    assert ["Ben"] == scene(MINE, new, stage="setup", turn=None).waiting_for()
    assert [] == in_phase("lobby", Seat("Ada"), None).waiting_for()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("Zoë Müller", "Zoë Müller"),
        ("a\x00b\x1bc\x9bd\x7fe", "abcde"),
        ("a\u202eb\u2066c\u200bd\ufeffe", "abcde"),
        ("a\nb\tc\u2028d", "abcd"),
        ("a\u00a0b", "ab"),
        ("", ""),
        ("李娜李娜李娜李娜李", "李娜李娜李娜李…"),
        ("x" * 17, "x" * 15 + "…"),
    ],
)
def test_a_name_is_shown_without_what_could_harm(name: str, shown: str) -> None:
    assert shown == clean(name)


def test_a_text_is_padded_by_what_it_fills() -> None:
    assert 6 == width(pad("李娜", 6))
    assert "e\u0301  " == pad("e\u0301", 3)
