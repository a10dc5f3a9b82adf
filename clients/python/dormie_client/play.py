"""Playing in a terminal: one sentence for everything that happens, one prompt when it is your turn.

Two streams meet here, what the table lets us see and what the player types. Everything that can be
right or wrong about words and pictures is elsewhere; this is only the order of things.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast, get_args

from dormie_client.at_table import AtTable, request, send_luck
from dormie_client.chores import Chores
from dormie_client.commands import Command, LookVerb, MoveVerb, Unclear, move_of, read_command
from dormie_client.countdown import Countdown
from dormie_client.errors import RefusedError
from dormie_client.here import End, Here
from dormie_client.scene import Scene, scene_of
from dormie_client.session import Dormie
from dormie_client.show import Show
from dormie_client.typed_lines import MOST, may_act
from dormie_client.words import does
from dormie_protocol.messages import Seen

READY_IN = ("lobby", "starting", "between")


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
    """The lines come from a program: what belongs to the game waits until something is asked."""
    now: Callable[[], float] = time.time
    """The server's clock."""
    house: Dormie | None = None
    """What can be asked about other tables, and about oneself."""
    home: Path | None = None
    """Where one's token is kept."""
    typed_ahead: deque[str | None] = field(default_factory=deque)
    """Lines that wait; what is left at the end is for the next table."""
    _things: asyncio.Queue[Callable[[], None]] = field(default_factory=asyncio.Queue)
    """What happened, as what is to be done about it, in order."""
    _chores: Chores = field(default_factory=Chores)
    _seen: Seen | None = None
    """The last look at the table."""
    _version: int = 0
    _end: End | None = None
    _over: bool = False
    """Nothing more will be seen here."""
    _doing: bool = False
    """Something was asked of the table and has no answer yet."""
    _reading: bool = False
    _fresh: bool = False
    """The only line that waits has just come."""
    _sure: str | None = None
    """What was asked for once and is done when it is asked for again."""
    _lucky: int = 0
    """The match for which luck was sent without being asked."""

    async def play(self) -> End:
        """Play until the table is closed, the seat is given up, or the player goes or has had enough.

        Raises ClosedError when the server is gone for good, or the host wants us here no more.
        """
        self._countdown = Countdown(self.now, self._chores.keep, self._warn)
        self._chores.keep(self._listen())
        try:
            while self._end is None:
                (await self._things.get())()
                if self._things.empty():
                    self._ask()
        finally:
            await self._chores.end()
        return self._end

    def hear_state(self, state: str) -> None:
        """Take note of the state of the connection."""
        self._things.put_nowait(partial(self.show.state, state))

    async def _listen(self) -> None:
        async for seen in self.table.updates():
            self._things.put_nowait(partial(self._see, seen))
        self._things.put_nowait(self._ended)

    async def _listen_to_talk(self) -> None:
        async for said in self.table.talk():
            self._things.put_nowait(partial(self.show.said, said, self._seat))

    def _ended(self) -> None:
        """Nothing more will be seen: that is the end, or the reason for it is an error."""
        self._over = True
        if self._scene and self._scene.view.phase == "closed":
            self._end = "over"
        elif not self._doing:  # what is under way may be the reason
            self._do(self.table.until(lambda _: False))

    @property
    def _seat(self) -> int | None:
        return self._seen.seat if self._seen else None

    @property
    def _scene(self) -> Scene | None:
        if self._seen is None:
            return None
        return scene_of(self._seen, self.table.about, self.show.screen, self.table.replaced)

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
            self._chores.keep(self._listen_to_talk())
        elif scene.replaced:
            self.show.text("replaced")
        else:
            self.show.turn(scene)
        self._send_luck(scene)
        self._countdown.look(scene)

    def _send_luck(self, scene: Scene) -> None:
        """A match that is about to start waits for luck from everybody, also from who has not said so."""
        if scene.wants_luck and self._lucky != scene.about.match:
            self._lucky = scene.about.match
            self._chores.keep(send_luck(self.table))

    def _warn(self, deadline: float, seconds: float) -> None:
        scene = self._scene
        if scene and scene.moves and scene.view.deadline == deadline:
            say = partial(self.show.text, "seconds_left", count=round(seconds))
            self._things.put_nowait(say)

    # ------------------------------------------------------------ the prompt

    def _ask(self) -> None:
        """Ask when something is to be decided and nothing that was asked for is on its way."""
        scene = self._scene
        if self._end is not None or scene is None:
            return
        if self._can_act(scene):
            self._act(self.typed_ahead.popleft(), scene)
            self._things.put_nowait(self._ask)
        elif not self._busy:
            self.show.ask(scene)
            if self._can_act(scene):
                self._things.put_nowait(self._ask)
        self._fresh = False
        if not self._reading and len(self.typed_ahead) < MOST:
            self._reading = True
            self._chores.keep(self._read())

    def _can_act(self, scene: Scene) -> bool:
        """Whether the first line need not wait; while the table is busy it must have come just now."""
        if not self.typed_ahead or (self._busy and not self._fresh):
            return False
        return may_act(
            self.typed_ahead[0],
            self.show.screen.language,
            patient=self.patient,
            busy=self._busy,
            asked=self.show.console.asked is not None,
            watching=scene.seat is None,
        )

    @property
    def _busy(self) -> bool:
        """Whether the table owes an answer, or has shown more than was told so far."""
        seen = self._seen.version if self._seen else 0
        return self._doing or not seen == self._version >= self.table.version

    async def _read(self) -> None:
        line = await self.line()
        self.typed_ahead.append(line)
        self._things.put_nowait(partial(self._hear, line))

    # ---------------------------------------------------------- what is typed

    def _hear(self, line: str | None) -> None:
        self._reading = line is None  # after the end there is nothing to read
        self._fresh = len(self.typed_ahead) == 1
        if line is not None and not self.patient:
            self.show.console.heard(line)

    def _act(self, line: str | None, scene: Scene) -> None:
        if line is None:
            self._quit()
            return
        if self.patient:
            self.show.console.heard(line)
        try:
            command = read_command(line, self.show.screen.language)
        except Unclear as unclear:
            self.show.unclear(unclear)
            return
        sure, self._sure = self._sure == command.verb, None
        self._obey(command, scene, sure=sure, silent=not line.strip())

    def _obey(self, command: Command, scene: Scene, *, sure: bool, silent: bool) -> None:
        verb, word = command.verb, does(command.verb)
        if word is not None:
            here = Here(self.show, self.house, self.home, self.table, scene)
            self._do(word(here, command), partial(self._go, scene))
        elif verb in get_args(LookVerb):
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
        asked = request(self.table, command.verb, self.bots, command.rest, command.number)
        if asked is None:
            self.show.text("no_level", levels=", ".join(self.bots))
        else:
            self._do(asked, self._left if command.verb == "leave" else None)

    def _quit(self) -> None:
        self._end = "quit"
        if self._seat is not None and not self.show.local:
            self.show.text("kept", url=self.show.url, code=self.table.code)

    def _left(self, _: None) -> None:
        self._end = "over"
        self.show.text("left")

    def _go(self, scene: Scene, end: End | None) -> None:
        """A word may have led to another table, or to the end."""
        if end is None or (not isinstance(end, str) and end.code == self.table.code):
            return
        self._end = end
        if not isinstance(end, str) and scene.seat is not None:
            self.show.text("seat_kept", code=self.table.code)

    # ------------------------------------------------------------ what is done

    def _do(
        self, asked: Coroutine[Any, Any, Any], then: Callable[[Any], None] | None = None
    ) -> None:  # whatever comes of it
        """Let *asked* go its way while the screen goes on; *then* follows if it is done."""
        self._doing = True
        task = self._chores.begin(asked)
        task.add_done_callback(lambda _: self._things.put_nowait(partial(self._done, task, then)))

    def _done(self, task: asyncio.Task[Any], then: Callable[[Any], None] | None) -> None:
        self._doing = False
        self._chores.done(task)
        try:
            found = task.result()
        except RefusedError as no:
            self.show.refusal(no)
        except Unclear as unclear:
            self.show.unclear(unclear)
        else:
            if then:
                then(found)
        if self._over and self._end is None:
            self._ended()
