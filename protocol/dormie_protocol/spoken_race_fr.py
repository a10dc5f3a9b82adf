"""What is said in French when something happens in Golf Patience, alone or in a race over one deal."""

from collections.abc import Callable, Mapping
from typing import Any

from dormie_protocol.grammar_fr import all_of, card_name, do, does, name, points, scores_of, the
from dormie_protocol.listener import Listener
from dormie_rules import patience_events as patience
from dormie_rules import race_events as race
from dormie_rules.match_play import Pairing

_ENDINGS = {
    "cleared": "Vous avez vidé le trou",
    "stuck": "Plus aucune carte ne va",
    "given_up": "Vous abandonnez le trou",
    "time_up": "Votre temps est écoulé",
    "left": "Vous quittez le trou",
}
_BY = {
    "up": "{}",
    "extra": "à un trou supplémentaire",
    "strokes": "aux coups",
    "last_hole": "par le dernier trou gagné",
    "lot": "par tirage au sort",
    "conceded": "par abandon",
}
_NAMES = {
    -3: "albatros",
    -2: "eagle",
    -1: "birdie",
    0: "par",
    1: "bogey",
    2: "double bogey",
    3: "triple bogey",
}


def hole_name(score: int, par: int) -> str:
    """What a score is called.

    >>> hole_name(4, 5), hole_name(35, 5), hole_name(-5, 4)
    ('birdie', '30 au-dessus du par', '9 sous le par')
    """
    above = score - par
    return _NAMES.get(above) or f"{abs(above)} {'au-dessus du' if above > 0 else 'sous le'} par"


def _began(event: race.RaceHoleBegan, ear: Listener) -> str:
    line = (
        f"Le trou {'supplémentaire ' if event.extra else ''}{event.hole} commence, par {event.par}."
    )
    if not isinstance(ear.mine, patience.LaidOut) or ear.detail == "brief":
        return line
    first = card_name(ear.mine.foundation) if ear.mine.foundation else "rien encore"
    return f"{line} Sur la base : {first} ; {ear.mine.stock} cartes dans le talon."


def _moved(event: race.RaceMoved, ear: Listener) -> str:
    match ear.mine:
        case patience.Played(card=card, left=left, turned=turned):
            up = " et ".join(the(of) for _, of in turned)
            return f"Vous jouez {the(card)}{up and f' et découvrez {up}'} ; il en reste {left}."
        case patience.TurnedUp(card=card, stock=stock):
            return f"Vous retournez {the(card)} ; {stock} dans le talon."
        case race.TookBack(card=card):
            return f"Vous reprenez {the(card)}."
        case _:
            pass  # somebody else's move
    if ear.detail != "full":
        return ""  # in a race somebody moves all the time
    if event.left is None:
        return f"{does(ear, event.seat, 'jouez', 'joue')}."
    return f"{name(ear, event.seat, begins=True)} : {event.left} cartes restent."


def _finished(event: race.RaceFinished, ear: Listener) -> str:
    if isinstance(ear.mine, patience.HoleEnded):
        return f"{_ENDINGS[ear.mine.why]} : {points(ear.mine.score)}."
    line = does(ear, event.seat, "avez fini le trou", "a fini le trou")
    return f"{line}." if event.left is None else f"{line}, reste {event.left}."


def _scored(event: race.RaceHoleScored, ear: Listener) -> str:
    if event.match:
        return f"Trou {event.hole}. {_in_a_match(event, ear)}."
    played = [(seat, score) for seat, score in enumerate(event.scores) if score is not None]
    if ear.detail == "brief":
        return f"Trou {event.hole}. {scores_of(ear, played)}."
    told = dict(played)
    if list(told) == [ear.seat] and len(event.totals) == 1:
        line = f"Trou {event.hole} : {points(told[0])}, {hole_name(told[0], event.par)}"
        return f"{line}. Total {points(event.totals[0])}."
    rows = " ; ".join(
        f"{name(ear, seat, begins=not at)} : {points(told[seat])}, {hole_name(told[seat], event.par)}"
        for at, seat in enumerate(ear.me_first(list(told)))
    )
    return f"Trou {event.hole}. {rows}. Totaux. {scores_of(ear, enumerate(event.totals))}."


def _in_a_match(event: race.RaceHoleScored, ear: Listener) -> str:
    """What everybody made of a hole that is won, not counted."""

    def made(seat: int, *, begins: bool) -> str:
        who, score = name(ear, seat, begins=begins), event.scores[seat]
        if event.endings[seat] == "given_up":
            return f"{who} {'concédez' if seat == ear.seat else 'concède'}"
        return f"{who} : {points(score)}" if score is not None else ""

    seats = [seat for seat, score in enumerate(event.scores) if score is not None]
    return " ; ".join(made(seat, begins=not at) for at, seat in enumerate(ear.me_first(seats)))


def _stands(event: race.Stands, ear: Listener) -> str:
    how = event.pairing.standing
    line = standing(event.pairing, ear)
    between_two = len(ear.names) == 2  # noqa: PLR2004 - among more a hole is won against somebody
    if not between_two or how.ending == "conceded" or not event.pairing.holes:
        return line
    return f"{_hole_won(event.pairing, ear)} {line}"


def _hole_won(pair: Pairing, ear: Listener) -> str:
    letter = pair.holes[-1]
    if letter == "=":
        return "Le trou est partagé."
    return f"{does(ear, pair.one if letter == 'A' else pair.two, 'gagnez', 'gagne')} le trou."


def standing(pair: Pairing, ear: Listener) -> str:
    """How a match of two stands, or how it was decided, as *ear* would put it."""
    how = pair.standing
    if how.ending is not None:
        return _decided(pair, ear)
    to_play = f"encore {how.to_play} à jouer" if how.to_play else "trous supplémentaires à jouer"
    if not how.up:
        both = do(ear, (pair.one, pair.two), "êtes", "est", "sont")
        return f"{both} à égalité, {to_play}."
    leader, other = (pair.one, pair.two) if how.up > 0 else (pair.two, pair.one)
    holes = f"{abs(how.up)} trou{'s' if abs(how.up) > 1 else ''}"
    up = f"{does(ear, leader, 'menez', 'mène')} de {holes} contre {name(ear, other)}"
    return f"{up}, {to_play}{', dormie' if how.dormie else ''}."


def _decided(pair: Pairing, ear: Listener) -> str:
    how = pair.standing
    if how.winner is None:
        return f"Le match entre {all_of(ear, (pair.one, pair.two))} est partagé."
    winner, other = (pair.one, pair.two) if how.winner == "A" else (pair.two, pair.one)
    by = _BY.get(how.ending or "", "{}").format(how.result)
    return f"{does(ear, winner, 'gagnez', 'gagne')} le match contre {name(ear, other)}, {by}."


def _course_over(event: patience.CourseOver, _: Listener) -> str:
    line = f"{points(event.total)} coups, par {event.par}"
    return f"Le parcours est {'gagné' if event.won else 'terminé'} : {line}."


LINES: Mapping[type, Callable[[Any, Listener], str]] = {  # each takes the event it stands beside
    race.RaceHoleBegan: _began,
    race.RaceMoved: _moved,
    race.RaceFinished: _finished,
    race.HoleTimeUp: lambda e, ear: f"Le temps est écoulé pour {all_of(ear, e.seats)}.",
    race.Conceded: lambda e, ear: f"{does(ear, e.seat, 'concédez', 'concède')} le match.",
    race.RaceHoleScored: _scored,
    race.Stands: _stands,
    patience.CourseOver: _course_over,
}
