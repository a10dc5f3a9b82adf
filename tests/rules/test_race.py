"""A race over one deal: what everybody sees, what nobody may see, and how it ends."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from dormie_rules.cards import Card
from dormie_rules.course_state import LeftMatch, MatchOver, PlayOff
from dormie_rules.drawers import Event, hear, look
from dormie_rules.game import Deal, IllegalMove, Step, act
from dormie_rules.grid_moves import Draw
from dormie_rules.luck import CHAIN_LENGTH, shuffle
from dormie_rules.match_play import MAX_EXTRA_HOLES
from dormie_rules.patience_board import playable
from dormie_rules.patience_events import CourseOver, HoleEnded, LaidOut, TurnedUp
from dormie_rules.patience_moves import Concede, GiveUp, Play, RaceMove, TakeBack
from dormie_rules.patience_options import MAX_HOLES
from dormie_rules.patience_par import par_of
from dormie_rules.patience_position import Position, lay_out
from dormie_rules.patience_rules import PatienceRules, Undo
from dormie_rules.patience_variants import find_patience
from dormie_rules.race import MAX_RACE_SEATS, RaceCourse
from dormie_rules.race_events import (
    Conceded,
    HoleTimeUp,
    RaceFinished,
    RaceHoleBegan,
    RaceHoleScored,
    RaceMoved,
    Stands,
    TookBack,
)
from dormie_rules.race_hole import AWAY
from dormie_rules.race_legal import RACE_WORDS
from dormie_rules.race_path import walk
from dormie_rules.race_state import RaceState, Shown
from dormie_rules.values import replace
from tests.rules.racing import At, cards_of, race, rules_for, shown_too_early

STROKES, MATCH = PatienceRules(holes=2), PatienceRules(holes=2, scoring="match")


def begun(course: RaceCourse, seed: int = 3) -> RaceState:
    """A match with its first hole dealt."""
    return next_hole(course, course.start(), seed)


def next_hole(course: RaceCourse, state: RaceState, seed: int) -> RaceState:
    luck = seed.to_bytes(32, "big")
    return course.deal(state, Deal(shuffle(luck, course.pack(state)), luck)).state


def greedy(course: RaceCourse, state: RaceState, seat: int) -> RaceState:
    """*seat* plays its hole to the end, as somebody who sleeps would."""
    while seat in course.waiting_for(state):
        state = act(course, state, seat, course.default(look(state, seat))).state
    return state


def after_moves(course: RaceCourse, state: RaceState, *moves: tuple[int, RaceMove]) -> RaceState:
    for seat, move in moves:
        state = act(course, state, seat, move).state
    return state


def races(leaving: float = 0.0005) -> list[tuple[RaceCourse, list[At]]]:
    courses = [RaceCourse(rules_for(at), seats=1 + at % MAX_RACE_SEATS) for at in range(36)]
    return [(c, [*race(c, Random(at), leaving)]) for at, c in enumerate(courses)]


@pytest.fixture(scope="module")
def played() -> list[tuple[RaceCourse, list[At]]]:
    return races()


Races = list[tuple[RaceCourse, list[At]]]


def test_scenario_R50_every_seat_has_the_whole_pack_and_the_same_deal(played: Races) -> None:
    for course, steps in played:
        for at in steps:
            secret = at.state.secret
            if secret is None:
                continue
            whole = Counter(
                (*(c for column in secret.deal.columns for c in column), *secret.deal.stock)
            )
            if secret.deal.foundation is not None:
                whole[secret.deal.foundation] += 1

            assert len(course.rules.pack) == whole.total()
            for seat, pocket in enumerate(at.state.pockets):
                if pocket.board is not None and (seat == at.doing.seat or at.doing.deal):
                    assert whole == cards_of(course, at.state, seat)


def test_scenario_R57_nobody_is_shown_a_card_before_it_lay_on_their_own_board(
    played: Races,
) -> None:
    """The names of the cards cannot be guessed: what is not written anywhere was not shown."""
    for course, steps in played:
        assert [] == shown_too_early(course, steps)


class Aloud(RaceCourse):
    """Tells everybody which card a seat has played or drawn."""

    def play(self, state: RaceState, seat: int, move: RaceMove) -> Step[RaceState]:
        state, events = RaceCourse.play(self, state, seat, move)
        return Step(state, tuple(Event(hear(event, seat), event.pockets) for event in events))


class Open(RaceCourse):
    """Shows the board of whoever has finished before the others have."""

    def play(self, state: RaceState, seat: int, move: RaceMove) -> Step[RaceState]:
        state, events = RaceCourse.play(self, state, seat, move)
        play, secret = state.public.play, state.secret
        assert play is not None
        assert secret is not None
        boards = tuple(p.board if p.board and p.board.ending else None for p in state.pockets)
        shown = Shown(Position((), None, ()), boards, (), ())
        return Step(
            replace(state, public=replace(state.public, play=replace(play, shown=shown))), events
        )


@pytest.mark.parametrize("leaky", [Aloud, Open])
def test_a_card_that_is_shown_too_early_is_noticed(leaky: type[RaceCourse]) -> None:
    course = leaky(PatienceRules(holes=1), seats=3)

    assert shown_too_early(course, [*race(course, Random(1), 0, 0)])


def test_what_rivals_do_changes_nothing_for_a_seat_but_their_progress(played: Races) -> None:
    """Each seat's own moves alone, played again while the others sit still, show it the same."""
    for course, steps in played:
        if course.seats == 1:
            continue
        for viewer in range(course.seats):
            alone: RaceState | None = None
            for at in steps:
                if at.doing.deal is not None:
                    before = course.start()
                    alone = course.deal(before, at.doing.deal).state
                    if at.state.pockets[viewer].board is None:
                        alone = None
                elif alone is not None and at.doing.seat == viewer and at.doing.move is not None:
                    if isinstance(at.doing.move, Concede):
                        break
                    step = act(course, alone, viewer, at.doing.move)
                    heard = [hear(event, viewer) for event in step.events]
                    really = [hear(event, viewer) for event in at.events[: len(heard)]]

                    assert heard == really
                    alone = step.state
                elif at.doing.move is None:  # time is up, or somebody has left
                    break
                if alone is not None:
                    assert alone.pockets[viewer] == at.state.pockets[viewer]
                    assert _moves(course, alone, viewer) == _moves(course, at.state, viewer)


