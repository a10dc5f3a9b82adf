"""What a terminal shows of a table: pure functions from a scene to lines of text.

Nothing depends on colour, and nothing is drawn that is not also said in letters.
"""

from collections.abc import Iterator, Sequence

from dormie_client.commands import plain
from dormie_client.scene import Scene, Screen, pad, width
from dormie_client.standings import leads, standings
from dormie_protocol.spoken import card_name
from dormie_rules.cards import JOKER, Card
from dormie_rules.grid_state import GridPublic

HIDDEN = "##"
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RANKS = {
    "en": {"T": "10"},
    "fr": {"T": "10", "J": "V", "Q": "D", "K": "R"},
}
_GAP = "   "


def short_card(card: Card | None, screen: Screen) -> str:
    """A card in at most three signs.

    >>> short_card(Card("TS"), Screen()), short_card(Card("KH"), Screen("fr", symbols=False))
    ('10♠', 'RH')
    >>> short_card(None, Screen()), short_card(Card("*"), Screen())
    ('##', 'Jo')
    """
    if card is None:
        return HIDDEN
    if card[0] == JOKER:
        return "Jo"
    suit = card[1:2]
    shown = SYMBOLS.get(suit, "") if screen.symbols else suit
    return RANKS[screen.language].get(card[0], card[0]) + shown


def draw_table(scene: Scene) -> list[str]:
    """The grids of everybody in the hole, the player's own first, and the piles."""
    hole = scene.hole
    if hole is None:
        return [scene.text("no_cards")]
    seats = _in_order(scene, hole)
    if scene.screen.listed:
        return [*(_listed(scene, hole, seat) for seat in seats), _piles(scene, hole)]
    blocks = [_block(scene, hole, seat) for seat in seats]
    return [*_beside(blocks, scene.screen.width), _piles(scene, hole)]


def spell_grid(scene: Scene, whose: str) -> list[str]:
    """One player's cards in words, row by row; *whose* is a name or the number of a seat."""
    hole, seat = scene.hole, seat_called(scene, whose)
    if hole is None:
        return [scene.text("no_cards")]
    if seat is None or not hole.grids[seat]:
        return [scene.text("nobody_there")]
    cards = [
        card_name(card, scene.screen.language) if card else scene.text("face_down")
        for card in hole.grids[seat]
    ]
    cols = scene.rules.cols
    rows = [cards[at : at + cols] for at in range(0, len(cards), cols)]
    name = scene.called(seat)
    return [
        scene.text("line", name=f"{name}, {scene.text('row', row=n)}", cards=f"{', '.join(row)}.")
        for n, row in enumerate(rows, start=1)
    ]


def score_card(scene: Scene) -> list[str]:
    """The charged scores of every finished hole, and the totals."""
    match = scene.view.match
    if match is None or not match.card:
        return [scene.text("no_scores")]
    seats = range(len(scene.view.seats))
    heads = [scene.text("hole"), *(scene.called(seat) for seat in seats)]
    rows = [[str(hole), *map(_score, row)] for hole, row in enumerate(match.card, start=1)]
    rows.append([scene.text("totals"), *map(str, match.totals)])
    if (ups := leads(scene)) is not None:
        ends = [scene.text("up"), *ups, ""]
        heads, *rows = [[*row, end] for row, end in zip([heads, *rows], ends, strict=True)]
    lines = _columns([heads, *rows])
    if scene.screen.listed or max(map(width, lines)) > scene.screen.width:
        lines = [_told(scene, row) for row in rows]
    return [*lines, *standings(scene)]


def _told(scene: Scene, row: Sequence[str]) -> str:
    """A row of the score card in words: "Hole 1. Ada: 5; Ben: 12"."""
    name, *scores = row
    title = f"{scene.text('hole')} {name}" if name.isdecimal() else name
    seats = range(len(scene.view.seats))
    names = [*(scene.called(seat) for seat in seats), scene.text("up")]  # who leads, in a match
    told = [
        scene.text("line", name=called, cards=score)
        for called, score in zip(names, scores, strict=False)
        if score
    ]
    return f"{title}. {(' ; ' if scene.screen.language == 'fr' else '; ').join(told)}"


def who(scene: Scene) -> list[str]:
    """Who sits at the table, and as what."""
    lines = []
    for number, seat in enumerate(scene.view.seats):
        marks = [] if seat is None else list(_marks(scene, number))
        name = scene.text("free") if seat is None else scene.names()[number] or ""
        lines.append(f"{number + 1}. {', '.join([name, *marks])}")
    return lines


