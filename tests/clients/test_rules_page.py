import re

import pytest

from dormie_client.option_text import explained
from dormie_client.rules_page import rules_page, variant_list
from dormie_protocol.messages import Language
from dormie_rules.grid_options import OPTIONS, SCORING, choose
from dormie_rules.variants import find, names


def test_every_variant_has_a_line() -> None:
    assert list(names()) == [line.split()[0] for line in variant_list().splitlines()]


@pytest.mark.parametrize("name", names())
def test_a_page_explains_and_lists_every_option(name: str) -> None:
    page = rules_page(find(name))
    listed = {line.split()[0] for line in page.splitlines() if line}

    assert page.startswith(find(name).text[:20])
    assert set() == {*OPTIONS, *SCORING} - listed


@pytest.mark.parametrize("name", names())
def test_a_page_shows_no_program(name: str) -> None:
    page = rules_page(find(name))

    assert [] == [
        sign
        for sign in (">>>", "Literal", "typing", "None", "(", "class")
        if sign in page.split("option ")[1]
    ]


def test_a_page_shows_the_numbers_of_a_table() -> None:
    variant = find("six_card")
    page = rules_page(variant, choose(variant, {"holes": 3, "closer_penalty": "qc"}, seats=4))
    rows = {line.split()[0]: line.split()[1] for line in page.splitlines() if line[:1].strip()}

    assert ("3", "qc") == (rows["holes"], rows["closer_penalty"])


@pytest.mark.parametrize("name", names())
def test_a_page_can_be_read_in_french(name: str) -> None:
    page = rules_page(find(name), language="fr")

    assert "la défausse" in page
    assert "Trous d’une partie." in page
    assert [] == re.findall(r"a whole number|\d to \d|your cards|can be", page)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_option_is_explained(language: Language) -> None:
    assert [] == [name for name in (*OPTIONS, *SCORING) if not explained(name, language)]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_page_fits_on_a_narrow_terminal(language: Language) -> None:
    page = rules_page(find("playroom"), language=language, wide=39)

    assert max(map(len, page.splitlines())) <= 39
