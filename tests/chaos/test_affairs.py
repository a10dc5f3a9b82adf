"""What people find out about a house that does not keep its word: each judge of chaos, with a fault planted."""

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from bench.chaos_tables import plans
from dormie_client import RefusedError
from dormie_client.errors import no
from tests.chaos import affairs
from tests.chaos.crowd import Chance
from tests.chaos.ledger import Ledger
from tests.chaos.plan import Plan

CODE = "ABCDEFGH"


async def told(value: object) -> object:
    """What a house says; a refusal is raised."""
    if isinstance(value, RefusedError):
        raise value
    return value


def person(**session: object) -> Any:  # as much of one as a judge looks at
    """Somebody to whom a house answers this."""
    answers = {name: lambda *_, _value=value, **__: told(_value) for name, value in session.items()}
    one = SimpleNamespace(
        session=SimpleNamespace(over=False, **answers),
        table=SimpleNamespace(code=CODE, seat=0, about=SimpleNamespace(match=1)),
        ledger=Ledger(),
        fourball=SimpleNamespace(code=CODE, key=None, kicking=0, kicked=True),
        name="P3",
        gone=False,
    )

    async def insist(asking: Callable[[], Awaitable[object]], _: str) -> object:
        return await asking()

    one.insist = insist
    one.fourball.lout = one
    return one


def test_whoever_was_banned_and_is_let_in_is_found() -> None:
    out, in_again = (person(join=answer, watch=no("no_table")) for answer in (no("no_table"), None))
    for one in (out, in_again):
        assert asyncio.run(affairs.was_sent_away(one))

    assert [] == out.ledger.surprises
    assert {"banned, and kept out": 2} == out.ledger.deeds
    assert [f"{CODE}: whoever was banned is let in"] == in_again.ledger.surprises


def test_whoever_was_banned_and_hears_anything_else_is_found() -> None:
    one = person(join=no("no_table"), watch=no("wrong_password"))
    asyncio.run(affairs.was_sent_away(one))

    assert [f"{CODE}: whoever was banned hears wrong_password"] == one.ledger.surprises


@pytest.mark.parametrize(
    ("history", "mine", "taken", "wrong"),
    [
        ([1], [CODE], 2, 0),
        ([1, 1], [CODE], 2, 1),
        ([1], [], 2, 1),
        ([1], [CODE, CODE], 2, 2),
        ([1], [CODE, "ZZZZZZZZ"], 2, 1),
        ([1], [CODE], 5, 1),
    ],
)
def test_a_match_told_twice_a_seat_too_many_or_too_few_and_a_full_table_that_is_fuller_are_found(
    history: list[int], mine: list[str], taken: int, wrong: int
) -> None:
    one = person(
        history=[SimpleNamespace(record=f"{CODE}-{match}") for match in history],
        mine=[SimpleNamespace(table=code) for code in mine],
        lobby=SimpleNamespace(tables=[SimpleNamespace(free=0, taken=taken, size=4)]),
    )
    asyncio.run(affairs.look_back(one))

    assert wrong == len(one.ledger.surprises)


@pytest.mark.parametrize(
    ("names", "wrong"),
    [
        (["Quinn0"], 0),
        (["Quinn0", "Quinn1"], 0),
        (["Quinn0", "Quinn0"], 1),
        (["Quinn0", "Quinn0 2"], 1),
        (["Quinn0", "Quinn1", "Quinn2"], 1),
        (["Quinn0", "Ada"], 1),
    ],
)
def test_whoever_sits_twice_where_quick_match_has_put_them_is_found(
    names: list[str], wrong: int
) -> None:
    seats = [SimpleNamespace(name=name) for name in names]
    people: list[Any] = [SimpleNamespace(name=f"Quinn{at}") for at in range(3)]
    people[0].table = SimpleNamespace(code=CODE, view=SimpleNamespace(seats=seats))
    ledger = Ledger()

    async def judge() -> None:
        chance = Chance(Plan(0, quick=True), "", ledger, asyncio.Event(), people=people)
        chance.judge(people[0])

    asyncio.run(judge())

    assert wrong == len(ledger.surprises)


@pytest.mark.parametrize("tables", [20, 50, 100])
def test_strangers_who_take_any_table_are_one_group_however_many_tables_there_are(
    tables: int,
) -> None:
    """Two groups would meet, and a table they share would be in the ledgers of two processes."""
    asked = Namespace(tables=tables, alone=False, power_cuts=0, races=False, think=0.0, holes=18)

    assert 1 == sum(plan.quick for plan in plans(asked))
