"""How a board of Golf Patience is drawn: columns side by side, or peaks and pyramids, where cards lie across.

Pure functions from a board to lines of text. A card that fits, one of *fit*, has a star behind it.
"""

from collections.abc import Collection, Sequence
from itertools import zip_longest

from dormie_client.patience_text import text
from dormie_client.scene import Screen, pad, width
from dormie_client.terminal_view import short_card
from dormie_rules.cards import Card
from dormie_rules.patience_layouts import COVERS, Layout
from dormie_rules.patience_state import Board

_GAP = "  "
_HALF = 3
"""Half of the room for a place and its card: a card lies across the middle of the two that lie on it."""


def draw_columns(board: Board, screen: Screen, fit: Collection[int]) -> list[str]:
    """The columns side by side; the free card of each is its lowest. What is too wide goes on below.

    >>> board = Board(((Card("5S"), Card("8H")), (Card("7D"),)), Card("9H"), 1, 1)
    >>> draw_columns(board, Screen(symbols=False), fit=(0,))
    ['1    2', '5S   7D', '8H*']
    """
    cards = [[short_card(card, screen) for card in column] for column in board.columns]
    for at in fit:
        cards[at][-1] += "*"
    heads = [[str(at + 1)] for at in range(len(cards))]
    stacks = [head + column for head, column in zip(heads, cards, strict=True)]
    wide = max(width(cell) for stack in stacks for cell in stack)
    most = max(1, (screen.width + len(_GAP)) // (wide + len(_GAP)))
    blocks = -(-len(stacks) // most)
    beside = -(-len(stacks) // blocks)
    lines = []
    for first in range(0, len(stacks), beside):
        rows = zip_longest(*stacks[first : first + beside], fillvalue="")
        lines += [_GAP.join(pad(cell, wide) for cell in row).rstrip() for row in rows]
    return lines


def draw_places(board: Board, layout: Layout, screen: Screen, fit: Collection[int]) -> list[str]:
    """The rows of peaks or of a pyramid from the top down, and the number of each free card below it.

    >>> card = (Card("5S"),)
    >>> board = Board((*[()] * 26, card, card), Card("4H"), 1, 1, down=(20,))
    >>> [line.strip() for line in draw_places(board, "elevator", Screen(symbols=False), fit=(27,))]
    ['##', '5S    5S*', '27    28']
    """
    across = _across(layout)
    lines = []
    for row in _rows(layout):
        cards = {at: _sign(board, at, screen, fit) for at in row}
        if any(cards.values()):
            lines.append(_line(cards, across))
            numbers = {at: str(at + 1) for at in row if _free(board, layout, at)}
            lines += [_line(numbers, across)] if numbers else []
    return lines


def tell_places(board: Board, layout: Layout, screen: Screen, fit: Collection[int]) -> list[str]:
    """The same in words, a row a line: free cards with their numbers, covered ones, and how many are face-down."""
    lines = []
    for number, row in enumerate(_rows(layout), 1):
        told = [_told(board, layout, at, screen, fit) for at in row if board.columns[at]]
        if down := sum(at in board.down for at in row):
            told.append(text("face_down", screen.language, count=down))
        cards = ", ".join(told) or text("empty", screen.language)
        lines.append(text("row", screen.language, number=number, cards=cards))
    return lines


def free_places(board: Board, layout: Layout, screen: Screen, fit: Collection[int]) -> str:
    """The free cards alone, each with its number."""
    free = [at for at in range(len(board.columns)) if _free(board, layout, at)]
    cards = ", ".join(_told(board, layout, at, screen, fit) for at in free)
    return text("free", screen.language, cards=cards or text("empty", screen.language))


def _told(board: Board, layout: Layout, at: int, screen: Screen, fit: Collection[int]) -> str:
    card = _sign(board, at, screen, fit)
    if _free(board, layout, at):
        return f"{at + 1} {card}"
    return text("covered", screen.language, card=card)


def _sign(board: Board, at: int, screen: Screen, fit: Collection[int]) -> str:
    """What is seen of a place; nothing when its card has gone."""
    if at in board.down:
        return short_card(None, screen)
    lying: tuple[Card, ...] = board.columns[at]
    return short_card(lying[-1], screen) + "*" * (at in fit) if lying else ""


def _free(board: Board, layout: Layout, at: int) -> bool:
    covers = COVERS[layout][at]
    return bool(board.columns[at]) and not any(
        board.columns[over] or over in board.down for over in covers
    )


def _line(cells: dict[int, str], across: Sequence[int]) -> str:
    line = ""
    for at, cell in cells.items():
        line = pad(line, _HALF * across[at]) + cell if cell else line
    return line


def _rows(layout: Layout) -> list[list[int]]:
    """The places of each row, from the top down: a row lies below the one that it covers."""
    depth = _depths(layout)
    return [[at for at, its in enumerate(depth) if its == row] for row in range(max(depth), -1, -1)]


def _depths(layout: Layout) -> list[int]:
    """How many rows lie on each place."""
    depth: dict[int, int] = {}
    for at in range(len(COVERS[layout]) - 1, -1, -1):  # what covers a place comes after it
        depth[at] = max((depth[over] + 1 for over in COVERS[layout][at]), default=0)
    return [depth[at] for at in range(len(depth))]


def _across(layout: Layout) -> list[int]:
    """How far to the right each place lies, in halves of a place."""
    lowest = [at for at, over in enumerate(COVERS[layout]) if not over]
    across = {at: 2 * number for number, at in enumerate(lowest)}
    for at in range(len(COVERS[layout]) - 1, -1, -1):
        if over := COVERS[layout][at]:
            across[at] = sum(across[one] for one in over) // len(over)
    return [across[at] for at in range(len(across))]
