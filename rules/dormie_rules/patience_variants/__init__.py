"""The variants of Golf Patience: one file each, found by its name."""

import inspect
import pkgutil
from dataclasses import replace
from functools import cache
from importlib import import_module

from dormie_rules.patience_variant import PatienceVariant
from dormie_rules.variants import for_people


@cache
def patience_names() -> tuple[str, ...]:
    """The names of all variants, in alphabetical order.

    >>> "golf_patience_queen" in patience_names()
    True
    """
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


@cache
def find_patience(name: str) -> PatienceVariant:
    """The variant called *name*. Raises KeyError if there is none.

    >>> find_patience("golf_patience_queen").rules.king_rule
    'queen'
    """
    if name not in patience_names():
        raise KeyError(name)
    module = import_module(f"{__name__}.{name}")
    variant: PatienceVariant = module.VARIANT
    return replace(variant, name=name, text=for_people(inspect.getdoc(module) or ""))
