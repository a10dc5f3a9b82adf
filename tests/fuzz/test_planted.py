"""Mistakes planted in the server, and each is noticed: else a campaign that finds nothing says nothing."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from dormie_protocol import messages as m
from dormie_protocol.codec import Unreadable, read_client
from dormie_server import connection
from dormie_server.desk import Desk
from dormie_server.table.commands import Asked, Leave
from dormie_server.table.refusal import No
from tests.fuzz import attack, house
from tests.fuzz.campaign import Plan, fuzz
from tests.fuzz.lexicon import CANARY
from tests.fuzz.outcome import Outcome
from tests.grid_only import grid_secret

SEEDS = ("planted", "sown", "dug_in", "potted", "raked_in", "watered")
PLANS = tuple(Plan(seed=seed, frames=1_500, between=1_500) for seed in SEEDS)
"""One is nearly always enough; on a machine that is busy with other things fewer frames arrive in time."""

Answer = Callable[[Desk, Any, Any, float], Any]  # `Desk.answer`


def answering(patch: pytest.MonkeyPatch, instead: Callable[[Answer], Answer]) -> None:
    """Let the desk answer in another way."""
    patch.setattr(Desk, "answer", instead(Desk.answer))


def fails_for_one_value(answer: Answer) -> Answer:
    async def wrong(desk: Desk, message: Any, caller: Any, now: float) -> Any:
        if isinstance(message, m.Join) and message.seat == 5:
            raise ZeroDivisionError("a mistake of ours")
        return await answer(desk, message, caller, now)

    return wrong


def explains_with_a_card(answer: Answer) -> Answer:
    async def wrong(desk: Desk, message: Any, caller: Any, now: float) -> Any:
        try:
            return await answer(desk, message, caller, now)
        except No as no:
            if not isinstance(message, m.Play):
                raise
            kept = await desk._keeper.table(message.table)  # noqa: SLF001 - a leak respects nothing
            hole = grid_secret(kept.table if kept else None)
            raise No(no.why, str(hole.stock[-1]) if hole else None) from no

    return wrong


def explains_at_length(answer: Answer) -> Answer:
    async def wrong(desk: Desk, message: Any, caller: Any, now: float) -> Any:
        if isinstance(message, m.Bot):
            raise No("not_host", "Only the host may do that. " * 9)
        return await answer(desk, message, caller, now)

    return wrong


def has_a_word_of_its_own(answer: Answer) -> Answer:
    async def wrong(desk: Desk, message: Any, caller: Any, now: float) -> Any:
        if isinstance(message, m.Bot):
            raise No("not_now", "Not now.")
        return await answer(desk, message, caller, now)

    return wrong


def answers_twice(answer: Answer) -> Answer:
    async def wrong(desk: Desk, message: Any, caller: Any, now: float) -> Any:
        done = await answer(desk, message, caller, now)
        if isinstance(message, m.Unwatch):
            caller.peer.push(done.model_dump_json().encode())
        return done

    return wrong


def never_answers(answer: Answer) -> Answer:
    async def wrong(desk: Desk, message: Any, caller: Any, now: float) -> Any:
        if isinstance(message, m.Bot):
            await asyncio.get_running_loop().create_future()
        return await answer(desk, message, caller, now)

    return wrong


def leaves_a_task_behind(answer: Answer) -> Answer:
    kept: list[asyncio.Task[None]] = []

    async def wrong(desk: Desk, message: Any, caller: Any, now: float) -> Any:
        if isinstance(message, m.Rematch):
            kept.append(asyncio.create_task(asyncio.sleep(30)))
        return await answer(desk, message, caller, now)

    return wrong


def forgets_a_failed_task(answer: Answer) -> Answer:
    async def fail() -> None:
        raise ZeroDivisionError("a mistake of ours")

    async def wrong(desk: Desk, message: Any, caller: Any, now: float) -> Any:
        if isinstance(message, m.Rematch):
            _ = asyncio.create_task(fail())  # noqa: RUF006 - this is the mistake
        return await answer(desk, message, caller, now)

    return wrong


def plays_for_others(answer: Answer) -> Answer:
    """Somebody else's seat is left, as if the message had said whose."""

    async def wrong(desk: Desk, message: Any, caller: Any, now: float) -> Any:
        kept = None
        if isinstance(message, m.Leave):
            kept = await desk._keeper.table(message.table)  # noqa: SLF001 - as above
        if kept is not None:
            (first, *_) = [s.player for s in kept.table.secret.sitters if s and s.player]
            await desk._keeper.do(message.table, Asked(first, message.id, Leave()))  # noqa: SLF001 - as above
        return await answer(desk, message, caller, now)

    return wrong


