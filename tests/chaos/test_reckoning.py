"""The machinery that keeps the servers honest is itself found out when it errs."""

from dataclasses import replace
from pathlib import Path

from dormie_protocol.clocks import Clock, HandedBack, SatIn, fresh
from dormie_protocol.messages import Heard, Seen
from dormie_protocol.table_view import Seat, TablePublic
from dormie_rules.race_state import Progress, RacePlay, RacePublic
from tests.chaos.ledger import (
    Absence,
    Card,
    Glimpse,
    Ledger,
    Loss,
    Sight,
    Story,
    check_race,
    together,
)
from tests.chaos.reckoning import found_in, reckon
from tests.chaos.watcher import Gaze

RECORD = (Path(__file__).parents[1] / "cases" / "records" / "two_holes.dormie").read_text("utf-8")
CODE, SEAT, ADA = "ABCDEFGH", 0, "Ada"


def moves() -> list[str]:
    lines = (line.split(" ", 2) for line in RECORD.splitlines())
    return [f"{word}:{rest[-1]}" for word, *rest in lines if rest[:1] == ["1"] and word in WORDS]


WORDS = ("move", "auto")


def faithful() -> Ledger:
    """A player who was told of every move in the record."""
    ledger = Ledger()
    card = ledger.card(CODE, ADA)
    for count, made in enumerate(moves(), 1):
        word, move = made.split(":")
        if word == "move":
            card.asked[count] = [move]
            ledger.acknowledge(CODE, ADA, count, move, version=10 * count)
    return ledger


def test_a_faithful_ledger_agrees_with_the_record() -> None:
    result = reckon(faithful(), {CODE: [RECORD]})

    assert [] == result.wrong
    assert result.good
    assert result.acknowledged > 10


def test_an_acknowledged_move_that_the_record_does_not_have_is_lost() -> None:
    ledger = faithful()
    ledger.acknowledge(CODE, ADA, len(moves()) + 1, "draw")
    result = reckon(ledger, {CODE: [RECORD]})

    assert (result.lost, result.good) == (1, False)


def test_an_acknowledged_move_that_is_another_one_in_the_record_is_lost() -> None:
    ledger = faithful()
    ledger.card(CODE, ADA).told[1] = "flip 2"

    assert reckon(ledger, {CODE: [RECORD]}).lost == 1


def test_a_move_of_the_record_that_nobody_asked_for_is_a_ghost() -> None:
    ledger = faithful()
    card = ledger.card(CODE, ADA)
    del card.told[1], card.asked[1]
    result = reckon(ledger, {CODE: [RECORD]})

    assert (result.ghosts, result.good) == (1, False)


def test_a_move_that_was_made_once_more_than_asked_for_is_doubled() -> None:
    ledger = faithful()
    card = ledger.card(CODE, ADA)
    del card.told[2], card.asked[2]
    card.asked[1].append(moves()[1].split(":")[1])
    result = reckon(ledger, {CODE: [RECORD]})

    assert (result.doubled, result.good) == (1, False)


def test_a_move_that_is_acknowledged_twice_as_if_it_were_new_is_found() -> None:
    ledger = faithful()
    count, move = next(iter(ledger.card(CODE, ADA).told.items()))
    ledger.acknowledge(CODE, ADA, count, move)

    assert not reckon(ledger, {CODE: [RECORD]}).good


def test_a_move_whose_answer_was_never_heard_is_neither() -> None:
    ledger = faithful()
    del ledger.card(CODE, ADA).told[1]
    result = reckon(ledger, {CODE: [RECORD]})

    assert (result.unheard, result.good) == (1, True)


def test_two_moves_under_one_version_are_found() -> None:
    ledger = faithful()
    ledger.card(CODE, "Ben").versions[1] = ledger.card(CODE, ADA).versions[2]

    assert [f"{CODE}: move 1 of Ben and move 2 of Ada are both version 20"] == (
        reckon(ledger, {CODE: [RECORD]}).wrong
    )


