"""Any race at all, beside a scorer that is slow, plain, and shares no line with the rules."""

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from dormie_rules.drawers import look
from dormie_rules.game import Deal, IllegalMove, Step, act
from dormie_rules.grid_moves import Draw
from dormie_rules.luck import shuffle
from dormie_rules.patience_moves import Concede, GiveUp, Play, RaceMove, TakeBack
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.race import RaceCourse
from dormie_rules.race_match import lot
from dormie_rules.race_state import RaceState
from dormie_rules.values import replace
from tests.rules.plain_match import Card, match_of, places, totals
from tests.rules.plain_patience import Plain, choices

RULES = st.builds(
    PatienceRules,
    king_rule=st.sampled_from(["strict", "queen", "wrap"]),
    jokers=st.integers(0, 2),
    empty_start=st.booleans(),
    draw_with_moves=st.booleans(),
    holes=st.integers(1, 3),
    scoring=st.sampled_from(["strokes", "match"]),
    undo=st.sampled_from(["off", "before_draw", "unlimited"]),
    tie_break=st.sampled_from(["share", "extra_hole", "last_hole_back"]),
    tied_match=st.sampled_from(["halve", "extend", "countback"]),
    play_out=st.booleans(),
    time_up=st.sampled_from(["score", "lose"]),
)
SEATS = st.integers(0, 5)


