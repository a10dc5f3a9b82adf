"""Where a table's luck comes from: its chains of secrets, and the deal that follows from them."""

from dormie_rules.luck import CHAIN_LENGTH, digest, earlier, hole_luck, hole_seed, shuffle
from dormie_server.table.commands import DealHole
from dormie_server.table.state import Table, course_of, match_of


def commitment(master: str, match: int, hole: int) -> str:
    """s_0 of the chain from which *hole* of *match* is dealt, in hexadecimal."""
    return earlier(_end(master, match, hole), CHAIN_LENGTH).hex()


def link(master: str, match: int, hole: int) -> bytes:
    """The link that hole number *hole* is dealt from: s_1 for the first hole of a chain."""
    place = (hole - 1) % CHAIN_LENGTH + 1
    return earlier(_end(master, match, hole), CHAIN_LENGTH - place)


def last_of_chain(hole: int) -> bool:
    """Whether the hole after this one needs a new chain."""
    return hole % CHAIN_LENGTH == 0


def next_deal(table: Table) -> DealHole:
    """The deal of the next hole, which anyone can compute once its link is shown."""
    hole = match_of(table).public.hole + 1
    return deal_of(table, hole)


def deal_of(table: Table, hole: int) -> DealHole:
    """The deal of *hole*, from its link and what every seat contributed."""
    secret = link(table.secret.master, table.about.match, hole)
    seed = hole_seed(secret, contributions(table), hole)
    pack = course_of(table).pack(match_of(table))
    return DealHole(hole, shuffle(seed, pack), hole_luck(seed))


def contributions(table: Table) -> tuple[bytes | None, ...]:
    """What every seat added to the luck of this match; None for a seat that added nothing."""
    given = table.fairness.contributions
    return tuple(bytes.fromhex(text) if text else None for text in given)


def _end(master: str, match: int, hole: int) -> bytes:
    """s_n of a chain: one for each run of holes, none of them ever shown whole."""
    chain = (hole - 1) // CHAIN_LENGTH
    numbers = match.to_bytes(4, "big") + chain.to_bytes(4, "big")
    return digest(b"dormie chain", bytes.fromhex(master), numbers)
