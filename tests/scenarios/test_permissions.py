"""Every message, by everybody, in every phase: one table, written down apart from the one the server reads.

Each question is put to a desk of its own, in front of a table that stands in its phase.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from typing import TypeAlias

import pytest

from dormie_protocol import messages as m
from dormie_protocol import people_messages as p
from dormie_rules.grid_moves import Draw
from dormie_server import documents
from dormie_server.documents import Kept
from dormie_server.keeper import table_key
from dormie_server.limits import Limits
from dormie_server.pen import write_table
from dormie_server.person import PLAYER, player_key
from dormie_server.table.commands import Attach, HandOver, Kick, Start
from dormie_server.table.state import Policy, Table, seat_of
from tests.evening import CODE, HOST, Evening
from tests.scenarios.evenings import play_until
from tests.server.counter import Counter, opened

Message: TypeAlias = (
    (m.Join | m.Watch | m.Unwatch | m.Ready | m.Start | m.Play | m.Bot | m.Leave | m.End)
    | (
        m.Rematch
        | m.Kick
        | m.HandOver
        | m.Lock
        | m.SetPassword
        | m.SetSpectators
        | m.Pause
        | m.Resume
        | m.Agree
        | m.Vote
        | m.Undo
        | m.Hint
    )
    | (p.Say | p.Emote | p.Chat | p.Mute | p.Unmute | p.Block | p.Report)
)
PHASES = ("lobby", "starting", "playing", "between", "over", "closed")
OPEN = frozenset(PHASES) - {"closed"}
ROLES = ("host", "seat", "former host", "spectator", "kicked", "banned", "stranger")
ELSEWHERE = ("kicked", "banned", "stranger")
NEVER_HERE = ("kicked", "stranger")
AWAY = ("spectator", "kicked", "banned", "stranger")
PLAYERS = {
    "host": "bob",
    "seat": "cleo",
    "former host": "ada",
    "spectator": "eve",
    "kicked": "dan",
    "banned": "fay",
    "stranger": "gil",
}
MESSAGES: tuple[Message, ...] = (
    m.Join(id="q", table=CODE),
    m.Watch(id="q", table=CODE),
    m.Unwatch(id="q", table=CODE),
    m.Ready(id="q", table=CODE),
    m.Start(id="q", table=CODE),
    m.Play(id="q", table=CODE, count=1, move=Draw()),
    m.Bot(id="q", table=CODE, level="random"),
    m.Leave(id="q", table=CODE),
    m.End(id="q", table=CODE),
    m.Rematch(id="q", table=CODE),
    m.Kick(id="q", table=CODE, seat=2),
    m.HandOver(id="q", table=CODE, seat=2),
    m.Lock(id="q", table=CODE, locked=True),
    m.SetPassword(id="q", table=CODE, password="swordfish"),
    m.SetSpectators(id="q", table=CODE, chat="off"),
    m.Pause(id="q", table=CODE),
    m.Resume(id="q", table=CODE),
    m.Agree(id="q", table=CODE),
    m.Vote(id="q", table=CODE, choice="bot"),
    m.Undo(id="q", table=CODE),
    m.Hint(id="q", table=CODE),
    p.Say(id="q", table=CODE, text="hello"),
    p.Emote(id="q", table=CODE, emote="hello"),
    p.Chat(id="q", table=CODE),
    p.Mute(id="q", table=CODE, seat=0),
    p.Unmute(id="q", table=CODE, seat=0),
    p.Block(id="q", table=CODE, seat=0),
    p.Report(id="q", table=CODE, seat=0, reason="other"),
)
HOSTS = (m.Start, m.Bot, m.End, m.Kick, m.HandOver, m.Lock, m.SetPassword, m.SetSpectators)
TIMES: dict[type[m.AtTable], frozenset[str]] = {
    m.Ready: OPEN - {"over"},
    m.Start: frozenset({"lobby"}),
    m.Bot: frozenset({"lobby", "over"}),
    m.Rematch: frozenset({"over"}),
    m.Pause: frozenset({"playing", "between"}),
    m.Resume: frozenset(),  # nothing is asked of anybody, and nothing voted on
    m.Agree: frozenset(),
    m.Vote: frozenset({"playing"}),
    m.Undo: frozenset({"playing"}),
}


def expected(message: Message, role: str, phase: str) -> str:
    """What the rules of the house say; "done" or the word of the refusal."""
    match message:
        case m.Unwatch():
            return "done"
        case m.Watch():
            return "no_table" if role == "banned" else "done"
        case p.Chat():
            return "wrong_time" if role in ELSEWHERE else "done"
        case p.AtSeat():
            return _about_ada(message, role)
        case m.Join():
            if role not in AWAY:
                return "done"
            return "no_table" if role == "banned" or phase not in ("lobby", "over") else "done"
        case p.Say() | p.Emote() if role == "spectator":
            return "wrong_time" if phase == "closed" else "players_only"
        case _ if role in AWAY:
            return "not_seated"
        case m.Play():
            words = {"playing": "must_flip", "between": "hole_over", "closed": "replaced"}
            return words.get(phase, "wrong_time")
        case m.Vote() if phase == "playing":
            return "no_vote"
        case m.Undo() if phase == "playing":
            return "no_undo"
        case m.Hint():
            return "no_hint" if phase == "playing" else "wrong_time"
        case _ if isinstance(message, HOSTS) and role != "host":
            return "not_host"
        case _:
            return "done" if phase in TIMES.get(type(message), OPEN) else "wrong_time"


def _about_ada(message: p.AtSeat, role: str) -> str:
    """Everybody may close their ears; to report one has to have been there."""
    if role == "former host":
        return "yourself"
    return "not_seated" if isinstance(message, p.Report) and role in NEVER_HERE else "done"


@cache
def standing(phase: str) -> Table:
    """A table of five in a phase: Bob is the host after Ada, Cleo has a seat, Dan and Fay were sent away."""
    evening = Evening(size=5, policy=Policy(pace=0, pause=10), now=1e6)
    evening.do(Attach(HOST, "server-1"))
    for name in ("bob", "cleo", "dan", "fay"):
        evening.come(f"p-{name}", name.title())
    evening.ask(HOST, HandOver(1))
    if phase not in ("lobby", "closed"):
        evening.ask("p-bob", Start())
    if phase not in ("lobby", "closed", "starting"):
        evening.sleep()
        play_until(evening, phase)
    if phase == "starting":  # whoever is sent away then brings everybody back into the lobby
        table = evening.table
        seats = (*table.public.seats[:3], None, None)
        sitters = (*table.secret.sitters[:3], None, None)
        public = replace(table.public, seats=seats)
        secret = replace(table.secret, sitters=sitters, banned=("p-fay",))
        state = replace(table.state, public=public, secret=secret)
        return replace(table, version=1, state=state)
    evening.ask("p-bob", Kick(evening.where("p-dan")))
    evening.ask("p-bob", Kick(evening.where("p-fay"), ban=True))
    if phase == "closed":
        evening.do(Attach("p-bob", "server-1"))
        evening.now = evening.table.public.deadline or 0.0
        evening.ring()
    assert phase == evening.phase
    return replace(evening.table, version=1)


def numbered(move: m.Play, table: Table, player: str) -> m.Play:
    """The same move, with the number that the player's next one has."""
    seat = seat_of(table, player)
    who = table.public.seats[seat] if seat is not None else None
    return move.model_copy(update={"count": who.count + 1 if who else 1})


