"""Who came to a table and who went, as its shelves have to say."""

from dormie_server.table.state import Table, people, seat_of


def same_seats(before: Table, after: Table) -> bool:
    """Whether it is plain that nobody came or went: nearly always."""
    if before.public.phase == "closed" or after.public.phase == "closed":
        return False
    old, new = before.secret.sitters, after.secret.sitters
    if len(old) != len(new):
        return False
    for one, other in zip(old, new, strict=True):
        if one is not other and not (one and other and one.player == other.player):
            return False
    return True


def name_of(table: Table, player: str) -> bytes:
    """What a player is called at a table."""
    seat = seat_of(table, player)
    who = table.public.seats[seat] if seat is not None else None
    return who.name.encode() if who else b""


def players_of(table: Table | None) -> set[str]:
    """The players who have a seat at an open table."""
    if table is None or table.public.phase == "closed":
        return set()
    sitters = (table.secret.sitters[seat] for seat in people(table))
    return {sitter.player for sitter in sitters if sitter is not None and sitter.player}
