"""A changed copy of an immutable value, made fast enough for a table that changes all the time.

``dataclasses.replace`` asks every field's description and then runs ``__init__``; copying the slots
themselves takes a third of that. A move makes a dozen copies, and they were most of what it cost.
"""

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # To the type checker it is that very function, so the names and types of fields are still checked.
    from dataclasses import replace as replace  # noqa: PLC0414 - it is handed on
else:

    def replace(value: Any, /, **changes: Any) -> Any:
        """*value*, a frozen dataclass with slots and without ``__post_init__``, with some fields changed.

        Raises TypeError for a field that the class does not have.

        >>> from dormie_rules.drawers import Event
        >>> replace(Event("Ada draws"), public="Bob draws")
        Event(public='Bob draws', pockets=())
        """
        copy, put = _KNOWN.get(value.__class__) or _learn(value.__class__)
        new = copy(value)
        try:
            for name, item in changes.items():
                put[name](new, item)
        except KeyError as unknown:
            raise TypeError(f"{type(value).__name__} has no field {unknown}") from None
        return new


_Putters = dict[str, Callable[[Any, Any], None]]

_KNOWN: dict[type, tuple[Callable[[Any], Any], _Putters]] = {}


def _learn(kind: type) -> tuple[Callable[[Any], Any], _Putters]:
    """How values of *kind* are copied, and how each of their slots is filled."""
    names = [field.name for field in fields(kind)]
    if hasattr(kind, "__post_init__") or not all(
        hasattr(vars(kind).get(n), "__set__") for n in names
    ):
        raise TypeError(f"{kind.__name__} is no plain dataclass with slots")
    put: _Putters = {name: vars(kind)[name].__set__ for name in names}
    lines = [f" put_{name}(new, old.{name})" for name in names]
    source = "\n".join(("def copy(old):", " new = make(kind)", *lines, " return new"))
    within: dict[str, Any] = {f"put_{name}": put[name] for name in names}
    within |= {"make": object.__new__, "kind": kind}
    # As the standard library writes the __init__ of a dataclass: a loop would cost half of the gain.
    exec(source, within)  # noqa: S102 - the names are those of our own fields
    _KNOWN[kind] = within["copy"], put
    return _KNOWN[kind]