def places(scene: Scene) -> list[str]:
    """Who came where, once the match is over; a match of two has its result instead."""
    match = scene.view.match
    if match is None or not match.places:
        return []
    card = score_card(scene) if match.matches and match.card else []
    if len(match.matches) == 1:
        return card
    order = sorted(range(len(match.places)), key=match.places.__getitem__)
    return [
        *card,
        *(
            scene.text("place", place=match.places[s], name=scene.called(s), score=match.totals[s])
            for s in order
        ),
    ]


def seat_called(scene: Scene, whose: str) -> int | None:
    """The seat that a player means by a number or the beginning of a name."""
    seats = range(len(scene.view.seats))
    if whose.isascii() and whose.isdecimal():
        return next((seat for seat in seats if str(seat + 1) == whose), None)
    meant = plain(whose)
    called = [{plain(scene.called(seat)), plain(scene.names()[seat] or "")} for seat in seats]
    return next((s for s in seats if any(name.startswith(meant) for name in called[s])), None)


def _in_order(scene: Scene, hole: GridPublic) -> list[int]:
    """The seats that have cards, the player's own first, then in the order of their turns."""
    seats = [seat for seat, grid in enumerate(hole.grids) if grid]
    own = scene.seat or 0
    return sorted(seats, key=lambda seat: (seat - own) % len(hole.grids))


def _title(scene: Scene, hole: GridPublic, seat: int) -> str:
    mark = "> " if hole.turn == seat else "  "
    return mark + scene.text("line", name=scene.called(seat), cards=hole.showing[seat])


def _cells(scene: Scene, hole: GridPublic, seat: int) -> list[list[str]]:
    """The cards of a grid in rows; the player's own have their numbers."""
    cards = [short_card(card, scene.screen) for card in hole.grids[seat]]
    if seat == scene.seat and scene.screen.listed:
        cards = [scene.text("line", name=at, cards=card) for at, card in enumerate(cards, start=1)]
    elif seat == scene.seat:
        wide = len(str(len(cards)))
        cards = [f"{at:>{wide}} {card}" for at, card in enumerate(cards, start=1)]
    cols = scene.rules.cols
    return [cards[at : at + cols] for at in range(0, len(cards), cols)]


def _block(scene: Scene, hole: GridPublic, seat: int) -> list[str]:
    rows = _cells(scene, hole, seat)
    wide = max(width(cell) for row in rows for cell in row)
    lines = ["  " + "  ".join(pad(cell, wide) for cell in row) for row in rows]
    return [_title(scene, hole, seat), *lines]


def _listed(scene: Scene, hole: GridPublic, seat: int) -> str:
    rows = "; ".join(", ".join(row) for row in _cells(scene, hole, seat))
    return f"{_title(scene, hole, seat).strip()}. {rows}."


def _beside(blocks: Sequence[Sequence[str]], columns: int) -> Iterator[str]:
    """Blocks of lines beside each other, as many as fit."""
    row: list[list[str]] = []
    for block in blocks:
        wide = max(map(width, block))
        padded = [pad(line, wide) for line in block]
        if row and sum(width(b[0]) + len(_GAP) for b in row) + wide > columns:
            yield from _lines_of(row)
            row = []
        row.append(padded)
    yield from _lines_of(row)


def _lines_of(row: Sequence[Sequence[str]]) -> Iterator[str]:
    for parts in zip(*row, strict=True):
        yield _GAP.join(parts).rstrip()


def _piles(scene: Scene, hole: GridPublic) -> str:
    top = short_card(hole.discard, scene.screen) if hole.discard else scene.text("empty")
    parts = [scene.text("discard", card=top), scene.text("stock", count=hole.stock)]
    if scene.held:
        parts.append(scene.text("in_hand", card=short_card(scene.held, scene.screen)))
    return _GAP.join(parts)


def _score(score: int | None) -> str:
    return "-" if score is None else str(score)


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells in columns, each as wide as its widest cell, aligned to the right."""
    wide = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(" " * (w - width(cell)) + cell for cell, w in zip(row, wide, strict=True))
        for row in rows
    ]


def _marks(scene: Scene, number: int) -> Iterator[str]:
    seat = scene.view.seats[number]
    assert seat is not None, "somebody sits there"
    if number == scene.seat:
        yield scene.text("you").lower()
    if seat.bot:
        yield scene.text("bot", level=seat.bot)
    if number == scene.view.host:
        yield scene.text("host")
    if seat.ready and not seat.bot:
        yield scene.text("ready")
    if not seat.here and not seat.bot:
        yield scene.text("away")
    level = scene.view.clocks.sits_in[number] if scene.view.clocks else None
    if level is not None:
        yield scene.text("sat_in", level=level)
    if scene.view.match is not None and scene.view.match.out[number] is not None:
        yield scene.text("out")
