"""What words about time do: look at the clocks, ask for a pause, vote."""

from dormie_client.clock_lines import clock_lines
from dormie_client.commands import Command, Unclear, meant
from dormie_client.here import Group, Here
from dormie_client.time_text import CHOICES
from dormie_protocol.clocks import Choice

LONGEST_PAUSE = 14 * 24 * 60
"""Minutes."""

_CHOICES: dict[str, Choice] = {
    "wait": "wait",
    "bot": "bot",
    "withdraw": "withdraw",
    "end": "end",
}


async def _clock(here: Here, command: Command) -> None:
    del command
    here.show.console.say(*clock_lines(here.scene, here.table.time_left()))


async def _pause(here: Here, command: Command) -> None:
    minutes = command.rest
    if not minutes:
        await here.table.pause(None)
    elif minutes.isascii() and minutes.isdecimal() and 0 < int(minutes[:6]) <= LONGEST_PAUSE:
        await here.table.pause(int(minutes[:6]) * 60)
    else:
        raise Unclear("which_pause")


async def _resume(here: Here, command: Command) -> None:
    del command
    await here.table.resume()


async def _agree(here: Here, command: Command) -> None:
    del command
    await here.table.agree(yes=True)


async def _refuse(here: Here, command: Command) -> None:
    del command
    await here.table.agree(yes=False)


async def _vote(here: Here, command: Command) -> None:
    choice = _CHOICES.get(meant(command.rest, CHOICES) or "")
    if choice is None:
        raise Unclear("which_choice")
    await here.table.vote(choice)


async def _undo(here: Here, command: Command) -> None:
    del command
    await here.table.undo()


WORDS: Group = {
    "clock": _clock,
    "pause": _pause,
    "resume": _resume,
    "agree": _agree,
    "refuse": _refuse,
    "vote": _vote,
    "undo": _undo,
}
