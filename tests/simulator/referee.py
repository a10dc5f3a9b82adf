"""Who sees everything and trusts nobody: every put, every frame, every tenth of a second.

The store's log is the truth. What servers write to their lines is held against it at once, frame by
frame, and what they owe, a deadline or an answer or a note, is looked for when it should be there.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from pydantic_core import from_json

from dormie_rules.race_state import RacePublic
from dormie_server.table.draft import Change
from dormie_server.table.state import seat_of
from tests.leaks import Leak
from tests.simulator.frames import Speech
from tests.simulator.losses import Losses
from tests.simulator.machine import Machine
from tests.simulator.network import Line
from tests.simulator.plan import AN_HOUR
from tests.simulator.races import Scan, check_time, layout_of
from tests.simulator.registrar import CUT_SECONDS, Caller, Registrar
from tests.simulator.story import Chapter, Json, Made, Story
from tests.simulator.takeovers import Takeovers
from tests.simulator.trace import Trace

OVERTAKEN = frozenset(
    {"stale", "replaced", "store_unavailable", "stopping", "not_seated", "no_table", "too_fast"}
)
"""Words that say: look again. What was asked may have been done before, or by an answer that got lost."""
HEAL_SECONDS = 1.5
LATE_SECONDS = 0.25
LATE_IN_TROUBLE = 13.0
"""An alarm that a dying server has taken is hidden for 10 s, and looked for every second."""
ANSWER_SECONDS = 20.0
ON_THE_WAY = 0.1
"""What the store's own latency may add."""


@dataclass
class Watch:
    """What one line was told of one table."""

    last: int = -1
    said: int = 0
    """The number of the last thing that was said."""
    lost: Chapter | None = None
    """The last thing, if it is something that the store has lost."""
    asked: list[tuple[str, int]] = field(default_factory=list)
    """The requests to follow it that have no answer yet, and after which version."""

    @property
    def after(self) -> list[int]:
        return [after for _, after in self.asked]


@dataclass(eq=False)
class Listener:
    """One line, as far as the referee understands what is said on it."""

    line: Line
    client: Speech = field(default_factory=Speech)
    server: Speech = field(default_factory=Speech)
    player: str | None = None
    tables: dict[str, Watch] = field(default_factory=dict)
    requests: dict[str, list[tuple[float, Json]]] = field(default_factory=dict)
    caller: Caller = field(default_factory=Caller)


@dataclass(eq=False)
class Following:
    """A server that follows a table's notes."""

    code: str
    machine: Machine | None
    at: int
    since: float
    waiting: bool = False
    """Whether the server wants the next note now."""


