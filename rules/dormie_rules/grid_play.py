"""What each move of grid Golf does: one function a move, state in, step out."""

from dormie_rules.game import AnyEvent, Step, tell
from dormie_rules.grid_cards import empty_hand, exchange, lay, reshuffle, throw
from dormie_rules.grid_events import Discarded, Drew, DrewCard, Flipped, Passed, Swapped, Took
from dormie_rules.grid_legal import can_reshuffle
from dormie_rules.grid_moves import Discard, Draw, Flip, GridMove, Pass, Swap, Take
from dormie_rules.grid_rules import GridRules
from dormie_rules.grid_state import GridPocket, GridState
from dormie_rules.grid_turn import begin_if_ready, end_turn
from dormie_rules.tuples import put
from dormie_rules.values import replace


def play(rules: GridRules, state: GridState, seat: int, move: GridMove) -> Step[GridState]:
    """The step that a legal *move* of *seat* makes."""
    match move:
        case Draw():
            return _draw(rules, state, seat)
        case Take():
            return _take(state, seat)
        case Swap(at):
            return _swap(rules, state, seat, at)
        case Discard():
            return _discard(rules, state, seat)
        case Flip(at):
            return _flip(rules, state, seat, at)
        case Pass():
            return end_turn(rules, state, seat, tell(Passed(seat)), turned_up=False)


def _draw(rules: GridRules, state: GridState, seat: int) -> Step[GridState]:
    """The card goes to the drawer's pocket; an empty stock is made anew first (U14)."""
    before: tuple[AnyEvent, ...] = ()
    if state.public.stock == 0:
        state, before = reshuffle(state)
    card = state.secret.stock[-1]
    state = replace(
        state,
        public=replace(state.public, stage="drawn", stock=state.public.stock - 1),
        pockets=put(state.pockets, seat, GridPocket(drawn=card)),
        secret=replace(state.secret, stock=state.secret.stock[:-1]),
    )
    drew = tell(Drew(seat), (seat, DrewCard(card)))
    after: tuple[AnyEvent, ...] = ()
    if (
        rules.stock_empty == "eager"
        and not state.public.stock
        and can_reshuffle(rules, state.public)
    ):
        state, after = reshuffle(state)
    return Step(state, (*before, drew, *after))


def _take(state: GridState, seat: int) -> Step[GridState]:
    public, secret = state.public, state.secret
    card = public.discard
    assert card is not None, "every turn starts with a card on the discard pile (rule A1)"
    state = replace(
        state,
        public=replace(
            public,
            stage="taken",
            taken=card,
            discard=secret.under[-1] if secret.under else None,
            pile=public.pile - 1,
        ),
        secret=replace(secret, under=secret.under[:-1]),
    )
    return Step(state, (tell(Took(seat, card)),))


def _swap(rules: GridRules, state: GridState, seat: int, at: int) -> Step[GridState]:
    public = state.public
    card = public.taken or state.pockets[seat].drawn
    assert card is not None, "swap is legal only with a card in hand"
    was_up = public.grids[seat][at]
    out = was_up or state.secret.hidden[seat][at]
    assert out is not None, "a card lies in every place, face-up or face-down"
    state = exchange(rules, state, seat, at, out)
    swapped = tell(Swapped(seat, at, card, out))
    return end_turn(rules, state, seat, swapped, turned_up=was_up is None)


def _discard(rules: GridRules, state: GridState, seat: int) -> Step[GridState]:
    card = state.pockets[seat].drawn
    assert card is not None, "discard is legal only with a drawn card"
    state = throw(empty_hand(state, seat), card)
    discarded = tell(Discarded(seat, card))
    if rules.flip_after_discard == "never" or None not in state.public.grids[seat]:
        return end_turn(rules, state, seat, discarded, turned_up=False)
    return Step(replace(state, public=replace(state.public, stage="flip")), (discarded,))


def _flip(rules: GridRules, state: GridState, seat: int, at: int) -> Step[GridState]:
    card = state.secret.hidden[seat][at]
    assert card is not None, "flip is legal only on a face-down card"
    flipped = tell(Flipped(seat, at, card))
    in_setup = state.public.stage == "setup"
    state = lay(rules, state, seat, at, card)
    if in_setup:
        state, began = begin_if_ready(rules, state)
        return Step(state, (flipped, *began))
    return end_turn(rules, state, seat, flipped, turned_up=True)