def _moves(course: RaceCourse, state: RaceState, viewer: int) -> list[RaceMove]:
    """What may be done with the board: a match may be conceded while a rival still plays."""
    return [move for move in course.moves(look(state, viewer)) if move != Concede()]


def test_an_event_says_to_others_how_far_a_seat_is_and_to_the_seat_which_card() -> None:
    course = RaceCourse(STROKES, seats=2)
    step = course.deal(course.start(), Deal(course.rules.pack, b""))
    began = step.events[0]

    assert RaceHoleBegan(1, 5, (0, 1)) == began.public
    assert [(0, LaidOut(Card("4H"), 16)), (1, LaidOut(Card("4H"), 16))] == [*began.pockets]
    drawn = act(course, step.state, 0, Draw()).events[0]

    assert RaceMoved(0, 35) == drawn.public
    assert [(0, TurnedUp(0, Card("3H"), 15))] == [*drawn.pockets]
    (ended,) = act(course, step.state, 1, GiveUp()).events

    assert RaceFinished(1, 35) == ended.public
    assert [(1, HoleEnded(1, "given_up", 35, 0))] == [*ended.pockets]


def test_a_hole_at_which_nothing_fits_is_over_as_soon_as_it_is_dealt() -> None:
    """About three deals of Black Hole in a hundred have neither a two nor a king on top."""
    course = RaceCourse(replace(find_patience("black_hole").rules, holes=2), seats=2)
    seeds = (number.to_bytes(32, "big") for number in range(1000))
    steps = (course.deal(course.start(), Deal(shuffle(s, course.rules.pack), s)) for s in seeds)
    step = next(step for step in steps if not course.waiting_for(step.state))

    assert ((51, 51),) == step.state.public.card
    assert course.wants_deal(step.state)
    said = [type(event.public) for event in step.events]
    assert [RaceHoleBegan, RaceFinished, RaceFinished, RaceHoleScored] == said
    assert [(1, HoleEnded(1, "stuck", 51, 0))] == [*step.events[2].pockets]
    assert step.state.public.play is not None
    assert step.state.public.play.shown is not None


