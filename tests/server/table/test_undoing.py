"""Undo: the last move, if it has shown no card, and if everybody else agrees."""

import pytest

from dormie_protocol.clocks import Agreed, Clock, Declined
from dormie_protocol.undo_messages import MoveUndone, UndoAsked
from dormie_rules.grid_moves import Draw, Flip, Swap, Take
from dormie_rules.replay import verify
from dormie_server.documents import Kept, read_table
from dormie_server.pen import write_table
from dormie_server.seen import Look, Page, Span
from dormie_server.table.commands import Agree, Detach, Leave, Pause, Undo
from dormie_server.table.running import clocks_of
from dormie_server.table.state import match_of
from tests.evening import HOST, Evening
from tests.scenarios.evenings import BOB, CLEO, play_of, play_until, told, word_of


def begun(*others: str, undo: bool = True, **how: object) -> Evening:
    """A hole in which somebody has the first turn."""
    evening = Evening(size=1 + len(others), undo=undo, **how)  # type: ignore[arg-type]  # the tests choose well
    evening.begin(*others)
    while play_of(evening).stage == "setup":
        seat = evening.waiting()[0]
        evening.play(seat, evening.moves(seat)[0])
    return evening


def player_of(evening: Evening, seat: int) -> str:
    sitter = evening.table.secret.sitters[seat]
    assert sitter is not None
    assert sitter.player is not None
    return sitter.player


def on_turn(evening: Evening) -> tuple[int, str]:
    (seat,) = evening.waiting()
    return seat, player_of(evening, seat)


def face_up(evening: Evening, seat: int) -> int:
    return next(at for at, card in enumerate(play_of(evening).grids[seat]) if card is not None)


def test_scenario_H5_a_move_is_taken_back_when_all_others_agree() -> None:
    evening = begun(BOB, CLEO)
    seat, player = on_turn(evening)
    before, count = match_of(evening.table), evening.seat(seat).count
    evening.play(seat, Take())
    version = evening.table.version
    evening.ask(player, Undo())
    others = [p for p in (HOST, BOB, CLEO) if p != player]
    evening.ask(others[0], Agree())
    assert play_of(evening).stage == "taken", "not all have agreed"
    evening.ask(others[1], Agree())

    assert before == match_of(evening.table)
    assert count + 2 == evening.seat(seat).count, "no number is used twice"
    assert version + 3 == evening.table.version
    assert [UndoAsked(seat)] == told(evening, UndoAsked)
    assert [MoveUndone(seat)] == told(evening, MoveUndone)
    assert 2 == len(told(evening, Agreed))
    for number in (count + 1, count + 2):  # the move itself once more, and one chosen after it
        assert "stale" == word_of(lambda n=number: evening.play(seat, Take(), n))  # type: ignore[misc]
    evening.play(seat, Take(), count + 3)


def test_after_undo_the_same_move_leads_to_the_same_state() -> None:
    evening = begun(BOB)
    seat, player = on_turn(evening)
    other = BOB if player == HOST else HOST
    evening.play(seat, Take())
    taken = match_of(evening.table)
    evening.play(seat, Swap(face_up(evening, seat)))
    swapped = match_of(evening.table)
    for _ in range(2):
        evening.ask(player, Undo())
        evening.ask(other, Agree())
    evening.play(seat, Take())
    assert taken == match_of(evening.table)
    evening.play(seat, Swap(face_up(evening, seat)))

    assert swapped == match_of(evening.table)


@pytest.mark.parametrize("moves", [(Draw(),), (Take(), "hidden")])
def test_scenario_R71_nothing_that_showed_a_card_is_taken_back(moves: tuple[object, ...]) -> None:
    evening = begun(BOB)
    seat, player = on_turn(evening)
    for move in moves:
        hidden = play_of(evening).grids[seat].index(None)
        evening.play(seat, Swap(hidden) if move == "hidden" else move)  # type: ignore[arg-type]  # a move
    before = evening.table

    assert "nothing_to_undo" == word_of(lambda: evening.ask(player, Undo()))
    assert before is evening.table


def test_only_the_last_move_of_all_is_taken_back_and_only_by_who_made_it() -> None:
    evening = begun(BOB)
    seat, player = on_turn(evening)
    other = BOB if player == HOST else HOST
    assert "nothing_to_undo" == word_of(lambda: evening.ask(player, Undo()))
    evening.play(seat, Take())
    assert "nothing_to_undo" == word_of(lambda: evening.ask(other, Undo()))
    evening.play(seat, Swap(face_up(evening, seat)))
    next_seat, _ = on_turn(evening)
    evening.play(next_seat, Take())

    assert "nothing_to_undo" == word_of(lambda: evening.ask(player, Undo()))
    assert "done" == word_of(lambda: evening.ask(other, Undo()))


def test_at_other_tables_nothing_is_taken_back_and_nothing_kept_for_it() -> None:
    evening = begun(BOB, undo=False)
    seat, player = on_turn(evening)
    evening.play(seat, Take())

    assert () == evening.table.secret.past
    assert "no_undo" == word_of(lambda: evening.ask(player, Undo()))


def test_whoever_is_against_it_or_moves_on_ends_it() -> None:
    evening = begun(BOB)
    seat, player = on_turn(evening)
    other = BOB if player == HOST else HOST
    evening.play(seat, Take())
    evening.ask(player, Undo())
    evening.ask(other, Agree(yes=False))
    assert "taken" == play_of(evening).stage
    evening.ask(player, Undo())
    evening.play(seat, Swap(face_up(evening, seat)))

    assert Declined(None) == told(evening, Declined)[-1]
    assert "wrong_time" == word_of(lambda: evening.ask(other, Agree()))


