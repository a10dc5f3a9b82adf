"""`dormie rules` for Golf Patience, in both languages."""

import re

import pytest

from dormie_client.patience_option_text import patience_explained
from dormie_client.patience_page import patience_list, patience_page
from dormie_client.patience_rules_fr import TEXTS
from dormie_client.rules_page import USUAL
from dormie_protocol.messages import Language
from dormie_rules.patience_options import PATIENCE_OPTIONS
from dormie_rules.patience_variants import find_patience, patience_names


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_variant_has_a_line_in_each_language(language: Language) -> None:
    assert list(patience_names()) == [
        line.split()[0] for line in patience_list(language).splitlines()
    ]
    assert set(patience_names()) == TEXTS.keys()


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", patience_names())
def test_a_page_tells_the_rules_and_every_option(name: str, language: Language) -> None:
    page = patience_page(find_patience(name), language)
    told, _, options = page.partition("\n\noption ")
    listed = {line.split()[0] for line in options.splitlines() if line[:1].strip()}

    assert max(map(len, page.splitlines())) <= USUAL
    assert len(told.split("\n\n")) >= 4, "what lies, what fits, how it ends, who plays along"
    assert set() == PATIENCE_OPTIONS.keys() - listed
    assert ("hole" in told) == (language == "en")


@pytest.mark.parametrize("name", patience_names())
def test_the_french_page_has_the_numbers_of_the_english_one(name: str) -> None:
    """The stock, and how many cards a tableau has, in words."""
    english, french = find_patience(name).text, TEXTS[name]
    words = {
        "Seven columns": "Sept colonnes",
        "Nine columns": "Neuf colonnes",
        "sixteen form": "seize forment",
        "eighteen form": "dix-huit forment",
        "forty form": "quarante forment",
        "twenty-three form": "vingt-trois forment",
        "seventeen columns": "dix-sept colonnes",
        "thirteen columns": "treize colonnes",
        "Ace of Spades": "as de pique",
        "go round": "tournent",
        "Moves may be taken back": "reprendre ses coups",
        "A solver looks": "Un solveur cherche",
        "No solver": "Aucun solveur",
    }
    plain = [re.sub(r"\s+", " ", text) for text in (english, french)]

    assert [] == [one for one, other in words.items() if (one in plain[0]) != (other in plain[1])]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_option_says_what_it_is_for(language: Language) -> None:
    assert [] == [name for name in PATIENCE_OPTIONS if not patience_explained(name, language)]