class Race(RuleBasedStateMachine):
    """A match, and beside it what a patient clerk writes down of it."""

    game = RaceCourse

    @initialize(rules=RULES, seats=st.integers(1, 6))
    def begin_a_match(self, rules: PatienceRules, seats: int) -> None:
        self.begin(rules, seats)

    def begin(self, rules: PatienceRules, seats: int) -> None:
        self.course = self.game(rules, seats)
        self.state = self.course.start()
        self.boards: dict[int, list[Plain]] = {}
        """For each seat that plays the hole every position it has been in."""
        self.ended: dict[int, str] = {}
        self.card: Card = []
        """The strokes of every finished hole."""
        self.counting: Card = []
        """The same, without a score for who has lost the hole of a match."""
        self.out: list[int | None] = [None] * seats
        self.gave: list[int | None] = [None] * seats
        """After how many finished holes a seat left or conceded."""
        self.gone: list[int] = []
        self.luck = b""

    @precondition(lambda self: self.state.public.places)
    @rule(rules=RULES, seats=st.integers(1, 6))
    def play_another_match(self, rules: PatienceRules, seats: int) -> None:
        self.begin(rules, seats)

    @property
    def playing(self) -> list[int]:
        return [seat for seat in self.boards if seat not in self.ended]

    @precondition(lambda self: not self.state.public.places and not self.playing)
    @rule(luck=st.binary(min_size=32, max_size=32))
    def deal(self, luck: bytes) -> None:
        assert self.course.wants_deal(self.state)
        self.luck = luck
        cards = shuffle(luck, self.course.pack(self.state))
        self.state = self.course.deal(self.state, Deal(cards, luck)).state
        ranks = [card[0] for card in reversed(cards)]
        columns = tuple("".join(ranks[at:35:7]) for at in range(7))
        rest = "".join(ranks[35:])
        start = ("", rest) if self.course.rules.empty_start else (rest[0], rest[1:])
        self.boards = {seat: [(columns, *start)] for seat in self._who_plays()}
        self.ended = {}

    @precondition(lambda self: self.playing)
    @rule(seat=SEATS, draws=st.booleans(), pick=st.integers(0, 6))
    def move(self, seat: int, draws: bool, pick: int) -> None:  # noqa: FBT001 - drawn by a machine
        seat = self.playing[seat % len(self.playing)]
        able = choices(self.course.rules, self.boards[seat][-1])
        some = [letter for letter in able if letter != "D"]
        letter = "D" if "D" in able and (draws or not some) else some[pick % len(some)]
        move = Draw() if letter == "D" else Play(int(letter))
        self._act(seat, move)
        self.boards[seat].append(able[letter])
        self._look_whether_it_ended(seat)

    @precondition(lambda self: self.playing)
    @rule(seat=SEATS)
    def finish(self, seat: int) -> None:
        """A seat plays its hole to the end, so that matches get somewhere."""
        seat = self.playing[seat % len(self.playing)]
        while seat not in self.ended:
            able = choices(self.course.rules, self.boards[seat][-1])
            letter = min(able)
            self._act(seat, Draw() if letter == "D" else Play(int(letter)))
            self.boards[seat].append(able[letter])
            self._look_whether_it_ended(seat)

    @precondition(lambda self: self.playing)
    @rule(seat=SEATS)
    def give_up(self, seat: int) -> None:
        seat = self.playing[seat % len(self.playing)]
        self._act(seat, GiveUp())
        self._end(seat, "given_up")

    @precondition(lambda self: self.playing)
    @rule(seat=SEATS)
    def take_back(self, seat: int) -> None:
        seat = self.playing[seat % len(self.playing)]
        been = self.boards[seat]
        undo = self.course.rules.undo if self.course.seats == 1 else "off"
        drawn = len(been) > 1 and been[-1][2] != been[-2][2]
        if undo == "off" or len(been) == 1 or (undo == "before_draw" and drawn):
            with pytest.raises(IllegalMove):
                self._act(seat, TakeBack())
            return
        self._act(seat, TakeBack())
        been.pop()

    @precondition(lambda self: self.playing)
    @rule(seat=SEATS, column=st.integers(-2, 9))
    def try_what_is_not_allowed(self, seat: int, column: int) -> None:
        seat = self.playing[seat % len(self.playing)]
        if str(column) not in choices(self.course.rules, self.boards[seat][-1]):
            with pytest.raises(IllegalMove):
                self._act(seat, Play(column))

    @precondition(lambda self: self.playing)
    @rule()
    def time_is_up(self) -> None:
        self.state = self.course.time_is_up(self.state).state
        for seat in self.playing:
            self._end(seat, "time_up")

    @precondition(lambda self: self.card or self.playing)
    @rule(seat=SEATS, chance=st.integers(0, 3))
    def leave(self, seat: int, chance: int) -> None:
        seat %= self.course.seats
        if chance or self.state.public.places or self.out[seat] is not None:
            return
        if self.state.public.playoff and seat not in self.state.public.playoff:
            return
        self._gone(seat)
        self.state = self.course.withdraw(self.state, seat).state
        self._after_leaving()

    @precondition(lambda self: self.state.public.matches and (self.card or self.playing))
    @rule(seat=SEATS, chance=st.integers(0, 3))
    def concede(self, seat: int, chance: int) -> None:
        """During a hole or between two, also by who has finished it."""
        seat %= self.course.seats
        if chance or self.state.public.places or self.out[seat] is not None:
            return
        if not any(self._is_open(seat, other) for other in range(self.course.seats)):
            with pytest.raises(IllegalMove, match="no_match"):
                self._act(seat, Concede())
            return
        self._gone(seat)
        self._act(seat, Concede())
        self._after_leaving()

    @invariant()
    def boards_lie_as_the_clerk_says(self) -> None:
        for seat in self.boards if hasattr(self, "course") else ():
            board = self.state.pockets[seat].board
            columns, top, stock = self.boards[seat][-1]
            assert board is not None
            assert columns == tuple("".join(c[0] for c in column) for column in board.columns)
            assert (top, len(stock)) == ((board.foundation or "")[:1], board.stock)

    @invariant()
    def the_card_says_what_the_clerk_says(self) -> None:
        if not hasattr(self, "course"):
            return
        public, rules = self.state.public, self.course.rules
        assert tuple(map(tuple, self.card)) == public.card
        assert totals(self.card, rules.holes, self.course.seats) == [*public.totals]
        assert self.playing == [*self.course.waiting_for(self.state)]
        for pair in public.matches:
            assert self._match(pair.one, pair.two) == (pair.standing.result, pair.standing.winner)
        if public.places:
            self._check_places()
        else:
            assert bool(self.playing) != self.course.wants_deal(self.state)

    def _check_places(self) -> None:
        public, rules = self.state.public, self.course.rules
        if not public.matches:
            assert places(self.card, rules.holes, self.out, rules.tie_break) == [*public.places]
            return
        won = [0.0] * self.course.seats
        for pair in public.matches:
            winner = pair.standing.winner
            won[pair.one] += 0.5 if winner is None else winner == "A"
            won[pair.two] += 0.5 if winner is None else winner == "B"
        for one, place in enumerate(public.places):
            for other, behind in enumerate(public.places):
                assert place < behind or won[one] <= won[other]
        if self.course.seats == 2:
            assert (won[0] == won[1]) == (public.places == (1, 1))

    def _match(self, one: int, two: int) -> tuple[str, str | None]:
        """How a match stands, from the whole card and from when somebody gave it up."""
        rules = self.course.rules
        given = [(after, seat) for seat in (one, two) if (after := self.gave[seat]) is not None]
        counted = self.counting[: min(given)[0]] if given else self.counting
        found = match_of(counted, one, two, rules.holes, rules.tied_match)
        winner = {None: None, one: "A", two: "B"}[found["winner"]]
        if found["how"] == "after all extra holes":
            total = totals(self.card, rules.holes, self.course.seats)
            if total[one] != total[two]:
                return "strokes", "A" if total[one] < total[two] else "B"
            return ("last hole", winner) if winner else ("lot", lot(self.luck, one, two))
        if found["how"] in ("in progress", "AS, extra holes") and given:
            loser = next(seat for seat in self.gone if seat in (one, two))  # the first to give up
            return "conceded", "B" if loser == one else "A"
        return found["how"], winner

    def _is_open(self, seat: int, other: int) -> bool:
        if seat == other:
            return False
        return self._match(*sorted((seat, other)))[0] in ("in progress", "AS, extra holes")

    def _who_plays(self) -> list[int]:
        """Who plays the hole that has just been dealt."""
        here = [seat for seat, out in enumerate(self.out) if out is None]
        rules = self.course.rules
        if len(self.card) < rules.holes:
            return here
        if rules.scoring == "match" and self.course.seats > 1:
            return [s for s in here if any(self._is_open(s, other) for other in here)]
        order = places(self.card, rules.holes, self.out, "extra_hole")
        return [seat for seat in here if order[seat] == 1]

    def _act(self, seat: int, move: RaceMove) -> None:
        assert (move in self.course.moves(look(self.state, seat))) == (
            self.course.why_not(look(self.state, seat), move) is None
        )
        self.state = act(self.course, self.state, seat, move).state

    def _look_whether_it_ended(self, seat: int) -> None:
        if not any(self.boards[seat][-1][0]):
            self._end(seat, "cleared")
        elif not choices(self.course.rules, self.boards[seat][-1]):
            self._end(seat, "stuck")

    def _end(self, seat: int, how: str) -> None:
        self.ended[seat] = how
        self._score_if_over()

    def _score_if_over(self) -> None:
        if self.playing or not self.boards:
            return
        row: list[int | None] = [None] * self.course.seats
        count: list[int | None] = [None] * self.course.seats
        for seat, how in self.ended.items():
            if how == "left":
                continue
            columns, _, stock = self.boards[seat][-1]
            left = sum(map(len, columns))
            lost = how == "time_up" and self.course.rules.time_up == "lose"
            row[seat] = 35 if lost else (left or -len(stock))
            count[seat] = None if lost or how == "given_up" else row[seat]
        self.card.append(row)
        self.counting.append(count)

    def _gone(self, seat: int) -> None:
        between = not self.playing
        self.out[seat] = len(self.card) + 1
        self.gone.append(seat)
        self.gave[seat] = len(self.card)
        if not between and seat in self.boards:
            self.ended[seat] = "left"

    def _after_leaving(self) -> None:
        """A hole that others still play goes on; one that nobody is left to play against is void."""
        public = self.state.public
        if public.play is not None and public.play.void:
            self.ended = dict.fromkeys(self.boards, "left")
        elif self.boards and len(public.card) > len(self.card):
            self._score_if_over()


