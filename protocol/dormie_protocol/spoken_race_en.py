"""What is said in English when something happens in Golf Patience, alone or in a race over one deal."""

from collections.abc import Callable, Mapping
from typing import Any

from dormie_protocol.grammar_en import all_of, card_name, does, name, points, scores_of, the
from dormie_protocol.listener import Listener
from dormie_rules import patience_events as patience
from dormie_rules import race_events as race
from dormie_rules.match_play import Pairing
from dormie_rules.patience_score import hole_name

_ENDINGS = {
    "cleared": "You have cleared the hole",
    "stuck": "No card fits any more",
    "given_up": "You give the hole up",
    "time_up": "Your time is up",
    "left": "You leave the hole",
}
_BY = {
    "extra": "at an extra hole",
    "strokes": "by strokes",
    "last_hole": "by the last hole won",
    "lot": "by lot",
    "conceded": "by concession",
}


def _began(event: race.RaceHoleBegan, ear: Listener) -> str:
    line = f"{'Extra hole' if event.extra else 'Hole'} {event.hole} begins, par {event.par}."
    if not isinstance(ear.mine, patience.LaidOut) or ear.detail == "brief":
        return line
    first = card_name(ear.mine.foundation) if ear.mine.foundation else "nothing yet"
    return f"{line} On the foundation: {first}; {ear.mine.stock} cards in the stock."


def _moved(event: race.RaceMoved, ear: Listener) -> str:
    match ear.mine:
        case patience.Played(card=card, left=left, turned=turned):
            up = " and ".join(the(of) for _, of in turned)
            return f"You play {the(card)}{up and f' and uncover {up}'}; {left} left."
        case patience.TurnedUp(card=card, stock=stock):
            return f"You turn up {the(card)}; {stock} in the stock."
        case race.TookBack(card=card):
            return f"You take {the(card)} back."
        case _:
            pass  # somebody else's move
    if ear.detail != "full":
        return ""  # in a race somebody moves all the time
    if event.left is None:
        return f"{does(ear, event.seat, 'move', 'moves')}."
    return f"{does(ear, event.seat, 'have', 'has')} {event.left} left."


def _finished(event: race.RaceFinished, ear: Listener) -> str:
    if isinstance(ear.mine, patience.HoleEnded):
        return f"{_ENDINGS[ear.mine.why]}: {points(ear.mine.score)}."
    line = does(ear, event.seat, "have finished the hole", "has finished the hole")
    return f"{line}." if event.left is None else f"{line} with {event.left} left."


def _scored(event: race.RaceHoleScored, ear: Listener) -> str:
    if event.match:
        return f"Hole {event.hole}. {_in_a_match(event, ear)}."
    played = [(seat, score) for seat, score in enumerate(event.scores) if score is not None]
    if ear.detail == "brief":
        return f"Hole {event.hole}. {scores_of(ear, played)}."
    told = dict(played)
    if list(told) == [ear.seat] and len(event.totals) == 1:
        line = f"Hole {event.hole}: {points(told[0])}, {hole_name(told[0], event.par)}"
        return f"{line}. Total {points(event.totals[0])}."
    rows = "; ".join(
        f"{name(ear, seat, begins=not at)}: {points(told[seat])}, {hole_name(told[seat], event.par)}"
        for at, seat in enumerate(ear.me_first(list(told)))
    )
    return f"Hole {event.hole}. {rows}. Totals. {scores_of(ear, enumerate(event.totals))}."


def _in_a_match(event: race.RaceHoleScored, ear: Listener) -> str:
    """What everybody made of a hole that is won, not counted."""

    def made(seat: int, *, begins: bool) -> str:
        who, score = name(ear, seat, begins=begins), event.scores[seat]
        if event.endings[seat] == "given_up":
            return f"{who} {'concede' if seat == ear.seat else 'concedes'}"
        return f"{who}: {points(score)}" if score is not None else ""

    seats = [seat for seat, score in enumerate(event.scores) if score is not None]
    return "; ".join(made(seat, begins=not at) for at, seat in enumerate(ear.me_first(seats)))


def _stands(event: race.Stands, ear: Listener) -> str:
    """How a match of two stands; from the side of whoever leads, or of the listener.

    >>> from dormie_rules.match_play import Terms, after
    >>> from dormie_rules.match_play import Pairing
    >>> stands = race.Stands(Pairing(0, 1, "AA=", after(Terms(6), "AA=")))
    >>> _stands(stands, Listener(("Ada", "Ben"), 1))
    'The hole is halved. Ada is 2 up against you with 3 to play.'
    """
    how = event.pairing.standing
    line = standing(event.pairing, ear)
    between_two = len(ear.names) == 2  # noqa: PLR2004 - among more a hole is won against somebody
    if not between_two or how.ending == "conceded" or not event.pairing.holes:
        return line
    return f"{_hole_won(event.pairing, ear)} {line}"


def _hole_won(pair: Pairing, ear: Listener) -> str:
    letter = pair.holes[-1]
    if letter == "=":
        return "The hole is halved."
    return f"{does(ear, pair.one if letter == 'A' else pair.two, 'win', 'wins')} the hole."


def standing(pair: Pairing, ear: Listener) -> str:
    """How a match of two stands, or how it was decided, as *ear* would put it."""
    how = pair.standing
    if how.ending is not None:
        return _decided(pair, ear)
    to_play = f"{how.to_play} to play" if how.to_play else "extra holes to play"
    if not how.up:
        return f"{all_of(ear, (pair.one, pair.two), begins=True)} are all square with {to_play}."
    leader, other = (pair.one, pair.two) if how.up > 0 else (pair.two, pair.one)
    dormie = ", dormie" if how.dormie else ""
    up = f"{does(ear, leader, 'are', 'is')} {abs(how.up)} up against {name(ear, other)}"
    return f"{up} with {to_play}{dormie}."


def _decided(pair: Pairing, ear: Listener) -> str:
    how = pair.standing
    if how.winner is None:
        return f"The match between {all_of(ear, (pair.one, pair.two))} is halved."
    winner, other = (pair.one, pair.two) if how.winner == "A" else (pair.two, pair.one)
    by = _BY.get(how.ending or "", how.result)
    return f"{does(ear, winner, 'win', 'wins')} the match against {name(ear, other)}, {by}."


def _course_over(event: patience.CourseOver, _: Listener) -> str:
    line = f"{points(event.total)} strokes, par {event.par}"
    return f"The course is {'won' if event.won else 'over'}: {line}."


LINES: Mapping[type, Callable[[Any, Listener], str]] = {  # each takes the event it stands beside
    race.RaceHoleBegan: _began,
    race.RaceMoved: _moved,
    race.RaceFinished: _finished,
    race.HoleTimeUp: lambda e, ear: f"Time is up for {all_of(ear, e.seats)}.",
    race.Conceded: lambda e, ear: f"{does(ear, e.seat, 'concede', 'concedes')} the match.",
    race.RaceHoleScored: _scored,
    race.Stands: _stands,
    patience.CourseOver: _course_over,
}
