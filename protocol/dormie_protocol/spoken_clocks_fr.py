"""What is said in French when something happens with the clocks of a table."""

from collections.abc import Callable, Mapping
from typing import Any

from dormie_protocol import clocks
from dormie_protocol import undo_messages as undo
from dormie_protocol.grammar_fr import does, name
from dormie_protocol.listener import Listener

_UNITS = ((86400, "jour"), (3600, "heure"), (60, "minute"), (1, "seconde"))
_CHOICES = {
    "wait": "patienter encore pour {}",
    "bot": "laisser jouer un robot pour {}",
    "withdraw": "continuer sans {}",
    "end": "arrêter",
}


def lasting(seconds: float) -> str:
    """A time in words, in the largest unit that divides it.

    >>> lasting(60), lasting(90), lasting(7200), lasting(0.4)
    ('1 minute', '90 secondes', '2 heures', '1 seconde')
    """
    whole = max(1, round(seconds))
    size, unit = next((size, unit) for size, unit in _UNITS if whole >= size and not whole % size)
    many = whole // size
    return f"{many} {unit}{'s' if many > 1 else ''}"


def _out_of_time(ear: Listener, seat: int) -> str:
    return does(ear, seat, "n’avez plus de temps", "n’a plus de temps")


def _sat_in(event: clocks.SatIn, ear: Listener) -> str:
    line = f"Un robot ({event.bot}) joue pour {name(ear, event.seat)}"
    if event.seat == ear.seat and ear.detail != "brief":
        return f"{line} ; jouez, et la place est de nouveau à vous."
    return f"{line}."


def _handed_back(event: clocks.HandedBack, ear: Listener) -> str:
    if event.seat == ear.seat:
        return "Le robot vous rend la place."
    return f"Le robot rend la place : {name(ear, event.seat)}."


def _vote_called(event: clocks.VoteCalled, ear: Listener) -> str:
    line = f"{_out_of_time(ear, event.seat)} ; les autres votent"
    return f"{line}." if ear.detail == "brief" else f"{line}, en {lasting(event.seconds)}."


def _declined(event: clocks.Declined, ear: Listener) -> str:
    if event.seat is None:
        return "Tous n’ont pas accepté."
    return f"{does(ear, event.seat, 'n’êtes', 'n’est')} pas d’accord."


def _pause_asked(event: clocks.PauseAsked, ear: Listener) -> str:
    line = does(ear, event.seat, "demandez", "demande")
    return f"{line} une pause de {lasting(event.seconds)}."


LINES: Mapping[type, Callable[[Any, Listener], str]] = {  # each takes the event it stands beside
    clocks.SatIn: _sat_in,
    clocks.HandedBack: _handed_back,
    clocks.Forfeited: lambda e, ear: (
        f"{_out_of_time(ear, e.seat)} et {'quittez' if e.seat == ear.seat else 'quitte'} la partie."
    ),
    clocks.WaitsOn: lambda e, ear: (
        f"{_out_of_time(ear, e.seat)} ; la table attend encore {lasting(e.seconds)}."
    ),
    clocks.VoteCalled: _vote_called,
    clocks.Voted: lambda e, ear: (
        f"{does(ear, e.seat, 'votez', 'vote')} : {_CHOICES[e.choice].format('cette place')}."
    ),
    clocks.VoteDecided: lambda e, ear: (
        f"C’est décidé : {_CHOICES[e.choice].format(name(ear, e.seat))}."
    ),
    undo.UndoAsked: lambda e, ear: (
        f"{does(ear, e.seat, 'demandez', 'demande')} à reprendre le dernier coup."
    ),
    undo.MoveUndone: lambda e, ear: f"{does(ear, e.seat, 'reprenez', 'reprend')} le dernier coup.",
    clocks.PauseAsked: _pause_asked,
    clocks.ResumeAsked: lambda e, ear: f"{does(ear, e.seat, 'voulez', 'veut')} continuer.",
    clocks.Agreed: lambda e, ear: f"{does(ear, e.seat, 'êtes', 'est')} d’accord.",
    clocks.Declined: _declined,
    clocks.PauseBegan: lambda e, _: f"Une pause de {lasting(e.seconds)} commence.",
    clocks.PauseEnded: lambda _e, _: "La pause est terminée.",
}
