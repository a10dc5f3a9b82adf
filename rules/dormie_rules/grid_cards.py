"""How cards move between the places of a hole: every one of these keeps the pack whole."""

from dormie_rules.cards import Card
from dormie_rules.drawers import State
from dormie_rules.game import AnyEvent, tell
from dormie_rules.grid_events import Reshuffled
from dormie_rules.grid_rules import GridRules
from dormie_rules.grid_state import GridPocket, GridState
from dormie_rules.luck import reshuffle_seed, shuffle
from dormie_rules.scoring import grid_score
from dormie_rules.tuples import put
from dormie_rules.values import replace

NOTHING = GridPocket()
"""The pocket of a seat with no drawn card."""


def reshuffle(state: GridState) -> tuple[GridState, tuple[AnyEvent, ...]]:
    """The top discard stays, the rest becomes the stock (rule A9)."""
    public, secret = state.public, state.secret
    number = public.reshuffles + 1
    stock = shuffle(reshuffle_seed(secret.luck, number), secret.under)
    return (
        replace(
            state,
            public=replace(public, stock=len(stock), pile=1, reshuffles=number),
            secret=replace(secret, stock=stock, under=()),
        ),
        (tell(Reshuffled(len(stock))),),
    )


def lay(rules: GridRules, state: GridState, seat: int, at: int, card: Card) -> GridState:
    """Put *card* face-up at *at* of the grid of *seat*."""
    public, secret = state.public, state.secret
    grid = put(public.grids[seat], at, card)
    return replace(
        state,
        public=replace(
            public,
            grids=put(public.grids, seat, grid),
            showing=put(public.showing, seat, grid_score(rules.scoring, grid, rules.cols)),
        ),
        secret=replace(secret, hidden=put(secret.hidden, seat, put(secret.hidden[seat], at, None))),
    )


def exchange(rules: GridRules, state: GridState, seat: int, at: int, out: Card) -> GridState:
    """Put the card in hand face-up at *at* of the grid of *seat*, and *out*, which lay there, on the pile.

    The same as ``lay``, ``empty_hand`` and ``throw``, with one copy of each drawer for the three.
    """
    public, secret = state.public, state.secret
    card = public.taken or state.pockets[seat].drawn
    assert card is not None, "swap is legal only with a card in hand"
    grid = put(public.grids[seat], at, card)
    under = secret.under if public.discard is None else (*secret.under, public.discard)
    public = replace(
        public,
        grids=put(public.grids, seat, grid),
        showing=put(public.showing, seat, grid_score(rules.scoring, grid, rules.cols)),
        taken=None,
        discard=out,
        pile=public.pile + 1,
    )
    hidden = put(secret.hidden, seat, put(secret.hidden[seat], at, None))
    secret = replace(secret, hidden=hidden, under=under)
    return State(public, put(state.pockets, seat, NOTHING), secret)


def empty_hand(state: GridState, seat: int) -> GridState:
    """Let *seat* hold nothing."""
    if state.public.taken is None:
        return replace(state, pockets=put(state.pockets, seat, NOTHING))
    return replace(
        state,
        public=replace(state.public, taken=None),
        pockets=put(state.pockets, seat, NOTHING),
    )


def throw(state: GridState, card: Card) -> GridState:
    """Put *card* on the discard pile."""
    public, secret = state.public, state.secret
    under = secret.under if public.discard is None else (*secret.under, public.discard)
    return replace(
        state,
        public=replace(public, discard=card, pile=public.pile + 1),
        secret=replace(secret, under=under),
    )
