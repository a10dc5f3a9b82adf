from typing import Any

import pytest

from dormie_client.play_wish import DEFAULT_URL, Wish, language_of, read_wish

CODE = "PARTEE23"


def wish(*argv: str, **environment: str) -> Wish:
    return read_wish(argv, environment)


@pytest.mark.parametrize(
    ("argv", "url", "code"),
    [
        ((), DEFAULT_URL, None),
        (("golf.example",), "golf.example", None),
        (("http://10.0.0.5:8421", CODE), "http://10.0.0.5:8421", CODE),
        ((CODE,), DEFAULT_URL, CODE),
        (("partee23",), DEFAULT_URL, CODE),
        (("http://here", "--watch", CODE), "http://here", CODE),
        (("--name", "Ada", "http://here", "--lang", "fr", CODE), "http://here", CODE),
    ],
)
def test_the_address_and_the_code_may_be_left_out(
    argv: tuple[str, ...], url: str, code: str | None
) -> None:
    asked = wish(*argv)

    assert (url, code) == (asked.url, asked.code)


def test_the_usual_server_can_be_chosen_once_and_for_all() -> None:
    assert "https://golf.example" == wish(CODE, DORMIE_URL="https://golf.example").url
    assert "http://here" == wish("http://here", DORMIE_URL="https://golf.example").url


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("rows=3", {"rows": 3}),
        ("end=holes", {"end": "holes"}),
        ("limit=null", {"limit": None}),
        ("limit_inclusive=false", {"limit_inclusive": False}),
        ('lines=["rows"]', {"lines": ["rows"]}),
        ('values={"K":0,"*":-3}', {"values": {"K": 0, "*": -3}}),
        ("a=b=c", {"a": "b=c"}),
        ("a=", {"a": ""}),
    ],
)
def test_an_option_is_json_or_a_word(text: str, options: dict[str, Any]) -> None:
    assert options == wish("--option", text).options


@pytest.mark.parametrize(
    ("argv", "variant", "seats", "bots"),
    [
        (("--game", "patience"), "golf_patience_queen", 1, ()),
        (("--game=patience", "--seats", "3"), "golf_patience_queen", 3, None),
        (("--game", "patience", "--bots", "easy"), "golf_patience_queen", None, ("easy",)),
        (("--game", "patience", "--variant", "tripeaks"), "tripeaks", 1, ()),
        (("--game", "grid"), "six_card", None, None),
        (("--game", "grid", "--game", "patience"), "golf_patience_queen", 1, ()),
    ],
)
def test_a_game_stands_for_the_usual_table_of_it(
    argv: tuple[str, ...], variant: str, seats: int | None, bots: tuple[str, ...] | None
) -> None:
    asked = wish(*argv)

    assert (variant, seats, bots) == (asked.variant, asked.seats, asked.bots)
    assert asked.new, "whoever says which game wants a new table"


def test_options_add_up() -> None:
    assert {"rows": 3, "cols": 3} == wish("-o", "rows=3", "-o", "cols=3").options


@pytest.mark.parametrize(
    ("argv", "new"),
    [
        ((), False),
        (("--new",), True),
        (("--bots", "easy"), True),
        (("--variant", "playroom"), True),
        (("--option", "holes=1"), True),
        (("--seats", "2"), True),
        (("--turn-seconds", "30"), True),
        (("--name", "Ada", "--lang", "fr"), False),
    ],
)
def test_whoever_says_how_a_table_should_be_wants_a_new_one(
    argv: tuple[str, ...], *, new: bool
) -> None:
    assert new is wish(*argv).new


@pytest.mark.parametrize(
    ("argv", "size"),
    [
        ((), 4),
        (("--bots", "easy"), 4),
        (("--seats", "6"), 6),
        (("--local",), 2),
        (("--local", "--bots", "easy,medium"), 3),
        (("--local", "--bots", "easy", "--seats", "3"), 3),
    ],
)
def test_a_table_has_four_seats_unless_nobody_else_can_come(
    argv: tuple[str, ...], size: int
) -> None:
    assert size == wish(*argv).size


@pytest.mark.parametrize(
    ("text", "volume"),
    [
        ("brief", "brief"),
        ("moves=brief", {"moves": "brief"}),
        ("moves=brief,scores=full", {"moves": "brief", "scores": "full"}),
    ],
)
def test_how_much_is_said_can_be_chosen_for_each_class(text: str, volume: object) -> None:
    assert volume == wish("--verbosity", text).volume


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "fr_BE"}, "fr"),
        ({"LANG": "fr_FR", "LC_MESSAGES": "en_GB"}, "en"),
        ({"LANG": "fr_FR", "LC_ALL": ""}, "fr"),
    ],
)
def test_the_screen_speaks_the_language_of_the_system(
    environment: dict[str, str], language: str
) -> None:
    assert language == language_of(environment)
    assert "fr" == wish("--lang", "fr", **environment).language


@pytest.mark.parametrize(
    "argv",
    [
        ("http://here", "not-a-code"),
        ("http://here", CODE, "more"),
        ("--watch",),
        ("--watch", "http://here"),
        ("--local", "http://here"),
        ("--local", CODE),
        (CODE, "--variant", "playroom"),
        (CODE, "--bots", "easy"),
        ("--option", "rows"),
        ("--option", "=3"),
        ("--seats", "7"),
        ("--seats", "two"),
        ("--turn-seconds", "soon"),
        ("--lang", "de"),
        ("--verbosity", "loud"),
        ("--verbosity", "moves=loud"),
        ("--verbosity", "jokes=full"),
        ("--unheard-of",),
    ],
)
def test_what_makes_no_sense_is_said_in_one_line(
    argv: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        wish(*argv)
    said = capsys.readouterr()

    assert 2 == end.value.code
    assert 1 == said.err.count("\n")
    assert said.err.startswith("dormie play: ")
    assert "" == said.out
