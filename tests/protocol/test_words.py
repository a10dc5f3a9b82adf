import re

import pytest

from dormie_protocol.words import REFUSALS, SENTENCES, sentence
from dormie_rules.grid_legal import WORDS


@pytest.mark.parametrize("word", SENTENCES)
def test_a_word_has_a_sentence_in_each_language(word: str) -> None:
    english, french = SENTENCES[word]

    assert re.fullmatch(r"[a-z_]{1,32}", word)
    assert re.fullmatch(r"[A-Z][^'{}]*\.", english)
    assert re.fullmatch(r"[A-ZÀ-Ý][^'{}]*\.", french)
    assert english != french


def test_french_has_its_own_signs() -> None:
    assert [] == [french for _, french in SENTENCES.values() if re.search(r"(?<! )[;:!?]", french)]


def test_the_rules_say_no_in_words_that_have_sentences() -> None:
    assert set() == set(WORDS) - set(REFUSALS)


def test_a_sentence_is_said_in_english_unless_french_is_asked_for() -> None:
    assert "The stock is empty." == sentence("no_stock") == sentence("no_stock", "de")
    assert "La pioche est vide." == sentence("no_stock", "fr")
