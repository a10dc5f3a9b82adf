"""Reading how a grid is counted from what people write: a table's options, a referee's question.

Whatever has no meaning is refused with the name of its field and a sentence; nothing is guessed and
nothing is dropped. The sentences never repeat what was written.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, get_args

from dormie_rules.cards import JOKER, RANKS
from dormie_rules.scoring import BlockBonus, Line, LineCounts, Scoring, Shape

W = TypeVar("W", bound=str)

MAX_POINTS = 100
"""Neither a card nor a bonus counts more than this, up or down."""
MAX_COLUMNS = 5


class BadRules(ValueError):
    """A field that cannot be what it is: which one, and why.

    >>> BadRules("lines", "the same line twice").field
    'lines'
    """

    def __init__(self, field: str, because: str) -> None:
        super().__init__(because)
        self.field = field
        self.because = because


def read_scoring(given: object, base: Scoring | None = None) -> Scoring:
    """The scoring that an object describes, laid over *base* if there is one.

    Over a base every field may be missing, and ``values`` may name only the ranks that differ;
    without one, ``values`` is needed in full and the other fields have their usual meaning.

    >>> six = read_scoring({"values": dict(zip("A23456789TJQK", range(1, 14)))})
    >>> read_scoring({"values": {"K": 0, "*": -3}, "lines": ["rows"]}, six).lines
    ('rows',)
    >>> read_scoring({"values": {"K": 0.5}}, six)
    Traceback (most recent call last):
        ...
    dormie_rules.scoring_options.BadRules: a whole number is needed
    """
    fields = table("", given, _READERS)
    if base is None and "values" not in fields:
        raise BadRules("values", "this field is missing")
    read = {name: _READERS[name](name, of) for name, of in fields.items()}
    values = {**dict(base.values if base else ()), **read.get("values", {})}
    if any(rank not in values for rank in RANKS):
        raise BadRules("values", "every rank from A to K needs a value")
    in_order = tuple((rank, values[rank]) for rank in (*RANKS, JOKER) if rank in values)
    return replace(base or Scoring(in_order), **{**read, "values": in_order})


def table(field: str, given: object, names: Collection[str]) -> Mapping[str, Any]:
    """An object with no other fields than *names*; its values are still to be read, hence Any."""
    if not isinstance(given, Mapping):
        raise BadRules(field, "an object is needed")
    if any(name not in names for name in given):
        raise BadRules(field, "there is a field here that has no meaning")
    return given


def rows(field: str, given: object, most: int) -> Sequence[object]:
    """A list of at most so many things."""
    if not isinstance(given, list | tuple):
        raise BadRules(field, "a list is needed")
    if len(given) > most:
        raise BadRules(field, f"a list of at most {most} is needed")
    return given


def whole(field: str, given: object, low: int, high: int) -> int:
    """A whole number between two bounds; true and false are no numbers.

    >>> whole("limit", 100, 1, 1000)
    100
    """
    if not isinstance(given, int) or isinstance(given, bool):
        raise BadRules(field, "a whole number is needed")
    if not low <= given <= high:
        raise BadRules(field, f"a number from {low} to {high} is needed")
    return given


def word(field: str, given: object, words: Sequence[W]) -> W:
    """One of a few words."""
    if not isinstance(given, str) or given not in words:
        raise BadRules(field, f"one of these words is needed: {', '.join(words)}")
    return words[words.index(given)]


def yes_or_no(field: str, given: object) -> bool:
    """True or false, and nothing that merely looks like it."""
    if not isinstance(given, bool):
        raise BadRules(field, "true or false is needed")
    return given


def _values(field: str, given: object) -> Mapping[str, int]:
    fields = table(field, given, (*RANKS, JOKER))
    return {rank: _points(f"{field}.{rank}", worth) for rank, worth in fields.items()}


def _points(field: str, given: object) -> int:
    return whole(field, given, -MAX_POINTS, MAX_POINTS)


def _lines(field: str, given: object) -> tuple[str, ...]:
    kinds = get_args(Line)
    lines = tuple(word(field, line, kinds) for line in rows(field, given, len(kinds)))
    if len(set(lines)) < len(lines):
        raise BadRules(field, "the same line twice")
    return lines


def _block_bonus(field: str, given: object) -> BlockBonus | None:
    if given is None:
        return None
    rest = dict(table(field, given, ("shape", "amount", "amounts", "adjacent")))
    shape = word(f"{field}.shape", rest.pop("shape", None), get_args(Shape))
    readers = _BLOCKS[shape]
    table(field, rest, readers)
    if any(name not in rest for name in readers if name != "adjacent"):
        raise BadRules(field, "a bonus of this shape needs its points")
    read = {name: readers[name](f"{field}.{name}", of) for name, of in rest.items()}
    return BlockBonus(shape, **read)


def _amounts(field: str, given: object) -> tuple[tuple[int, int], ...]:
    """The points by number of equal columns; JSON writes the numbers as text."""
    fields = table(field, given, [str(columns) for columns in range(2, MAX_COLUMNS + 1)])
    if not fields:
        raise BadRules(field, "at least one number of columns is needed")
    read = {int(columns): _points(f"{field}.{columns}", of) for columns, of in fields.items()}
    return tuple(sorted(read.items()))


_BLOCKS: Mapping[str, Mapping[str, Callable[[str, object], Any]]] = {  # as in _READERS
    "equal_columns": {"amounts": _amounts, "adjacent": yes_or_no},
    "corners": {"amount": _points},
    "all_equal": {"amount": _points},
    "square2x2": {},
}

_READERS: Mapping[str, Callable[[str, object], Any]] = {  # each reads what its field holds
    "values": _values,
    "lines": _lines,
    "joker_line": partial(word, words=get_args(LineCounts)),
    "negative_line": partial(word, words=get_args(LineCounts)),
    "joker_wild_in_lines": yes_or_no,
    "block_bonus": _block_bonus,
    "floor_zero": yes_or_no,
}
