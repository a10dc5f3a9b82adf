"""Playing in a terminal: one sentence for everything that happens, one prompt when it is your turn.

Two streams meet here, what the table lets us see and what the player types. Everything that can be
right or wrong about words and pictures is elsewhere; this is only the order of things.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast, get_args

from dormie_client.at_table import AtTable, request
from dormie_client.commands import Command, LookVerb, MoveVerb, Unclear, move_of, read_command
from dormie_client.errors import RefusedError
from dormie_client.scene import Scene
from dormie_client.show import Show
from dormie_protocol.messages import Seen

WARNINGS = (20.0, 10.0, 5.0)
"""When so many seconds of a turn are left, the player is told."""
READY_IN = ("lobby", "starting", "between")
AT_ONCE = ("quit", *get_args(LookVerb))
"""What can be done while the table has not answered yet."""


@dataclass
class Evening:
    """One player, or somebody who watches, at one table."""

    table: AtTable
    show: Show
    line: Callable[[], Awaitable[str | None]]
    """Waits for what the player types; None is the end of it."""
    bots: Sequence[str] = ()
    """The levels of bots there are."""
    patient: bool = False
    """The lines come from a program: each waits until something is asked."""
    now: Callable[[], float] = time.time
    """The server's clock."""
    typed_ahead: deque[str | None] = field(default_factory=deque)
    """Lines that wait for the table to answer an earlier one."""
    _things: asyncio.Queue[Callable[[], None]] = field(default_factory=asyncio.Queue)
    """What happened, as what is to be done about it, in order."""
    _chores: set[asyncio.Task[Any]] = field(default_factory=set)  # of any kind
    _seen: Seen | None = None
    """The last look at the table."""
    _version: int = 0
    _over: bool = False
    _doing: bool = False
    """Something was asked of the table and has no answer yet."""
    _reading: bool = False
    _sure: str | None = None
    """What was asked for once and is done when it is asked for again."""
    _lucky: int = 0
    """The match for which luck was sent without being asked."""
    _alarm: float | None = None
    """The deadline for which warnings are set."""

    async def play(self) -> None:
        """Play until the table is closed, the seat is given up, or the player has had enough.

        Raises ClosedError when the server is gone for good.
        """
        self._chore(self._listen())
        try:
            while not self._over:
                (await self._things.get())()
                if self._things.empty():
                    self._ask()
        finally:
            for chore in self._chores:
                chore.cancel()
            await asyncio.gather(*self._chores, return_exceptions=True)

    def hear_state(self, state: str) -> None:
        """Take note of the state of the connection."""
        self._things.put_nowait(partial(self.show.state, state))

    async def _listen(self) -> None:
        async for seen in self.table.updates():
            self._things.put_nowait(partial(self._see, seen))
        self._things.put_nowait(self._ended)

    def _ended(self) -> None:
        """Nothing more will be seen: that is the end, or the reason for it is an error."""
        if self._scene and self._scene.view.phase == "closed":
            self._over = True
        else:
            self._do(self.table.until(lambda _: False))

    @property
    def _scene(self) -> Scene | None:
        seen = self._seen
        if seen is None or seen.view is None:
            return None
        return Scene(
            about=seen.about or self.table.about,
            view=seen.view,
            seat=seen.seat,
            pocket=seen.pocket,
            moves=seen.moves,
            replaced=self.table.replaced,
            screen=self.show.screen,
        )

    def _see(self, seen: Seen) -> None:
        first, self._version = self._seen is None, seen.version
        if seen.view is None:
            self.show.events(seen, None)
            return
        self._seen = seen
        scene = self._scene
        assert scene is not None, "there is a view"
        self.show.events(seen, scene)
        if first:
            self.show.arrive(self.table.code, scene)
        elif scene.replaced:
            self.show.text("replaced")
        else:
            self.show.turn(scene)
        self._send_luck(scene)
        self._set_alarm(scene)

    def _send_luck(self, scene: Scene) -> None:
        """A match that is about to start waits for luck from everybody, also from who has not said so."""
        seat = scene.view.seats[scene.seat] if scene.seat is not None else None
        wanted = scene.view.phase == "starting" and seat is not None and not seat.ready
        if wanted and self._lucky != scene.about.match:
            self._lucky = scene.about.match
            self._chore(self._be_ready())

    async def _be_ready(self) -> None:
        with suppress(RefusedError):
            await self.table.ready()

    # ------------------------------------------------------------ the prompt

    def _ask(self) -> None:
        """Ask when something is to be decided and nothing that was asked for is on its way."""
        scene = self._scene
        if self._over or scene is None:
            return
        if self.typed_ahead and not self._busy:
            self._act(self.typed_ahead.popleft())
            self._things.put_nowait(self._ask)
            return
        if not self._busy:
            self.show.ask(scene)
        if not self._reading and (self.show.console.asked is not None or not self.patient):
            self._reading = True
            self._chore(self._read())

    @property
    def _busy(self) -> bool:
        """Whether the table owes an answer, or has shown more than was told so far."""
        seen = self._seen.version if self._seen else 0
        return self._doing or not seen == self._version >= self.table.version

    async def _read(self) -> None:
        line = await self.line()
        self._things.put_nowait(partial(self._hear, line))

    def _set_alarm(self, scene: Scene) -> None:
        deadline = scene.view.deadline if scene.moves else None
        if deadline is None or deadline == self._alarm:
            return
        self._alarm = deadline
        left = deadline - self.now()
        for seconds in (seconds for seconds in WARNINGS if seconds < left):
            self._chore(self._warn(left - seconds, deadline, seconds))

    async def _warn(self, delay: float, deadline: float, seconds: float) -> None:
        await asyncio.sleep(delay)
        scene = self._scene
        if scene and scene.moves and scene.view.deadline == deadline:
            say = partial(self.show.text, "seconds_left", count=round(seconds))
            self._things.put_nowait(say)

    # ---------------------------------------------------------- what is typed

    def _hear(self, line: str | None) -> None:
        self._reading = line is None  # after the end there is nothing to read
        if line is not None:
            self.show.console.heard(line)
        if self.typed_ahead or (self._busy and not self._is_at_once(line)):
            self.typed_ahead.append(line)
        else:
            self._act(line)

    def _is_at_once(self, line: str | None) -> bool:
        with suppress(Unclear):
            return line is None or self._read_command(line).verb in AT_ONCE
        return False

    def _read_command(self, line: str) -> Command:
        return read_command(line, self.show.screen.language)

    def _act(self, line: str | None) -> None:
        scene = self._scene
        assert scene is not None, "nothing is read before there is something to see"
        if line is None:
            self._quit()
            return
        try:
            command = self._read_command(line)
        except Unclear as unclear:
            self.show.text(unclear.key)
            return
        sure, self._sure = self._sure == command.verb, None
        self._obey(command, scene, sure=sure, silent=not line.strip())

    def _obey(self, command: Command, scene: Scene, *, sure: bool, silent: bool) -> None:
        verb = command.verb
        if verb in get_args(LookVerb):
            self.show.look(cast("LookVerb", verb), command, scene)
        elif verb in get_args(MoveVerb):
            self._move(command, scene)
        elif verb == "quit":
            self._quit()
        elif verb in ("leave", "end") and not sure and scene.seat is not None:
            self._sure = verb
            self.show.text(f"sure_{verb}")
        elif verb == "ready" and scene.view.phase not in READY_IN:
            self._wait(scene, silent=silent)
        else:
            self._ask_the_table(command)

    def _move(self, command: Command, scene: Scene) -> None:
        move = move_of(command, scene.hole.stage if scene.hole else "over")
        assert move is not None, "the verb is one of a move"
        word = scene.why_not(move)
        if word == "wrong_time":
            self.show.text("no_hole")
        elif word is not None:
            self.show.word(word)
        else:
            self._do(self.table.play(move, on=self._seen))

    def _wait(self, scene: Scene, *, silent: bool) -> None:
        """Enter means nothing now; say whom the table waits for."""
        names = scene.waiting_for()
        if names:
            self.show.text("waiting", names=", ".join(names))
        elif not silent:
            self.show.word("wrong_time")

    def _ask_the_table(self, command: Command) -> None:
        asked = request(self.table, command, self.bots)
        if asked is None:
            self.show.text("no_level", levels=", ".join(self.bots))
        else:
            self._do(asked, self._left if command.verb == "leave" else None)

    def _quit(self) -> None:
        self._over = True
        if self._seen and self._seen.seat is not None and not self.show.local:
            self.show.text("kept", url=self.show.url, code=self.table.code)

    def _left(self) -> None:
        self._over = True
        self.show.text("left")

    # ------------------------------------------------------------ what is done

    def _do(self, asked: Coroutine[Any, Any, None], then: Callable[[], None] | None = None) -> None:
        """Let *asked* go its way while the screen goes on; *then* follows if it is done."""
        self._doing = True
        task = self._begin(asked)
        task.add_done_callback(lambda _: self._things.put_nowait(partial(self._done, task, then)))

    def _done(self, task: asyncio.Task[None], then: Callable[[], None] | None) -> None:
        self._doing = False
        self._chores.discard(task)
        try:
            task.result()
        except RefusedError as no:
            self.show.refusal(no)
        else:
            if then:
                then()

    def _chore(self, job: Coroutine[Any, Any, None]) -> None:
        """Let *job* run as long as the evening lasts."""
        self._begin(job).add_done_callback(self._chores.discard)

    def _begin(self, job: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(job)
        self._chores.add(task)
        return task
