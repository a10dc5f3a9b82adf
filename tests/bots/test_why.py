"""Every reason has its line, in every language."""

from string import Formatter
from typing import get_args

import pytest

from dormie_bots.why import LINES, Code, Language, because, say_why
from dormie_rules.cards import JOKER, RANKS

LANGUAGES: tuple[Language, ...] = get_args(Language)
CODES: tuple[Code, ...] = get_args(Code)
GIVEN: dict[str, int | str] = {"card": "Q", "points": 3}


def needs(line: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(line) if name}


@pytest.mark.parametrize("code", CODES)
def test_a_reason_has_a_line_in_every_language_with_the_same_params(code: Code) -> None:
    needed = [needs(LINES[language][code]) for language in LANGUAGES]

    assert [needed[0]] * len(LANGUAGES) == needed
    assert needed[0] <= set(GIVEN)


@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_are_sentences(language: Language) -> None:
    assert set(CODES) == set(LINES[language])
    for code, line in LINES[language].items():
        said = say_why(because(code, **{name: GIVEN[name] for name in needs(line)}), language)

        assert said[0].isupper()
        assert said.endswith(".")
        assert "{" not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rank_has_a_name_of_its_own(language: Language) -> None:
    said = {say_why(because("no_use", card=rank), language) for rank in RANKS + JOKER}

    assert len(RANKS + JOKER) == len(said)


@pytest.mark.parametrize(
    ("points", "en", "fr"),
    [
        (-2, "minus 2 points", "moins 2 points"),
        (-1, "minus 1 point", "moins 1 point"),
        (0, "0 points", "0 point"),
        (1, "1 point", "1 point"),
        (2, "2 points", "2 points"),
    ],
)
def test_points_agree_with_their_number(points: int, en: str, fr: str) -> None:
    why = because("closes", points=points)

    assert f"That closes the hole with {en}." == say_why(why, "en")
    assert f"Voilà le trou fermé, avec {fr}." == say_why(why, "fr")
