"""A house that has seen many tables is as light as before: `python -m bench tables` does it with ten thousand."""

from bench.endurance.census import fuller, risen, sizes, take
from bench.tables import season
from dormie_server.limits import Allowance, Sockets

DAYS = 86400.0


async def test_scenario_F1_a_hundred_and_fifty_tables_leave_nothing_behind() -> None:
    """With bots, with lines that break, with people who look on."""
    async with season(desks=5) as there:
        before, _, after = [await there.block(50) for _ in range(3)]

        assert 150 == there.played
        assert before.tasks == after.tasks
        assert {} == fuller(before, after)
        assert before.labels == after.labels
        assert {"device": 15, "player": 15} == after.rows.documents
        assert (0, 0) == (after.rows.notes, after.rows.cards)
        assert after.rows.pages <= before.rows.pages + 10


async def test_scenario_F1_no_timer_outlives_its_table() -> None:
    """One that did would keep its table's code until the turn, or the evening, would have been over."""
    async with season(desks=5) as there:
        before, after = [await there.block(50) for _ in range(2)]

        assert before.timers == after.timers


async def test_scenario_F1_a_room_does_not_outlive_its_table_though_somebody_stays() -> None:
    """A screen on a wall watches table after table, and never says that it watches no longer."""
    async with season(desks=2, tidy=False) as there:
        before, after = [await there.block(10) for _ in range(2)]

        assert {} == fuller(before, after)


async def test_whoever_came_only_once_is_forgotten_after_three_weeks_and_nobody_else_is() -> None:
    """At each desk one newcomer loses the line, and comes back."""
    async with season(desks=2, guests=True) as there:
        busy = await there.block(20)
        for desk in there.desks:
            await desk.leave()
        quiet = await there.count(22 * DAYS)

    assert {"device": 26, "player": 26} == busy.rows.documents
    assert {"device": 2, "player": 2} == quiet.rows.documents


async def test_a_census_finds_what_is_left_behind() -> None:
    async with season(desks=1) as there:
        before = await take(there.app, there.rows())
        await there.desks[0].host.ask("create", size=2)
        after = await take(there.app, there.rows())

    assert before.timers + 1 == after.timers
    assert {"table": 1} == {
        kind: number - before.rows.documents.get(kind, 0)
        for kind, number in after.rows.documents.items()
        if number != before.rows.documents.get(kind, 0)
    }
    assert "Table" in risen(before, after)
    assert {} != fuller(before, after)


def test_a_census_counts_collections_however_deep_they_lie() -> None:
    allowance, sockets = Allowance(60, 100, 10), Sockets(per_address=2, overall=9)
    for name in ("here", "there", "elsewhere"):
        allowance.take(name, 0.0)
        sockets.enter(name)

    assert 3 == sizes(allowance)["Remembered._known"]
    assert {"Sockets._open": 3} == sizes(sockets)
