"""A small house with real rules and no durability, whose lines can be as bad as a test wants.

It knows one table. Messages in both directions are counted, and a mishap may wait for each: lines
are cut before or after a request is done, what is shown is lost, doubled or comes late.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from types import TracebackType
from typing import Any, Self

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from dormie_protocol.codec import read_client, write
from dormie_protocol.messages import (
    SUBPROTOCOL,
    AtTable,
    ClientMessage,
    Create,
    Done,
    End,
    FromServer,
    Heard,
    Hello,
    Join,
    Leave,
    Play,
    Ready,
    Refused,
    Rematch,
    Replaced,
    Seen,
    Start,
    Watch,
    Welcome,
)
from dormie_protocol.table_view import (
    About,
    BecameReady,
    Closed,
    Fairness,
    Joined,
    LeftTable,
    MatchBegan,
    Phase,
    Seat,
    Starting,
    TablePublic,
)
from dormie_protocol.words import sentence
from dormie_rules.course import GridCourse
from dormie_rules.course_state import CourseState
from dormie_rules.drawers import hear, look
from dormie_rules.game import AnyEvent, Deal, IllegalMove, act, tell
from dormie_rules.grid_options import choose
from dormie_rules.luck import shuffle
from dormie_rules.variants import find
from tests.grid_only import grid_move

CODE = "GREENS22"


class Mishap(Enum):
    """What can go wrong with one message."""

    NONE = "none"
    CUT = "the line is cut before the message is read, or instead of its being sent"
    LATE_CUT = "the line is cut right after the message was read, or sent"
    LOSE = "what is shown is lost, which is noticed a little later"
    DOUBLE = "what is shown is shown twice"
    HOLD = "others come first"


class No(Exception):
    """A refusal's word."""


@dataclass(eq=False)
class Wire:
    """One connection."""

    socket: ServerConnection
    player: str = ""
    watching: bool = False


@dataclass
class Golf:
    """The table."""

    about: About
    course: GridCourse
    public: TablePublic
    owners: list[str | None]
    notes: list[tuple[AnyEvent, ...]] = field(default_factory=list)
    state: CourseState | None = None
    answers: dict[tuple[str, str], Done] = field(default_factory=dict)
    last: dict[int, tuple[int, object, int]] = field(default_factory=dict)
    """For each seat its last move's number, the move, and the version it made."""

    @property
    def version(self) -> int:
        return len(self.notes)

    @staticmethod
    def chain(version: int) -> str:
        """A stand-in for a hash over the notes."""
        return f"{version:08x}"


