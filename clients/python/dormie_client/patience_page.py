"""`dormie rules` for Golf Patience: how a variant is played, and what can be changed about it."""

from collections.abc import Iterator
from functools import partial

from dormie_client.option_text import word
from dormie_client.patience_option_text import patience_explained
from dormie_client.patience_rules_fr import patience_text
from dormie_client.rules_page import filled, option_rows, value_text
from dormie_protocol.messages import Language
from dormie_rules.patience_options import PATIENCE_OPTIONS
from dormie_rules.patience_variant import PatienceVariant
from dormie_rules.patience_variants import find_patience, patience_names


def patience_list(language: Language = "en") -> str:
    """One line for each variant.

    >>> patience_list().splitlines()[-1].startswith("tripeaks")
    True
    """
    wide = max(map(len, patience_names()))
    first = {
        name: patience_text(find_patience(name), language).splitlines()[0]
        for name in patience_names()
    }
    return "\n".join(f"{name:{wide}}  {line}" for name, line in first.items())


def patience_page(variant: PatienceVariant, language: Language = "en") -> str:
    """How *variant* is played, and its options.

    >>> "king_rule" in patience_page(find_patience("golf_patience_wrap"))
    True
    """
    return f"{filled(patience_text(variant, language))}\n\n{patience_options(variant, language)}"


def patience_options(variant: PatienceVariant, language: Language = "en") -> str:
    """The options of *variant*, what each is here, what else it can be, and what it is for."""
    return option_rows(_options(variant, language), language, why=patience_explained)


def _options(variant: PatienceVariant, language: Language) -> Iterator[tuple[str, str, str]]:
    for name, reader in PATIENCE_OPTIONS.items():
        bounds = reader.keywords if isinstance(reader, partial) else {}
        can_be = word("yes_no", language)
        if "low" in bounds:
            can_be = word("range", language, low=bounds["low"], high=bounds["high"])
        if "words" in bounds:
            can_be = ", ".join(bounds["words"])
        yield name, value_text(getattr(variant.opened, name)), can_be
