"""Playing Golf Patience in a terminal, alone or in a race.

Two streams meet here, as at every table: what the table lets us see, and what the player types. What can
be right or wrong about words and pictures is elsewhere; this is only the order of things.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from dormie_client.at_table import request, send_luck
from dormie_client.commands import Unclear as NoWord
from dormie_client.errors import RefusedError
from dormie_client.here import End, Here
from dormie_client.patience_asks import MOVES, TWICE, plays, prompt, warning
from dormie_client.patience_house import say_elsewhere
from dormie_client.patience_looks import LOOKS
from dormie_client.patience_news import News
from dormie_client.patience_show import PatienceShow
from dormie_client.patience_typed import NextLine
from dormie_client.patience_view import Sight, brief, draw_board
from dormie_client.patience_warnings import Warnings, time_line, until_the_next
from dormie_client.patience_words import Command, Unclear, read_patience
from dormie_client.scene import scene_of
from dormie_client.table import Table
from dormie_protocol.messages import Seen
from dormie_protocol.people_messages import Said
from dormie_rules.patience_moves import Play, RaceMove

_IN_TIME = 10.0
"""What a move has made is seen sooner, or the line is down."""


@dataclass
class PatienceEvening:
    """One player, or somebody who watches, at one table of Golf Patience."""

    table: Table
    show: PatienceShow
    line: Callable[[], Awaitable[str | None]]
    """Waits for what the player types; None is the end of it."""
    bots: Sequence[str] = ()
    patient: bool = False
    """Lines come from a program: what belongs to the game waits until something is asked."""
    now: Callable[[], float] = time.time
    """The server's clock."""
    here: Here | None = None
    """The house with all its words; None where there is nothing but this table."""
    marks: bool = True
    """Whether cards that fit are marked."""
    typed_ahead: list[str | None] = field(default_factory=list)
    """What was typed and not acted on before the end of the evening."""
    _seen: Seen | None = None
    """The last look at the table."""
    _version: int = 0
    _sure: str | None = None
    _lucky: int = 0
    """The match for which luck was sent without being asked."""
    _warnings: Warnings = field(default_factory=Warnings)
    _end: End | None = None
    _busy: bool = False

    def __post_init__(self) -> None:
        """Nothing is heard of the table before it is played at."""
        self._news = News(self.table)
        self._next = NextLine(self.line, patient=self.patient)

    async def play(self) -> End:
        """Play until the table is closed, the seat is given up, or the player goes or has had enough.

        Raises ClosedError when the server is gone for good, or the host wants us here no more.
        """
        listening = self._news.listen()
        try:
            while self._end is None:
                if not self._news.things:
                    self._ask()
                if not self._may_act():
                    await self._news.wait(self._next.coming, self._warning())
                await self._take_all_in()
                if self._may_act() and self._end is None:
                    await self._hear(self._next.take())
        finally:
            for one in listening:
                one.cancel()
            self.typed_ahead += await self._next.stop()
            await asyncio.gather(*listening, return_exceptions=True)
        return self._end

    def _may_act(self) -> bool:
        scene = self._sight.scene if self._seen else None
        return self._next.may_act(scene, asked=self.show.console.asked is not None)

    def hear_state(self, state: str) -> None:
        """Take note of the state of the connection; whoever waits for an answer is told at once."""
        (self.show.state if self._busy else self._news.put)(state)

    @property
    def _sight(self) -> Sight:
        seen = self._seen
        assert seen is not None, "nothing is done before there is something to see"
        scene = scene_of(seen, self.table.about, self.show.screen, self.table.replaced)
        assert scene is not None, "what is remembered has a view"
        return Sight(scene, self.marks)

    # ----------------------------------------------------------- what is seen

    async def _take_all_in(self) -> None:
        self._news.bell.clear()
        while self._news.things and self._end is None:
            thing = self._news.things.popleft()
            if thing is None:
                await self._closed()
            elif isinstance(thing, str):
                self.show.state(thing)
            elif isinstance(thing, Said):
                self._tell(thing)
            else:
                await self._see(thing)

    async def _closed(self) -> None:
        """Nothing more will be seen: that is the end, or the reason for it is an error."""
        if self.table.view.phase != "closed":
            await self.table.until(lambda _: False)
        self._end = "over"

    def _tell(self, said: Said) -> None:
        if self.here is not None:
            self.here.show.said(said, self._seen.seat if self._seen else None)

    async def _see(self, seen: Seen) -> None:
        first, self._version = self._seen is None, seen.version
        if seen.view is not None:
            self._seen = seen
        if self._seen is None:
            return
        sight = self._sight
        self.show.events(seen, sight)
        if first:
            self.show.arrive(self.table.code, sight)
        elif sight.scene.replaced:
            self.show.common("replaced")
        self.show.hole(sight)
        await self._send_luck(sight)

    async def _send_luck(self, sight: Sight) -> None:
        """A match that is about to start waits for luck from everybody, also from who has not said so."""
        if sight.scene.wants_luck and self._lucky != sight.scene.about.match:
            self._lucky = sight.scene.about.match
            await send_luck(self.table)

    def _warning(self) -> float | None:
        """Seconds until the player has to be told how little time is left; tells it if that is now."""
        seen = self._seen
        deadline = seen.view.deadline if seen and seen.view and seen.moves else None
        if deadline is None:
            return None
        if (seconds := self._warnings.due(deadline, self.now())) is not None:
            self._own("seconds_left", count=seconds)
        return until_the_next(deadline - self.now())

    # ---------------------------------------------------------- what is typed

    def _ask(self) -> None:
        if self._end is not None or self._seen is None:
            return
        asked = prompt(self._sight)
        if asked is not None and asked != self.show.console.asked:
            self.show.console.ask(asked)

    async def _hear(self, line: str | None) -> None:
        if line is None:
            self._quit()
            return
        self.show.console.heard(line)
        if self._seen is None:
            return
        self._busy = True
        try:
            await self._act(line, self._seen)
        except RefusedError as no:
            self.show.refusal(no)
        finally:
            self._busy = False

    async def _act(self, line: str, seen: Seen) -> None:
        try:
            command = read_patience(line, self.show.screen.language)
        except Unclear as unclear:
            if unclear.key == "what":
                await self._say_elsewhere(line)
            else:
                self._own(unclear.key)
            return
        sure, self._sure = self._sure == command.verb, None
        if command.verb in TWICE and not sure and seen.seat is not None:
            self._sure = command.verb
            self.show.console.say(warning(self._sight, command.verb))
        else:
            await self._obey(command)

    async def _say_elsewhere(self, line: str) -> None:
        """What is no word of this game may be one of every table."""
        self._sure = None
        try:
            self._end = await say_elsewhere(self.here, self._sight.scene, line)
            self.show.volume = self.here.show.volume if self.here else self.show.volume
        except NoWord as unclear:
            self.show.common(unclear.key, **unclear.fields)
        await self._catch_up()

    async def _obey(self, command: Command) -> None:
        verb, sight = command.verb, self._sight
        if verb in LOOKS:
            self.show.console.say(*LOOKS[verb](sight, command.rest))
        elif verb == "play":
            await self._move(Play(command.column or 0), command.column)
        elif verb in MOVES:
            await self._move(MOVES[verb], None)
        elif verb == "auto":
            await self._play_on()
        elif verb == "quit":
            self._quit()
        elif verb in ("marks", "time", "hint"):
            await self._say_about(command, sight)
        else:
            await self._ask_the_table(command)

    async def _say_about(self, command: Command, sight: Sight) -> None:
        if command.verb == "hint":
            self.show.hint(await self.table.hint("open" if command.rest else "fair"))
        elif command.verb == "marks":
            self.marks = not self.marks
            self._own("marks_on" if self.marks else "marks_off")
        else:
            self.show.console.say(time_line(sight, self.table.time_left()))

    async def _ask_the_table(self, command: Command) -> None:
        level = command.rest or next(iter(self.bots), "")
        asked = request(self.table, command.verb, self.bots, level)
        if asked is None:
            self.show.common("no_level", levels=", ".join(self.bots))
            return
        await asked
        await self._catch_up()
        if command.verb == "leave":
            self._end = "over"
            self.show.common("left")

    async def _move(self, move: RaceMove, column: int | None) -> None:
        word = self._sight.why_not(move)
        if word is not None:
            self.show.word(word)
            return
        hole = self._hole
        await self.table.play(move, on=self._seen)
        await self._catch_up()
        self._show_board(hole, column)

    async def _play_on(self) -> None:
        """Play while exactly one card fits: nothing is decided for the player, and nothing drawn."""
        hole = self._hole
        if len(plays(self._sight)) != 1:
            self._own("no_auto")
            return
        while hole == self._hole and len(fit := plays(self._sight)) == 1:
            await self.table.play(fit[0], on=self._seen)
            await self._catch_up()
        self._show_board(hole, None)

    @property
    def _hole(self) -> int:
        return match.hole if (match := self._sight.match) else 0

    def _show_board(self, hole: int, column: int | None) -> None:
        """Show what a move has made of the board, while there is something left to do with it."""
        sight = self._sight
        if sight.board is None or sight.board.ending is not None or hole != self._hole:
            return
        lines = [brief(sight, column)] if sight.screen.listed else draw_board(sight)
        self.show.console.say(*lines)

    async def _catch_up(self) -> None:
        """Take in what was asked for and is done."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_IN_TIME):
                while self._version < self.table.version and self._end is None:
                    await self._news.bell.wait()
                    await self._take_all_in()

    def _quit(self) -> None:
        self._end = "quit"
        if self._seen and self._seen.seat is not None and not self.show.local:
            self.show.common("kept", url=self.show.url, code=self.table.code)

    def _own(self, key: str, **fields: object) -> None:
        self.show.console.say(self._sight.text(key, **fields))