class Referee:
    """The eyes on a whole simulation."""

    def __init__(self, trace: Trace, now: Any) -> None:  # a function without arguments
        self.trace = trace
        self.scan = Scan(trace.fail)
        self.registrar = Registrar(trace.fail, now)
        self.takeovers = Takeovers(trace.fail)
        self.losses = Losses(trace.fail)
        self.stories: dict[str, Story] = {}
        self.records: dict[str, str] = {}
        self.listeners: dict[Line, Listener] = {}
        self.followings: list[Following] = []
        self.store_troubled = 0.0
        """When the store was last in trouble, for anybody."""
        self.servers: list[Machine] = []
        self.off_duty = False
        """Whether servers owe nothing more: they are all told to stop."""
        self.acknowledged = 0
        self.passwords: set[str] = set()
        """Which nobody is ever told, and nobody keeps."""
        self.lateness: list[float] = []
        self._now = now
        self._refused: set[tuple[Any, ...]] = set()
        self._flying: Counter[tuple[Any, ...]] = Counter()

    def forget(self) -> None:
        """Forget every table: they are all over, and nobody is there."""
        for code in self.stories:
            self.scan.tables.pop(code, None)
        self.scan.packs.dealt.clear()
        self.stories.clear()
        self.records.clear()
        self.registrar.forget()
        self.takeovers.forget()
        self.losses.forget()
        self.lateness.clear()
        self._refused.clear()
        self._flying.clear()
        self.servers = [server for server in self.servers if server.state == "running"]
        self.followings = [one for one in self.followings if not (one.machine and one.machine.died)]

    # what the store tells

    def kept(
        self,
        key: str,
        version: int,
        body: bytes,
        note: bytes | None,
        alarm: float | None,
        by: Machine | None,
    ) -> None:
        """A put has happened."""
        kind, _, name = key.partition(":")
        self.trace.note("commit", f"{key} {version} by {by} {crc32(body):08x}")
        if kind == "record":
            self.records[name] = body.decode()
        if any(word.encode() in body + (note or b"") for word in self.passwords):
            self.trace.fail(f"{key} {version} holds a password")
        if kind != "table":
            return
        story = self.stories.get(name) or self.stories.setdefault(
            name, Story(name, self.trace.fail)
        )
        self._note_lateness(story)
        change = story.write(version, body, note, alarm, self._now(), by)
        if change is not None:
            self.trace.counts.update(f"event {event.public.event}" for event in change.events)
            self._count_races(change)
            self.trace.counts["move with days for it"] += len(story.last.made) * (
                change.table.about.turn_seconds > AN_HOUR
            )
            self.scan.follow(change)
            self._check_refused(story)
            if version > 1:
                check_time(story.at(version - 1).table, change, self._now(), self.trace.fail)

    def remember(self, key: str) -> Callable[[], None]:
        """A put is about to happen, and will be lost; returns how to forget it then."""
        story = self.stories[key.partition(":")[2]]
        forget = self.losses.remember(story, self.scan)

        def lose() -> None:
            self.trace.note("lost", f"{key} {story.head}")
            self.trace.counts["move lost"] += 1
            forget()

        return lose

    def _count_races(self, change: Change) -> None:
        match = change.table.public.match
        if not isinstance(match, RacePublic) or match.play is None:
            return
        seats, layout = len(change.table.public.seats), layout_of(change.table)
        for line in change.lines:
            self.trace.counts[f"race of {seats}"] += line == "hole 1"
            self.trace.counts[f"race on {layout}"] += line == "hole 1"
            self.trace.counts["dead deal"] += (
                line.startswith("hole ") and match.play.stage == "over"
            )
            self.trace.counts["taken back alone"] += line == "move 1 undo"

    def rewritten(self, key: str, notes: Mapping[int, bytes]) -> None:
        """Notes say something else now than they did."""
        kind, _, name = key.partition(":")
        self.trace.note("rewritten", f"{key} {sorted(notes)}")
        if kind == "table" and name in self.stories:
            self.stories[name].rewrite(notes)

    def _note_lateness(self, story: Story) -> None:
        alarm = story.last.table.secret.alarm if story.chapters else None
        if alarm is not None and self._now() >= alarm:
            self.lateness.append(self._now() - alarm)
            self.trace.counts["alarm"] += 1

    def _check_refused(self, story: Story) -> None:
        """What was refused does not happen later by itself."""
        version = story.head
        keys: list[tuple[Any, ...]] = [
            (story.code, made.player, made.count, _text(made.move))
            for made in story.last.made
            if not made.for_them
        ]
        keys += [(story.code, *key) for key, done in story.asked.items() if done == version]
        for key in keys:
            if key in self._refused and not self._flying[key]:
                self.trace.fail(f"{key} was refused, and happened at version {version}")

    # what the network tells

    def opened(self, line: Line) -> None:
        self.trace.note("line", f"{line} from {line.client.machine} to {line.server.machine}")
        self.listeners[line] = Listener(line)

    def ended(self, line: Line) -> None:
        self.trace.note("line ended", str(line))
        self.listeners.pop(line, None)

    def written(self, line: Line, data: bytes, *, by_server: bool) -> None:
        listener = self.listeners.get(line)
        if listener is None:
            return
        if by_server:
            for text in listener.server.feed(data):
                self._from_server(listener, text)
        else:
            for text in listener.client.feed(data):
                self._from_client(listener, text)

    def _from_client(self, listener: Listener, text: str) -> None:
        try:
            message = from_json(text)
        except ValueError:
            message = None
        if not isinstance(message, dict) or not isinstance(message.get("id"), str):
            self.trace.note("said", f"{listener.line} {crc32(text.encode()):08x}")
            return
        kind, name = message.get("type"), message["id"]
        self.trace.note("said", f"{listener.line} {kind} {name} {crc32(text.encode()):08x}")
        listener.requests.setdefault(name, []).append((self._now(), message))
        self.registrar.said(listener.caller, message)
        if key := _key(listener.player, message):
            self._flying[key] += 1
            self._refused.discard(key)
        if isinstance(word := message.get("password"), str):
            self.passwords.add(word)
        if kind in ("watch", "chat"):
            listener.tables.setdefault(message["table"], Watch()).said = 0
        if kind == "watch":
            watch = listener.tables.setdefault(message["table"], Watch())
            watch.asked.append((name, message.get("after", 0)))
            self.trace.counts["resume"] += message.get("after", 0) > 0
            self.takeovers.watches(listener.line, listener.player, message)

    def _from_server(self, listener: Listener, text: str) -> None:
        message = from_json(text)
        kind = message["type"]
        what = message.get("re") or f"{message.get('table')} {message.get('version')}"
        self.trace.note("told", f"{listener.line} {kind} {what} {crc32(text.encode()):08x}")
        self.registrar.told(listener.caller, message)
        if kind == "welcome":
            listener.player = message["player"]
        elif kind == "seen":
            self._check_seen(listener, message)
        elif kind == "said":
            self._check_said(listener, message)
        elif kind == "replaced":
            self.takeovers.replaced(listener.line, listener.player, message)
        if kind in ("welcome", "done", "refused"):
            self._check_answer(listener, message)
        self._check_secrets(listener, text, message)

    # what a server may say

    def _check_secrets(self, listener: Listener, text: str, message: Json) -> None:
        if any(word in text for word in self.passwords):
            self.trace.fail(f"{listener.line} is told a password")
        if message["type"] == "seen":
            story = self.stories.get(message["table"])
            if message["table"] not in self.scan.tables or story is None:
                return
            if self.losses.find(message, story) is not None:
                return  # who was shown a card that nobody has turned knows no secret of this story
        try:
            self.scan.check_frames(listener.player or "nobody", [text])
        except (Leak, AssertionError) as leak:
            self.trace.fail(f"{listener.line}: {leak}")

    def _check_seen(self, listener: Listener, seen: Json) -> None:
        """What is seen is the log's next piece, word by word."""
        code, after, version = seen["table"], seen["after"], seen["version"]
        where = f"{listener.line}: {code} {after}-{version}"
        story = self.stories.get(code)
        if version == 0 and seen["seat"] is None and story is not None:
            self._check_veiled(listener, seen, where)
            return
        if story is not None and (lost := self.losses.find(seen, story)) is not None:
            self._check_lost(listener, seen, lost, where)
            return
        if story is None or not 1 <= version <= story.head:
            self.trace.fail(f"{where} is shown before it is kept")
            return
        self._check_late(listener, seen, story, where)
        self._check_path(listener, seen, story, where)
        chapter, seat = story.at(version), seen["seat"]
        if version > 1 and story.banned(listener.player, version - 1):
            self.trace.fail(f"{where} is told to {listener.player}, who was banned before")
        if seen["chain"] != chapter.note.chain:
            self.trace.fail(f"{where} has another chain than the log")
        if seen["view"] is not None and seat not in (None, story.seat_of(listener.player, version)):
            self.trace.fail(f"{where} is told to {listener.player}, who has no seat {seat}")
        seats = [story.seat_of(listener.player, at) for at in range(after + 1, version + 1)]
        seats = seats if seat is not None else [None] * len(seats)
        # Where seats were counted anew since, a server tells what was before that as to anybody.
        moved = story.moved(listener.player, version)
        later = [None if at <= moved else seat for at, seat in enumerate(seats, after + 1)]
        if not any(story.tells(seen["events"], after, one) for one in (seats, later)):
            self.trace.fail(f"{where} tells other events than the log")
        if seen["view"] is not None and seen["view"] != chapter.view:
            self.trace.fail(f"{where} shows another table than the log's")
        if seen["view"] is not None and seen["pocket"] != chapter.pocket(seat):
            self.trace.fail(f"{where} shows another pocket than the log's")

    def _check_veiled(self, listener: Listener, seen: Json, where: str) -> None:
        """A spectator may be told that there is nothing to see yet, and then sees nothing."""
        view = seen["view"]
        if not seen["about"]["spectators"]["delay"] or view["match"] or view["deadline"]:
            self.trace.fail(f"{where} shows more than nothing")
        watch = listener.tables.setdefault(seen["table"], Watch())
        watch.last, watch.lost = 0, None

    def _check_lost(self, listener: Listener, seen: Json, lost: Chapter, where: str) -> None:
        """What the store has lost may be shown for a while where its bell was heard."""
        self.trace.counts["lost move shown"] += 1
        watch = listener.tables.setdefault(seen["table"], Watch())
        seat = seat_of(lost.table, listener.player or "") if seen["seat"] is not None else None
        self.losses.check(lost, seen, seat, where)
        watch.last, watch.lost = seen["version"], lost

    def _check_late(self, listener: Listener, seen: Json, story: Story, where: str) -> None:
        """Who has no seat sees everything late at a table with a delay, but for what is no match."""
        chapter, version = story.at(seen["version"]), seen["version"]
        delay = chapter.table.about.spectators.delay
        sat = any(story.seat_of(listener.player, at) is not None for at in range(1, version + 1))
        if seen["seat"] is not None or not delay or sat or chapter.table.public.match is None:
            return
        self.trace.counts["told late"] += 1
        if self._now() < self.losses.first_at(story, version) + delay:
            self.trace.fail(f"{where} is told too early to a spectator")

    def _check_said(self, listener: Listener, said: Json) -> None:
        """What is said is told to those who watch, in order and once, and to nobody who was banned."""
        watch = listener.tables.get(said["table"])
        asked = any(  # once more, before it was known here that the line had it already
            message.get("type") in ("watch", "chat") and message.get("table") == said["table"]
            for requests in listener.requests.values()
            for _, message in requests
        )
        if watch is None or (said["number"] <= watch.said and not asked):
            self.trace.fail(f"{listener.line} hears {said['number']} of {said['table']} unasked")
            return
        watch.said = said["number"]
        story = self.stories.get(said["table"])
        if story is None or len(story.chapters) < 2 or self._may_not_know(listener.line, story):
            return
        if story.banned(listener.player, story.head - 1):
            self.trace.fail(f"{listener.line} hears what is said at {story.code}, and is banned")

    def _may_not_know(self, line: Line, story: Story) -> bool:
        """Whether a line's server may not have heard yet of what another one has kept last."""
        chapter, machine = story.at(story.head - 1), line.server.machine
        if machine is None or machine is chapter.by:
            return False
        trouble = max(self.store_troubled, machine.troubled)
        told_by: float = max(chapter.at, trouble) + HEAL_SECONDS + ON_THE_WAY
        return bool(self._now() <= told_by)

    def _check_path(self, listener: Listener, seen: Json, story: Story, where: str) -> None:
        """No gap and no double: each piece begins where the last one ended, or where it was asked to."""
        watch = listener.tables.setdefault(seen["table"], Watch())
        after, version = seen["after"], seen["version"]
        lost, watch.lost = watch.lost, None
        if lost is not None:
            self.trace.counts["told that it was lost"] += seen["rolled_back"]
            if self.losses.goes_on(lost, seen, story):
                self.trace.fail(f"{where} goes on from what is lost")
            if seen["rolled_back"]:
                watch.last = version
                return
        if after not in (watch.last, version, *watch.after):
            self.trace.fail(f"{where} comes after {watch.last}")
        late = story.at(version).table.about.spectators.delay and seen["seat"] is None
        anew = late and seen["rolled_back"]  # some of what spectators have not seen yet is lost
        if after == version and watch.last >= version and not watch.asked and not anew:
            self.trace.fail(f"{where} was told before")
        if (
            seen["rolled_back"]
            and not late
            and all(self._is_ours(listener, a, story) for a in watch.after)
            and not self._names_lost(listener, story)
        ):
            self.trace.fail(f"{where} says that something was taken back")
        watch.last = version

    def _names_lost(self, listener: Listener, story: Story) -> bool:
        """Whether somebody who asked to follow a table named a version that is lost."""
        return any(
            message.get("type") == "watch" and self.losses.named(story.code, message)
            for asked in listener.requests.values()
            for _, message in asked
        )

    def _is_ours(self, listener: Listener, after: int, story: Story) -> bool:
        """Whether somebody who asked for what came after a version named the log's own chain."""
        chains = [
            message.get("chain")
            for asked in listener.requests.values()
            for _, message in asked
            if message.get("type") == "watch" and message.get("after") == after
        ]
        return not after or (after <= story.head and story.chain(after) in chains)

    def _check_answer(self, listener: Listener, answer: Json) -> None:
        """Every request gets one answer, and the answer is true."""
        name = answer["re"]
        asked = listener.requests.get(name) if name else None
        if name is None:
            return
        if not asked:
            self.trace.fail(f"{listener.line}: {name} is answered, and was not asked")
            return
        _, message = asked.pop(0)
        if message.get("type") == "watch":
            watch = listener.tables.get(message["table"], Watch())
            watch.asked = [one for one in watch.asked if one[0] != name or asked]
        if not asked:
            del listener.requests[name]
        key = _key(listener.player, message)
        if key:
            self._flying[key] -= 1
        if answer["type"] == "done":
            self._check_done(listener, message, answer)
        elif answer["type"] == "refused":
            self.trace.counts[f"refused {answer['word']}"] += 1
            if key:
                self._check_refusal(key, message, answer["word"])

    def _check_done(self, listener: Listener, message: Json, done: Json) -> None:
        self.acknowledged += 1
        self.trace.counts[f"done {message['type']}"] += 1
        where = f"{listener.line}: {message['id']} ({message['type']})"
        code, version = done["table"], done["version"]
        story = self.stories.get(code)
        if message["type"] == "hint" and story and len(story.last.table.public.seats) > 1:
            self.trace.fail(f"{where} is done, and somebody else plays at {code}")
        if code is None or not version:  # 0 is what a spectator sees who sees nothing yet
            return
        if message["type"] == "watch" and version in self.losses.versions(code):
            return
        if story is None or not 1 <= version <= story.head:
            head = story.head if story else 0
            self.trace.fail(f"{where} is done at {code} {version}, and the log ends at {head}")
            return
        if message["type"] == "play":
            asked = Made(listener.player, message["count"], message["move"])
            if asked not in story.at(version).made:
                self.trace.fail(f"{where} is done at {code} {version}, where the log has it not")
        at = story.asked.get((listener.player or "", message["id"]), version)
        if at != version:
            self.trace.fail(f"{where} is done at {code} {version}, and the log has it at {at}")

    def _check_refusal(self, key: tuple[Any, ...], message: Json, word: str) -> None:
        if word in OVERTAKEN:
            return
        story = self.stories.get(message["table"])
        if story is None:
            return
        if message["type"] == "play":
            asked = Made(key[1], message["count"], message["move"])
            there = any(asked in chapter.made for chapter in story.chapters[-40:])
        else:
            there = (key[1], message["id"]) in story.asked
        if there:
            self.trace.fail(f"{key} is refused ({word}), and the log has it")
        if not self._flying[key]:
            self._refused.add(key)

    # what a server owes

    def tick(self) -> None:
        """Look for what should be there by now."""
        if self.off_duty:
            return
        now = self._now()
        for story in self.stories.values():
            if story.chapters:
                self._check_alarm(story, now)
        for following in self.followings:
            self._check_following(following, now)
        for listener in list(self.listeners.values()):
            self._check_owed(listener, now)
            self._check_cut(listener, now)

    def _check_alarm(self, story: Story, now: float) -> None:
        chapter = story.last
        alarm, setter = chapter.table.secret.alarm, chapter.by
        if alarm is None or now <= alarm + LATE_SECONDS or setter is None:
            return
        trouble = max(self.store_troubled, setter.troubled)
        if setter.state == "running" and trouble < chapter.at:
            limit = max(alarm, chapter.at) + LATE_SECONDS + ON_THE_WAY
        else:
            others = [server.troubled for server in self.servers if server.state == "running"]
            if not others:
                return
            limit = max(alarm, trouble, *others) + LATE_IN_TROUBLE
        if now > limit:
            self.trace.fail(f"{story.code}: the alarm of {alarm:.3f} is not seen to")

    def _check_following(self, following: Following, now: float) -> None:
        story = self.stories.get(following.code)
        machine = following.machine
        if story is None or not following.waiting or following.at >= story.head:
            return
        if machine is not None and machine.state != "running":
            return
        missing = story.at(following.at + 1).at
        trouble = max(self.store_troubled, machine.troubled if machine else 0.0)
        since = max(missing, trouble, following.since)
        if now > since + HEAL_SECONDS + ON_THE_WAY:
            self.trace.fail(
                f"{machine} has not heard of {following.code} {following.at + 1} since {missing:.3f}"
            )

    def _check_cut(self, listener: Listener, now: float) -> None:
        """Nobody goes on speaking from a device that was forgotten, or as somebody who was erased."""
        line = listener.line
        machine, ended = line.server.machine, self.registrar.ended(listener.caller)
        if ended is None or line.silent or not line.whole or line.server.is_closing():
            return
        if machine is None or machine.state != "running":
            return
        if now > max(ended, machine.woke, self.store_troubled) + CUT_SECONDS:
            self.trace.fail(f"{line} goes on, and its device was forgotten")

    def _check_owed(self, listener: Listener, now: float) -> None:
        line = listener.line
        machine = line.server.machine
        if not listener.requests or line.silent or not line.whole or line.manner.rate is not None:
            return
        if line.server.is_closing() or machine is None or machine.state != "running":
            return
        trouble = max(line.troubled, machine.troubled, self.store_troubled)
        for name, asked in listener.requests.items():
            if now > max(asked[0][0], trouble) + ANSWER_SECONDS:
                self.trace.fail(f"{line}: {name} has no answer")


def _key(player: str | None, message: Json) -> tuple[Any, ...] | None:
    """What names a request at a table over all lines; None for what changes no table."""
    match message.get("type"):
        case "play":
            return message["table"], player, message["count"], _text(message["move"])
        case (
            "join" | "ready" | "start" | "bot" | "leave" | "end" | "rematch"
            | "kick" | "hand_over" | "lock" | "password"
        ):  # fmt: skip
            return message["table"], player, message["id"]
        case _:
            return None


def _text(move: Json) -> str:
    return f"{move.get('move')} {move.get('at', move.get('column'))}"
