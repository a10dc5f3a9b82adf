"""Where a table's luck comes from: its chains of secrets, and the deal that follows from them."""

from functools import lru_cache

from dormie_rules.luck import CHAIN_LENGTH, digest, earlier, hole_luck, hole_seed
from dormie_rules.patience_deals import practice_seed
from dormie_server.table.commands import DealHole
from dormie_server.table.state import Table, course_of, kind_of, match_of


def commitment(master: str, match: int) -> str:
    """s_0 of the chain from which every hole of *match* is dealt, in hexadecimal."""
    return earlier(_end(master, match), CHAIN_LENGTH).hex()


@lru_cache(maxsize=1024)
def link(master: str, match: int, hole: int) -> bytes:
    """The link that hole number *hole* is dealt from: s_1 for the first hole.

    It is asked for when the hole is dealt and again when it is over, and is a walk along half the chain.
    """
    return earlier(_end(master, match), CHAIN_LENGTH - hole)


def next_deal(table: Table) -> DealHole:
    """The deal of the next hole, which anyone can compute once its link is shown."""
    hole = match_of(table).public.hole + 1
    return deal_of(table, hole)


def seed_of(table: Table, hole: int) -> bytes:
    """The seed of *hole*, from its link and what every seat contributed; or from its number, for practice."""
    given = table.about.given
    if given is not None and given.practice is not None:
        return practice_seed(given.practice + hole - 1)
    secret = link(table.secret.master, table.about.match, hole)
    return hole_seed(secret, contributions(table), hole)


def deal_of(table: Table, hole: int, attempt: int = 0) -> DealHole:
    """The deal of *hole*; *attempt* says which one, where the first is not always taken."""
    seed = seed_of(table, hole)
    pack = kind_of(table).packed(course_of(table), match_of(table), seed, attempt)
    return DealHole(hole, pack, hole_luck(seed), attempt)


def contributions(table: Table) -> tuple[bytes | None, ...]:
    """What every seat added to the luck of this match; None for a seat that added nothing."""
    given = table.fairness.contributions
    return tuple(bytes.fromhex(text) if text else None for text in given)


def _end(master: str, match: int) -> bytes:
    """s_n of a match's chain: never shown, because a match is over before the chain is."""
    return digest(b"dormie chain", bytes.fromhex(master), match.to_bytes(4, "big"))