class FakeHouse:
    """The house: ``async with FakeHouse() as house`` opens it at ``house.url``."""

    def __init__(self, mishaps: Mapping[int, Mishap] | None = None) -> None:
        self.url = ""
        self.golf: Golf | None = None
        self.done: Counter[str] = Counter()
        """How often each request was done; more than once is a disgrace."""
        self.moves: list[tuple[int, object]] = []
        self.refused: list[str] = []
        self.messages = 0
        self._mishaps = mishaps or {}
        self._wires: list[Wire] = []
        self._late: set[asyncio.Task[None]] = set()
        self._guests = 0
        self._server: Server | None = None

    async def __aenter__(self) -> Self:
        names = [Subprotocol(SUBPROTOCOL)]
        self._server = await serve(self._meet, "127.0.0.1", 0, subprotocols=names, compression=None)
        self.url = f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/ws"
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._server is not None, "it was opened"
        self._server.close()
        await self._server.wait_closed()
        await asyncio.gather(*self._late, return_exceptions=True)

    @property
    def table(self) -> Golf:
        assert self.golf is not None, "a table was opened"
        return self.golf

    def change(self, *events: AnyEvent, **public: Any) -> None:
        """Let something happen at the table, and show it to everybody there."""
        golf = self.table
        match = golf.state.public if golf.state else None
        golf.public = replace(golf.public, **({"match": match} | public))
        golf.notes.append(events)
        for wire in [w for w in self._wires if w.watching]:
            self._show(wire, golf.version - 1, events)

    def close(self) -> None:
        """Close the table."""
        self.change(tell(Closed("host")), phase="closed")

    async def _meet(self, socket: ServerConnection) -> None:
        wire = Wire(socket)
        self._wires.append(wire)
        try:
            while True:
                message = read_client(await socket.recv())
                mishap = self._mishap()
                if mishap is Mishap.CUT:
                    break
                self._answer(wire, message)
                if mishap is Mishap.LATE_CUT:
                    break
        except ConnectionClosed:
            pass
        finally:
            self._wires.remove(wire)
            wire.watching = False
            socket.transport.abort()

    def _mishap(self) -> Mishap:
        self.messages += 1
        return self._mishaps.get(self.messages, Mishap.NONE)

    def _answer(self, wire: Wire, message: ClientMessage) -> None:
        try:
            self._say(wire, self._do(wire, message))
        except No as no:
            word = str(no)
            self.refused.append(word)
            self._say(wire, Refused(re=message.id, word=word, because=sentence(word)))

    def _do(self, wire: Wire, message: ClientMessage) -> FromServer:
        match message:
            case Hello():
                return self._welcome(wire, message)
            case Watch():
                return self._watch(wire, message)
            case Play():
                return self._play(wire, message)
            case _:
                return self._once(wire, message)

    def _once(self, wire: Wire, message: ClientMessage) -> Done:
        before = self.table.answers.get((wire.player, message.id)) if self.golf else None
        if before is not None:
            return before
        seat = self._request(wire, message)
        self.done[message.id] += 1
        done = Done(re=message.id, table=CODE, seat=seat, version=self.table.version)
        self.table.answers[wire.player, message.id] = done
        return done

    def _welcome(self, wire: Wire, hello: Hello) -> Welcome:
        token = None
        if hello.token is None:
            self._guests += 1
            token = f"{self._guests:043d}"
        wire.player = f"p{int(token or hello.token or 0)}"
        return Welcome(
            re=hello.id,
            player=wire.player,
            name=hello.name or wire.player,
            token=token,
            now=0.0,
            server="0.1.0",
            variants=("six_card",),
            bots=(),
        )

    def _request(self, wire: Wire, message: ClientMessage) -> int | None:
        """Do what is asked for, and say which seat it was about."""
        player = wire.player
        if isinstance(message, Create):
            return self._create(player, message)
        golf, table = self.golf, message.table if isinstance(message, AtTable) else None
        if golf is None or table != CODE:
            raise No("no_table")
        seat = golf.owners.index(player) if player in golf.owners else None
        if isinstance(message, Join):
            return self._join(player) if seat is None else seat
        if seat is None:
            raise No("not_seated")
        match message:
            case Ready():
                self._ready(seat)
            case Start():
                self.change(tell(Starting(golf.about.match, "c")), phase="starting")
            case Rematch():
                self._rematch(seat)
            case Leave():
                golf.owners[seat] = None
                self.change(tell(LeftTable(seat, player)))
            case End():
                self.close()
            case _:
                raise No("wrong_time")
        return seat

    def _create(self, player: str, create: Create) -> int:
        variant = find(create.variant)
        rules = choose(variant, create.options, create.size)
        about = About(CODE, "grid", variant.name, create.options, rules, create.size, 60.0)
        seats = (Seat(player), *[None] * (create.size - 1))
        public = TablePublic("lobby", seats, 0, None)
        owners = [player, *[None] * (create.size - 1)]
        self.golf = Golf(about, GridCourse(rules, create.size), public, owners)
        self.change(tell(Joined(0, player)))
        return 0

    def _join(self, player: str) -> int:
        golf = self.table
        if None not in golf.owners or golf.public.phase != "lobby":
            raise No("no_table")
        seat = golf.owners.index(None)
        golf.owners[seat] = player
        seats = (*golf.public.seats[:seat], Seat(player), *golf.public.seats[seat + 1 :])
        self.change(tell(Joined(seat, player)), seats=seats)
        return seat

    def _ready(self, seat: int) -> None:
        golf = self.table
        if golf.public.phase not in ("lobby", "starting", "between"):
            raise No("wrong_time")
        self._mark(seat)
        if not all(who and who.ready for who in golf.public.seats):
            return
        if golf.public.phase != "between":
            golf.state = golf.course.start(0)
            contributions = (None,) * len(golf.owners)
            self._unready(tell(MatchBegan(contributions)), phase="playing")
        self._deal()

    def _mark(self, seat: int) -> None:
        """Mark a seat as ready."""
        seats = self.table.public.seats
        now = [w and (replace(w, ready=True) if s == seat else w) for s, w in enumerate(seats)]
        self.change(tell(BecameReady(seat)), seats=tuple(now))

    def _unready(self, *events: AnyEvent, phase: Phase, **fields: Any) -> None:
        seats = (w and replace(w, ready=False, **fields) for w in self.table.public.seats)
        self.change(*events, phase=phase, seats=tuple(seats))

    def _deal(self) -> None:
        golf = self.table
        assert golf.state is not None, "a match is on"
        pack = golf.course.pack(golf.state)
        seed = f"{golf.about.match} {golf.state.public.hole}".encode()
        step = golf.course.deal(golf.state, Deal(shuffle(seed, pack), seed))
        golf.state = step.state
        self._unready(*step.events, phase="playing")

    def _rematch(self, seat: int) -> None:
        golf = self.table
        if golf.public.phase != "over":
            raise No("wrong_time")
        self._mark(seat)
        if all(who and who.ready for who in golf.public.seats):
            golf.about = replace(golf.about, match=golf.about.match + 1)
            golf.last.clear()
            golf.state = None
            self._unready(tell(Starting(golf.about.match, "c")), phase="starting")

    def _play(self, wire: Wire, play: Play) -> Done:
        golf = self.table
        seat = golf.owners.index(wire.player)
        who = golf.public.seats[seat]
        assert who is not None, "the player sits there"
        count, move, version = golf.last.get(seat, (0, None, 0))
        if not wire.watching:
            raise No("replaced")
        if (play.count, play.move) != (count, move):
            if play.count != who.count + 1:
                raise No("stale")
            if golf.public.phase != "playing":
                raise No("wrong_time")
            self.move(seat, play)
            self.done[play.id] += 1
            version = golf.version
        return Done(re=play.id, table=CODE, seat=seat, version=version)

    def move(self, seat: int, play: Play) -> None:
        """Make a move by the rules."""
        golf = self.table
        assert golf.state is not None, "a match is on"
        try:
            step = act(golf.course, golf.state, seat, grid_move(play.move))
        except IllegalMove as illegal:
            raise No(illegal.word) from None
        golf.state = step.state
        golf.last[seat] = play.count, play.move, golf.version + 1
        self.moves.append((seat, play.move))
        seats = [w and replace(w, count=w.count + (s == seat)) for s, w in self._seats()]
        over, ended = step.state.public.places, golf.course.wants_deal(step.state)
        phase: Phase = "over" if over else "between" if ended else "playing"
        self.change(*step.events, phase=phase, seats=tuple(seats))

    def _seats(self) -> list[tuple[int, Seat | None]]:
        return list(enumerate(self.table.public.seats))

    def _watch(self, wire: Wire, watch: Watch) -> Done:
        golf = self.golf
        if golf is None or watch.table != CODE:
            raise No("no_table")
        for other in self._wires:
            if other is not wire and other.player == wire.player and other.watching:
                other.watching = False
                if other.player in golf.owners:
                    self._say(other, Replaced(table=CODE))
        wire.watching = True
        known = watch.after <= golf.version and watch.chain == golf.chain(watch.after)
        events = tuple(event for note in golf.notes[watch.after :] for event in note)
        if watch.after and known:
            self._show(wire, watch.after, events, replay=True)
        else:
            self._show(wire, 0, (), rolled_back=bool(watch.after))
        return Done(re=watch.id, table=CODE, version=golf.version)

    def _show(self, wire: Wire, after: int, events: tuple[AnyEvent, ...], **marks: Any) -> None:
        """Show the table as it is now, if nothing goes wrong."""
        golf = self.table
        seat = golf.owners.index(wire.player) if wire.player in golf.owners else None
        shown = look(golf.state, seat) if golf.state else None
        seen = Seen(
            table=CODE,
            after=after,
            version=golf.version,
            chain=golf.chain(golf.version),
            now=0.0,
            events=tuple(
                Heard(all=part, mine=mine) for part, mine in (hear(e, seat) for e in events)
            ),
            seat=seat,
            view=golf.public,
            pocket=shown.pocket if shown else None,
            moves=golf.course.moves(shown) if shown and golf.public.phase == "playing" else (),
            about=golf.about,
            fairness=Fairness("c"),
            **marks,
        )
        match mishap := self._mishap():
            case Mishap.LOSE:
                self._later(self._notice(wire))
            case Mishap.HOLD:
                self._later(self._send_late(wire, seen))
            case Mishap.CUT | Mishap.LATE_CUT:
                if mishap is Mishap.LATE_CUT:
                    self._send(wire, seen)
                wire.watching = False
                wire.socket.transport.abort()
            case _:
                self._send(wire, seen)
                if mishap is Mishap.DOUBLE:
                    self._send(wire, seen)

    def _say(self, wire: Wire, message: FromServer) -> None:
        if self._mishap() is Mishap.HOLD:
            self._later(self._send_late(wire, message))
        else:
            self._send(wire, message)

    def _send(self, wire: Wire, message: FromServer) -> None:
        """Write a message at once, without waiting: the order is the order of the calls."""
        with suppress(ConnectionClosed):
            wire.socket.protocol.send_text(write(message).encode())
            wire.socket.send_data()

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._late.add(task)
        task.add_done_callback(self._late.discard)

    async def _send_late(self, wire: Wire, message: FromServer) -> None:
        for _ in range(7):
            await asyncio.sleep(0)
        self._send(wire, message)

    async def _notice(self, wire: Wire) -> None:
        """What a real server does every second: compare where it is with what it has shown."""
        for _ in range(15):
            await asyncio.sleep(0)
        if wire.watching:
            self._show(wire, self.table.version, ())
