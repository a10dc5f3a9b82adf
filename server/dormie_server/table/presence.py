"""Connections come and go; seats stay with their players."""

from dormie_protocol.table_view import Dropped, Returned
from dormie_server.table.commands import Attach
from dormie_server.table.draft import Draft
from dormie_server.table.running import LAG, came_back, excuse
from dormie_server.table.seats import pass_host_on


def attach(draft: Draft, seat: int, command: Attach) -> int:
    """A connection plays *seat* from now on; the generation it must name is the answer."""
    who = draft.table.public.seats[seat]
    sitter = draft.table.secret.sitters[seat]
    assert who is not None, "a player sits there"
    assert sitter is not None, "a player sits there"
    generation = draft.table.secret.generations + 1
    mine = {"server": command.server, "run": command.run, "line": command.line}
    draft.sitter(seat, generation=generation, **mine)
    draft.secret(last_human=draft.now, generations=generation)
    if not who.here:
        draft.seat(seat, here=True)
        if sitter.generation:  # whoever comes for the first time is not back
            draft.tell(Returned(seat))
    came_back(draft, seat)
    pass_host_on(draft)
    return generation


def drop(draft: Draft, seat: int) -> None:
    """The connection that played *seat* is gone."""
    draft.sitter(seat, server=None)
    draft.seat(seat, here=False)
    draft.tell(Dropped(seat))
    excuse(draft, seat, LAG)
    pass_host_on(draft)