def test_only_who_has_finished_is_seen_where_the_cards_left_are_hidden() -> None:
    course = RaceCourse(PatienceRules(opponent_view="finished"), seats=2)
    state = begun(course)
    moved = act(course, state, 0, course.default(look(state, 0)))

    assert state.public == moved.state.public
    assert RaceMoved(0, None) == moved.events[0].public
    assert "finished" == greedy(course, state, 0).public.play.progress[0].state  # type: ignore[union-attr]


def test_boards_and_the_deal_are_shown_when_the_hole_is_over_for_all() -> None:
    course = RaceCourse(STROKES, seats=3)
    state = begun(course)
    for seat in range(3):
        assert state.public.play is not None
        assert ("play", None) == (state.public.play.stage, state.public.play.shown)
        state = greedy(course, state, seat)
    play = state.public.play
    assert play is not None
    assert play.shown is not None

    assert "over" == play.stage
    assert [pocket.board for pocket in state.pockets] == [*play.shown.boards]
    for path, board in zip(play.shown.paths, play.shown.boards, strict=True):
        assert board == walk(course.rules, play.shown.deal, path)


def test_a_board_that_was_left_to_time_is_scored_as_it_stands_or_lost() -> None:
    for time_up, score in (("score", None), ("lose", 35)):
        course = RaceCourse(PatienceRules(time_up=time_up, holes=1), seats=2)  # type: ignore[arg-type]
        state = greedy(course, begun(course), 0)
        state = act(course, state, 1, course.default(look(state, 1))).state
        left = state.pockets[1].board
        assert left is not None
        step = course.time_is_up(state)
        scored = next(e.public for e in step.events if isinstance(e.public, RaceHoleScored))

        assert HoleTimeUp((1,)) == step.events[0].public
        assert "time_up" == scored.endings[1]
        assert (left.left if score is None else score) == scored.scores[1]
        assert step.state.public.places


def test_scenario_R86_the_end_of_its_time_closes_a_hole_of_a_match() -> None:
    """Nobody waits for who does nothing: the hole is scored, and two who failed alike halve it."""
    course = RaceCourse(PatienceRules(holes=2, scoring="match", time_up="lose"), seats=2)
    state = course.time_is_up(begun(course)).state

    assert course.wants_deal(state)
    assert "=" == state.public.matches[0].holes
    state = greedy(course, next_hole(course, state, 4), 1)
    state = course.time_is_up(state).state

    assert ("=B", "1 up", (2, 1)) == (
        state.public.matches[0].holes,
        state.public.matches[0].standing.result,
        state.public.places,
    )


def test_scenario_R91_holes_are_counted_for_each_pair() -> None:
    """Three players have three matches, and each counts its own holes."""
    course = RaceCourse(PatienceRules("wrap", holes=5, scoring="match"), seats=3)
    state = course.start()
    for seed in (1, 2, 3):
        state = greedy(course, next_hole(course, state, seed), 0)
        state = after_moves(course, state, (1, GiveUp()), (2, GiveUp()))
    stands = {(m.one, m.two): (m.holes, m.standing.result) for m in state.public.matches}

    assert {
        (0, 1): ("AAA", "3&2"),
        (0, 2): ("AAA", "3&2"),
        (1, 2): ("===", "in progress"),
    } == stands
    assert course.wants_deal(state)
    state = greedy(course, next_hole(course, state, 4), 2)
    state = after_moves(course, state, (0, GiveUp()), (1, GiveUp()))

    assert ["AAA", "AAA", "===B"] == [m.holes for m in state.public.matches]


