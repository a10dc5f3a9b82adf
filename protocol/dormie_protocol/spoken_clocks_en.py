"""What is said in English when something happens with the clocks of a table."""

from collections.abc import Callable, Mapping
from typing import Any

from dormie_protocol import clocks
from dormie_protocol import undo_messages as undo
from dormie_protocol.grammar_en import does, name
from dormie_protocol.listener import Listener

_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
_CHOICES = {
    "wait": "wait on for {}",
    "bot": "let a bot sit in for {}",
    "withdraw": "go on without {}",
    "end": "stop",
}


def lasting(seconds: float) -> str:
    """A time in words, in the largest unit that divides it.

    >>> lasting(60), lasting(90), lasting(7200), lasting(0.4)
    ('1 minute', '90 seconds', '2 hours', '1 second')
    """
    whole = max(1, round(seconds))
    size, unit = next((size, unit) for size, unit in _UNITS if whole >= size and not whole % size)
    many = whole // size
    return f"{many} {unit}{'s' if many != 1 else ''}"


def _out_of_time(ear: Listener, seat: int) -> str:
    return does(ear, seat, "are out of time", "is out of time")


def _sat_in(event: clocks.SatIn, ear: Listener) -> str:
    line = f"A bot ({event.bot}) sits in for {name(ear, event.seat)}"
    if event.seat == ear.seat and ear.detail != "brief":
        return f"{line}; play, and the seat is yours again."
    return f"{line}."


def _handed_back(event: clocks.HandedBack, ear: Listener) -> str:
    return f"The bot gives {name(ear, event.seat)} the seat back."


def _vote_called(event: clocks.VoteCalled, ear: Listener) -> str:
    line = f"{_out_of_time(ear, event.seat)}; the others vote"
    return f"{line}." if ear.detail == "brief" else f"{line} within {lasting(event.seconds)}."


def _declined(event: clocks.Declined, ear: Listener) -> str:
    if event.seat is None:
        return "Not all have agreed."
    return f"{does(ear, event.seat, 'do', 'does')} not agree."


def _pause_asked(event: clocks.PauseAsked, ear: Listener) -> str:
    return f"{does(ear, event.seat, 'ask', 'asks')} for a pause of {lasting(event.seconds)}."


LINES: Mapping[type, Callable[[Any, Listener], str]] = {  # each takes the event it stands beside
    clocks.SatIn: _sat_in,
    clocks.HandedBack: _handed_back,
    clocks.Forfeited: lambda e, ear: f"{_out_of_time(ear, e.seat)} and out of the match.",
    clocks.WaitsOn: lambda e, ear: (
        f"{_out_of_time(ear, e.seat)}; the table waits for {lasting(e.seconds)} more."
    ),
    clocks.VoteCalled: _vote_called,
    clocks.Voted: lambda e, ear: (
        f"{does(ear, e.seat, 'vote', 'votes')} to {_CHOICES[e.choice].format('them')}."
    ),
    clocks.VoteDecided: lambda e, ear: (
        f"It is decided to {_CHOICES[e.choice].format(name(ear, e.seat))}."
    ),
    undo.UndoAsked: lambda e, ear: (
        f"{does(ear, e.seat, 'ask', 'asks')} to take the last move back."
    ),
    undo.MoveUndone: lambda e, ear: f"{does(ear, e.seat, 'take', 'takes')} the last move back.",
    clocks.PauseAsked: _pause_asked,
    clocks.ResumeAsked: lambda e, ear: f"{does(ear, e.seat, 'want', 'wants')} to go on.",
    clocks.Agreed: lambda e, ear: f"{does(ear, e.seat, 'agree', 'agrees')}.",
    clocks.Declined: _declined,
    clocks.PauseBegan: lambda e, _: f"A pause of {lasting(e.seconds)} begins.",
    clocks.PauseEnded: lambda _e, _: "The pause is over.",
}
