"""`dormie rules` for Golf Patience: how a variant is played, and what can be changed about it."""

from collections.abc import Iterator
from functools import partial

from dormie_client.rules_page import filled, option_rows, value_text
from dormie_rules.patience_options import PATIENCE_OPTIONS
from dormie_rules.patience_variant import PatienceVariant
from dormie_rules.patience_variants import find_patience, patience_names


def patience_list() -> str:
    """One line for each variant.

    >>> patience_list().splitlines()[-1].startswith("tripeaks")
    True
    """
    wide = max(map(len, patience_names()))
    return "\n".join(
        f"{name:{wide}}  {find_patience(name).text.splitlines()[0]}" for name in patience_names()
    )


def patience_page(variant: PatienceVariant) -> str:
    """How *variant* is played, and its options.

    >>> "king_rule" in patience_page(find_patience("golf_patience_wrap"))
    True
    """
    return f"{filled(variant.text)}\n\n{option_rows(_options(variant))}"


def _options(variant: PatienceVariant) -> Iterator[tuple[str, str, str]]:
    for name, reader in PATIENCE_OPTIONS.items():
        bounds = reader.keywords if isinstance(reader, partial) else {}
        can_be = "true, false"
        if "low" in bounds:
            can_be = f"{bounds['low']} to {bounds['high']}"
        if "words" in bounds:
            can_be = ", ".join(bounds["words"])
        yield name, value_text(getattr(variant.rules, name)), can_be