def test_a_hole_that_is_given_up_is_conceded_in_a_match_and_scored_in_stroke_play() -> None:
    course = RaceCourse(MATCH, seats=2)
    state = after_moves(course, begun(course), (0, Draw()), (1, GiveUp()))
    state = course.time_is_up(state).state

    assert ("A", ((35, 35),)) == (state.public.matches[0].holes, state.public.card)
    course = RaceCourse(STROKES, seats=2)
    state = after_moves(course, begun(course), (0, GiveUp()), (1, GiveUp()))

    assert ((35, 35), ()) == (state.public.totals, state.public.matches)


def test_a_match_that_is_conceded_is_lost_whatever_the_score() -> None:
    course = RaceCourse(PatienceRules(holes=9, scoring="match"), seats=2)
    state = greedy(course, begun(course), 1)
    state = act(course, state, 0, GiveUp()).state

    assert -1 == state.public.matches[0].standing.up
    step = act(course, state, 1, Concede())
    told = [type(event.public) for event in step.events]

    assert [Conceded, Stands, MatchOver] == told
    assert ("conceded", "A") == (
        step.state.public.matches[0].standing.result,
        step.state.public.matches[0].standing.winner,
    )
    assert (1, 2) == step.state.public.places
    assert course.why_not(look(step.state, 0), Concede()) == "not_playing"


def test_one_of_three_concedes_and_the_others_play_on() -> None:
    course = RaceCourse(MATCH, seats=3)
    state = act(course, begun(course), 1, Concede()).state

    assert (0, 2) == course.waiting_for(state)
    assert ["conceded", "in progress", "conceded"] == [
        pair.standing.result for pair in state.public.matches
    ]
    state = greedy(course, greedy(course, state, 0), 2)

    assert ((), (None, 1, None)) == (state.public.withdrawn, state.public.out)
    assert state == course.withdraw(state, 1).state
    assert state.public.card[0][1] is None
    assert "hole_over" == course.why_not(look(state, 1), Draw())
    assert course.wants_deal(state)
    state = next_hole(course, state, 9)

    assert "not_playing" == course.why_not(look(state, 1), Draw())
    assert AWAY == state.public.play.progress[1]  # type: ignore[union-attr]


def test_who_is_left_alone_has_won_and_the_hole_counts_for_nothing() -> None:
    for rules in (STROKES, MATCH):
        course = RaceCourse(rules, seats=2)
        step = course.withdraw(begun(course), 0)
        public = step.state.public
        assert public.play is not None

        assert LeftMatch(0) == step.events[0].public
        assert MatchOver((2, 1), (0, 0)) == step.events[-1].public
        assert ("over", True, ()) == (public.play.stage, public.play.void, public.card)
        assert public.play.shown is not None
        assert step.state == course.withdraw(step.state, 1).state


def test_a_hole_does_not_wait_for_who_left_it() -> None:
    course = RaceCourse(STROKES, seats=3)
    state = greedy(course, greedy(course, begun(course), 0), 1)
    step = course.withdraw(state, 2)

    assert [LeftMatch, RaceHoleScored] == [type(event.public) for event in step.events]
    assert step.state.public.card[0][2] is None
    between = course.withdraw(step.state, 1)

    assert (1, 2, 3) == between.state.public.places
    assert (None, 2, 1) == between.state.public.out


def test_a_course_played_alone_is_won_within_its_par() -> None:
    course = RaceCourse(PatienceRules("wrap", holes=1, par_of_deal=True), seats=1)
    deal = Deal(shuffle(bytes(32), course.rules.pack), b"")
    state = course.deal(course.start(), deal).state
    told = []
    while course.waiting_for(state):
        step = act(course, state, 0, course.default(look(state, 0)))
        state, told = step.state, [event.public for event in step.events]
    par = par_of(course.rules, lay_out(course.rules, deal.pack))
    total = state.public.totals[0]

    assert ((par,), (total,)) == (state.public.pars, course.scores(state))
    assert [CourseOver(total, par, total <= par), MatchOver((1,), (total,))] == told[-2:]
    assert "no_match" == course.why_not(look(begun(course), 0), Concede())


