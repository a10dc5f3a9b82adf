"""Lists of tables and matches, one a line, for eyes and for ears."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple

from dormie_client.clock_lines import duration
from dormie_client.scene import Screen, clean
from dormie_protocol.lobby_view import LobbyCard, OwnTable, Played
from dormie_protocol.messages import LobbySeen


def lobby_lines(seen: LobbySeen, screen: Screen) -> list[str]:
    """How many people and tables there are, and the listed tables, best first."""
    counts = seen.counts
    head = screen.text(
        "counts",
        tables=sum(astuple(counts.tables)),
        online=counts.online,
        seated=counts.seated,
        watching=counts.spectators,
    )
    if not seen.tables:
        return [head, screen.text("lobby_empty")]
    more = [screen.text("lobby_more", count=seen.more)] if seen.more else []
    return [head, *(_card(card, screen) for card in seen.tables), *more]


def own_lines(tables: Sequence[OwnTable], screen: Screen) -> list[str]:
    """The tables at which one has a seat, numbered."""
    if not tables:
        return [screen.text("mine_none")]
    return [_own(number, table, screen) for number, table in enumerate(tables, start=1)]


def match_lines(matches: Sequence[Played], screen: Screen) -> list[str]:
    """Matches one has played, with the places of everybody."""
    if not matches:
        return [screen.text("history_none")]
    return [_match(match, screen) for match in matches]


def _card(card: LobbyCard, screen: Screen) -> str:
    told = screen.text(
        "card",
        code=card.table,
        variant=", ".join((card.variant, *card.options)),
        taken=card.taken,
        size=card.size,
        phase=screen.text(f"phase_{card.phase}"),
        time=duration(card.turn_seconds, screen.language),
    )
    return _semicolons(screen, [told, *_marks(card, screen)])


def _marks(card: LobbyCard, screen: Screen) -> Iterator[str]:
    if card.host:
        yield screen.text("card_host", name=clean(card.host))
    if card.password:
        yield screen.text("card_password")
    if card.locked:
        yield screen.text("card_locked")
    if not card.spectators:
        yield screen.text("card_unwatched")


def _own(number: int, table: OwnTable, screen: Screen) -> str:
    names = ", ".join(clean(name) if name else screen.text("free") for name in table.names)
    return screen.text(
        "mine_line",
        number=number,
        code=table.table,
        variant=table.variant,
        phase=screen.text("mine_turn" if table.my_turn else f"phase_{table.phase}"),
        names=names,
    )


def _match(match: Played, screen: Screen) -> str:
    order = sorted(range(len(match.places)), key=match.places.__getitem__)
    results = ", ".join(
        screen.text(
            "history_place",
            place=match.places[seat],
            name=screen.text("you") if seat == match.seat else clean(match.names[seat]),
            total=match.totals[seat],
        )
        for seat in order
    )
    return screen.text(
        "history_line",
        record=match.record,
        variant=", ".join((match.variant, *match.options)),
        holes=match.holes,
        results=results,
    )


def _semicolons(screen: Screen, parts: Sequence[str]) -> str:
    return (" ; " if screen.language == "fr" else "; ").join(parts)
