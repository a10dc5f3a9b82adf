"""Races played at random, and what can be asked of them at every step."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from dormie_rules.cards import Card
from dormie_rules.drawers import hear, look
from dormie_rules.game import AnyEvent, Deal, Step, act
from dormie_rules.grid_moves import Draw
from dormie_rules.luck import shuffle
from dormie_rules.patience_board import board_after, board_of
from dormie_rules.patience_moves import Concede, GiveUp, Play, RaceMove, TakeBack
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.race import RaceCourse
from dormie_rules.race_path import next_card, step_move
from dormie_rules.race_state import RaceState

OFTEN: dict[type[RaceMove], float] = {Play: 8, Draw: 4, TakeBack: 1, GiveUp: 0.05, Concede: 0.01}
"""How often a random player makes each kind of move."""


@dataclass(frozen=True)
class Doing:
    """What somebody did: a move, leaving, or the end of the time (*seat* is None)."""

    seat: int | None
    move: RaceMove | None = None
    deal: Deal | None = None


@dataclass(frozen=True)
class At:
    """A race after something was done, and what was told of it."""

    doing: Doing
    state: RaceState
    events: tuple[AnyEvent, ...]


def named(pack: tuple[Card, ...], luck: Random) -> tuple[Card, ...]:
    """The pack with names that nobody can guess, and no two alike."""
    return tuple(Card(f"{card[0]}~{luck.getrandbits(48):012x}") for card in pack)


def hand_out(course: RaceCourse, state: RaceState, luck: Random) -> Deal:
    seed = luck.randbytes(32)
    return Deal(shuffle(seed, named(course.pack(state), luck)), seed)


def do(course: RaceCourse, state: RaceState, doing: Doing) -> Step[RaceState]:
    if doing.deal is not None:
        return course.deal(state, doing.deal)
    if doing.move is not None:
        assert doing.seat is not None
        return act(course, state, doing.seat, doing.move)
    if doing.seat is not None:
        return course.withdraw(state, doing.seat)
    return course.time_is_up(state)


def race(
    course: RaceCourse, luck: Random, leaving: float = 0.0005, late: float = 0.001
) -> Iterator[At]:
    """A whole match at random, step by step."""
    state = course.start()
    while not state.public.places:
        doing = anything(course, state, luck, leaving, late)
        step = do(course, state, doing)
        state = step.state
        yield At(doing, state, step.events)


def anything(
    course: RaceCourse, state: RaceState, luck: Random, leaving: float, late: float
) -> Doing:
    """Something that may be done now."""
    if luck.random() < leaving:
        return Doing(luck.randrange(course.seats))
    if course.wants_deal(state):
        return Doing(None, deal=hand_out(course, state, luck))
    if luck.random() < late:
        return Doing(None)
    seat = luck.choice(course.waiting_for(state))
    moves = course.moves(look(state, seat))
    return Doing(seat, luck.choices(moves, [OFTEN[type(move)] for move in moves])[0])


def cards_of(course: RaceCourse, state: RaceState, seat: int) -> Counter[Card]:
    """Every card of the hole as it lies for *seat*: columns, foundation, and the rest of the stock."""
    board, secret = state.pockets[seat].board, state.secret
    assert board is not None
    assert secret is not None
    walked, pile = board_of(course.rules, secret.deal), []
    for letter in secret.paths[seat]:
        pile.append(walked.foundation)
        walked = board_after(
            course.rules, walked, step_move(letter), next_card(secret.deal, walked)
        )
        if pile[-1] == walked.foundation:  # a hole was given up
            pile.pop()
    stock = secret.deal.stock
    return Counter(
        card
        for card in (
            *(card for column in board.columns for card in column),
            *pile,
            board.foundation,
            *stock[len(stock) - board.stock :],
        )
        if card is not None
    )


def shown_too_early(course: RaceCourse, steps: list[At]) -> list[Card]:
    """The cards that somebody was shown before the hole was over and before they had them on their board."""
    known: list[set[Card]] = []
    early: list[Card] = []
    for at in steps:
        state, secret, play = at.state, at.state.secret, at.state.public.play
        if secret is None or play is None:
            continue
        deal = {*secret.deal.stock, *(c for column in secret.deal.columns for c in column)}
        if at.doing.deal is not None:
            known = [set() for _ in range(course.seats)]
        for seat, board in enumerate(pocket.board for pocket in state.pockets):
            if board is not None:
                lying = (*(c for column in board.columns for c in column), board.foundation)
                known[seat] |= {card for card in lying if card}
        if play.stage == "over":
            continue
        for seat in (None, *range(course.seats)):
            heard = [hear(event, seat) for event in at.events]
            said = repr((state.public, look(state, seat), heard))
            may_know = known[seat] if seat is not None else set()
            early += [card for card in deal - may_know if card in said]
    return early


def rules_for(number: int, scoring: str | None = None) -> PatienceRules:
    """Rules of every kind, one after the other."""
    pick = Random(number)
    return PatienceRules(
        king_rule=pick.choice(["strict", "queen", "wrap"]),
        jokers=pick.choice([0, 0, 1, 2]),
        empty_start=pick.random() < 0.3,
        draw_with_moves=pick.random() < 0.7,
        holes=pick.choice([1, 2, 3]),
        scoring="match" if (scoring or pick.choice(["strokes", "match"])) == "match" else "strokes",
        undo=pick.choice(["off", "before_draw", "unlimited"]),
        tie_break=pick.choice(["share", "extra_hole", "last_hole_back"]),
        tied_match=pick.choice(["halve", "extend", "countback"]),
        play_out=pick.random() < 0.5,
        opponent_view=pick.choice(["cards_left", "finished"]),
        time_up=pick.choice(["score", "lose"]),
        par_of_deal=pick.random() < 0.2,
    )