def test_a_later_move_with_an_earlier_version_is_found() -> None:
    ledger = faithful()
    ledger.card(CODE, ADA).versions[2] = 5

    assert [f"{CODE} {ADA}: move 2 has not a later version than move 1"] == (
        reckon(ledger, {CODE: [RECORD]}).wrong
    )


def test_who_sits_elsewhere_in_the_next_match_is_still_the_same() -> None:
    other = RECORD.replace("seat 1 human Ada", "seat 1 human Cy")
    other = other.replace("seat 2 human Birdie McPutt", "seat 2 human Ada")
    lines = [line.split(" ", 2) for line in other.splitlines()]
    ledger = faithful()
    made = [(word, rest[-1]) for word, *rest in lines if rest[:1] == ["2"] and word in WORDS]
    for count, (word, move) in enumerate(made, len(moves()) + 1):
        if word == "move":
            ledger.card(CODE, ADA).asked[count] = [move]
            ledger.acknowledge(CODE, ADA, count, move)

    assert [] == [
        wrong for wrong in reckon(ledger, {CODE: [RECORD, other]}).wrong if "record" not in wrong
    ]


def test_to_be_told_that_one_has_no_seat_is_wrong_unless_somebody_lost_one() -> None:
    ledger = faithful()
    ledger.refuse("not_seated")
    assert not reckon(ledger, {CODE: [RECORD]}).good
    ledger.left_out = 1

    assert reckon(ledger, {CODE: [RECORD]}).good


def test_a_record_that_is_wrong_or_missing_is_found() -> None:
    assert not reckon(faithful(), {CODE: [RECORD.replace("move 1 ", "move 2 ", 1)]}).good
    assert not reckon(faithful(), {CODE: [""]}).good
    assert not reckon(faithful(), {}).good


def seen(after: int, version: int, chain: str = "", *, rolled_back: bool = False) -> Seen:
    view = TablePublic("playing", (Seat("Ada", count=1), Seat("Ben")), host=0, deadline=None)
    return Seen(
        table=CODE,
        after=after,
        version=version,
        chain=chain or f"{version:02x}",
        now=0.0,
        seat=SEAT,
        view=view,
        rolled_back=rolled_back,
    )


def test_a_gap_in_the_versions_and_two_stories_of_one_are_found() -> None:
    ledger, story = Ledger(), Story(CODE)
    one, other = Sight(ledger, story), Sight(ledger, story)
    for after, version in ((0, 4), (4, 5), (5, 9), (9, 9)):
        one.look(seen(after, version), 0.0)

    assert [] == ledger.surprises
    one.look(seen(10, 11), 0.0)
    assert len(ledger.surprises) == 1, "10 is missing"
    other.look(seen(0, 5, "ee"), 0.0)

    assert [f"{CODE}: two stories of version 5"] == story.contradictions()


def test_what_is_told_twice_is_found_by_who_plays_and_by_who_watches() -> None:
    for watches in (False, True):
        ledger = Ledger()
        sight = Gaze(ledger, Story(CODE), 0) if watches else Sight(ledger, Story(CODE))
        for after, version in ((0, 4), (4, 5), (4, 5)):
            said = sitting_seen(after, version, bench(count=1), HandedBack(1))
            sight.look(said.model_copy(update={"seat": None if watches else SEAT}), 0.0)

        assert 1 == len(ledger.surprises)
        assert "twice" in ledger.surprises[0]


def test_whoever_asks_again_is_told_again_and_whoever_does_not_is_not() -> None:
    """A watch that was refused may have been heard all the same; the line follows the table by then."""
    for asked, wrong in ((4, 0), (None, 2)):
        ledger = Ledger()
        sight = Sight(ledger, Story(CODE))
        sight.look(seen(0, 4), 0.0)
        sight.look(seen(4, 6), 0.0)
        sight.look(seen(4, 7).model_copy(update={"replay": True}), 0.0, asked=asked)
        again = sitting_seen(4, 7, bench(count=1), HandedBack(1))
        sight.look(again.model_copy(update={"replay": True}), 0.0, asked=asked)

        assert wrong == len(ledger.surprises)


