import ast
import re
from pathlib import Path
from string import Formatter

import pytest

import dormie_client
from dormie_client import host_text, house_text, self_text, spectator_text, talk_text, time_text
from dormie_client.commands import WORDS, plain
from dormie_client.help_text import PAGES, PLAYING
from dormie_client.option_text import OPTIONS
from dormie_client.option_text import WORDS as WORDS_OF_RANGES
from dormie_client.over_text import FRENCH
from dormie_client.play_text import TEXTS, text
from dormie_client.prompts import WORDS as TYPED
from dormie_client.rules_fr import TEXTS as RULES
from dormie_protocol.messages import Language

SOURCES = sorted(
    source
    for source in Path(dormie_client.__file__).parent.glob("*.py")
    if not source.name.startswith(
        ("solve", "patience")
    )  # with texts of their own, and tests for them
)


HELP = (PLAYING, *PAGES.values())


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def asked_for() -> set[str]:
    """Every key that the program asks for by its name."""
    calls = [
        node
        for source in SOURCES
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, ast.Call)
    ]
    named = [(node.func, node.args) for node in calls]
    return {
        str(argument.value)
        for function, arguments in named
        if (getattr(function, "attr", None) or getattr(function, "id", None)) in ("text", "partial")
        for argument in arguments
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


@pytest.mark.parametrize("key", TEXTS)
def test_both_languages_say_the_same(key: str) -> None:
    english, french = TEXTS[key]

    assert fields(english) == fields(french)
    assert english
    assert french


def test_french_has_its_own_signs() -> None:
    wrong = re.compile(r"'|(?<! )[;:!?](?!\S)")
    french = [french for _, french in TEXTS.values()] + [page["fr"] for page in HELP]
    french += [why for _, why in (*OPTIONS.values(), *WORDS_OF_RANGES.values())]
    french += [*FRENCH.values(), *RULES.values()]

    assert [] == [line for line in french if wrong.search(line)]


def test_everything_that_is_asked_for_is_there() -> None:
    assert set() == asked_for() - TEXTS.keys()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_help_names_every_verb(language: Language) -> None:
    words = {word for page in HELP for word in re.findall(r"[a-z?]+", plain(page[language]))}
    unnamed = [verb for verb, of in WORDS.items() if not words & set(of.split())]

    assert {"help"} >= set(unnamed)  # everybody is told of it on arriving


@pytest.mark.parametrize("language", ["en", "fr"])
def test_help_fits_on_a_screen(language: Language) -> None:
    for page in HELP:
        lines = page[language].splitlines()

        assert len(lines) < 10
        assert max(map(len, lines)) <= 100


def test_no_word_stands_for_two_things() -> None:
    typed = [word for of in WORDS.values() for word in of.split()]

    assert len(typed) == len(set(typed))
    assert all(word == plain(word) for word in typed)


def test_no_sentence_is_said_by_two_groups() -> None:
    groups = (host_text, spectator_text, time_text, talk_text, house_text, self_text)
    keys = [key for group in groups for key in group.TEXTS]

    assert len(keys) == len(set(keys))


def test_what_a_prompt_offers_can_be_typed() -> None:
    known = {word for of in WORDS.values() for word in of.split()}
    offered = {plain(word.split()[0]) for pair in TYPED.values() for word in pair}

    assert {"enter", "entree"} >= offered - known


def test_a_name_with_braces_stays_as_it_is() -> None:
    assert "Waiting for {0}." == text("waiting", "en", names="{0}")
