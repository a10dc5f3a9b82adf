"""Every reason of the patience has its line, in every language, and a hint says what it knows."""

from string import Formatter
from typing import get_args

import pytest

from dormie_bots.patience_words import KINDS, PATIENCE_LINES, say_hint, say_reason
from dormie_bots.why import Language
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_hints import Hint
from dormie_rules.patience_reason import ReasonCode, reason

LANGUAGES: tuple[Language, ...] = get_args(Language)
CODES: tuple[ReasonCode, ...] = get_args(ReasonCode)


def needs(line: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(line) if name}


@pytest.mark.parametrize("code", CODES)
def test_a_reason_has_a_line_in_every_language_with_the_same_params(code: ReasonCode) -> None:
    needed = [needs(PATIENCE_LINES[language][code]) for language in LANGUAGES]

    assert [needed[0]] * len(LANGUAGES) == needed
    for language in LANGUAGES:
        said = say_reason(reason(code, **dict.fromkeys(needed[0], 3)), language)
        assert not said[0].islower()
        assert said.endswith(".")


@pytest.mark.parametrize(
    ("cards", "en", "fr"),
    [(0, "0 cards", "0 carte"), (1, "1 card", "1 carte"), (2, "2 cards", "2 cartes")],
)
def test_cards_agree_with_their_number(cards: int, en: str, fr: str) -> None:
    why = reason("fewest", cards=cards)

    assert f"{en} will be left, and no order leaves fewer." == say_reason(why, "en")
    assert f"Il restera {fr}, et aucun ordre n’en laisse moins." == say_reason(why, "fr")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_says_whether_it_knows_the_stock(language: Language) -> None:
    fair = say_hint(
        Hint("fair", Draw(), 31, sure=False, why=reason("average", tenths=31)), language
    )
    open_ = say_hint(Hint("open", Draw(), 30, sure=True, why=reason("fewest", cards=3)), language)

    assert fair.startswith(KINDS[language]["fair"])
    assert open_.startswith(KINDS[language]["open"])
