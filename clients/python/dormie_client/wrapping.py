"""Lines broken between words, so that a narrow terminal does not break them inside."""

from collections.abc import Iterator

from dormie_client.scene import width

_NARROWEST = 10


def wrapped(line: str, columns: int | None) -> list[str]:
    """A line as lines of at most so many columns; what has no place to break stays whole.

    Spaces at the beginning stay, and what follows is moved in by two.

    >>> wrapped("Ben draws a card.", 12)
    ['Ben draws a', '  card.']
    >>> wrapped("  1 3♥  2 6♦", None)
    ['  1 3♥  2 6♦']
    """
    if columns is None or width(line) <= columns:
        return [line]
    return list(_broken(line, max(columns, _NARROWEST)))


def _broken(line: str, columns: int) -> Iterator[str]:
    indent = line[: len(line) - len(line.lstrip(" "))]
    begun = indent
    for word in line.split():
        gap = "" if begun.strip() == "" else " "
        if gap and width(begun) + 1 + width(word) > columns:
            yield begun
            begun, gap = indent + "  ", ""
        begun += gap + word
    yield begun
