"""Grid Golf hole against hole, between two: who has won a hole, and the match (rule A13).

The charged score of a hole decides it. The match is over as soon as one leads by more holes than are left, or
when one leaves, who concedes it; strokes count only where nothing else parts the two.
"""

from dormie_rules.course_state import CoursePublic, MatchOver, PlayOff
from dormie_rules.game import AnyEvent, tell
from dormie_rules.grid_rules import GridRules
from dormie_rules.match_play import Pairing, Terms
from dormie_rules.race_events import Stands
from dormie_rules.race_match import conceded, everybody, match_keys, with_hole
from dormie_rules.standing import placed_by
from dormie_rules.values import replace


def match_of_two(rules: GridRules, seats: int) -> tuple[Pairing, ...]:
    """The match before its first hole; none where strokes are counted.

    >>> from dormie_rules.variants import find
    >>> match_of_two(find("six_card").rules, 2)
    ()
    """
    return everybody(_terms(rules), seats) if rules.match_play else ()


def decide_match(
    rules: GridRules, public: CoursePublic, luck: bytes, *, scored: bool
) -> tuple[CoursePublic, tuple[AnyEvent, ...]]:
    """How the match stands after a hole, or because a seat has left; *luck* is the hole's own.

    While the two are all square after the last hole they play another one, if their match is extended.
    """
    if scored:
        row = public.card[-1]
        matches = with_hole(_terms(rules), public.matches, row, public.totals, luck)
    else:
        gone = next(seat for seat, out in enumerate(public.out) if out is not None)
        matches = conceded(_terms(rules), public.matches, gone)
    public = replace(public, matches=matches)
    events = tuple(tell(Stands(pair)) for pair in matches)
    if any(pair.standing.ending is None for pair in matches):
        if public.hole < _terms(rules).holes:
            return public, events
        both = tuple(range(len(public.totals)))
        return replace(public, playoff=both), (*events, tell(PlayOff(both)))
    places = placed_by(match_keys(matches, public.totals))
    return replace(public, places=places), (*events, tell(MatchOver(places, public.totals)))


def _terms(rules: GridRules) -> Terms:
    assert rules.holes is not None, "a match of two is played over so many holes"
    return Terms(rules.holes, rules.tied_match)
