"""A seat leaves in the middle of a hole (rule A8)."""

from dormie_rules.cards import Card
from dormie_rules.game import Step, tell
from dormie_rules.grid_cards import empty_hand, throw
from dormie_rules.grid_events import Withdrew
from dormie_rules.grid_rules import GridRules
from dormie_rules.grid_state import GridState
from dormie_rules.grid_turn import after_turn, begin_if_ready, reveal
from dormie_rules.tuples import put
from dormie_rules.values import replace


def withdraw(rules: GridRules, state: GridState, seat: int) -> Step[GridState]:
    """Take *seat* out of the hole: its grid leaves play, a card in its hand goes to the discard pile.

    The turn passes on wherever it was, the final lap is looked at again, and with fewer than two seats left the
    hole is over, scored only if its final lap was complete. A seat that is not in the hole changes nothing.
    """
    public = state.public
    if seat not in public.playing or public.stage == "over":
        return Step(state)
    state, held = _lay_down(state, seat)
    previous = _before(public.playing, seat)
    state = _clear(state, seat)
    left = tell(Withdrew(seat, held))
    step = _go_on(rules, state, previous, its_turn=public.turn == seat)
    return Step(step.state, (left, *step.events))


def _lay_down(state: GridState, seat: int) -> tuple[GridState, Card | None]:
    """Put the card that *seat* holds, if any, on the discard pile."""
    held = state.public.taken if state.public.turn == seat else None
    held = held or state.pockets[seat].drawn
    return (throw(empty_hand(state, seat), held) if held else state), held


def _before(playing: tuple[int, ...], seat: int) -> int:
    """The seat that plays before *seat*."""
    return playing[playing.index(seat) - 1]


def _clear(state: GridState, seat: int) -> GridState:
    public, secret = state.public, state.secret
    cards: tuple[Card, ...] = tuple(
        card for card in (*public.grids[seat], *secret.hidden[seat]) if card is not None
    )
    return replace(
        state,
        public=replace(
            public,
            playing=tuple(s for s in public.playing if s != seat),
            last=tuple(s for s in public.last if s != seat),
            grids=put(public.grids, seat, ()),
            showing=put(public.showing, seat, None),
            closer=None if public.closer == seat else public.closer,
        ),
        secret=replace(secret, hidden=put(secret.hidden, seat, ()), gone=(*secret.gone, *cards)),
    )


def _go_on(rules: GridRules, state: GridState, previous: int, *, its_turn: bool) -> Step[GridState]:
    """Whatever was waiting for the seat that left waits for the next one, or ends."""
    public = state.public
    in_final_lap = public.ending is not None
    if in_final_lap and not public.last:
        return reveal(rules, state, public.ending or "closed")
    if len(public.playing) < 2:  # noqa: PLR2004 - nobody plays against nobody
        state, _ = _lay_down(state, previous)
        return reveal(rules, state, "abandoned")
    if public.stage == "setup":
        state, began = begin_if_ready(rules, state)
        return Step(state, began)
    if not its_turn:
        return Step(state)
    return after_turn(rules, state, previous)
