"""Whatever people and hosts do, in whatever order: seats, hosts and counts are right, and nothing waits."""

import asyncio
from collections.abc import Coroutine
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from dormie_server.house_bots import bot_move
from dormie_server.keeper import Keeper, table_key
from dormie_server.metrics import Metrics
from dormie_server.sqlite_store import SqliteStore
from dormie_server.table import fair
from dormie_server.table.clock import waiting_bot
from dormie_server.table.commands import (
    Agree,
    Asked,
    Attach,
    Command,
    Detach,
    End,
    HandOver,
    Join,
    Kick,
    Leave,
    Lock,
    OthersGone,
    PlayMove,
    Ready,
    RecordKept,
    Rematch,
    Request,
    SetBot,
    SetPassword,
    SetSpectators,
    Start,
    Undo,
    Wake,
)
from dormie_server.table.refusal import No
from dormie_server.table.state import (
    Policy,
    Table,
    course_of,
    match_of,
    people,
    people_here,
    seat_of,
)
from dormie_server.table_shelves import OPEN_TABLES, player_shelf
from tests.contracts.stores import Clock
from tests.evening import CountingLuck
from tests.server.backstage import moves_of, opening_of

T = TypeVar("T")
PEOPLE = tuple(f"p-{name}" for name in ("ada", "bob", "cleo", "dan", "eve"))
CODES = ("ABCDEFGH", "HGFEDCBA")
KEYS = (None, "key", "other")
WHO, SEATS = st.sampled_from(PEOPLE), st.integers(0, 3)
WHERE = st.sampled_from((*CODES[:1] * 4, CODES[1]))


def due(table: Table, now: float, luck: CountingLuck) -> Command:
    """What a table whose alarm has gone off needs."""
    if table.secret.owes_record:
        return RecordKept(table.secret.owes_record[0])
    if table.public.phase in ("playing", "between"):
        if course_of(table).wants_deal(match_of(table)):
            return fair.next_deal(table)
        if waiting_bot(table) is not None and now >= (table.secret.bot_at or now):
            return bot_move(table, luck) or Wake()
    return Wake()


