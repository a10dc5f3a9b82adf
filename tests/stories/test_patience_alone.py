"""What one player of Golf Patience notices of the mistakes that other programs made, over real sockets."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from dormie_client import Dormie, Pace, RefusedError, Table
from dormie_rules.cards import Card
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_moves import PatienceMove, Play
from dormie_rules.patience_state import Board
from dormie_rules.race_state import RacePublic
from tests.serving import serving, url_of

FAST = Pace(a_second=1_000_000, at_once=1_000_000)
SOON = 30.0


@asynccontextmanager
async def alone(variant: str, **options: object) -> AsyncIterator[Table]:
    """Ada at a table of her own, with the first hole dealt."""
    async with serving() as app, await Dormie.connect(url_of(app), name="Ada", pace=FAST) as ada:
        table = await ada.create(variant, size=1, options={"holes": 1, **options})
        await table.ready()
        await on_the_tee(table)
        yield table


async def on_the_tee(table: Table) -> None:
    """Wait for one's turn; a hole at which nothing fits from the beginning is over at once."""
    while not table.my_turn():
        if is_over_at_once(table):
            await table.ready()
        await table.until(lambda table: table.my_turn() or is_over_at_once(table), within=SOON)


def is_over_at_once(table: Table) -> bool:
    return table.view.phase == "between" and table.awaits_ready()


def board_of(table: Table) -> Board:
    assert table.board is not None
    return table.board


def total(table: Table) -> int:
    assert isinstance(table.view.match, RacePublic)
    return table.view.match.totals[0]


async def refused(table: Table, move: PatienceMove) -> str:
    """The word with which a move is refused; nothing changes by it."""
    before = table.board, table.view
    with pytest.raises(RefusedError) as no:
        await table.play(move)
    assert before == (table.board, table.view)
    return no.value.word


def plays(table: Table) -> list[Play]:
    return [move for move in table.moves if isinstance(move, Play)]


async def first_play(table: Table) -> Play:
    """A card that fits; cards are drawn until there is one."""
    while not plays(table):
        await table.draw()
    return plays(table)[0]


async def test_scenario_R50_no_card_goes_but_by_a_move_of_the_player() -> None:
    async with alone("golf_patience_wrap") as table:
        while table.my_turn():
            board = board_of(table)
            assert 52 == board.left + board.pile + board.stock
            await table.play(table.moves[0])

        assert board_of(table).ending in ("cleared", "stuck", "given_up")


async def test_scenario_R51_the_hole_ends_in_the_moment_in_which_the_tableau_is_empty() -> None:
    async with alone("golf_patience_easy") as table:
        while table.my_turn():
            await table.play((await table.hint("open")).move)

        assert "cleared" == board_of(table).ending
        assert -board_of(table).stock == total(table), "the stock that is left counts, and no more"


@pytest.mark.parametrize("variant", ["golf_patience_strict", "tripeaks", "escalator"])
async def test_scenario_R52_whatever_is_not_offered_is_refused_and_changes_nothing(
    variant: str,
) -> None:
    words = {"does_not_fit", "empty_column", "no_such_column", "covered"}
    async with alone(variant) as table:
        await table.play(await first_play(table))
        offered = {move.column for move in plays(table)}
        others = {*range(len(board_of(table).columns) + 1)} - offered
        said = {await refused(table, Play(column)) for column in sorted(others)}

        assert said <= words
        assert "no_such_column" in said
        assert ("covered" in said) == (variant != "golf_patience_strict")


@pytest.mark.parametrize("variant", ["elevator", "escalator", "golf_patience_queen"])
async def test_scenario_R53_a_card_can_be_drawn_as_long_as_there_is_one(variant: str) -> None:
    async with alone(variant) as table:
        while table.my_turn() and board_of(table).stock:
            assert Draw() in table.moves, "also with a card that fits"
            await table.draw()

        assert Draw() not in table.moves


async def test_scenario_R53_where_drawing_must_wait_it_is_not_offered_while_a_card_fits() -> None:
    async with alone("golf_patience_wrap", draw_with_moves=False) as table:
        await first_play(table)

        assert Draw() not in table.moves
        assert "must_play" == await refused(table, Draw())


