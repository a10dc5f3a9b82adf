"""The switches for those who watch without a seat: turned by the host, told to everybody."""

from dormie_protocol.spectators import Spectators, SpectatorsChanged
from dormie_rules.values import replace
from dormie_server.table.commands import SetSpectators
from dormie_server.table.draft import Draft
from dormie_server.table.refusal import No
from dormie_server.table.state import Table


def chosen(table: Table, request: SetSpectators) -> Spectators:
    """How the switches would stand; what the request leaves open stays as it is."""
    old = table.about.spectators
    return Spectators(
        old.allowed if request.allowed is None else request.allowed,
        old.password if request.password is None else request.password,
        request.chat or old.chat,
        old.delay if request.delay is None else request.delay,
    )


def turn(draft: Draft, request: SetSpectators) -> None:
    """Turn the switches. Raises No: while a match is on, its players rely on the delay they began with."""
    new = chosen(draft.table, request)
    on = draft.table.public.phase not in ("lobby", "over")
    if on and new.delay != draft.table.about.spectators.delay:
        raise No("wrong_time", field="delay")
    draft.match(replace(draft.table.about, spectators=new), draft.table.fairness)
    draft.tell(SpectatorsChanged(new.allowed, new.password, new.chat, new.delay))
