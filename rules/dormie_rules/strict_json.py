"""JSON as it is written, and nothing that a lenient reader would make of something else."""

import json
from typing import Any, NoReturn


def read_json(text: str) -> Any:  # any JSON: the reader's caller judges it
    """What *text* says. Raises ValueError for NaN, a field given twice, nesting without end, or no JSON.

    >>> read_json('{"holes": 9}')
    {'holes': 9}
    >>> read_json('{"holes": 9, "holes": 18}')
    Traceback (most recent call last):
        ...
    ValueError: the same field twice
    """
    try:
        return json.loads(text, parse_constant=_no_number, object_pairs_hook=_once)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _no_number(_: str) -> NoReturn:
    raise ValueError("NaN and Infinity are not JSON")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("the same field twice")
    return fields