@asynccontextmanager
async def in_front_of(phase: str) -> AsyncIterator[Counter]:
    """A desk, and the table in its phase, at which nothing rings."""
    limits = Limits(code_misses_per_address=10_000, code_misses=10_000)
    async with opened(limits) as counter:
        body = write_table(Kept(standing(phase)))
        _, note = documents.write_note(documents.NO_CHAIN, (), ())
        await counter.store.put(table_key(CODE), body, 0, note=note)
        for who in PLAYERS.values():
            player = counter.caller(who).player
            await counter.store.put(player_key(player.id), PLAYER.dump_json(player), 0)
        yield counter


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("phase", PHASES)
async def test_scenario_C8_and_scenario_C9_every_message_by_everybody_in_every_phase(
    phase: str, role: str
) -> None:
    refused = tuple(one for one in MESSAGES if expected(one, role, phase) != "done")
    done = tuple((one,) for one in MESSAGES if one not in refused)
    for messages in (refused, *done):  # what is done needs a table of its own
        async with in_front_of(phase) as counter:
            if role not in ELSEWHERE:
                await counter.ask(PLAYERS[role], m.Watch(id="w", table=CODE))
            await put(counter, messages, role, phase)


async def put(counter: Counter, messages: tuple[Message, ...], role: str, phase: str) -> None:
    who = PLAYERS[role]
    before = await counter.house.table()
    for message in messages:
        asked = message
        if isinstance(message, m.Play):
            asked = numbered(message, before, f"p-{who}")
        word = await counter.word(who, asked)

        assert (expected(message, role, phase), message) == (word, message)
        assert word == "done" or before == await counter.house.table(), "a refusal changes nothing"


def test_scenario_C8_no_message_at_a_table_is_forgotten() -> None:
    assert {type(message) for message in MESSAGES} == {
        *m.AtTable.__subclasses__(),
        *p.AtSeat.__subclasses__(),
    } - {p.AtSeat}
    assert set(PLAYERS) == set(ROLES)
