"""What the words about those who watch do: say how the switches stand, and turn them."""

from typing import cast

from dormie_client.commands import Command, Unclear, meant
from dormie_client.here import Group, Here
from dormie_client.spectator_text import SWITCHES, TALK, YES_NO
from dormie_protocol.spectators import LONGEST_DELAY, SpectatorTalk


async def _spectators(here: Here, command: Command) -> None:
    first, _, rest = command.rest.partition(" ")
    if not first:
        _tell(here)
        return
    yes = meant(first, YES_NO)
    if yes is not None and not rest:
        await here.table.set_spectators(allowed=yes == "yes")
        return
    await _turn(here, meant(first, SWITCHES), rest.strip())


async def _turn(here: Here, switch: str | None, how: str) -> None:
    yes, talk = meant(how, YES_NO), meant(how, TALK)
    match switch:
        case "allowed" if yes is not None:
            await here.table.set_spectators(allowed=yes == "yes")
        case "password" if yes is not None:
            await here.table.set_spectators(password=yes == "yes")
        case "chat" if talk is not None:
            await here.table.set_spectators(chat=cast("SpectatorTalk", talk))
        case "delay" if how.isascii() and how.isdecimal() and int(how[:4]) <= LONGEST_DELAY:
            await here.table.set_spectators(delay=int(how[:4]))
        case _:
            raise Unclear("which_switch")


def _tell(here: Here) -> None:
    how = here.scene.about.spectators
    column = 1 if here.show.screen.language == "fr" else 0
    here.text("watchers", count=here.table.spectators)
    here.text(
        "switches",
        allowed=here.word("yes" if how.allowed else "no"),
        password=here.word("yes" if how.password else "no"),
        chat=TALK[how.chat].split()[column],
        delay=how.delay,
    )


WORDS: Group = {"spectators": _spectators}