def test_a_story_that_was_openly_taken_back_contradicts_nothing() -> None:
    """Who was not ahead hears the new story, and those who were have not been told yet."""
    ledger, story = Ledger(), Story(CODE)
    one, other = Sight(ledger, story), Sight(ledger, story)
    one.look(seen(0, 5), 0.0)
    other.look(seen(0, 5, "ee"), 0.0)
    one.look(seen(6, 6, rolled_back=True), 0.0)
    other.look(seen(5, 6), 0.0)

    assert [] == story.contradictions() == ledger.surprises


def test_an_absence_ends_when_the_table_is_seen_again_on_a_new_connection() -> None:
    ledger, story = Ledger(), Story(CODE)
    sight = Sight(ledger, story)
    sight.look(seen(0, 4), 1.0)
    sight.away(2.0)
    sight.look(seen(4, 5), 2.5)  # heard before the line broke, and read after
    sight.back()
    sight.away(3.0)
    sight.back()
    sight.look(seen(5, 6), 4.0)
    sight.look(seen(6, 7), 5.0)

    assert [Absence(2.0, 4.0)] == ledger.absences


def test_what_the_server_openly_takes_back_is_counted_as_such() -> None:
    ledger, story = Ledger(), Story(CODE)
    sight = Sight(ledger, story)
    sight.look(seen(0, 9), 1.0)
    for count in (1, 2, 3):
        ledger.acknowledge(CODE, ADA, count, "draw", version=count)
    sight.look(seen(5, 5, "aa", rolled_back=True), 2.0)

    left = Card(told={1: "draw"}, versions={1: 1}, taken_back=2, doubtful={1})
    assert left == ledger.card(CODE, ADA)
    assert [Loss(2.0, 2)] == ledger.losses
    assert [] == ledger.surprises


def test_ledgers_of_several_processes_are_added_up(tmp_path: Path) -> None:
    one, other = faithful(), Ledger(cards={"ZZZZZZZZ": {}}, refusals={"stale": 2})
    one.refuse("stale")
    one.save(tmp_path / "one")
    both = together([Ledger.load(tmp_path / "one"), other])

    assert {"stale": 3} == both.refusals
    assert {CODE, "ZZZZZZZZ"} == both.cards.keys()
    assert reckon(both, {CODE: [RECORD]}).acknowledged == one.acknowledged


# ---------------------------------------------------------- what goes on besides the game


def test_what_a_spectator_was_to_see_later_and_saw_too_early_is_found() -> None:
    ledger = faithful()
    first = next(iter(ledger.card(CODE, ADA).told))
    ledger.card(CODE, ADA).asked_at[first] = 10.0
    glimpses = ledger.glimpses[CODE] = [Glimpse(ADA, first, 13.0, delay=3.0)]
    late = reckon(ledger, {CODE: [RECORD]})
    glimpses.append(Glimpse(ADA, first, 12.5, delay=3.0))
    early = reckon(ledger, {CODE: [RECORD]})

    assert (True, 1) == (late.good, late.glimpses)
    assert [f"{CODE}: a spectator saw move {first} of {ADA} 2.50 s later"] == early.wrong


def test_a_bots_move_is_no_ghost_where_everybody_saw_it_sit_in_and_one_where_anybody_did_not() -> (
    None
):
    ledger = faithful()
    card = ledger.card(CODE, ADA)
    del card.told[2], card.asked[2]
    card.maybe_bot.add(2)
    sat_in = reckon(ledger, {CODE: [RECORD]})
    card.own.add(2)

    assert (0, 1, True) == (sat_in.ghosts, sat_in.by_bots, sat_in.good)
    assert reckon(ledger, {CODE: [RECORD]}).ghosts == 1


