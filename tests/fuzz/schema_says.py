"""Whether the protocol's schema allows a message: as much of JSON Schema as that schema uses.

It shares nothing with the code that reads messages, so the two can be compared.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.fuzz.grammar import DEFS, TYPES

_TYPES: Mapping[str, Callable[[object], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
_SILENT = frozenset({"title", "description", "default", "type", "required", "discriminator"})
"""What says nothing about a value, or is looked at elsewhere."""


def allows(message: Any) -> bool:  # any JSON
    """Whether a client may send *message*, a piece of JSON."""
    kind = message.get("type") if isinstance(message, dict) else None
    return isinstance(kind, str) and kind in TYPES and fits(message, TYPES[kind])


def fits(value: Any, schema: Mapping[str, Any]) -> bool:  # any JSON
    """Whether a value is as *schema* says.

    >>> fits(3, {"type": "integer", "minimum": 3}), fits(True, {"type": "integer"})
    (True, False)
    """
    if "type" in schema and not _TYPES[schema["type"]](value):
        return False
    rules = {word: of for word, of in schema.items() if word not in _SILENT}
    return all(_holds(word, of, value, schema) for word, of in rules.items())


def _holds(word: str, of: Any, value: Any, schema: Mapping[str, Any]) -> bool:
    match word:
        case "$ref":
            return fits(value, DEFS[of.rpartition("/")[2]])
        case "anyOf":
            return any(fits(value, one) for one in of)
        case "oneOf":
            return sum(fits(value, one) for one in of) == 1
        case "const":
            return bool(value == of)
        case "enum":
            return value in of
        case "pattern":
            return re.search(of.replace("$", r"\Z"), value) is not None
        case "minimum":
            return bool(value >= of)
        case "maximum":
            return bool(value <= of)
        case "minLength":
            return bool(len(value) >= of)
        case "maxLength":
            return bool(len(value) <= of)
        case "maxItems" | "maxProperties":
            return bool(len(value) <= of)
        case "items":
            return all(fits(item, of) for item in value)
        case "properties":
            there = [name for name in of if name in value]
            return set(schema.get("required", ())) <= set(value) and all(
                fits(value[name], of[name]) for name in there
            )
        case "additionalProperties":
            assert of is False, "what a client sends is closed"
            return set(value) <= set(schema["properties"])
        case "patternProperties":
            (names,) = of
            return all(re.search(names.replace("$", r"\Z"), name) for name in value)
        case _:
            raise AssertionError(f"the schema uses {word}, which nobody looks at here")
