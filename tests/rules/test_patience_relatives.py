"""The relatives of Golf Patience: what lies on what, what nobody may see, and what a hole is worth."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dormie_rules.cards import RANKS, Card
from dormie_rules.drawers import hear, look
from dormie_rules.game import Deal, IllegalMove, act
from dormie_rules.grid_moves import Draw
from dormie_rules.luck import digest, shuffle
from dormie_rules.patience_board import board_of, board_why_not, follows_up
from dormie_rules.patience_deals import certify
from dormie_rules.patience_events import HoleEnded, Played, TurnedUp
from dormie_rules.patience_hints import fair_hint, open_hint
from dormie_rules.patience_hole import GolfPatience, cards_of_hole, position_of
from dormie_rules.patience_layouts import COVERS, FACE_DOWN
from dormie_rules.patience_moves import GiveUp, PatienceMove, Play, TakeBack
from dormie_rules.patience_options import choose_patience
from dormie_rules.patience_position import Position
from dormie_rules.patience_rules import JOKER_CARD, PatienceRules
from dormie_rules.patience_sight import sight_in, sight_of, unseen
from dormie_rules.patience_solution import Verdict, replay_line
from dormie_rules.patience_state import PatienceState
from dormie_rules.patience_variants import find_patience, patience_names
from dormie_rules.race import RaceCourse
from dormie_rules.scoring_options import BadRules
from dormie_rules.solver import keeping, solve
from tests.rules.plain_patience import all_rules
from tests.rules.plain_pyramids import best_of_pyramid, lies_on

RELATIVES = [name for name in patience_names() if not name.startswith("golf_patience")]
UPWARD = find_patience("all_in_a_row_ii").rules
HIDING = ["elevator", "tripeaks"]
LAYOUTS = ["peaks", "elevator", "escalator"]
seeds = st.integers(0, 2**32 - 1)


def dealt(name: str, seed: int) -> tuple[GolfPatience, PatienceState]:
    rules = find_patience(name).rules
    pack = shuffle(digest(seed.to_bytes(8, "big")), rules.pack)
    return (golf := GolfPatience(rules)), golf.deal(Deal(pack, b"")).state


def some_move(golf: GolfPatience, state: PatienceState, luck: Random) -> PatienceMove:
    moves = golf.moves(look(state, 0))
    plays: list[PatienceMove] = [move for move in moves if isinstance(move, Play)]
    draws: list[PatienceMove] = [move for move in moves if isinstance(move, Draw)]
    return luck.choice(plays or draws or [*moves])


@pytest.mark.parametrize("name", patience_names())
def test_who_plays_at_a_table_knows_as_much_as_who_plays_alone(name: str) -> None:
    """Bots and fair hints there are given what was seen; a card that lies face-down never was."""
    golf, state = dealt(name, 7)
    deal, luck = position_of(state), Random(name)
    while golf.waiting_for(state):
        alone, there = sight_of(state), sight_in(deal, state.public.board)

        assert Counter(alone.seen) == Counter(there.seen)
        assert len(unseen(golf.rules, there)) == there.board.stock + len(there.board.down)
        state = act(golf, state, 0, some_move(golf, state, luck)).state


# ------------------------------------------------------------------- the layouts


@pytest.mark.parametrize("layout", LAYOUTS)
def test_scenario_R69_which_card_covers_which_is_part_of_the_layout(layout: str) -> None:
    for place, over in enumerate(COVERS[layout]):  # type: ignore[index]  # it is one of them
        assert set(over) == lies_on(layout, place)


def test_what_begins_face_down_is_what_is_covered_or_nothing() -> None:
    for layout in ("peaks", "elevator"):
        assert [*FACE_DOWN[layout]] == [at for at, over in enumerate(COVERS[layout]) if over]
    assert 0 == len(FACE_DOWN["escalator"])


@pytest.mark.parametrize(
    ("name", "stock"),
    [
        *[(name, 16) for name in ("putt_putt", "queen_on_king", "dead_king")],
        *[("thieves", 18), ("double_golf", 40), ("double_putt", 40)],
        *[("tripeaks", 23), ("elevator", 23), ("escalator", 23)],
        *[("black_hole", 0), ("all_in_a_row", 0), ("all_in_a_row_ii", 0)],
    ],
)
def test_a_relative_is_dealt_as_its_rules_say(name: str, stock: int) -> None:
    golf, state = dealt(name, 1)
    board = state.public.board

    assert stock == board.stock == golf.rules.stock
    assert len(cards_of_hole(state)) == 52 * golf.rules.decks + golf.rules.jokers
    assert (board.foundation is None) == golf.rules.empty_start


def test_every_relative_is_dealt() -> None:
    assert 12 == len(RELATIVES)


# ------------------------------------------------------------ whatever is played


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(RELATIVES), seeds)
def test_no_card_is_lost_and_none_is_shown_too_early(name: str, seed: int) -> None:
    golf, state = dealt(name, seed)
    whole, luck = Counter(cards_of_hole(state)), Random(seed)
    while golf.waiting_for(state):
        board, said = state.public.board, repr(look(state, 0))

        assert whole == Counter(cards_of_hole(state))
        assert board.down == tuple(at for at, _ in state.secret.down)
        if golf.rules.decks == 1:
            hidden = [*state.secret.stock, *(card for _, card in state.secret.down)]
            assert [] == [card for card in hidden if f"'{card}'" in said and card != "*"]
        for at in board.down:
            assert any(board.columns[over] or over in board.down for over in _over(golf, at))
        state = act(golf, state, 0, some_move(golf, state, luck)).state

    board = state.public.board
    assert board.score == (board.left + board.held or -board.stock)


def _over(golf: GolfPatience, place: int) -> tuple[int, ...]:
    return COVERS[golf.rules.layout][place]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(RELATIVES), seeds)
def test_scenario_R46_whatever_changes_is_an_event(name: str, seed: int) -> None:
    """From what is told, and the first board, anybody can put together every board."""
    golf, state = dealt(name, seed)
    luck = Random(seed)
    columns = [list(column) for column in state.public.board.columns]
    stock, top = state.public.board.stock, state.public.board.foundation
    while golf.waiting_for(state):
        state, events = act(golf, state, 0, some_move(golf, state, luck))
        for event in events:
            part = hear(event, None)[0]
            match part:
                case Played(column=column, card=card, turned=turned):
                    assert card == columns[column].pop()
                    top = card
                    for at, up in turned:
                        columns[at].append(up)
                case TurnedUp(card=card):
                    stock, top = stock - 1, card
                case _:
                    assert isinstance(part, HoleEnded)
        board = state.public.board

        assert (columns, stock, top) == (
            [list(column) for column in board.columns],
            board.stock,
            board.foundation,
        )


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(RELATIVES), seeds)
def test_scenario_R54_a_score_counts_every_card_once(name: str, seed: int) -> None:
    """Score after every card: each play takes one off, and a run pays nothing of its own (R67)."""
    golf, state = dealt(name, seed)
    luck = Random(seed)
    while golf.waiting_for(state):
        before = state.public.board
        move = some_move(golf, state, luck)
        state = act(golf, state, 0, move).state

        assert before.left - state.public.board.left == isinstance(move, Play)


def test_scenario_R67_a_relative_is_worth_what_a_hole_of_golf_is() -> None:
    rules = find_patience("tripeaks").rules
    bare = ((),) * 27
    board = board_of(rules, Position((*bare, (Card("5S"),)), Card("6S"), (Card("9S"), Card("2S"))))
    golf = GolfPatience(rules)
    pack = shuffle(bytes(32), rules.pack)
    state = act(golf, golf.deal(Deal(pack, b"")).state, 0, GiveUp()).state

    assert 1 == board.score
    assert (28,) == golf.scores(state)


def test_scenario_R50_a_covered_card_leaves_by_no_move() -> None:
    golf, state = dealt("escalator", 3)
    for place in range(21):
        with pytest.raises(IllegalMove, match="covered"):
            act(golf, state, 0, Play(place))


@pytest.mark.parametrize("name", HIDING)
def test_scenario_R52_a_face_down_card_is_not_played(name: str) -> None:
    golf, state = dealt(name, 3)

    assert {"covered"} == {
        board_why_not(golf.rules, state.public.board, Play(at)) for at in state.public.board.down
    }


@pytest.mark.parametrize("name", ["elevator", "escalator", "tripeaks"])
def test_scenario_R53_everybody_is_told_that_a_card_can_be_drawn(name: str) -> None:
    golf, state = dealt(name, 5)

    assert Draw() in golf.moves(look(state, 0))


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("seed", range(8))
def test_scenario_R56_what_a_move_has_uncovered_belongs_to_it(name: str, seed: int) -> None:
    """Taking the move back turns the cards face-down again, all of them (R71)."""
    rules = choose_patience({"undo": "unlimited"}, find_patience(name).rules)
    race, luck = RaceCourse(rules, 1), Random(seed)
    pack = shuffle(digest(seed.to_bytes(8, "big")), rules.pack)
    state = race.deal(race.start(), Deal(pack, b"")).state
    turned = 0
    while race.waiting_for(state):
        before = state.pockets[0].board
        assert before is not None
        plays = [m for m in race.moves(look(state, 0)) if isinstance(m, Play)]
        state = act(race, state, 0, luck.choice(plays) if plays else Draw()).state
        after = state.pockets[0].board
        if after is None or after.ending or state.public.play is None:
            break
        turned += len(before.down) - len(after.down)
        back = act(race, state, 0, TakeBack()).state

        assert before == back.pockets[0].board
        assert repr(before) == repr(look(back, 0).pocket.board)  # type: ignore[union-attr]  # it is there
    assert turned > 0


def test_taking_back_before_a_draw_is_not_offered_where_cards_lie_face_down() -> None:
    with pytest.raises(BadRules):
        choose_patience({"undo": "before_draw"}, find_patience("tripeaks").rules)
    with pytest.raises(BadRules):
        choose_patience({"par_of_deal": True}, find_patience("tripeaks").rules)


@pytest.mark.parametrize("name", HIDING)
def test_scenario_R57_what_is_not_seen_makes_no_difference(name: str) -> None:
    """A hint that is fair, and a board, stay the same when what lies hidden changes places."""
    golf, state = dealt(name, 11)
    luck = Random(4)
    for _ in range(6):
        state = act(golf, state, 0, some_move(golf, state, luck)).state
    secret = state.secret
    hidden = [card for _, card in secret.down] + [*secret.stock]
    luck.shuffle(hidden)
    places = [at for at, _ in secret.down]
    other = replace(
        state,
        secret=replace(
            secret,
            down=tuple(zip(places, hidden, strict=False)),
            stock=tuple(hidden[len(places) :]),
        ),
    )

    assert look(state, 0) == look(other, 0)
    assert len(unseen(golf.rules, sight_of(state))) == len(hidden)
    assert fair_hint(golf.rules, sight_of(state), b"") == fair_hint(
        golf.rules, sight_of(other), b""
    )


def test_scenario_R49_the_deal_that_was_judged_is_the_one_on_the_table() -> None:
    """Triple Peaks of another house dealt again, judged that, and left the first deal lying."""
    judged: list[Position] = []

    def judge(rules: PatienceRules, position: Position) -> Verdict:
        judged.append(position)
        return "clearable" if len(judged) > 3 else "not_clearable"

    rules = choose_patience({"deal_policy": "clearable"}, find_patience("tripeaks").rules)
    certified = certify(rules, bytes(32), judge)
    state = GolfPatience(rules).deal(Deal(certified.pack, b"")).state

    assert 3 == certified.attempt
    assert judged[-1] == position_of(state) != judged[0]


# -------------------------------------------------- fixed cards, and two readings


def test_scenario_R64_a_card_that_begins_every_deal_is_taken_out_before_the_shuffle() -> None:
    rules = find_patience("black_hole").rules
    first = Counter(
        dealt("black_hole", seed)[1].public.board.columns[0][0][0] for seed in range(1300)
    )

    assert {Card("AS")} == {
        dealt("black_hole", seed)[1].public.board.foundation for seed in range(9)
    }
    assert Card("AS") not in rules.pack
    expected = {one: 1300 * (3 if one == "A" else 4) / 51 for one in RANKS}
    assert sum((first[one] - of) ** 2 / of for one, of in expected.items()) < 32.9  # 0.1 % of 12


def test_scenario_R55_two_readings_of_a_game_are_two_games() -> None:
    """As programs play it a run may turn; as its author meant it a run goes up, and none is a single card."""
    columns = tuple((Card(card),) for card in ("7S", "6H", "8D", "9C"))
    misread, meant = find_patience("all_in_a_row").rules, find_patience("all_in_a_row_ii").rules
    plays = (Play(0), Play(1))

    turning = replay_line(misread, Position(columns, None, ()), plays)
    upward = replay_line(meant, Position(columns, None, ()), plays)

    assert turning is not None
    assert upward is None
    one = replay_line(meant, Position(columns, None, ()), (Play(0), Play(2)))
    assert one is not None
    assert (2, 0, 2) == (one.left, one.held, one.run)
    other = replay_line(meant, Position(columns, None, ()), (Play(0), Play(2), Play(1)))
    assert other is not None
    assert ("stuck", 2) == (other.ending, other.score)


@pytest.mark.parametrize("jokers", [1, 2])
def test_where_runs_only_go_up_a_joker_goes_on_any_card_and_any_card_on_a_joker(
    jokers: int,
) -> None:
    assert follows_up(JOKER_CARD, Card("2S"))
    assert follows_up(Card("KS"), JOKER_CARD)
    course = RaceCourse(choose_patience({"jokers": jokers, "holes": 1}, UPWARD), seats=1)
    for seed in range(20):
        luck, pack = Random(seed), shuffle(seed.to_bytes(32, "big"), course.rules.pack)
        state = course.deal(course.start(0), Deal(pack, b"")).state
        while not state.public.places:
            moves = course.moves(look(state, 0))
            state = course.play(state, 0, luck.choice(moves[:-1] or moves)).state


def test_scenario_R55_every_card_in_a_run_wins_and_a_single_one_is_left() -> None:
    meant = find_patience("all_in_a_row_ii").rules
    pairs = tuple((Card(card),) for card in ("KS", "AH", "6D", "7C"))
    cleared = replay_line(meant, Position(pairs, None, ()), (Play(0), Play(1), Play(2), Play(3)))
    single = replay_line(meant, Position(pairs[:3], None, ()), (Play(0), Play(1), Play(2)))

    assert cleared is not None
    assert ("cleared", 0) == (cleared.ending, cleared.score)
    assert single is not None
    assert ("stuck", 1) == (single.ending, single.score)


# --------------------------------------------------------------------- the solver


def few_cards(layout: str) -> st.SearchStrategy[Position]:
    """The last cards of a pyramid, of which many fit: whatever lies on a card that is left is left too."""
    some = st.sampled_from("AA223QQKK*")

    def build(top: str | None, roots: list[int], ranks: list[str], stock: list[str]) -> Position:
        left: set[int] = set()
        for root in roots:
            grown = {root}
            while more := {at for one in grown for at in lies_on(layout, one)} - grown:
                grown |= more
            if len(left | grown) <= 9:
                left |= grown
        columns = tuple((Card(ranks[at % len(ranks)]),) if at in left else () for at in range(28))
        return Position(columns, Card(top) if top else None, tuple(map(Card, stock)))

    return st.builds(
        build,
        st.none() | some,
        st.lists(st.integers(0, 27), max_size=4),
        st.lists(some, min_size=7, max_size=11),
        st.lists(some, max_size=4),
    )


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from(LAYOUTS), all_rules())
def test_no_way_to_play_a_few_cards_of_a_pyramid_ends_lower(
    data: st.DataObject, layout: str, rules: PatienceRules
) -> None:
    rules = replace(rules, columns=28, per_column=1, layout=layout)  # type: ignore[arg-type]  # one of them
    position = data.draw(few_cards(layout))
    solution = solve(rules, position)
    board = replay_line(rules, position, solution.line)

    assert (best_of_pyramid(rules, position), True) == (solution.best, solution.exact)
    assert ("clearable" if solution.best <= 0 else "not_clearable") == solution.verdict
    assert board is not None
    assert (solution.best, True) == (board.score, board.ending is not None)
    for move in keeping(rules, position) or ():
        after = replay_line(rules, position, (move,))
        assert after is not None


@pytest.mark.parametrize("name", ["elevator", "escalator", "tripeaks"])
@pytest.mark.parametrize("seed", range(3))
def test_the_line_of_a_pyramid_leads_where_it_should(name: str, seed: int) -> None:
    golf, state = dealt(name, seed)
    position = position_of(state)
    solution = solve(golf.rules, position)
    board = replay_line(golf.rules, position, solution.line)

    assert board is not None
    assert (solution.best, True) == (board.score, board.ending is not None)
    hint = open_hint(golf.rules, position, solve)
    assert hint is not None
    assert solution.line[0] == hint.move


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(4))
def test_a_kinder_king_never_makes_a_pyramid_worse(layout: str, seed: int) -> None:
    deal = position_of(dealt("tripeaks", seed)[1])
    strict, queen, wrap = (
        solve(PatienceRules(king, columns=28, per_column=1, layout=layout), deal).best  # type: ignore[arg-type]  # one of them
        for king in ("strict", "queen", "wrap")
    )

    assert strict >= queen >= wrap
