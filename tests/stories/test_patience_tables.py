"""Golf Patience over real sockets: alone, and many on one deal."""

import asyncio
import json
from random import Random

import pytest

from dormie_bots import PATIENCE_LEVELS
from dormie_client import Dormie, Pace, RefusedError, Table
from dormie_rules.grid_moves import Take
from dormie_rules.patience_deals import gentle
from dormie_rules.patience_moves import Concede, GiveUp
from dormie_rules.patience_par import par_of
from dormie_rules.patience_variants import find_patience
from dormie_rules.race_state import RacePublic
from dormie_rules.replay import verify
from dormie_rules.solver import solve
from tests.serving import fetch, serving, url_of

FAST = Pace(a_second=1_000_000, at_once=1_000_000)
"""The house of these tests lets anybody send as much as they like."""


def match_of(table: Table) -> RacePublic:
    assert isinstance(table.view.match, RacePublic)
    return table.view.match


async def record_of(port: int, code: str) -> str:
    """The record is kept a moment after the last move."""
    async with asyncio.timeout(10):
        while True:
            try:
                return await fetch(port, f"/record/{code}-1")
            except OSError:
                await asyncio.sleep(0.02)


async def play_on(table: Table, luck: Random | None = None) -> None:
    """Play until the match is over, the first move there is or any but giving up."""
    async for _ in table.updates():
        seat = table.view.seats[table.seat] if table.seat is not None else None
        if table.view.phase == "over":
            break
        if seat and not seat.ready and table.view.phase in ("lobby", "between"):
            await table.ready()
        if table.my_turn():
            moves = [m for m in table.moves if not isinstance(m, GiveUp | Concede)]
            await table.play(luck.choice(moves) if luck else moves[0])


async def test_a_course_alone_begins_with_its_player_and_ends_with_a_score() -> None:
    async with serving() as app, await Dormie.connect(url_of(app), name="Ada", pace=FAST) as ada:
        table = await ada.create("golf_patience_queen", size=1, options={"holes": 2})
        await table.ready()
        await table.until(lambda table: table.my_turn(), within=10)

        assert (table.view.phase, table.about.game) == ("playing", "patience")
        assert table.board is not None
        assert [5] * 7 == [len(column) for column in table.board.columns]
        async with asyncio.timeout(60):
            await play_on(table)
        match = match_of(table)
        assert 2 == len(match.card)
        assert (sum(row[0] or 0 for row in match.card),) == match.totals
        assert (1,) == match.places


@pytest.mark.parametrize("seats", [2, 3, 6])
async def test_all_play_one_deal_at_once_and_no_move_is_lost_or_made_twice(seats: int) -> None:
    """Each moves as fast as it can: nobody waits for anybody, and conflicts are the server's business."""
    async with serving() as app:
        people = [await Dormie.connect(url_of(app), name=f"P{n}", pace=FAST) for n in range(seats)]
        host = await people[0].create("golf_patience_wrap", size=seats, options={"holes": 2})
        tables = [host, *[await one.join(host.code) for one in people[1:]]]
        async with asyncio.timeout(120), asyncio.TaskGroup() as group:
            for at, table in enumerate(tables):
                group.create_task(play_on(table, Random(at)))
        text = await record_of(app.port, host.code)
        record = text.splitlines()
        assert verify(text).ok, verify(text)
        moved = [line.split()[1] for line in record if line.startswith("move ")]

        assert verify("\n".join([*record, ""])).ok
        counts = [seat.count for seat in host.view.seats if seat]
        assert counts == [moved.count(str(seat + 1)) for seat in range(seats)]
        assert ["hole 1", "hole 2"] == [line for line in record if line.startswith("hole ")]
        assert 2 == len(match_of(host).card)
        for one in people:
            await one.close()


async def test_a_move_of_the_other_game_is_refused_by_a_word() -> None:
    async with serving() as app, await Dormie.connect(url_of(app), name="Ada", pace=FAST) as ada:
        table = await ada.create("golf_patience_queen", size=1)
        await table.ready()
        await table.until(lambda table: table.my_turn(), within=10)
        before = table.version
        with pytest.raises(RefusedError) as refused:
            await table.play(Take())

        assert ("other_game", before) == (refused.value.word, table.version)
        grid = await ada.create("six_card", size=2, bots=["easy"])
        await grid.ready()
        await grid.until(lambda table: table.my_turn(), within=10)
        with pytest.raises(RefusedError) as refused:
            await grid.play(GiveUp())
        assert refused.value.word == "other_game"


@pytest.mark.parametrize(
    ("variant", "deals"),
    [
        ("golf_patience_easy", "gentle"),
        ("golf_patience_medium", "clearable"),
        ("golf_patience_hard", "par_4_5"),
    ],
)
async def test_a_certified_deal_can_be_cleared_and_the_record_can_tell(
    variant: str, deals: str
) -> None:
    """The solver works in a process beside the server; meanwhile other tables are played at."""
    async with serving() as app, await Dormie.connect(url_of(app), name="Ada", pace=FAST) as ada:
        table = await ada.create(variant, size=1, options={"holes": 2}, listed=True)
        (listed,) = (await ada.lobby()).tables
        assert ("holes 2",) == listed.options, "the usual deals of a level are no choice"
        await table.ready()
        other = await ada.create("golf_patience_queen", size=1, options={"holes": 1})
        await other.ready()
        await other.until(lambda table: table.my_turn(), within=10)
        for hole in range(1, 3):

            def begun(table: Table, hole: int = hole) -> bool:
                return table.my_turn() and match_of(table).hole == hole

            await table.until(begun, within=30)
            play = match_of(table).play
            await table.give_up()
            await table.until(lambda table: not table.my_turn(), within=10)
            shown = match_of(table).play
            assert play is not None
            assert shown is not None
            assert shown.shown is not None
            rules, deal = find_patience(variant).opened, shown.shown.deal
            assert "clearable" == solve(rules, deal).verdict
            assert deals != "gentle" or gentle(rules, deal)
            assert deals != "par_4_5" or par_of(rules, deal) > 3
            if table.awaits_ready():
                await table.ready()
        record = await record_of(app.port, table.code)
        assert verify(record).ok, verify(record)
        named = {"holes": 2} if deals == "clearable" else {"deal_policy": deals, "holes": 2}
        assert f"options {json.dumps(named, separators=(',', ':'))}" in record.splitlines()