class AnyEvening(RuleBasedStateMachine):
    """Two tables in one house, and five people who go from one to the other."""

    @initialize(bots=st.integers(0, 1), size=st.integers(2, 4))
    def opens(self, bots: int, size: int) -> None:
        self.runner = asyncio.Runner()
        self.clock, self.luck = Clock(), CountingLuck()
        self.store = SqliteStore(":memory:", clock=self.clock)
        self.keeper = Keeper(self.store, self.luck, lambda _change, _now: None, Metrics())
        self.number = 0
        for code, host in zip(CODES, PEOPLE, strict=False):
            opening = opening_of(host, code, size, bots, undo=code == CODES[0])
            self.run(self.keeper.open(opening, Policy(pace=0, lobby=600, idle=900)))
            self.do(code, Attach(host, "s1"))
        for guest in PEOPLE[1:size]:
            self.joins(CODES[0], guest, None)
            self.comes(CODES[0], guest, "s1")

    def run(self, what: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(what)

    def table(self, code: str) -> Table | None:
        kept = self.run(self.keeper.table(code))
        return kept.table if kept else None

    def do(self, code: str, command: Command) -> bool:
        """Whether it was done; then the table does whatever is due at once."""
        before = self.table(code)
        try:
            self.run(self.keeper.do(code, command))
        except No:
            assert before == self.table(code), "a refusal changes nothing"
            return False
        self.ring(code)
        return True

    def ask(self, code: str, player: str, request: Request) -> bool:
        self.number += 1
        return self.do(code, Asked(player, f"r{self.number}", request))

    def ring(self, code: str) -> None:
        for _ in range(500):
            table = self.table(code)
            alarm = table.secret.alarm if table else None
            if table is None or alarm is None or alarm > self.clock():
                return
            self.run(self.keeper.do(code, due(table, self.clock(), self.luck)))
        raise AssertionError("a table that is never content")

    # ------------------------------------------------------------------- what people do

    @rule(code=WHERE, who=WHO, proof=st.sampled_from(KEYS))
    def joins(self, code: str, who: str, proof: str | None) -> None:
        table = self.table(code)
        came = self.ask(code, who, Join(who.removeprefix("p-").title(), proof=proof))
        if table is not None and came and seat_of(table, who) is None:
            assert not table.public.locked
            assert who not in table.secret.banned
            assert table.secret.key in (None, proof)

    @rule(code=WHERE, who=WHO, server=st.sampled_from(["s1", "s2"]))
    def comes(self, code: str, who: str, server: str) -> None:
        self.do(code, Attach(who, server))

    @rule(code=WHERE, who=WHO)
    def drops(self, code: str, who: str) -> None:
        table = self.table(code)
        seat = seat_of(table, who) if table else None
        sitter = table.secret.sitters[seat] if table and seat is not None else None
        self.do(code, Detach(who, sitter.generation if sitter else 1))

    @rule(code=WHERE, server=st.sampled_from(["s1", "s2"]))
    def a_server_dies(self, code: str, server: str) -> None:
        self.do(code, OthersGone(server))

    @rule(
        code=WHERE,
        who=WHO,
        request=st.sampled_from(
            [Ready(), Ready("ab" * 16), Rematch(), Start(), Leave(), Undo(), Agree()]
        )
        | st.sampled_from([SetBot("random"), SetBot(None, 1), SetBot(None, 2)]),
    )
    def asks(self, code: str, who: str, request: Request) -> None:
        self.ask(code, who, request)

    @rule(
        code=WHERE,
        request=st.builds(Kick, SEATS, st.booleans())
        | st.builds(HandOver, SEATS)
        | st.builds(Lock, st.booleans())
        | st.builds(SetPassword, st.sampled_from(KEYS))
        | st.builds(SetSpectators, st.booleans(), st.booleans(), st.just("apart"), st.just(9))
        | st.sampled_from([Start(), SetBot("random")]),
    )
    def the_host_asks(self, code: str, request: Request) -> None:
        table = self.table(code)
        host = table.public.host if table else None
        sitter = table.secret.sitters[host] if table and host is not None else None
        if sitter and sitter.player:
            self.ask(code, sitter.player, request)

    @precondition(lambda self: self.number > 20)
    @rule(code=WHERE, who=WHO)
    def ends(self, code: str, who: str) -> None:
        self.ask(code, who, End())

    @rule(code=WHERE, moves=st.integers(1, 40))
    def they_play(self, code: str, moves: int) -> None:
        for _ in range(moves):
            table = self.table(code)
            if table is None or table.public.phase != "playing" or table.secret.hole is None:
                return
            seat = course_of(table).waiting_for(match_of(table))[0]
            sitter, who = table.secret.sitters[seat], table.public.seats[seat]
            if sitter is None or sitter.player is None or who is None:
                return
            move = moves_of(table, seat)[-1]
            self.do(code, PlayMove(sitter.player, sitter.generation, who.count + 1, move))

    @rule(code=WHERE, long=st.integers(0, 9))
    def time_passes(self, code: str, long: int) -> None:
        table = self.table(code)
        if table is None or (table.public.phase in ("lobby", "over") and long):
            return  # or every table would be closed before anything has happened there
        if table.secret.alarm is not None:
            self.clock.advance(max(0.0, table.secret.alarm - self.clock()))
            for one in CODES:
                self.ring(one)

    # ------------------------------------------------------------------- what always holds

    @invariant()
    def a_player_has_one_seat_and_no_banned_one_has_any(self) -> None:
        for table in self.tables():
            players = [one.player for one in table.secret.sitters if one and one.player]
            assert len(players) == len(set(players))
            assert set(players).isdisjoint(table.secret.banned)
            assert table.about.size == len(table.public.seats) == len(table.secret.sitters)
            assert table.about.password == (table.secret.key is not None)

    @invariant()
    def the_host_is_somebody_who_is_here_if_anybody_is(self) -> None:
        for table in self.tables():
            if table.public.phase != "closed":
                assert table.public.host in (people_here(table) or people(table))

    @invariant()
    def nothing_waits_without_an_alarm(self) -> None:
        for table in self.tables():
            assert (table.secret.alarm is None) == (table.public.phase == "closed")

    @invariant()
    def everybody_counts_alike(self) -> None:
        alive = {one.about.table: one for one in self.tables() if one.public.phase != "closed"}
        shelf = {key.partition(":")[2] for key in self.run(self.store.on(OPEN_TABLES))}
        assert set(alive) == shelf
        assert len(alive) == self.keeper.count() == sum(self.keeper.phases().values())
        for player in PEOPLE:
            seats = set(self.run(self.store.on(player_shelf(player))))
            mine = {
                table_key(code) for code, one in alive.items() if seat_of(one, player) is not None
            }
            assert mine == seats

    def tables(self) -> list[Table]:
        return [table for code in CODES if (table := self.table(code)) is not None]

    def teardown(self) -> None:
        """Left alone every table ends, and after its lifetime nothing of it is left."""
        if not hasattr(self, "runner"):
            return
        for _ in range(400):
            waiting = [one.secret.alarm for one in self.tables() if one.secret.alarm is not None]
            if not waiting:
                break
            self.clock.advance(max(0.0, min(waiting) - self.clock()))
            for code in CODES:
                self.ring(code)
        assert {"closed"} >= {one.public.phase for one in self.tables()}, (
            "a table outlives everybody"
        )
        self.clock.advance(601)
        self.run(self.nothing_is_left())
        self.run(self.store.close())
        self.runner.close()

    async def nothing_is_left(self) -> None:
        await self.store.due(1.0)
        assert {} == await self.store.on(OPEN_TABLES)
        for code in CODES:
            assert None is await self.store.get(table_key(code))
            assert [] == await self.store.notes(table_key(code))
        for player in PEOPLE:
            assert {} == await self.store.on(player_shelf(player))


def test_scenario_D2_and_scenario_F3_whatever_is_done_nothing_waits_and_all_counts_agree() -> None:
    run_state_machine_as_test(
        AnyEvening,
        settings=settings(
            max_examples=25,
            stateful_step_count=50,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )


def something(evening: AnyEvening, luck: Random) -> None:
    """One thing that somebody does, as often as it is done on a long evening."""
    code, who = luck.choice((*CODES[:1] * 9, CODES[1])), luck.choice(PEOPLE)
    seat = luck.randrange(4)
    hosts: list[Request] = [
        *(
            Kick(seat, luck.random() < 0.3),
            HandOver(seat),
            SetPassword(luck.choice((None, None, "key"))),
            SetSpectators(allowed=luck.random() < 0.5, delay=luck.choice((0, 30))),
        ),
        *(Lock(luck.random() < 0.5), SetBot("random"), Start(), Start()),
    ]
    people: list[Request] = [Ready("ab" * 16), Ready(), Rematch(), Rematch(), Undo(), Agree()]
    match luck.choice("jjjjjcccccdodhhhhhhrrrrrrlttttpppp"):
        case "j":
            evening.joins(code, who, luck.choice(KEYS))
        case "c":
            evening.comes(code, who, luck.choice(("s1", "s2")))
        case "d":
            evening.drops(code, who)
        case "o":
            evening.a_server_dies(code, luck.choice(("s1", "s2")))
        case "h":
            evening.the_host_asks(code, luck.choice(hosts))
        case "r":
            evening.asks(code, who, luck.choice(people))
        case "l":
            evening.asks(code, who, Leave())
        case "t":
            evening.time_passes(code, luck.randrange(60))
        case _:
            evening.they_play(code, 20)


@pytest.mark.parametrize("seed", range(24))
def test_scenario_D2_and_scenario_F3_long_evenings_keep_every_promise(seed: int) -> None:
    """Hypothesis finds the shortest story of a mistake; mistakes that need a long one are found here."""
    evening, luck = AnyEvening(), Random(seed)
    evening.opens(seed % 2, 2 + seed % 3)
    try:
        for _ in range(80):
            something(evening, luck)
            evening.a_player_has_one_seat_and_no_banned_one_has_any()
            evening.the_host_is_somebody_who_is_here_if_anybody_is()
            evening.nothing_waits_without_an_alarm()
            evening.everybody_counts_alike()
    finally:
        evening.teardown()
