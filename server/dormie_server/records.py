"""The record of a finished match: put together from the notes, kept under a key of its own.

With it lies a card on the shelf of everybody who played: their history, which says how the match ended.
It is laid down by the same put, so that it is there once however often the record is delivered, and lives as
long.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache

from pydantic import TypeAdapter

from dormie_protocol.lobby_messages import HISTORY_KEPT
from dormie_protocol.lobby_view import Played
from dormie_rules.chosen import chosen
from dormie_rules.record import finish
from dormie_rules.values import replace
from dormie_server import documents
from dormie_server.store import Conflict, Store
from dormie_server.table.forgetting import SOMEBODY
from dormie_server.table.games import usual_rules
from dormie_server.table.state import Table
from dormie_server.traces import traces_shelf

_LIVES = 30 * 86400.0
"""A record is kept for thirty days."""


def record_id(code: str, match: int) -> str:
    """The name under which the record of match number *match* at a table is asked for.

    >>> record_id("ABCDEFGH", 2)
    'ABCDEFGH-2'
    """
    return f"{code}-{match}"


def history_shelf(player: str) -> str:
    """The shelf of the matches that a player has played."""
    return f"history:{player}"


def cast_shelf(key: str) -> str:
    """The shelf of one card: who played, by seat, in the match whose record is kept under *key*."""
    return f"cast:{key}"


def record_key(name: str) -> str:
    """The store's key of a record."""
    return f"record:{name}"


async def keep_record(store: Store, table: Table) -> None:
    """Keep the record that *table* owes; kept already, it stays as it is."""
    assert table.secret.owes_record is not None, "asked only when one is owed"
    match, began = table.secret.owes_record
    notes = await store.notes(f"table:{table.about.table}", began - 1)
    lines = [line for note in notes for line in documents.read_lines(note.body)]
    whole = next(at for at, line in enumerate(lines) if line.startswith("places ")) + 1
    text, name = finish(lines[:whole]), record_id(table.about.table, match)
    players = [(seat, player) for seat, player in enumerate(table.secret.cast) if player]
    played = _played(table, name, lines[:whole], await store.now())
    cards = {
        history_shelf(player): _PLAYED.dump_json(replace(played, seat=seat))
        for seat, player in players
    }
    histories = tuple(cards)
    cards |= {traces_shelf(player): played.names[seat].encode() for seat, player in players}
    cards[cast_shelf(record_key(name))] = _CAST.dump_json(table.secret.cast)
    with suppress(Conflict):
        await store.put(record_key(name), text.encode(), 0, shelves=cards, lifetime=_LIVES)
    for shelf in histories:
        await _forget_oldest(store, shelf)


async def forget_in_record(store: Store, key: str, player: str, names: frozenset[str]) -> None:
    """Leave the names of a player out of a record: the seat stays, and is anybody's.

    The record's own fingerprint leaves names out, so it stays right.
    """
    while (document := await store.get(key)) is not None:
        text = _SEAT.sub(lambda found: _anonymous(found, names), document.body.decode())
        cards = await _without(store, key, player)
        with suppress(Conflict):
            body = text.encode()
            await store.put(key, body, document.version, shelves=cards, lifetime=_LIVES)
            return


async def _without(store: Store, key: str, player: str) -> dict[str, bytes | None]:
    """The cards of a record without a player: the history of the others calls them anybody, too."""
    cards: dict[str, bytes | None] = {traces_shelf(player): None, history_shelf(player): None}
    cast = _CAST.validate_json((await store.on(cast_shelf(key))).get(key, b"[]"))
    if player not in cast:
        return cards
    seat = cast.index(player)
    cards[cast_shelf(key)] = _CAST.dump_json(tuple(None if one == player else one for one in cast))
    for other in cast:
        card = (await store.on(history_shelf(other))).get(key) if other else None
        if other and other != player and card is not None:
            played = read_played(card)
            names = tuple(SOMEBODY if at == seat else n for at, n in enumerate(played.names))
            cards[history_shelf(other)] = _PLAYED.dump_json(replace(played, names=names))
    return cards


def anonymous_line(line: str, names: frozenset[str]) -> str:
    """A line of a record without the names of a player."""
    return _SEAT.sub(lambda found: _anonymous(found, names), line)


def _anonymous(found: re.Match[str], names: frozenset[str]) -> str:
    return f"seat {found[1]} human {SOMEBODY}" if found[2] in names else found[0]


_SEAT = re.compile(r"^seat (\d) human (.+)$", re.MULTILINE)


async def find_record(store: Store, name: str) -> str | None:
    """The record called *name*, or None."""
    document = await store.get(record_key(name))
    return document.body.decode() if document else None


@lru_cache(maxsize=256)
def read_played(text: bytes) -> Played:
    """A card of somebody's history. Raises pydantic's ValidationError for a damaged one."""
    return _PLAYED.validate_json(text)


_PLAYED: TypeAdapter[Played] = TypeAdapter(Played)
_CAST: TypeAdapter[tuple[str | None, ...]] = TypeAdapter(tuple[str | None, ...])


def _played(table: Table, name: str, lines: Sequence[str], now: float) -> Played:
    """What a history says of a match, as seat 0 would read it: taken from its record alone."""
    seats = [line.split(" ") for line in _after("seat", lines)]
    scored = list(_after("totals", lines))
    return Played(
        record=name,
        when=now,
        variant=table.about.variant,
        options=chosen(usual_rules(table.about.variant), table.about.rules),
        holes=len(scored),
        names=tuple(" ".join(words[3 if words[1] == "bot" else 2 :]) for words in seats),
        bots=tuple(words[2] if words[1] == "bot" else None for words in seats),
        totals=_numbers(scored[-1].split(" ")[1:]) if scored else (0,) * len(seats),
        places=_numbers(next(iter(_after("places", lines))).split(" ")),
        seat=0,
    )


def _after(word: str, lines: Iterable[str]) -> Iterable[str]:
    """What stands behind *word* in each line that begins with it."""
    return (line.removeprefix(f"{word} ") for line in lines if line.startswith(f"{word} "))


def _numbers(words: Iterable[str]) -> tuple[int, ...]:
    return tuple(map(int, words))


async def _forget_oldest(store: Store, shelf: str) -> None:
    """Take away the oldest cards of a history that is full; their records stay."""
    cards = await store.on(shelf)
    if len(cards) <= HISTORY_KEPT:
        return
    when = {key: read_played(text).when for key, text in cards.items()}
    for key in sorted(when, key=lambda key: (when[key], key))[:-HISTORY_KEPT]:
        document = await store.get(key)
        rest = when[key] + _LIVES - await store.now()
        if document is not None and rest > 0:
            with suppress(Conflict):
                await store.put(
                    key, document.body, document.version, shelves={shelf: None}, lifetime=rest
                )