def play(machine: type[Race], races: int = 60) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=races,
            stateful_step_count=40,
            deadline=None,
            phases=(Phase.generate,),  # what fails is short enough to read
        ),
    )


def test_any_race_is_scored_as_a_patient_clerk_would() -> None:
    play(Race, 100)


class Generous(RaceCourse):
    """Takes a stroke off whoever is late."""

    def time_is_up(self, state: RaceState) -> Step[RaceState]:
        state, events = RaceCourse.time_is_up(self, state)
        totals = (state.public.totals[0] - 1, *state.public.totals[1:])
        return Step(replace(state, public=replace(state.public, totals=totals)), events)


class Forgetful(RaceCourse):
    """Forgets the end of a hole that somebody has left."""

    def withdraw(self, state: RaceState, seat: int) -> Step[RaceState]:
        state, events = RaceCourse.withdraw(self, state, seat)
        return Step(replace(state, public=replace(state.public, card=())), events)


@pytest.mark.parametrize("wrong", [Generous, Forgetful])
def test_a_course_that_counts_otherwise_is_noticed(wrong: type[RaceCourse]) -> None:
    """The clerk bites."""

    class Bitten(Race):
        game = wrong

    with pytest.raises((AssertionError, ExceptionGroup)):
        play(Bitten)