async def test_scenario_R86_the_time_of_a_hole_is_one_that_all_share_and_its_end_ends_it_for_all() -> (
    None
):
    """A move does not put it off; whoever still plays is scored as the board lies."""
    async with serving() as app:
        people = [await Dormie.connect(url_of(app), name=f"P{n}", pace=FAST) for n in range(3)]
        options = {"holes": 1, "hole_seconds": 30}
        host = await people[0].create("golf_patience_wrap", size=3, options=options, turn_seconds=5)
        tables = [host, *[await one.join(host.code) for one in people[1:]]]
        for table in tables:
            await table.ready()
        for table in tables:
            await table.until(lambda table: table.my_turn(), within=10)
        deadline = host.view.deadline
        await host.draw()
        await tables[1].give_up()

        assert host.view.deadline == deadline
        await host.until(lambda table: table.view.phase == "over", within=20)
        record = await record_of(app.port, host.code)
        assert "time 1" in record.splitlines()
        assert verify(record).ok, verify(record)
        endings = [line for line in record.splitlines() if line.startswith("ended ")]
        assert ["ended 1 time_up given_up time_up"] == endings
        for one in people:
            await one.close()


async def test_bots_of_every_level_are_rivals_and_the_strong_ones_think_elsewhere() -> None:
    async with serving() as app, await Dormie.connect(url_of(app), name="Ada", pace=FAST) as ada:
        table = await ada.create(
            "golf_patience_wrap", size=4, options={"holes": 1}, bots=PATIENCE_LEVELS
        )
        async with asyncio.timeout(120):
            await play_on(table)
        counts = [seat.count for seat in table.view.seats if seat]
        record = await record_of(app.port, table.code)

        assert min(counts) > 10
        assert verify(record).ok, verify(record)
        assert {f"bot {level}" for level in PATIENCE_LEVELS} <= {
            " ".join(line.split()[2:4]) for line in record.splitlines() if line.startswith("seat ")
        }


async def test_nasty_P18_hints_are_for_who_plays_alone_and_named_as_what_they_are() -> None:
    async with serving() as app, await Dormie.connect(url_of(app), name="Ada", pace=FAST) as ada:
        table = await ada.create("golf_patience_easy", size=1, options={"holes": 1})
        await table.ready()
        await table.until(lambda table: table.my_turn(), within=30)
        fair, openly = await table.hint(), await table.hint("open")

        assert ("fair", "open") == (fair.kind, openly.kind)
        assert fair.move in table.moves
        assert openly.sure
        assert openly.tenths <= 0, "the deal can be cleared"
        hard = await ada.create("golf_patience_queen", size=2, bots=["easy"])
        await hard.ready()
        await hard.until(lambda table: table.my_turn(), within=10)
        with pytest.raises(RefusedError) as no:
            await hard.hint()
        assert no.value.word == "no_hint"


async def test_the_open_hint_leads_to_what_it_promises() -> None:
    async with serving() as app, await Dormie.connect(url_of(app), name="Ada", pace=FAST) as ada:
        table = await ada.create("golf_patience_easy", size=1, options={"holes": 1})
        await table.ready()
        await table.until(lambda table: table.my_turn(), within=30)
        promised = (await table.hint("open")).tenths
        while table.my_turn():
            await table.play((await table.hint("open")).move)

        assert promised == 10 * (match_of(table).totals[0])


async def test_scenario_R71_alone_a_move_is_taken_back_as_far_as_the_table_lets_one() -> None:
    async with serving() as app, await Dormie.connect(url_of(app), name="Ada", pace=FAST) as ada:
        table = await ada.create(
            "golf_patience_queen", size=1, options={"holes": 1, "undo": "unlimited"}
        )
        await table.ready()
        await table.until(lambda table: table.my_turn(), within=10)
        before = table.board
        await table.draw()
        await table.undo()

        assert before == table.board
        with pytest.raises(RefusedError) as no:
            await table.undo()
        assert no.value.word == "nothing_to_undo"


async def test_scenario_R44_the_last_card_of_the_stock_is_drawn_and_the_table_goes_on() -> None:
    """An empty stock is an ordinary state: a hint is given in it, and a card that fits is played."""
    async with serving() as app, await Dormie.connect(url_of(app), name="Ada", pace=FAST) as ada:
        table = await ada.create("golf_patience_wrap", size=1, options={"holes": 9})
        await table.ready()
        tried = 0
        while not tried:
            await table.until(lambda table: table.my_turn() or table.closed, within=20)
            while table.my_turn() and table.board and table.board.stock:
                await table.draw()
            if table.my_turn():  # a card fits the last one of the stock
                with pytest.raises(RefusedError) as no:
                    await table.draw()
                assert no.value.word == "no_stock"
                await table.play((await table.hint("open")).move)
                tried += 1
            elif table.awaits_ready():
                await table.ready()