def test_nobody_is_asked_for_ever() -> None:
    evening = begun(BOB)
    seat, player = on_turn(evening)
    evening.play(seat, Take())
    evening.ask(player, Undo())
    for _ in range(3):
        evening.sleep()

    assert Declined(None) in told(evening, Declined)
    assert [] == told(evening, MoveUndone)


def test_bots_agree_and_so_does_after_a_moment_whoever_is_away() -> None:
    evening = Evening(size=2, bots=("random",), undo=True, policy=Evening().policy)
    evening.begin()
    for _ in range(200):
        if evening.phase == "playing" and evening.waiting() and play_of(evening).stage == "turn":
            break
        seat = next((s for s in evening.waiting() if s == 0), None)
        evening.play(0, evening.moves(0)[0]) if seat == 0 else evening.sleep()
        evening.ring()
    evening.play(0, Take())
    evening.ask(HOST, Undo())
    assert [MoveUndone(0)] == told(evening, MoveUndone)

    evening = begun(BOB)
    seat, player = on_turn(evening)
    other = evening.where(BOB if player == HOST else HOST)
    sitter = evening.table.secret.sitters[other]
    assert sitter is not None
    evening.play(seat, Take())
    evening.do(Detach(player_of(evening, other), sitter.generation))
    evening.ask(player, Undo())
    assert [] == told(evening, MoveUndone)
    evening.sleep()

    assert [MoveUndone(seat)] == told(evening, MoveUndone)


def test_whoever_leaves_takes_the_past_along() -> None:
    evening = begun(BOB, CLEO)
    seat, player = on_turn(evening)
    evening.play(seat, Take())
    evening.ask(player, Undo())
    gone, stays = (p for p in (HOST, BOB, CLEO) if p != player)
    evening.ask(gone, Leave())
    word = word_of(lambda: evening.ask(stays, Agree()))

    assert word in ("done", "wrong_time")
    assert [] == told(evening, MoveUndone)
    assert () == evening.table.secret.past


def test_in_a_pause_nothing_is_taken_back() -> None:
    evening = begun(BOB, clock=Clock(pauses=1, pause_seconds=60.0))
    seat, player = on_turn(evening)
    other = BOB if player == HOST else HOST
    evening.play(seat, Take())
    evening.ask(player, Pause())
    evening.ask(other, Agree())

    assert "paused" == word_of(lambda: evening.ask(player, Undo()))


def test_the_clock_runs_for_whoever_has_the_turn_back() -> None:
    evening = begun(BOB, clock=Clock(game_seconds=100.0))
    seat, player = on_turn(evening)
    other = BOB if player == HOST else HOST
    evening.play(seat, Take())
    evening.play(seat, Swap(face_up(evening, seat)))
    evening.now += 5
    evening.ask(player, Undo())
    evening.ask(other, Agree())
    public = evening.table.public

    assert (seat,) == evening.waiting()
    assert public.deadline is not None
    assert evening.now < public.deadline
    clocks = clocks_of(evening.table)
    assert all(0 <= bank <= 100 for bank in clocks.bank)
    assert clocks.ask is None


def test_a_record_with_an_undo_is_right_and_one_that_crosses_a_revelation_is_not() -> None:
    evening = begun(BOB, options={"holes": 1})
    seat, player = on_turn(evening)
    evening.play(seat, Take())
    evening.ask(player, Undo())
    evening.ask(BOB if player == HOST else HOST, Agree())
    evening.play(seat, Draw())
    play_until(evening, "over")
    evening.ring()
    record = evening.record()
    assert f"undo {seat + 1}" in record.splitlines()
    verdict = verify(record)
    assert verdict.ok, verdict

    lines = record.splitlines()
    at = lines.index(f"undo {seat + 1}")
    drawn = next(n for n, line in enumerate(lines) if n > at and line.endswith(" draw"))
    number = lines[drawn].split()[1]
    for where, undo in ((drawn + 1, f"undo {number}"), (at, f"undo {2 - seat}"), (at, "undo 9")):
        wrong = verify("\n".join([*lines[:where], undo, *lines[where:]]))
        assert (False, where + 1) == (wrong.ok, wrong.line)
    twice = verify("\n".join([*lines[: at + 1], lines[at], *lines[at + 1 :]]))
    assert not twice.ok


def test_what_is_kept_for_it_is_written_read_and_never_shown() -> None:
    evening = begun(BOB)
    seat, player = on_turn(evening)
    for _ in range(3):
        evening.play(seat, Take())
        evening.ask(player, Undo())
        evening.ask(BOB if player == HOST else HOST, Agree())
    evening.play(seat, Take())
    kept = Kept(evening.table, "ab")

    assert evening.table.secret.past
    assert kept.table == read_table(write_table(kept)).table
    page = Page(Span("ABCDEFGH", 1, 2, "ab", 1.0, ()), kept)
    for viewer in (None, 0, 1):
        assert b"past" not in page.text(Look(viewer, whole=True))
        assert b'stock":[' not in page.text(Look(viewer, whole=True))


def test_a_flip_in_setup_is_not_taken_back() -> None:
    evening = Evening(size=2, undo=True)
    evening.begin(BOB)
    seat = evening.waiting()[0]
    evening.play(seat, Flip(0))

    assert "nothing_to_undo" == word_of(lambda: evening.ask(player_of(evening, seat), Undo()))
