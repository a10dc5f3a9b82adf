"""Match play among the seats of a table: everybody against everybody, each pair by itself (rule A13)."""

from collections.abc import Callable, Collection, Sequence
from itertools import combinations

from dormie_rules.luck import digest, shuffle
from dormie_rules.match_play import Pairing, Parting, Side, Terms, after, hole_letter
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.values import replace

WIN, HALF = 2, 1
"""Points, counted in halves."""


def terms_of(rules: PatienceRules) -> Terms:
    """What every match of these rules is played over."""
    return Terms(rules.holes, rules.tied_match)


def pairings(rules: PatienceRules, seats: int) -> tuple[Pairing, ...]:
    """The matches at a table before the first hole: n(n-1)/2 of them in match play, none in stroke play.

    >>> [len(pairings(PatienceRules(scoring="match"), seats)) for seats in (1, 2, 3, 6)]
    [0, 1, 3, 15]
    """
    return everybody(terms_of(rules), seats) if rules.scoring == "match" else ()


def everybody(terms: Terms, seats: int) -> tuple[Pairing, ...]:
    """A match for every two seats, before the first hole."""
    begin = after(terms, "")
    return tuple(Pairing(one, two, "", begin) for one, two in combinations(range(seats), 2))


def open_seats(matches: Sequence[Pairing]) -> tuple[int, ...]:
    """The seats with a match that is not decided."""
    return tuple(
        sorted({seat for m in matches if m.standing.ending is None for seat in (m.one, m.two)})
    )


def with_hole(
    terms: Terms,
    matches: Sequence[Pairing],
    scores: Sequence[int | None],
    strokes: Sequence[int],
    luck: bytes,
) -> tuple[Pairing, ...]:
    """The matches after a hole; *scores* has None for who lost it without a score.

    *strokes* are those of the round, and *luck* the hole's own: they part who is level after the last
    extra hole.
    """

    def played(pair: Pairing) -> Pairing:
        if pair.standing.ending is not None:
            return pair
        holes = pair.holes + hole_letter(scores[pair.one], scores[pair.two])
        parting = Parting((strokes[pair.one], strokes[pair.two]), lot(luck, pair.one, pair.two))
        return replace(pair, holes=holes, standing=after(terms, holes, parting))

    return tuple(map(played, matches))


def conceded(terms: Terms, matches: Sequence[Pairing], seat: int) -> tuple[Pairing, ...]:
    """The matches after *seat* gave up those of its own that were not decided."""

    def given(pair: Pairing) -> Pairing:
        if seat not in (pair.one, pair.two) or pair.standing.ending is not None:
            return pair
        to: Side = "B" if seat == pair.one else "A"
        return replace(pair, standing=after(terms, pair.holes, conceded_to=to))

    return tuple(map(given, matches))


def lot(luck: bytes, one: int, two: int) -> Side:
    """The lot between two seats: it follows from the luck of the last hole, whose link is published.

    >>> lot(bytes(32), 0, 1), lot(bytes(32), 0, 2)
    ('A', 'B')
    """
    sides: tuple[Side, Side] = ("A", "B")
    return shuffle(digest(b"dormie lot", luck, bytes([one, two])), sides)[0]


def match_keys(
    matches: Sequence[Pairing], strokes: Sequence[int], gone: Collection[int] = ()
) -> list[tuple[int, ...]]:
    """For each seat how well its matches went, the smaller the better.

    Between two a halved match is shared. Among more the order is that of a round robin (rule A14): points,
    the matches among those who are level, Sonneborn-Berger, holes up, strokes; who has *gone* has fewer
    strokes for that, and comes after others before these are compared.
    """
    seats = range(len(strokes))
    points = [_sum(matches, seat, _points) for seat in seats]
    if len(strokes) == 2:  # noqa: PLR2004 - a match of two
        return [(-points[seat],) for seat in seats]

    def other(pair: Pairing, side: Side) -> int:
        return points[pair.two if side == "A" else pair.one]

    def level(pair: Pairing, side: Side) -> int:
        return _points(pair, side) * (points[pair.one] == points[pair.two])

    def berger(pair: Pairing, side: Side) -> int:
        return _points(pair, side) * other(pair, side)

    return [
        (
            -points[seat],
            -_sum(matches, seat, level),
            -_sum(matches, seat, berger),
            -_sum(matches, seat, _holes_up),
            seat in gone,
            strokes[seat],
        )
        for seat in seats
    ]


def _sum(matches: Sequence[Pairing], seat: int, worth: Callable[[Pairing, Side], int]) -> int:
    ours = sum(worth(pair, "A") for pair in matches if pair.one == seat)
    return ours + sum(worth(pair, "B") for pair in matches if pair.two == seat)


def _points(pair: Pairing, side: Side) -> int:
    match pair.standing.winner:
        case None:
            return HALF
        case winner:
            return WIN * (winner == side)


def _holes_up(pair: Pairing, side: Side) -> int:
    """The holes by which a match was won; one that was conceded counts as it stood, and at least one."""
    standing = pair.standing
    up = standing.up if side == "A" else -standing.up
    if standing.ending != "conceded":
        return up
    return max(up, 1) if standing.winner == side else min(up, -1)