def test_who_leaves_a_course_of_their_own_has_ended_it() -> None:
    course = RaceCourse(STROKES, seats=1)
    step = course.withdraw(begun(course), 0)

    assert ((1,), (0,)) == (step.state.public.places, step.state.public.withdrawn)
    assert not any(isinstance(event.public, CourseOver) for event in step.events)


def test_extra_holes_come_one_at_a_time_and_not_for_ever() -> None:
    for rules in (
        PatienceRules(holes=1, tie_break="extra_hole"),
        PatienceRules(holes=1, scoring="match", tied_match="extend"),
    ):
        course = RaceCourse(rules, seats=2)
        state, holes, told = course.start(), 0, []
        while course.wants_deal(state):
            holes += 1
            state = next_hole(course, state, 5)
            step = course.time_is_up(state)
            state, told = step.state, [event.public for event in step.events]
            if not state.public.places:
                assert PlayOff((0, 1)) == told[-1]
        total = state.public.card[0][0]

        assert 1 + MAX_EXTRA_HOLES == holes
        assert (total, total) == state.public.totals
        by_lot = rules.scoring == "match"
        assert ([1, 2] if by_lot else [1, 1]) == sorted(state.public.places)
        if by_lot:
            assert "lot" == state.public.matches[0].standing.ending


@pytest.mark.parametrize("holes", [1, 9, 18, 36])
def test_a_course_has_as_many_holes_as_its_rules_say(holes: int) -> None:
    course = RaceCourse(PatienceRules(holes=holes), seats=2)
    state, played = course.start(), 0
    while course.wants_deal(state):
        state = course.time_is_up(next_hole(course, state, played)).state
        played += 1

    assert (holes, holes) == (played, len(state.public.card))
    assert course.scores(state) == state.public.totals
    assert 5 * holes == sum(state.public.pars)


def test_the_longest_match_has_a_link_for_every_hole() -> None:
    assert MAX_HOLES + MAX_EXTRA_HOLES <= CHAIN_LENGTH


def test_nobody_moves_between_two_holes_or_from_no_seat() -> None:
    course = RaceCourse(MATCH, seats=2)
    state = course.start()

    assert ("hole_over", "not_playing") == (
        course.why_not(look(state, 0), Draw()),
        course.why_not(look(state, 0), Concede()),
    )
    state = begun(course)

    assert ("not_playing", "not_playing", ()) == (
        course.why_not(look(state, None), Draw()),
        course.why_not(look(state, None), Concede()),
        course.moves(look(state, None)),
    )
    state = act(course, state, 0, GiveUp()).state
    with pytest.raises(IllegalMove, match="hole_over"):
        act(course, state, 0, Draw())
    assert Concede() in course.moves(look(state, 0))


def test_nothing_is_taken_back_with_others_at_the_table() -> None:
    course = RaceCourse(PatienceRules(undo="unlimited"), seats=2)
    state = act(course, begun(course), 0, Draw()).state

    assert "undo_off" == course.why_not(look(state, 0), TakeBack())
    assert TakeBack() not in course.moves(look(state, 0))


@pytest.mark.parametrize("undo", ["before_draw", "unlimited"])
def test_scenario_R71_a_move_that_is_taken_back_leaves_the_board_as_it_was(undo: Undo) -> None:
    """A card that a draw turned up goes back to the stock, and a played one to its column."""
    course, columns = RaceCourse(PatienceRules("wrap", undo=undo), seats=1), set()
    for before, at in pairwise(race(course, Random(1), 0, 0)):
        if at.doing.move != TakeBack():
            continue
        was, now = before.state.pockets[0].board, at.state.pockets[0].board
        assert was is not None
        assert now is not None
        assert at.state.secret is not None
        told = at.events[0].pockets[0][1]

        assert now == walk(course.rules, at.state.secret.deal, at.state.secret.paths[0])
        assert isinstance(told, TookBack)
        assert (told.card, told.stock) == (was.foundation, now.stock)
        assert was.pile - 1 == now.pile
        columns.add(told.column)
        if told.column is None:
            assert was.columns == now.columns
            assert before.state.pockets[0].peeked + 1 == at.state.pockets[0].peeked
        else:
            assert told.card == now.columns[told.column][-1]

    assert len(columns) > 3
    assert (undo == "unlimited") == (None in columns)


