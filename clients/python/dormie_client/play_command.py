"""`dormie play`: finds the server and the table, and sits the player down in front of it."""

import asyncio
import os
import shutil
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from io import TextIOWrapper
from typing import TextIO

from dormie_client.console import Console, Keyboard
from dormie_client.errors import ClosedError, RefusedError
from dormie_client.identity import config_home
from dormie_client.local_server import local_server
from dormie_client.meeting import meet
from dormie_client.one_line import sorry
from dormie_client.play import Evening
from dormie_client.play_wish import Wish, read_wish
from dormie_client.scene import Screen
from dormie_client.seating import sit_down
from dormie_client.show import Show, because
from dormie_client.terminal_view import SYMBOLS
from dormie_client.web_address import without_end

ENDED = 128
"""Added to the number of the signal that ended the program."""


def main_play(argv: list[str]) -> int:
    """Play; 2 when that is not possible, with the reason in one line."""
    wish = read_wish(argv)
    told: list[int] = []
    try:
        asyncio.run(_until_told(wish, told))
    except RefusedError as no:
        return sorry("dormie play", because(no, wish.language))
    except ClosedError as error:
        return sorry("dormie play", str(error))
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

    for name in ("SIGTERM", "SIGHUP"):
        # Windows has neither: there Ctrl-C ends the game.
        with suppress(AttributeError, NotImplementedError):
            number = getattr(signal, name)
            loop.add_signal_handler(number, stop, number)
    await play(wish)


async def play(wish: Wish) -> None:
    """Find the server and the table, and play. Raises RefusedError or ClosedError."""
    typed = sys.stdin is not None and sys.stdin.isatty()
    console = Console(sys.stdout, echo=not typed)
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(local_server()) if wish.local else wish.url
        show = Show(console, _screen(wish), without_end(url), wish.volume, local=wish.local)
        evenings: list[Evening] = []

        def tell(state: str) -> None:
            for evening in evenings:
                evening.hear_state(state)

        home = None if wish.local else config_home(os.environ)
        session = await stack.enter_async_context(await meet(wish, show, home, tell))
        table = await sit_down(session, wish, show)
        evening = Evening(
            table,
            show,
            _lines(),
            bots=session.bots,
            patient=not typed,
            now=lambda: time.time() + session.clock_offset,
        )
        evenings.append(evening)
        await evening.play()


def _screen(wish: Wish) -> Screen:
    """What this terminal can show."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    return Screen(
        wish.language,
        symbols=not wish.letters and _can_show("".join(SYMBOLS.values()), sys.stdout),
        width=shutil.get_terminal_size().columns,
        listed=wish.listed,
    )


def _can_show(signs: str, out: TextIO) -> bool:
    try:
        signs.encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _lines() -> Callable[[], Awaitable[str | None]]:
    """What is typed, line by line."""
    if sys.stdin is None:  # some ways to start a program leave it without
        return Keyboard(os.open(os.devnull, os.O_RDONLY)).line
    return Keyboard(sys.stdin.fileno()).line
