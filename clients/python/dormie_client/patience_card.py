"""The score card of a table of Golf Patience: pure functions from what is seen to lines of text."""

from collections.abc import Sequence

from dormie_client.patience_view import Sight
from dormie_client.scene import Screen, pad, width
from dormie_client.standings import leads, standings
from dormie_protocol.spoken_race_fr import hole_name as hole_name_fr
from dormie_rules.patience_score import against, hole_name
from dormie_rules.race_state import RacePublic

_GAP = "  "
_NINE = 9


def score_card(sight: Sight) -> list[str]:
    """Every hole that is over with what it is called; in company, a table of all and how the matches stand.

    What is too wide for the screen is told nine holes at a time, and hole by hole to who listens.
    """
    match = sight.match
    if match is None or not match.card:
        return [sight.text("no_scores")]
    if len(match.totals) > 1:
        return [*_table(sight, match), *standings(sight.scene)]
    lines = [
        sight.text("score_line", hole=hole, score=row[0], name=called(sight.screen, row[0], par))
        for hole, (row, par) in enumerate(zip(match.card, match.pars, strict=False), 1)
        if row[0] is not None
    ]
    par = sum(match.pars[: len(match.card)])
    so_far = sight.text("so_far", total=match.totals[0], against=against(match.totals[0], par))
    return [*lines, so_far]


def called(screen: Screen, score: int, par: int) -> str:
    """What golfers call a score.

    >>> called(Screen(), 4, 5), called(Screen("fr"), 9, 5)
    ('birdie', '4 au-dessus du par')
    """
    return hole_name_fr(score, par) if screen.language == "fr" else hole_name(score, par)


def _table(sight: Sight, match: RacePublic) -> list[str]:
    rows = _rows(sight, match)
    if sight.screen.listed:
        return _told(sight, rows)
    lines = _lined_up(rows)
    if max(map(width, lines)) <= sight.screen.width:
        return lines
    holes = range(1, len(match.card) + 1, _NINE)
    nines = [[[row[0], *row[at : at + _NINE]] for row in rows] for at in holes]
    nines[-1] = [[*nine, row[-1]] for nine, row in zip(nines[-1], rows, strict=True)]
    return [line for nine in nines for line in _lined_up(nine)]


def _rows(sight: Sight, match: RacePublic) -> list[list[str]]:
    """A row for the holes, one for their pars, one for each player; in a match of two one for who leads."""
    pars = match.pars[: len(match.card)]
    rows = [[sight.text("hole"), *_numbers(range(1, len(match.card) + 1)), sight.text("total")]]
    rows.append([sight.text("par"), *_numbers(pars), str(sum(pars))])
    for seat, total in enumerate(match.totals):
        scores = ["-" if row[seat] is None else str(row[seat]) for row in match.card]
        shown = str(total) if match.matches else f"{total} ({against(total, sum(pars))})"
        rows.append([sight.scene.called(seat), *scores, shown])
    if (ups := leads(sight.scene)) is not None:
        rows.append([sight.text("up"), *ups, ""])
    return rows


def _numbers(numbers: Sequence[int]) -> list[str]:
    return [str(number) for number in numbers]


def _lined_up(rows: Sequence[Sequence[str]]) -> list[str]:
    wide = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [_GAP.join(map(pad, row, wide)).rstrip() for row in rows]


def _told(sight: Sight, rows: Sequence[Sequence[str]]) -> list[str]:
    """A line for each hole and one for the totals, in words: "Hole 3. You: 4; Ben: 7"."""
    names = [row[0] for row in rows[2:]]
    lines = []
    for at, head in enumerate(rows[0][1:], 1):
        title = f"{rows[0][0]} {head}" if head.isdecimal() else head
        scores = [
            sight.text("score_of", name=name, score=row[at])
            for name, row in zip(names, rows[2:], strict=True)
            if row[at]
        ]
        lines.append(f"{title}. {sight.text('piles').join(scores)}")
    return lines
