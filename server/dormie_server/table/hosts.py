"""What a host may do about others: send them away, make one of them the host, and mind the door."""

from dormie_protocol.table_view import Kicked
from dormie_server.table import doors, gathering, seats, spectators
from dormie_server.table.commands import (
    HandOver,
    HostRequest,
    Kick,
    Lock,
    SetPassword,
    SetSpectators,
)
from dormie_server.table.draft import Draft
from dormie_server.table.refusal import No
from dormie_server.table.state import Table


def is_so_already(table: Table, request: HostRequest) -> bool:
    """Whether nothing would change."""
    match request:
        case Lock(locked):
            return table.public.locked == locked
        case SetPassword(key):
            return table.secret.key == key
        case SetSpectators():
            return spectators.chosen(table, request) == table.about.spectators
        case _:
            return False


def do(draft: Draft, own: int, request: HostRequest) -> None:
    """Do what the host in seat *own* asks for. Raises No."""
    match request:
        case Kick():
            kick(draft, own, request)
        case HandOver():
            hand_over(draft, own, request)
        case Lock(locked):
            doors.turn_lock(draft, locked=locked)
        case SetPassword(key):
            doors.change_password(draft, key)
        case SetSpectators():
            spectators.turn(draft, request)


def kick(draft: Draft, own: int, request: Kick) -> None:
    """Free a person's seat as if they had left, and with a ban shut the door behind them. Raises No."""
    player = _person(draft.table, own, request)
    who = draft.table.public.seats[request.seat]
    assert who is not None, "a person sits there"
    if request.ban:
        doors.ban(draft, player)
    draft.tell(Kicked(request.seat, who.name, request.ban))
    seats.vacate(draft, request.seat)
    gathering.somebody_left(draft)


def hand_over(draft: Draft, own: int, request: HandOver) -> None:
    """Make a person who is here the host, to whom the rights come back from now on. Raises No."""
    player = _person(draft.table, own, request)
    who = draft.table.public.seats[request.seat]
    if who is None or not who.here:
        raise No("not_here", field="seat")
    draft.secret(founder=player)
    seats.pass_host_on(draft)


def _person(table: Table, own: int, request: Kick | HandOver) -> str:
    """The player in the seat that is meant; not the host, no bot, and nobody who came there meanwhile."""
    if request.seat >= len(table.public.seats):
        raise No("no_such_seat", field="seat")
    who, sitter = table.public.seats[request.seat], table.secret.sitters[request.seat]
    if request.name is not None and (who is None or who.name != request.name):
        raise No("stale", field="name")
    if request.seat == own:
        raise No("own_seat", field="seat")
    if sitter is None or sitter.player is None:
        raise No("not_a_person", field="seat")
    return sitter.player
