"""Who may ask what of a table, and when: one table of roles, one of phases."""

from typing import Literal, TypeAlias

from dormie_protocol.table_view import Phase
from dormie_server.table.commands import (
    Agree,
    End,
    HandOver,
    Join,
    Kick,
    Leave,
    Lock,
    Pause,
    Ready,
    Rematch,
    Request,
    Resume,
    SetBot,
    SetPassword,
    SetSpectators,
    Start,
    Undo,
    Vote,
)
from dormie_server.table.refusal import No
from dormie_server.table.state import Table, day_of, seat_of

Role: TypeAlias = Literal["anyone", "seated", "host"]

WHO: dict[type[Request], Role] = {
    Join: "anyone",
    Ready: "seated",
    Start: "host",
    SetBot: "host",
    Leave: "seated",
    End: "host",
    Rematch: "seated",
    Kick: "host",
    HandOver: "host",
    Lock: "host",
    SetPassword: "host",
    SetSpectators: "host",
    Pause: "seated",
    Resume: "seated",
    Agree: "seated",
    Vote: "seated",
    Undo: "seated",
}

OPEN: frozenset[Phase] = frozenset({"lobby", "starting", "playing", "between", "over"})

WHEN: dict[type[Request], frozenset[Phase]] = {
    Join: frozenset({"lobby", "over"}),
    Ready: frozenset({"lobby", "starting", "playing", "between"}),  # too late is no mistake
    Start: frozenset({"lobby"}),
    SetBot: frozenset({"lobby", "over"}),
    Leave: OPEN,
    End: OPEN,
    Rematch: frozenset({"over"}),
    Kick: OPEN,
    HandOver: OPEN,
    Lock: OPEN,
    SetPassword: OPEN,
    SetSpectators: OPEN,
    Pause: frozenset({"playing", "between"}),
    Resume: frozenset({"playing", "between"}),
    Agree: frozenset({"playing", "between"}),
    Vote: frozenset({"playing"}),
    Undo: frozenset({"playing"}),
}


NOT_BY_DAY = (SetBot, Rematch, SetSpectators, Pause, Resume, Undo)
"""What nobody may ask where the hole of a day is played: it is played once, alone, and until the day ends."""

TALK: Role = "seated"
"""Who may speak at a table; the switches for spectators may let them speak, and not hear, too."""


def may_talk(table: Table, player: str, *, quick: bool, watches: bool = False) -> int | None:
    """The seat from which *player* may say something, *quick* words or anything; None for a spectator.

    *watches* says whether the player watches the table. Raises No.
    """
    seat = seat_of(table, player)
    if seat is None and not watches:
        raise No("not_seated")
    if table.public.phase == "closed":
        raise No("wrong_time")
    if table.about.chat == "off":
        raise No("chat_off")
    if table.about.chat == "emotes" and not quick:
        raise No("emotes_only")
    if seat is None and table.about.spectators.chat not in ("apart", "all"):
        raise No("players_only")
    return seat


def check(table: Table, player: str, request: Request) -> None:
    """Raise No unless *player* may ask this now; the role is the server's knowledge, never the message's."""
    seat = seat_of(table, player)
    match WHO[type(request)]:
        case "seated" if seat is None:
            raise No("not_seated")
        case "host" if seat is None or seat != table.public.host:
            raise No("not_host" if seat is not None else "not_seated")
        case "anyone" if seat is not None:
            return  # whoever sits here already is told so, whenever it is
    if isinstance(request, NOT_BY_DAY) and day_of(table):
        raise No("day_table")
    if table.public.phase not in WHEN[type(request)]:
        # A stranger learns the same from a full, a running and a missing table.
        raise No("no_table" if isinstance(request, Join) else "wrong_time")
