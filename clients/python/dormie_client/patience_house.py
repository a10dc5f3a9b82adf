"""What is typed at a table of Golf Patience and belongs to every table: a host's words, talk, the house."""

from dataclasses import replace

from dormie_client.commands import Unclear, read_command
from dormie_client.here import End, Here
from dormie_client.scene import Scene
from dormie_client.words import does


async def say_elsewhere(here: Here | None, scene: Scene, typed: str) -> End | None:
    """Do what *typed* means at any table; returns where one goes, if one goes anywhere.

    Raises Unclear for what is no word of the house, RefusedError for what it refuses, and ClosedError.
    """
    if here is None:
        raise Unclear("what")
    command = read_command(typed, here.show.screen.language)
    if command.verb in ("brief", "normal", "full"):
        here.show.loud(command.verb, command.rest)
        return None
    if command.verb == "nobot":
        await here.table.bot(None, (command.number or 1) - 1)
        return None
    word = does(command.verb)
    if word is None:
        raise Unclear("what")
    end = await word(replace(here, seen=scene), command)
    gone = end is not None and (isinstance(end, str) or end.code != here.table.code)
    if gone and not isinstance(end, str) and scene.seat is not None:
        here.text("seat_kept", code=here.table.code)
    return end if gone else None
