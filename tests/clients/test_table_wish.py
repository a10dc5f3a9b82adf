import pytest

from dormie_client.commands import Unclear
from dormie_client.play_text import TEXTS
from dormie_client.play_wish import Wish, read_wish
from dormie_client.table_wish import read_table_wish

THERE = ("six_card", "playroom")


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("tiger", "no_option"),
        ("six_card playroom", "no_option"),
        ("size=9", "bad_value"),
        ("size=two", "bad_value"),
        ("listed=perhaps", "bad_value"),
        ("chat=loud", "bad_value"),
        ("when_out=7", "bad_clock"),
        ("turn_seconds=soon", "bad_clock"),
    ],
)
def test_what_cannot_be_is_said_before_the_house_is_asked(typed: str, key: str) -> None:
    with pytest.raises(Unclear) as unclear:
        read_table_wish(typed, THERE)

    assert key == unclear.value.key
    assert all(text.format(**unclear.value.fields) for text in TEXTS[key])


def test_options_of_the_table_of_its_clocks_and_of_its_rules_need_no_prefix() -> None:
    wish = read_table_wish("playroom rows=3 cols=3 size=2 bots=easy turn_seconds=30", THERE)

    assert "playroom" == wish.variant
    assert {"rows": 3, "cols": 3} == wish.options
    assert {"turn_seconds": 30} == wish.clock
    assert {"size": 2, "bots": ("easy",)} == wish.table


def test_a_private_table_has_a_password_that_nobody_guesses() -> None:
    one, other = (read_table_wish("private", THERE).password for _ in range(2))

    assert one is not None
    assert other is not None
    assert one != other
    assert 22 == len(one)


def test_the_command_says_it_in_the_same_words() -> None:
    wish = read_wish(
        ["--size", "2", "--listed", "--chat", "off", "-o", "when_out=vote", "-o", "holes=3"], {}
    )
    told = wish.table_wish(())

    assert ({"when_out": "vote"}, {"holes": 3}) == (told.clock, told.options)
    assert {"size": 2, "bots": (), "listed": True, "chat": "off"} == told.table
    assert wish.new


def test_an_invitation_is_an_address_a_code_and_a_password() -> None:
    wish = read_wish(["http://golf.example/#table=PARTEE23&key=birdie"], {})

    assert ("http://golf.example/", "PARTEE23", "birdie") == (wish.url, wish.code, wish.password)
    assert Wish().password is None