async def test_scenario_R56_and_scenario_R71_what_was_uncovered_is_covered_again() -> None:
    """Taken back it lies face-down as before, and the same move shows the same card."""
    async with alone("tripeaks", undo="unlimited") as table:
        before = after = board_of(table)
        while table.my_turn() and len(after.down) == len(before.down):
            before = after
            await table.play(table.moves[0])
            after = board_of(table)
        if not table.my_turn():
            return  # a hole in which nothing is uncovered
        await table.undo()

        assert before == board_of(table)
        assert all(not board_of(table).columns[at] for at in board_of(table).down)
        columns = zip(before.columns, after.columns, strict=True)
        await table.play(Play(next(at for at, (was, now) in enumerate(columns) if was and not now)))
        assert after == board_of(table)


async def test_scenario_R71_a_draw_is_not_taken_back_where_it_would_show_the_stock() -> None:
    async with alone("golf_patience_wrap", undo="before_draw") as table:
        await table.play(await first_play(table))
        after = board_of(table)
        await table.undo()
        assert after.left + 1 == board_of(table).left
        await table.draw()
        drawn = board_of(table)
        with pytest.raises(RefusedError) as no:
            await table.undo()

        assert "undo_reveals" == no.value.word
        assert drawn == board_of(table)


async def test_scenario_R59_a_game_that_no_solver_knows_says_so() -> None:
    async with alone("all_in_a_row_ii") as table:
        for kind in ("fair", "open"):
            with pytest.raises(RefusedError) as no:
                await table.hint(kind)
            assert "hint_unknown" == no.value.word
        assert plays(table), "and is played all the same"


@pytest.mark.parametrize("variant", ["double_golf", "black_hole"])
async def test_scenario_R60_and_scenario_R63_a_question_too_large_is_answered_by_a_word(
    variant: str,
) -> None:
    """A move that is sure, or that it is not known: never another, and never no answer."""
    async with alone(variant, holes=3) as table:
        try:
            hint = await table.hint("open")
        except RefusedError as no:
            assert no.word in ("hint_unknown", "busy"), "busy: as long as anybody waits"
        else:
            assert hint.sure
            assert hint.move in table.moves


async def test_scenario_R64_the_card_that_begins_every_deal_is_in_none() -> None:
    async with alone("black_hole", holes=3) as table:
        while True:
            board = board_of(table)
            assert Card("AS") == board.foundation
            assert Card("AS") not in [card for column in board.columns for card in column]
            await table.give_up()
            if table.view.phase != "between":
                return
            await on_the_tee(table)


async def test_scenario_R66_to_and_fro_earns_nothing() -> None:
    async with alone("golf_patience_wrap", undo="unlimited") as table:
        move = await first_play(table)
        for _ in range(5):
            await table.play(move)
            await table.undo()
        await table.give_up()

        assert 35 == total(table)


@pytest.mark.parametrize(
    ("variant", "cards"), [("tripeaks", 28), ("elevator", 28), ("double_golf", 63)]
)
async def test_scenario_R67_giving_up_costs_a_stroke_for_each_card_left(
    variant: str, cards: int
) -> None:
    async with alone(variant) as table:
        await table.play(await first_play(table))
        await table.give_up()

        assert cards - 1 == total(table)


async def test_scenario_R70_a_run_turns_where_its_player_likes() -> None:
    """Down and up again, as one book forbids: a 7 on an 8, and the next 8 on it."""
    async with alone("golf_patience_wrap", holes=36, hole_seconds=600) as table:
        for _ in range(36):
            turned = await _turned_in_a_hole(table)
            if turned:
                return
            await table.ready()
            await table.until(lambda table: table.my_turn(), within=SOON)

    raise AssertionError("no run could turn in 36 holes")


async def _turned_in_a_hole(table: Table) -> bool:
    tops: list[Card | None] = []
    while table.my_turn():
        if not plays(table):
            tops = []
            await table.draw()
            tops.append(board_of(table).foundation)
            continue
        back = [move for move in plays(table) if _lies(table, move)[0] == (tops[-2:] or [None])[0]]
        move = (back or plays(table))[0]
        await table.play(move)
        tops.append(board_of(table).foundation)
        ranks = [card[0] for card in tops[-3:] if card]
        if len(ranks) == 3 and ranks[0] == ranks[2]:
            return True
    return False


def _lies(table: Table, move: Play) -> Card:
    return board_of(table).columns[move.column][-1]
