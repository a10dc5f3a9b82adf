"""What a finished hole does to a race: scores, matches, totals, extra holes, and who has won (rule A13)."""

from dormie_rules.course_state import MatchOver, PlayOff
from dormie_rules.drawers import State
from dormie_rules.game import AnyEvent, Step, tell
from dormie_rules.match_play import MAX_EXTRA_HOLES, Pairing
from dormie_rules.patience_events import CourseOver
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_state import Board
from dormie_rules.race_events import RaceHoleScored, Stands
from dormie_rules.race_hole import end_void
from dormie_rules.race_match import conceded, match_keys, open_seats, terms_of, with_hole
from dormie_rules.race_state import RacePublic, RaceState
from dormie_rules.standing import Finish, countback, level_after, parted, placed_by, places
from dormie_rules.values import replace

Events = tuple[AnyEvent, ...]


def score_race_hole(rules: PatienceRules, state: RaceState) -> Step[RaceState]:
    """Score the hole that is over for everybody, and end the match if that decides it."""
    assert state.secret is not None, "a hole that is over was dealt"
    boards = [pocket.board for pocket in state.pockets]
    row = tuple(_score(rules, board) for board in boards)
    public = state.public
    if public.hole <= rules.holes:
        totals = tuple(total + (one or 0) for total, one in zip(public.totals, row, strict=True))
        public = replace(public, totals=totals)
    runs = zip(public.longest_runs, boards, strict=True)
    longest = tuple(max(run, board.longest_run if board else 0) for run, board in runs)
    public = replace(public, card=(*public.card, row), longest_runs=longest)
    endings = tuple(board.ending if board else None for board in boards)
    match = bool(public.matches)
    scored = RaceHoleScored(public.hole, public.pars[-1], row, endings, public.totals, match)
    counting = tuple(
        None if _lost(rules, board) else one for board, one in zip(boards, row, strict=True)
    )
    matches = with_hole(terms_of(rules), public.matches, counting, public.totals, state.secret.luck)
    public, stands = _with_matches(public, matches)
    public, decided = _decide(rules, public)
    return Step(replace(state, public=public), (tell(scored), *stands, *decided))


def after_leaving(rules: PatienceRules, state: RaceState, seat: int) -> Step[RaceState]:
    """What it means for the match that *seat* is out: it concedes its matches, and one alone has won.

    A hole that nobody is left to play against ends without a result.
    """
    public, events = _with_matches(
        state.public, conceded(terms_of(rules), state.public.matches, seat)
    )
    between = len(public.card) == public.hole
    if (
        between and public.playoff and public.matches
    ):  # whoever had a match with that seat alone is done
        public = replace(public, playoff=open_seats(public.matches))
    if _goes_on(rules, public):
        return Step(replace(state, public=public), events)
    play = public.play
    if play is not None and not between and state.secret is not None:
        hole = end_void(State(play, state.pockets, state.secret))
        public = replace(public, play=hole.public)
    public, over = _finish(rules, public)
    return Step(replace(state, public=public), (*events, *over))


def _with_matches(public: RacePublic, matches: tuple[Pairing, ...]) -> tuple[RacePublic, Events]:
    """The score card with these matches, and what is new in them."""
    new = [now for was, now in zip(public.matches, matches, strict=True) if now is not was]
    return replace(public, matches=matches), tuple(tell(Stands(pair)) for pair in new)


def _score(rules: PatienceRules, board: Board | None) -> int | None:
    """The strokes of a board that is over; whoever left has none."""
    if board is None or board.ending == "left":
        return None
    if board.ending == "time_up" and rules.time_up == "lose":
        return rules.columns * rules.per_column
    return board.score


def _lost(rules: PatienceRules, board: Board | None) -> bool:
    """Whether a hole of a match is lost whatever its score: who gives one up concedes it."""
    if board is None or board.ending in ("left", "given_up"):
        return True
    return board.ending == "time_up" and rules.time_up == "lose"


def _decide(rules: PatienceRules, public: RacePublic) -> tuple[RacePublic, Events]:
    """Whether somebody plays extra holes, whether the match goes on, or who has won."""
    survived, playoff = _playoff(rules, public)
    public = replace(public, survived=survived, playoff=playoff)
    if playoff:
        return public, (tell(PlayOff(playoff)),)
    if public.hole < rules.holes and _still_matters(rules, public):
        return public, ()
    return _finish(rules, public)


def _still_matters(rules: PatienceRules, public: RacePublic) -> bool:
    """Whether the holes that are left count for something."""
    return not public.matches or rules.play_out or bool(open_seats(public.matches))


def _playoff(rules: PatienceRules, public: RacePublic) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The extra holes each seat has survived, and the seats that play another one."""
    survived, none = public.survived, ()
    if public.hole < rules.holes:
        return survived, none
    if public.matches:
        return survived, open_seats(public.matches)
    if public.hole == rules.holes:
        return survived, _leaders(public) if rules.tie_break == "extra_hole" else none
    level = level_after(public.card[-1], public.playoff)
    survived = tuple(n + (seat in level) for seat, n in enumerate(survived))
    go_on = len(level) > 1 and max(survived) < MAX_EXTRA_HOLES
    return survived, level if go_on else none


def _leaders(public: RacePublic) -> tuple[int, ...]:
    """The seats that share the first place, if more than one of them is there to play on."""
    order = _by_strokes(public)
    first = tuple(s for s, at in enumerate(order) if at == 1 and s not in public.withdrawn)
    return first if len(first) > 1 else ()


def _goes_on(rules: PatienceRules, public: RacePublic) -> bool:
    """Whether those who are left have somebody to play against; one who began alone needs nobody."""
    there = [seat for seat, out in enumerate(public.out) if out is None]
    if len(public.totals) == 1:
        return bool(there)
    if not _in_extra_holes(rules, public):
        return len(there) > 1
    return bool(open_seats(public.matches)) if public.matches else len(public.playoff) > 1


def _in_extra_holes(rules: PatienceRules, public: RacePublic) -> bool:
    between = public.play is None or public.play.stage == "over"
    return public.hole + between > rules.holes


def _finish(rules: PatienceRules, public: RacePublic) -> tuple[RacePublic, Events]:
    """The match is over: everybody has a place, and a course played alone is won or not."""
    public = replace(public, places=_places(rules, public))
    over = tell(MatchOver(public.places, public.totals))
    if len(public.totals) > 1 or public.withdrawn:
        return public, (over,)
    par = sum(public.pars)
    return public, (tell(CourseOver(public.totals[0], par, public.totals[0] <= par)), over)


def _places(rules: PatienceRules, public: RacePublic) -> tuple[int, ...]:
    if public.matches:
        gone = [seat for seat, out in enumerate(public.out) if out is not None]
        return placed_by(match_keys(public.matches, public.totals, gone))
    order = _by_strokes(public)
    if rules.tie_break == "last_hole_back":
        order = tuple(at for _, at in sorted(countback(tuple(enumerate(order)), public.card)))
    return parted(order, public.survived)


def _by_strokes(public: RacePublic) -> tuple[int, ...]:
    rows = [
        Finish(seat, out, total, withdrawn=seat in public.withdrawn)
        for seat, (out, total) in enumerate(zip(public.out, public.totals, strict=True))
    ]
    return tuple(at for _, at in sorted(places(rows)))
