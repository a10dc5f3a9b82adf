"""Names: which may be had, and which look alike."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_server.names import LONGEST, clean_name, distinct, skeleton
from tests.nasty import CASES


@pytest.mark.parametrize("raw", CASES["S04"]["input"]["each"], ids=ascii)
def test_nasty_S04_a_name_that_hides_something_is_refused(raw: str) -> None:
    with pytest.raises(ValueError, match=r"^A name .*\.$"):
        clean_name(raw)


@pytest.mark.parametrize("raw", CASES["J14"]["input"]["each"])
def test_nasty_J14_control_characters_have_no_place_in_a_name(raw: str) -> None:
    with pytest.raises(ValueError, match="control or invisible"):
        clean_name(raw.encode().decode("unicode_escape"))


@pytest.mark.parametrize("other", CASES["S05"]["input"]["each"])
def test_nasty_S05_names_that_look_alike_are_told_apart(other: str) -> None:
    seated = {"rnike": "mike", "I1lO0": "lIl00"}.get(other, "Alice")

    assert f"{other} 2" == distinct(other, ["Bob", seated])


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "Zoé",
        "Jean-Luc d’Été",
        "Łukasz",
        "Ольга",
        "Ἀθηνᾶ",
        "שרה",
        "محمد",
        "さくら",
        "田中さん",
        "김민준",
        "अमित",
        "ธนา",
        "Ada 2",
        "R2-D2",
        "<b>Bob</b>",
        "Ada 😀",
        "x" * 24,
    ],
)
def test_every_alphabet_is_welcome(name: str) -> None:
    assert name == clean_name(name)


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Ada\u00a0Lovelace", "Ada Lovelace"),
        ("\uff21\uff44\uff41", "Ada"),
        ("Zoe\u0301", "Zoé"),
        (" " * 50 + "x", "x"),
    ],
)
def test_a_name_is_tidied(raw: str, name: str) -> None:
    assert name == clean_name(raw)


@pytest.mark.parametrize(
    "raw",
    [
        "   ",
        "x" * 25,
        "Ada\nBob",
        "Ada\u2028Bob",
        "Ada\u200d",
        "A\ufe0fda",
        "A\u034fda",
        "A\u115fda",
        "\ue000",
        "\U0010ffff",
        "\ud800",
        "\u0301a",
        "a \u0301",
        "Adaм",
        "αda",  # noqa: RUF001 - Greek
        "Ada田",
        "Ada٣",
        "a\u0301\u0302\u0303\u0304",
    ],
    ids=ascii,
)
def test_a_name_that_misleads_is_refused(raw: str) -> None:
    with pytest.raises(ValueError, match=r"^A name .*\.$"):
        clean_name(raw)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "alice"),
        ("Alice", "AL1CE"),
        ("Alice", "A|ice"),
        ("Bob", "B0b"),
        ("mike", "rnike"),
        ("wow", "vvow"),
        ("ace", "асе"),  # noqa: RUF001 - Cyrillic
        ("HOT", "НОТ"),  # noqa: RUF001 - Cyrillic
        ("Rose", "Rоѕе"),  # noqa: RUF001 - Cyrillic
        ("KAIN", "ΚΑΙΝ"),  # noqa: RUF001 - Greek
        ("Jean-Luc", "Jean–Luc"),
        ("Ada L", "AdaL"),
        ("Straße", "STRASSE"),
    ],
)
def test_these_look_alike(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("Ada", "Bob"), ("Ana", "Anna"), ("Ada", "Ada 2")])
def test_these_do_not(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_a_table_full_of_the_same_name_has_six_names() -> None:
    seated: list[str] = []
    for _ in range(6):
        seated.append(distinct("Alice", seated))

    assert ["Alice", "Alice 2", "Alice 3", "Alice 4", "Alice 5", "Alice 6"] == seated


def test_a_name_with_a_number_still_fits() -> None:
    name = distinct("x" * LONGEST, ["x" * LONGEST])

    assert "x" * 22 + " 2" == name


@given(st.text(max_size=40))
def test_whatever_comes_the_name_is_clean_or_refused(raw: str) -> None:
    try:
        name = clean_name(raw)
    except ValueError:
        return
    kinds = {unicodedata.category(sign)[0] for sign in name}

    assert 1 <= len(name) <= LONGEST
    assert name == name.strip() == clean_name(name)
    assert "C" not in kinds
    assert name.isprintable()


@given(st.text(max_size=24), st.lists(st.text(max_size=24), max_size=5))
def test_a_distinct_name_is_distinct(name: str, taken: list[str]) -> None:
    shown = distinct(name, taken)

    assert skeleton(shown) not in {skeleton(other) for other in taken}
    assert len(shown) <= max(LONGEST, len(name))


@pytest.mark.parametrize("name", ["You", "vous", "ME", "1", "42"])
def test_nobody_is_called_what_everybody_is_called(name: str) -> None:
    with pytest.raises(ValueError, match="somebody else"):
        clean_name(name)
