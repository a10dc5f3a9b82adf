"""One hole of grid Golf: the game that the other grid modules make up together (rules A1 to A6, A9)."""

from dataclasses import dataclass

from dormie_rules.cards import Card
from dormie_rules.drawers import State
from dormie_rules.game import Deal, Step, tell
from dormie_rules.grid_cards import NOTHING
from dormie_rules.grid_events import Dealt
from dormie_rules.grid_leave import withdraw
from dormie_rules.grid_legal import default, moves, waiting, why_not
from dormie_rules.grid_moves import GridMove
from dormie_rules.grid_play import play
from dormie_rules.grid_rules import GridRules, pack_for
from dormie_rules.grid_state import GridPublic, GridSecret, GridState, GridView
from dormie_rules.grid_turn import begin_if_ready


@dataclass(frozen=True, slots=True)
class GridGolf:
    """Grid Golf under *rules*: a ``Game``."""

    rules: GridRules

    def pack(self, players: int) -> tuple[Card, ...]:
        """The unshuffled pack for so many players."""
        return pack_for(self.rules, players)

    def deal(
        self, seats: int, playing: tuple[int, ...], dealer: int, deal: Deal
    ) -> Step[GridState]:
        """Deal a hole to the seats *playing*, given in turn order from the first player (rule A3).

        Cards go round one at a time from the dealer's left, the top of the pack being its last card; then one is
        turned up as the discard pile. *seats* is the size of the table, whether or not all of them play.
        """
        pack = deal.pack
        dealt_first = min(playing, key=lambda seat: (seat - dealer - 1) % seats)
        start = playing.index(dealt_first)
        order = playing[start:] + playing[:start]
        top_first = pack[::-1]
        cells, players = self.rules.cells, len(order)
        hidden: list[tuple[Card | None, ...]] = [()] * seats
        for place, seat in enumerate(order):
            hidden[seat] = top_first[place : cells * players : players]
        discard = top_first[cells * players]
        stock = pack[: len(pack) - cells * players - 1]
        public = GridPublic(
            stage="setup",
            playing=playing,
            grids=tuple((None,) * len(cards) for cards in hidden),
            showing=tuple(0 if cards else None for cards in hidden),
            stock=len(stock),
            discard=discard,
            pile=1,
            turn=None,
        )
        secret = GridSecret(hidden=tuple(hidden), stock=stock, under=(), luck=deal.luck)
        state = State(public, (NOTHING,) * seats, secret)
        state, began = begin_if_ready(self.rules, state)
        return Step(state, (tell(Dealt(dealer, playing[0], discard)), *began))

    def moves(self, view: GridView) -> tuple[GridMove, ...]:
        """The moves the viewer may make now."""
        return moves(self.rules, view)

    def why_not(self, view: GridView, move: GridMove) -> str | None:
        """Why the viewer may not make *move* now, or None."""
        return why_not(self.rules, view, move)

    def default(self, view: GridView) -> GridMove:
        """What a sleeper plays."""
        return default(self.rules, view)

    def play(self, state: GridState, seat: int, move: GridMove) -> Step[GridState]:
        """The step that a legal *move* of *seat* makes."""
        return play(self.rules, state, seat, move)

    def withdraw(self, state: GridState, seat: int) -> Step[GridState]:
        """The step that takes *seat* out of the hole."""
        return withdraw(self.rules, state, seat)

    def waiting_for(self, state: GridState) -> tuple[int, ...]:
        """The seats that may move."""
        return waiting(self.rules, state.public)

    def scores(self, state: GridState) -> tuple[int | None, ...] | None:
        """The raw score of each seat in the hole once everything is face-up, else None."""
        public = state.public
        if public.stage != "over" or public.ending == "abandoned":
            return None
        return public.showing


def cards_of(state: GridState) -> tuple[Card, ...]:
    """Every card of the hole, from every drawer: always exactly the pack (rule A1)."""
    public, secret = state.public, state.secret
    rows = (*public.grids, *secret.hidden, secret.stock, secret.under, secret.gone)
    cards = [card for row in rows for card in row if card is not None]
    held = [public.discard, public.taken, *(pocket.drawn for pocket in state.pockets)]
    return (*cards, *(card for card in held if card is not None))
