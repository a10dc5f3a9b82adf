"""Grid Golf hole against hole: who has won a hole, and the match; among more than two, every pair (rule A13).

The charged score of a hole decides it. A match is over as soon as one leads by more holes than are left, or when
one of the two leaves, who concedes it; strokes count only where nothing else parts them.
"""

from dormie_rules.course_state import CoursePublic, MatchOver, PlayOff
from dormie_rules.game import AnyEvent, tell
from dormie_rules.grid_rules import GridRules
from dormie_rules.match_play import Pairing, Terms
from dormie_rules.race_events import Stands
from dormie_rules.race_match import conceded, everybody, match_keys, open_seats, with_hole
from dormie_rules.standing import placed_by
from dormie_rules.values import replace


def all_matches(rules: GridRules, seats: int) -> tuple[Pairing, ...]:
    """Every pair's match before the first hole; none where strokes are counted.

    >>> from dormie_rules.variants import find
    >>> all_matches(find("six_card").rules, 2)
    ()
    """
    return everybody(_terms(rules), seats) if rules.match_play else ()


def decide_match(
    rules: GridRules, public: CoursePublic, luck: bytes, *, scored: bool
) -> tuple[CoursePublic, tuple[AnyEvent, ...]]:
    """How the matches stand after a hole, or because a seat has left; *luck* is the hole's own.

    Whoever has left concedes what was open. While two are all square after the last hole they play another one,
    if their match is extended; everybody plays on until all matches are decided.
    """
    before, terms = public.matches, _terms(rules)
    gone = [seat for seat, out in enumerate(public.out) if out is not None]
    matches = before
    for seat in gone:
        matches = conceded(terms, matches, seat)
    if scored:
        matches = with_hole(terms, matches, public.card[-1], public.totals, luck)
    public = replace(public, matches=matches)
    new = [now for was, now in zip(before, matches, strict=True) if now is not was]
    events = tuple(tell(Stands(pair)) for pair in new)
    playing = open_seats(matches)
    if playing and public.hole < terms.holes:
        return public, events
    if playing:
        return replace(public, playoff=playing), (*events, tell(PlayOff(playing)))
    places = placed_by(match_keys(matches, public.totals, gone))
    return replace(public, places=places), (*events, tell(MatchOver(places, public.totals)))


def _terms(rules: GridRules) -> Terms:
    assert rules.holes is not None, "a match is played over so many holes"
    return Terms(rules.holes, rules.tied_match)