def test_who_sat_in_is_seen_by_those_who_watch_and_left_open_by_those_who_were_away() -> None:
    ledger, story = Ledger(), Story(CODE)
    close, away = Sight(ledger, story), Sight(ledger, story)
    close.look(seen(0, 4), 0.0)
    away.look(seen(0, 4), 0.0)
    sitting = bench(count=2, sits_in="easy")
    close.look(sitting_seen(4, 6, sitting, SatIn(0, "easy")), 0.0)
    close.look(sitting_seen(6, 7, bench(count=3), HandedBack(0)), 0.0)
    close.look(sitting_seen(7, 8, bench(count=4)), 0.0)
    card = ledger.card(CODE, ADA)

    assert ({2, 3}, {4}) == (card.maybe_bot, card.own)
    away.look(sitting_seen(4, 8, bench(count=4), SatIn(0, "easy"), HandedBack(0)), 0.0)
    assert {2, 3} == card.maybe_bot - card.own


def bench(count: int, sits_in: str | None = None) -> TablePublic:
    clocks = replace(fresh(Clock(), 2), sits_in=(sits_in, None))
    seats = (Seat(ADA, count=count), Seat("Ben"))
    return TablePublic("playing", seats, host=0, deadline=None, clocks=clocks)


def sitting_seen(after: int, version: int, view: TablePublic, *events: SatIn | HandedBack) -> Seen:
    heard = tuple(Heard(all=event) for event in events)
    return seen(after, version).model_copy(update={"view": view, "events": heard})


def test_the_moves_of_somebody_who_was_erased_are_theirs_and_a_name_left_behind_is_found() -> None:
    ledger = faithful()
    ledger.erased[CODE] = ADA
    forgotten = RECORD.replace(f"human {ADA}", "human Somebody")

    assert [] == [w for w in reckon(ledger, {CODE: [forgotten]}).wrong if "lost" in w]
    assert f"{CODE}-1: {ADA} was erased, and the record names them" in (
        reckon(ledger, {CODE: [RECORD]}).wrong
    )


def test_a_trace_of_somebody_who_was_erased_is_found_in_whatever_file(tmp_path: Path) -> None:
    data = tmp_path / "dormie.db"
    data.write_bytes(b"nobody")
    Path(f"{data}-wal").write_bytes(b"... Vera3 ...")

    assert [] == found_in(data, ["Vera4"])
    assert ["Vera3 was erased, and is in dormie.db-wal"] == found_in(data, ["Vera4", "Vera3"])


def test_a_spectator_who_is_shown_what_is_anybodys_own_or_misses_something_is_found() -> None:
    ledger = Ledger()
    gaze = Gaze(ledger, Story(CODE), 0)
    gaze.look(seen(0, 4).model_copy(update={"seat": None}), 0.0)
    gaze.look(seen(4, 5).model_copy(update={"seat": None}), 0.0)
    assert [] == ledger.surprises
    gaze.look(seen(5, 6), 0.0)
    assert [f"{CODE}: a spectator is shown what is somebody's own"] == ledger.surprises
    gaze.look(seen(8, 9).model_copy(update={"seat": None}), 0.0)

    assert f"{CODE}: a spectator was told nothing of 6 to 8" == ledger.surprises[-1]


def test_a_spectator_is_told_another_story_than_the_players_and_that_is_found() -> None:
    ledger, story = Ledger(), Story(CODE)
    Sight(ledger, story).look(seen(0, 5), 0.0)
    Gaze(ledger, story, 0).look(seen(0, 5, "ee").model_copy(update={"seat": None}), 0.0)

    assert [f"{CODE}: two stories of version 5"] == story.contradictions()


def test_a_card_that_everybody_hears_of_in_the_middle_of_a_race_is_found() -> None:
    """Progress has no place for one; a state with a card in it stands for whatever might."""
    ledger = Ledger()
    play = RacePlay("play", (Progress("playing", 30), Progress("playing", 28)))
    match = RacePublic(1, (0, 0), (None, None), play=play)
    view = replace(bench(count=1), match=match)
    before = seen(0, 4).model_copy(update={"view": view})
    check_race(before, view, ledger)
    assert [] == ledger.surprises
    leak = replace(match, play=replace(play, progress=(Progress("5S"), Progress("playing"))))  # type: ignore[arg-type]  # the planted fault
    check_race(before.model_copy(update={"view": replace(view, match=leak)}), view, ledger)

    assert [f'{CODE}: card "5S" is told in the middle of a hole'] == ledger.surprises
