"""How a turn of grid Golf ends: who plays next, when the final lap is called, when the hole is over."""

from dormie_rules.game import AnyEvent, Step, tell
from dormie_rules.grid_cards import NOTHING
from dormie_rules.grid_events import FinalLap, PlayBegan, Revealed
from dormie_rules.grid_legal import can_draw
from dormie_rules.grid_rules import GridRules
from dormie_rules.grid_state import Ending, GridPublic, GridState
from dormie_rules.scoring import grid_score
from dormie_rules.values import replace


def end_turn(
    rules: GridRules, state: GridState, seat: int, what: AnyEvent, *, turned_up: bool
) -> Step[GridState]:
    """End the turn of *seat*, whose last act was *what*; *turned_up* says whether it uncovered a card."""
    public = state.public
    last = tuple([s for s in public.last if s != seat])
    public = replace(
        public,
        turns=public.turns + 1,
        quiet=0 if turned_up else public.quiet + 1,
        last=last,
        stage="turn",
        turn=(last or _after(public, seat))[0],  # unless something else follows
    )
    step = after_turn(rules, replace(state, public=public), seat)
    return Step(step.state, (what, *step.events))


def after_turn(rules: GridRules, state: GridState, seat: int) -> Step[GridState]:
    """What follows when *seat* has played or left: the next turn, the final lap, or the end."""
    public = state.public
    if public.ending is not None:
        if public.last:
            return Step(_turn_of(state, public.last[0]))
        return reveal(rules, state, public.ending)
    why = _ending(rules, public, seat)
    if rules.stock_empty == "end_hole" and not public.stock:
        closer = seat if why == "closed" else None
        state = replace(state, public=replace(public, closer=closer))
        return reveal(rules, state, "closed" if why == "closed" else "stock_out")
    if why is not None:
        return _final_lap(rules, state, seat, why)
    return Step(_turn_of(state, _after(public, seat)[0]))


def begin_if_ready(rules: GridRules, state: GridState) -> tuple[GridState, tuple[AnyEvent, ...]]:
    """Start the first turn once everybody has turned up as many cards as the rules want (rule A3)."""
    public = state.public
    face_down = rules.cells - rules.initial_face_up
    if any(public.grids[seat].count(None) > face_down for seat in public.playing):
        return state, ()
    first = public.playing[0]
    return _turn_of(state, first), (tell(PlayBegan(first)),)


def reveal(rules: GridRules, state: GridState, why: Ending) -> Step[GridState]:
    """Turn everything up, and only then score (rule A5)."""
    public, secret = state.public, state.secret
    grids = tuple(
        tuple(up or down for up, down in zip(grid, hidden, strict=True))
        for grid, hidden in zip(public.grids, secret.hidden, strict=True)
    )
    public = replace(
        public,
        stage="over",
        turn=None,
        ending=why,
        last=(),
        grids=grids,
        showing=tuple(grid_score(rules.scoring, g, rules.cols) if g else None for g in grids),
    )
    hidden = tuple((None,) * len(grid) for grid in grids)
    state = replace(
        state,
        public=public,
        pockets=(NOTHING,) * len(state.pockets),
        secret=replace(secret, hidden=hidden),
    )
    return Step(state, (tell(Revealed(why, grids)),))


def _after(public: GridPublic, seat: int) -> tuple[int, ...]:
    """The seats in the order of their turns after *seat*, which comes last."""
    at = public.playing.index(seat) + 1
    return public.playing[at:] + public.playing[:at]


def _turn_of(state: GridState, seat: int) -> GridState:
    if state.public.turn == seat and state.public.stage == "turn":
        return state
    return replace(state, public=replace(state.public, stage="turn", turn=seat))


def _ending(rules: GridRules, public: GridPublic, seat: int) -> Ending | None:
    """Why the final lap is called after the turn of *seat*, if it is (rules A4, A5)."""
    players = len(public.playing)
    if None not in public.grids[seat]:
        return "closed"
    if rules.no_progress_laps is not None and public.quiet >= rules.no_progress_laps * players:
        return "no_progress"
    if public.turns >= rules.max_laps * players:
        return "max_laps"
    if not can_draw(rules, public) and rules.stock_empty != "no_draw":
        return "stock_out"
    return None


def _final_lap(rules: GridRules, state: GridState, seat: int, why: Ending) -> Step[GridState]:
    """Call the final lap: for the others when *seat* closed, for every seat when nobody did."""
    closer = seat if why == "closed" else None
    if rules.final_lap == "none":
        public = replace(state.public, closer=closer)
        return reveal(rules, replace(state, public=public), why)
    order = _after(state.public, seat)
    last = order[:-1] if closer is not None and rules.final_lap == "others" else order
    public = replace(state.public, closer=closer, ending=why, last=last)
    called = tell(FinalLap(why, closer, last))
    return Step(_turn_of(replace(state, public=public), last[0]), (called,))
