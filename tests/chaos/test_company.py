"""People do everything that a house offers while its server dies, and what was promised holds.

The full version is in `bench/chaos.py`. Each test goes on until all of its deeds were done, so that none of
them can be forgotten.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tests.chaos.ledger import Ledger
from tests.chaos.plan import SORTS, Plan, sort_of
from tests.chaos.reckoning import Reckoning, found_in
from tests.chaos.staging import Evening, open_house, playing

HOSTS = ("sent away by the host", "banned, and kept out", "hosts that changed")
WATCHERS = ("visits of spectators", "visits of late spectators", "versions that spectators saw")
OWN = (
    "seats claimed from another device",
    "devices forgotten",
    "histories, own tables and lobbies read",
    "said, blocked, reported, ruled",
)
ASLEEP = ("asleep in a turn", "bots that sat in", "seats handed back", "votes given")
CHANCE = ("seats found by quick match", "left a table")
ENOUGH = 3
"""So often happens what the record must say, too: one of them may turn out to be the clock's."""

Counted = Callable[[Ledger], int]


async def evening_of(
    folder: Path, kills: int, deeds: tuple[str, ...], counted: Counted, *sorts: int
) -> Reckoning:
    """Tables of these sorts at one house, which dies now and then, until *deeds* and *counted* are done."""
    async with open_house(folder) as house:
        plans = [small(sort_of(Plan(n, turn_seconds=5, company=n % 3 == 0), n)) for n in sorts]
        async with playing(house, *plans) as evening:
            for _ in range(kills):
                await evening.moves(60)
                await house.die()
            for deed in deeds:
                await was_done(evening, deed)
            await evening.until(lambda: counted(evening.ledger) >= ENOUGH, counted.__doc__ or "")
            result = await evening.end()
        await house.kill()
    result.wrong += [*house.faults(), *found_in(house.data, evening.ledger.traces)]
    return result


def small(plan: Plan) -> Plan:
    """The same for few people, who play a single hole at a time."""
    return replace(plan, holes=1, seats=min(plan.seats, 4))


def seen_late(ledger: Ledger) -> int:
    """How many moves of which one knows when they were made late spectators have seen."""
    return sum(
        card.when(seen.count) is not None
        for code, glimpses in ledger.glimpses.items()
        for seen in glimpses
        if (card := ledger.cards[code].get(seen.who)) is not None
    )


def made_by_bots(ledger: Ledger) -> int:
    """How many moves bots that sat in have made."""
    return sum(len(card.bots()) for cards in ledger.cards.values() for card in cards.values())


async def was_done(evening: Evening, deed: str) -> None:
    """Wait until somebody has done it."""
    deeds = evening.ledger.deeds
    await evening.until(lambda: deeds.get(deed, 0) > 0, f"this was done: {deed}")


async def test_hosts_rule_spectators_come_and_go_and_people_are_forgotten(tmp_path: Path) -> None:
    result = await evening_of(tmp_path, 2, (*HOSTS, *WATCHERS, *OWN), seen_late, 0, len(SORTS) - 1)

    assert [] == result.wrong
    assert result.good
    assert result.glimpses > 0, "what was to be seen later was looked at"
    assert result.erased > 0


async def test_bots_sit_in_for_those_who_sleep_others_vote_and_strangers_meet(
    tmp_path: Path,
) -> None:
    result = await evening_of(tmp_path, 2, (*ASLEEP, *CHANCE), made_by_bots, 1, 4, 5)

    assert [] == result.wrong
    assert result.good
    assert result.by_bots > 0, "and the record does not say so"
