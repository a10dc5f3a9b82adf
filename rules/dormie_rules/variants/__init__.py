"""The variants: one file each, found by its name, so that a new variant is a new file and nothing else."""

import inspect
import pkgutil
from dataclasses import replace
from functools import cache
from importlib import import_module

from dormie_rules.variant import Variant


@cache
def names() -> tuple[str, ...]:
    """The names of all variants, in alphabetical order.

    >>> "six_card" in names()
    True
    """
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


@cache
def find(name: str) -> Variant:
    """The variant called *name*. Raises KeyError if there is none.

    >>> find("six_card").rules.holes
    9
    """
    if name not in names():
        raise KeyError(name)
    module = import_module(f"{__name__}.{name}")
    variant: Variant = module.VARIANT
    return replace(variant, name=name, text=for_people(inspect.getdoc(module) or ""))


def for_people(docstring: str) -> str:
    """The docstring up to the examples that only programs need, and the sentence that introduces them."""
    paragraphs = docstring.split("\n\n")
    first = next((at for at, text in enumerate(paragraphs) if text.startswith(">>>")), None)
    return "\n\n".join(paragraphs[: None if first is None else max(0, first - 1)]).strip()
