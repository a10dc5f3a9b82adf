"""What a finished hole does to a match: penalties, totals, who is out, who has won (rules A7, A8)."""

from typing import TypeAlias

from dormie_rules.course_match import decide_match
from dormie_rules.course_state import (
    CoursePublic,
    CourseState,
    HoleScored,
    MatchOver,
    PlayOff,
    WentOut,
)
from dormie_rules.game import AnyEvent, Step, tell
from dormie_rules.grid_rules import GridRules
from dormie_rules.luck import CHAIN_LENGTH
from dormie_rules.penalties import charged
from dormie_rules.standing import Finish, countback, eliminate, level_after, parted, places
from dormie_rules.values import replace

Scores: TypeAlias = tuple[int | None, ...]

MAX_EXTRA_HOLES = 9
"""Equal players may stay level for ever; after so many extra holes they share the place, or sooner
when no link is left to deal another one from."""


def score_hole(rules: GridRules, state: CourseState, raw: Scores | None) -> Step[CourseState]:
    """Score the hole just finished, and end the match if that decides it.

    *raw* is None for a hole without a result: everybody but one has left it.
    """
    public = state.public
    events: tuple[AnyEvent, ...] = ()
    if raw is not None:
        public, events = _charge(rules, public, raw)
    if public.matches:
        luck = state.secret.luck if state.secret else b""
        public, more = decide_match(rules, public, luck, scored=raw is not None)
    else:
        public, more = _decide(rules, public, scored=raw is not None)
    return Step(replace(state, public=public), (*events, *more))


def _charge(
    rules: GridRules, public: CoursePublic, raw: Scores
) -> tuple[CoursePublic, tuple[AnyEvent, ...]]:
    closer = public.play.closer if public.play else None
    played = {seat: score for seat, score in enumerate(raw) if score is not None}
    paid = charged(rules.closer_penalty, rules.closer_tie, played, closer)
    row = tuple(paid.get(seat) for seat in range(len(raw)))
    totals = public.totals
    if not public.playoff:
        totals = tuple(total + (row[seat] or 0) for seat, total in enumerate(totals))
    event = tell(HoleScored(public.hole, raw, row, totals, closer))
    public = replace(public, totals=totals, card=(*public.card, row), raw=raw, closer=closer)
    return public, (event,)


def _decide(
    rules: GridRules, public: CoursePublic, *, scored: bool
) -> tuple[CoursePublic, tuple[AnyEvent, ...]]:
    """Who goes out, whether the match is over, and whether the leaders play on."""
    if any(public.survived) or public.playoff:
        return _decide_playoff(rules, public, scored=scored)
    events: tuple[AnyEvent, ...] = ()
    if scored and rules.end == "elimination":
        public, events = _send_out(rules, public)
    alive = [seat for seat, out in enumerate(public.out) if out is None]
    if len(alive) > 1 and not (scored and _course_ends(rules, public)):
        return public, events
    leaders = _leaders(rules, public)
    if rules.tie_break == "extra_hole" and len(leaders) > 1 and not _links_are_used_up(public):
        out = tuple(None if seat in leaders else gone for seat, gone in enumerate(public.out))
        public = replace(public, playoff=leaders, out=out)
        return public, (*events, tell(PlayOff(leaders)))
    public, over = _finish(rules, public)
    return public, (*events, over)


def _send_out(rules: GridRules, public: CoursePublic) -> tuple[CoursePublic, tuple[AnyEvent, ...]]:
    limit = rules.limit
    assert limit is not None, "a match by elimination has a limit"
    alive = tuple(s for s, out in enumerate(public.out) if out in (None, public.hole))
    row = public.card[-1]
    gone = eliminate(
        limit,
        alive,
        {seat: public.totals[seat] - (row[seat] or 0) for seat in alive},
        {seat: row[seat] or 0 for seat in alive if row[seat] is not None},
        tuple(seat for seat in public.withdrawn if seat in alive),
        inclusive=rules.limit_inclusive,
    ).eliminated
    new = tuple(seat for seat in gone if public.out[seat] is None)
    if not new:
        return public, ()
    out = tuple(public.hole if seat in new else hole for seat, hole in enumerate(public.out))
    return replace(public, out=out), (tell(WentOut(new)),)


def _course_ends(rules: GridRules, public: CoursePublic) -> bool:
    """Whether the last hole was played, or a total reached a limit that ends the match."""
    if _links_are_used_up(public):
        return True
    if rules.holes is not None and public.hole >= rules.holes:
        return True
    if rules.end == "elimination" or rules.limit is None:
        return False
    limit = rules.limit if rules.limit_inclusive else rules.limit + 1
    return any(t >= limit for t, out in zip(public.totals, public.out, strict=True) if out is None)


def _links_are_used_up(public: CoursePublic) -> bool:
    """Whether there is nothing to deal another hole from: a match has one chain, and no other."""
    return public.hole >= CHAIN_LENGTH


def _decide_playoff(
    rules: GridRules, public: CoursePublic, *, scored: bool
) -> tuple[CoursePublic, tuple[AnyEvent, ...]]:
    """After an extra hole only the lowest stay level; one alone has won (rule A8, sudden death)."""
    level = public.playoff
    if scored:
        level = level_after(public.card[-1], level)
    survived = tuple(n + (scored and seat in level) for seat, n in enumerate(public.survived))
    public = replace(public, survived=survived, playoff=level)
    may_go_on = max(survived) < MAX_EXTRA_HOLES and not _links_are_used_up(public)
    if len(level) > 1 and may_go_on:
        return public, (tell(PlayOff(level)),)
    public, over = _finish(rules, public)
    return public, (over,)


def _finish(rules: GridRules, public: CoursePublic) -> tuple[CoursePublic, AnyEvent]:
    """Give every seat its place, those level after extra holes before those who fell behind in them."""
    final = parted(_places(rules, public), public.survived)
    return replace(public, places=final), tell(MatchOver(final, public.totals))


def _places(rules: GridRules, public: CoursePublic) -> tuple[int, ...]:
    rows = [
        Finish(seat, out, total, withdrawn=seat in public.withdrawn)
        for seat, (out, total) in enumerate(zip(public.out, public.totals, strict=True))
    ]
    order = places(rows)
    if rules.tie_break == "last_hole_back":
        order = countback(order, public.card)
    by_seat = dict(order)
    return tuple(by_seat[seat] for seat in range(len(rows)))


def _leaders(rules: GridRules, public: CoursePublic) -> tuple[int, ...]:
    """The seats that share the first place and are there to play on."""
    return tuple(
        seat
        for seat, place in enumerate(_places(rules, public))
        if place == 1 and seat not in public.withdrawn
    )