def test_undo_before_a_draw_never_reveals_a_card() -> None:
    """Whoever may take back only what was played since the last draw has seen no card too early."""
    course = RaceCourse(PatienceRules("wrap", undo="before_draw"), seats=1)
    state = begun(course)

    assert "nothing_to_undo" == course.why_not(look(state, 0), TakeBack())
    drawn = act(course, state, 0, Draw()).state

    assert "undo_reveals" == course.why_not(look(drawn, 0), TakeBack())
    play = next(m for m in course.moves(look(drawn, 0)) if isinstance(m, Play))
    back = after_moves(course, drawn, (0, play), (0, TakeBack()))

    assert drawn.pockets[0].board == back.pockets[0].board
    assert (1, 0) == (back.pockets[0].undone, back.pockets[0].peeked)


def test_a_draw_that_was_taken_back_is_on_show_afterwards() -> None:
    course = RaceCourse(PatienceRules(undo="unlimited", holes=1), seats=1)
    state = begun(course)
    again = after_moves(course, state, (0, Draw()), (0, TakeBack()), (0, Draw()), (0, GiveUp()))

    assert again.public.play is not None
    assert again.public.play.shown is not None
    assert (1,) == again.public.play.shown.peeked
    assert ("DG",) == again.public.play.shown.paths


def test_scenario_R52_what_is_not_among_the_moves_is_refused_with_a_word(played: Races) -> None:
    """Every move there is, asked at every step."""
    moves: list[RaceMove] = [*map(Play, (-1, 0, 3, 7)), Draw(), GiveUp(), TakeBack(), Concede()]
    said: set[str] = set()
    for course, steps in played:
        for at in (*steps[:: 1 + len(steps) // 30], steps[-1]):
            for viewer in (None, *range(course.seats)):
                view = look(at.state, viewer)
                words = {move: course.why_not(view, move) for move in moves}
                said |= {word for word in words.values() if word}
                allowed = {move for move in moves if words[move] is None}

                assert allowed == {move for move in course.moves(view) if move in moves}
                for move in {*moves} - allowed if viewer is not None else ():
                    with pytest.raises(IllegalMove):
                        act(course, at.state, viewer, move)

    assert {*RACE_WORDS} - {"covered"} == said  # in columns no card lies on another column


def test_scenario_R53_that_a_card_can_be_drawn_is_among_the_moves(played: Races) -> None:
    for course, steps in played:
        for at in steps:
            for seat in course.waiting_for(at.state):
                board = at.state.pockets[seat].board
                assert board is not None
                fitting = playable(course.rules, board)
                free = course.rules.draw_with_moves or not fitting
                moves = course.moves(look(at.state, seat))

                assert (board.stock > 0 and free) == (Draw() in moves)


def test_scenario_R46_whatever_changes_is_told(played: Races) -> None:
    """Nothing happens on a board or a score card without an event, and the last hole ends like the others."""
    for course, steps in played:
        before = course.start()
        for at in steps:
            assert (at.state == before) == (not at.events)
            before = at.state


def test_a_move_touches_nothing_but_its_own_seat() -> None:
    course = RaceCourse(STROKES, seats=6)
    state = begun(course)
    after = act(course, state, 2, Draw()).state

    for seat in (0, 1, 3, 4, 5):
        assert after.pockets[seat] is state.pockets[seat]
    assert state.secret is not None
    assert after.secret is not None
    assert after.secret.deal is state.secret.deal