def exceptions(outcome: Outcome) -> list[str]:
    return outcome.exceptions


def leaks(outcome: Outcome) -> list[str]:
    return outcome.findings.leaks


def wrong_answers(outcome: Outcome) -> list[str]:
    return outcome.findings.wrong


def left_over(outcome: Outcome) -> list[str]:
    return outcome.left_over


def harmed(outcome: Outcome) -> list[str]:
    return outcome.harmed


@pytest.mark.parametrize(
    ("instead", "found"),
    [
        (fails_for_one_value, exceptions),
        (forgets_a_failed_task, exceptions),
        (explains_with_a_card, leaks),
        (explains_at_length, wrong_answers),
        (has_a_word_of_its_own, wrong_answers),
        (answers_twice, wrong_answers),
        (never_answers, wrong_answers),
        (leaves_a_task_behind, left_over),
        (plays_for_others, harmed),
    ],
    ids=lambda value: value.__name__,
)
def test_a_planted_mistake_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
    instead: Callable[[Answer], Answer],
    found: Callable[[Outcome], list[str]],
) -> None:
    monkeypatch.setattr(attack, "PATIENCE", 0.3)
    answering(monkeypatch, instead)

    assert any(found(fuzz(plan)) for plan in PLANS)


def test_a_table_that_an_unreadable_message_changes_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    houses: list[house.House] = []
    listen = house.listen

    def remember(one: house.House) -> None:
        listen(one)
        houses.append(one)

    monkeypatch.setattr(house, "listen", remember)
    changes: set[asyncio.Task[Any]] = set()

    def careless(text: str | bytes) -> m.ClientMessage:
        try:
            return read_client(text)
        except Unreadable:
            for table in houses[-1].standing[1:2]:
                gone = Asked(table.honest[1].player, "careless", Leave())
                changes.add(asyncio.create_task(houses[-1].app.keeper.do(table.code, gone)))
            raise

    monkeypatch.setattr(connection, "read_client", careless)
    outcome = fuzz(PLANS[0])

    assert any("the document has changed" in what for what in outcome.harmed)


def test_a_refusal_in_the_attackers_own_words_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def parroting(text: str | bytes) -> m.ClientMessage:
        try:
            return read_client(text)
        except Unreadable as what:
            raise Unreadable(what.re, CANARY if CANARY in str(text) else what.field) from None

    monkeypatch.setattr(connection, "read_client", parroting)

    assert any("own words" in what for what in fuzz(PLANS[0]).findings.wrong)


def test_a_house_that_keeps_what_it_is_told_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[bytes] = []

    def hoarding(text: str | bytes) -> m.ClientMessage:
        kept.append(bytes(16384))
        return read_client(text)

    monkeypatch.setattr(connection, "read_client", hoarding)
    outcome = fuzz(Plan(seed="hoard", frames=3_000, between=1_000))

    assert outcome.growth > 8 * 1024


def test_the_reproduction_names_seed_and_number(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, has_a_word_of_its_own)
    (first, *_) = fuzz(PLANS[0]).findings.wrong
    _, _, number = first.partition("--seed planted")
    number = number.replace(" --strict", "").removeprefix(" --only ").partition(";")[0]
    alone = fuzz(Plan(seed="planted", only=int(number), strict="--strict" in first))

    assert any("not_now" in what for what in alone.findings.wrong)
