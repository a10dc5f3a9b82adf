"""`dormie play`: finds the server and the table, and sits the player down in front of it."""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from dormie_client.at_table import AtTable
from dormie_client.commands import Command, Unclear
from dormie_client.console import Console, Keyboard, can_edit
from dormie_client.day_evening import NotRight, day_first
from dormie_client.day_wish import read_day
from dormie_client.errors import ClosedError, RefusedError
from dormie_client.hall import Hall
from dormie_client.here import End, Here
from dormie_client.identity import config_home
from dormie_client.local_server import local_server
from dormie_client.meeting import meet
from dormie_client.one_line import sorry
from dormie_client.over_text import over_text
from dormie_client.patience_evening import PatienceEvening
from dormie_client.patience_show import PatienceShow
from dormie_client.play import Evening
from dormie_client.play_text import text
from dormie_client.play_wish import Wish, read_wish
from dormie_client.scene import Screen
from dormie_client.seating import sit_down
from dormie_client.show import Show, because
from dormie_client.table import Table
from dormie_client.terminal_view import SYMBOLS
from dormie_client.typed_lines import Lines
from dormie_client.web_address import without_end

WRONG = 1
"""A day that was checked is not as it was said to be."""
ENDED = 128
"""Added to the number of the signal that ended the program."""


def main_play(argv: list[str], name: str = "dormie play") -> int:
    """Play; 2 when that is not possible, with the reason in one line, which begins with *name*."""
    return _run(name, read_wish(argv, name=name))


def main_day(argv: list[str]) -> int:
    """The hole of the day; likewise."""
    name, (day, rest) = "dormie day", read_day(argv)
    wish = read_wish(rest, name=name)
    if wish.code or wish.new:
        return sorry(name, "the day has a table of its own: say no code, and nothing of a new one")
    return _run(name, replace(wish, day=day))


def _run(name: str, wish: Wish) -> int:
    told: list[int] = []
    try:
        asyncio.run(_until_told(wish, told))
    except RefusedError as no:
        return sorry(name, because(no, wish.language))
    except Unclear as unclear:
        return sorry(name, text(unclear.key, wish.language, **unclear.fields))
    except ClosedError as error:
        return sorry(name, over_text(error, wish.language))
    except NotRight as wrong:
        sorry(name, str(wrong))
        return WRONG
    except asyncio.CancelledError:
        return ENDED + told[0]
    return 0


async def _until_told(wish: Wish, told: list[int]) -> None:
    """Play until the player, or the system, has had enough."""
    loop, playing = asyncio.get_running_loop(), asyncio.current_task()
    assert playing is not None, "this is a task"

    def stop(number: int) -> None:
        told.append(number)
        playing.cancel()

    if sys.platform != "win32":  # Windows has neither: there Ctrl-C ends the game
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, stop, number)
    await play(wish)


async def play(
    wish: Wish, keys: int | None = None, out: TextIO | None = None, home: Path | None = None
) -> None:
    """Find the server and the table, and play. Raises RefusedError, Unclear or ClosedError.

    Lines come from file descriptor *keys* and go to *out*, usually those of the program. What proves who
    one is lies in *home*, usually where the system keeps such things.
    """
    keys, out = _standard_input() if keys is None else keys, out or sys.stdout
    screen = _screen(wish, out)
    async with AsyncExitStack() as stack:
        console, line = _console(wish, screen, keys, out, stack)
        url = await stack.enter_async_context(local_server()) if wish.local else wish.url
        show = Show(console, screen, without_end(url), wish.volume, local=wish.local)
        evening = _Evenings(show, Lines(line), patient=not os.isatty(keys))
        home = None if wish.local else home or config_home(os.environ)
        session = await stack.enter_async_context(await meet(wish, show, home, evening.state))
        await evening.go_on(Here(show, session, home), wish)


@dataclass
class _Evenings:
    """One evening after the other, until the player has had enough."""

    show: Show
    lines: Lines
    patient: bool
    now: Evening | PatienceEvening | None = None

    def state(self, state: str) -> None:
        """Take note of the state of the connection."""
        if self.now is not None:
            self.now.hear_state(state)
        elif state != "closed":
            self.show.state(state)

    async def go_on(self, here: Here, wish: Wish) -> None:
        """Play. Raises RefusedError, Unclear or ClosedError."""
        hall = Hall(here, self.lines)
        end: End
        if wish.day is not None:
            end = await day_first(here, wish.day)
        elif wish.lobby:
            end = await hall.stay(Command("lobby"))
        else:
            end = await sit_down(here, wish, self.lines)
        while end != "quit":
            if not isinstance(end, str):
                end = await self._at(here, end)
            elif wish.lobby:
                end = await hall.stay()
            else:
                return

    async def _at(self, here: Here, table: AtTable) -> End:
        """An evening at one table."""
        session = here.house
        self.now = evening = self._evening(here, table)
        try:
            end = await evening.play()
        except ClosedError as error:
            if session.over:
                raise
            self.show.console.say(over_text(error, self.show.screen.language))
            end = "over"
        self.lines.back.extend(evening.typed_ahead)
        self.now = None
        if end != "quit":
            with suppress(RefusedError, ClosedError):
                await table.unwatch()
        return end

    def _evening(self, here: Here, table: AtTable) -> Evening | PatienceEvening:
        show, session = self.show, here.house
        if table.about.game == "patience" and isinstance(table, Table):
            return PatienceEvening(
                table,
                PatienceShow(show.console, show.screen, show.url, show.volume, local=show.local),
                self.lines.next,
                bots=session.bots,
                patient=self.patient,
                now=session.server_time,
                here=replace(here, at=table),
            )
        return Evening(
            table,
            show,
            self.lines.next,
            bots=session.bots,
            patient=self.patient,
            now=session.server_time,
            house=session,
            home=here.home,
        )


def _console(
    wish: Wish, screen: Screen, keys: int, out: TextIO, stack: AsyncExitStack
) -> tuple[Console, Callable[[], Awaitable[str | None]]]:
    """What is written to, and what is typed: edited where a person looks at a terminal."""
    wide = screen.width if wish.width or out.isatty() else None
    if out is sys.stdout and not (wish.plain or wish.listed) and can_edit(keys, out, os.environ):
        from dormie_client import editing  # noqa: PLC0415 - half a second that pipes need not wait

        editor = editing.Editor()
        stack.enter_context(editing.above_the_line())
        return editing.EditedConsole(sys.stdout, editor, wide), editor.line
    return Console(out, echo=not os.isatty(keys), width=wide), Keyboard(keys).line


def _screen(wish: Wish, out: TextIO) -> Screen:
    """What this terminal can show."""
    if isinstance(out, TextIOWrapper):
        out.reconfigure(errors="replace")
    return Screen(
        wish.language,
        symbols=not wish.letters and _can_show("".join(SYMBOLS.values()), out),
        width=wish.width or shutil.get_terminal_size().columns,
        listed=wish.listed,
    )


def _can_show(signs: str, out: TextIO) -> bool:
    try:
        signs.encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _standard_input() -> int:
    """What is typed; some ways to start a program leave it without."""
    return os.open(os.devnull, os.O_RDONLY) if sys.stdin is None else sys.stdin.fileno()
