"""Whole holes as they look on a screen, kept so that no line can change or go by accident."""

from io import StringIO
from pathlib import Path

import pytest

from dormie_client.scene import Screen
from dormie_protocol.messages import Language
from tests.clients.fake_table import FakeTable
from tests.clients.screens import play
from tests.golden import unchanged

GOLDEN = Path(__file__).parent / "golden"

A_HOLE: dict[Language, tuple[str, ...]] = {
    "en": (
        *("", "flip 1", "2", "swap 1", "t", "x", "s 4", "look", "score", "look 2"),
        *("d", "9", "1", "d", "throw", "flip 1", "pass", "who", "d", "5", "score", "quit"),
    ),
    "fr": (
        *("", "retourne 1", "2", "échange 1", "r", "j", "e 4", "regarde", "score", "regarde 2"),
        *("p", "9", "1", "p", "jette", "retourne 1", "passe", "qui", "p", "5", "score", "quitte"),
    ),
}


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_a_hole_can_be_played_from_start_to_end(language: Language) -> None:
    screen = await play(FakeTable(), *A_HOLE[language], language=language)

    unchanged(GOLDEN / f"hole_{language}.txt", screen)


async def test_a_program_at_the_other_end_gets_whole_lines() -> None:
    """A prompt that waits behind its sign would hold up whoever reads line by line."""
    screen = await play(FakeTable(), *A_HOLE["en"], paper=StringIO())

    unchanged(GOLDEN / "hole_for_a_program.txt", screen)


async def test_a_match_can_be_played_by_who_only_listens() -> None:
    screen = Screen(listed=True, symbols=False)
    page = await play(FakeTable(), *A_HOLE["en"], screen=screen, volume="full")

    unchanged(GOLDEN / "hole_to_listen_to.txt", page)


async def test_few_words_are_enough() -> None:
    page = await play(FakeTable(), *A_HOLE["en"], volume="brief")

    unchanged(GOLDEN / "hole_in_brief.txt", page)


async def test_what_is_seen_late_is_asked_about_late() -> None:
    """An answer may come before what it did can be seen, and then the old question is no question."""
    at_once, late = FakeTable(), FakeTable(late=20)

    assert await play(at_once, *A_HOLE["en"]) == await play(late, *A_HOLE["en"])
