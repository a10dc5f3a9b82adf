"""What a player asks about the hole of the day, message by message."""

from dormie_protocol import day_messages as d
from dormie_protocol.codec import write
from dormie_protocol.messages import Done
from dormie_server.days import Days, MayOpen
from dormie_server.person import Caller
from dormie_server.table.state import Policy


async def answer_day(
    days: Days, message: d.OfTheDay, caller: Caller, policy: Policy, may_open: MayOpen
) -> Done:
    """Do what *message* asks; *may_open* raises No where the player may open no other table. Raises No."""
    match message:
        case d.PlayDay():
            change = await days.play(caller.player, policy, may_open)
            code = change.table.about.table
            return Done(re=message.id, table=code, seat=change.seat, version=change.version)
        case d.Day():
            seen = await days.seen(message, caller.player.id)
            caller.peer.push(write(seen).encode())
        case d.DayResults():
            results = await days.results(message, caller.player.id)
            caller.peer.push(write(results).encode())
        case _:
            raise AssertionError(f"{type(message)} has no answer here")
    return Done(re=message.id)
