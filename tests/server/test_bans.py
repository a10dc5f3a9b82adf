"""Who is kept out, and until when."""

import sys
from collections.abc import AsyncIterator
from types import FrameType
from typing import Literal
from unittest.mock import AsyncMock

import pytest

from dormie_server.bans import MOST, BadBan, Ban, Bans, Barred, network_of
from dormie_server.sqlite_store import SqliteStore
from tests.contracts.stores import Clock


def ban(who: str, until: float, what: Literal["player", "address"] = "player") -> Ban:
    return Ban(f"id-{who}", what, who, 0.0, until)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def store(clock: Clock) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(":memory:", clock=clock)
    yield store
    await store.close()


async def test_a_ban_ends_by_itself_at_the_door_and_in_the_list(
    store: SqliteStore, clock: Clock
) -> None:
    now = await store.now()
    bans, barred = Bans(store), Barred(store)
    await bans.add(ban("p-ada", now + 60))
    await bans.add(ban("10.0.0.0/8", now + 30, "address"))
    await barred.look()
    assert [True, True] == [await barred.player("p-ada"), await barred.address("10.9.8.7")]
    clock.time += 31
    assert [True, False] == [await barred.player("p-ada"), await barred.address("10.9.8.7")]
    assert ["p-ada"] == [one.who for one in await bans.all()]
    clock.time += 30

    assert not await barred.player("p-ada")
    assert () == await bans.all()


async def test_a_second_ban_of_somebody_replaces_the_first(store: SqliteStore) -> None:
    now = await store.now()
    bans = Bans(store)
    await bans.add(ban("p-ada", now + 60))
    await bans.add(ban("p-ada", now + 90))

    assert [now + 90] == [one.until for one in await bans.all()]


async def test_a_ban_is_lifted_by_its_id_by_its_player_or_by_an_address(store: SqliteStore) -> None:
    now = await store.now()
    bans = Bans(store)
    await bans.add(ban("p-ada", now + 60))
    await bans.add(ban("p-bob", now + 60))
    await bans.add(ban("192.0.2.7/32", now + 60, "address"))

    assert [1, 1, 1, 0] == [
        len(await bans.lift(name)) for name in ("id-p-ada", "p-bob", "192.0.2.7", "p-cleo")
    ]
    assert () == await bans.all()


async def test_there_is_a_most_and_it_is_said(store: SqliteStore) -> None:
    now = await store.now()
    bans = Bans(store)
    for number in range(MOST):
        await bans.add(ban(f"p-{number}", now + 60))
    with pytest.raises(BadBan, match="lift some"):
        await bans.add(ban("p-late", now + 60))
    await bans.add(ban("p-1", now + 90))


@pytest.mark.parametrize(
    ("banned", "address", "kept_out"),
    [
        ("192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "::ffff:192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("192.0.2.0/24", "192.0.2.8", True),
        ("::ffff:192.0.2.0/120", "192.0.2.8", True),
        ("::ffff:192.0.2.7/128", "::1", False),
        ("2001:db8::1", "2001:db8::ffff", True),
        ("2001:db8::1", "2001:db8::/64", True),
        ("2001:db8::/48", "2001:db8:0:7::1", True),
        ("2001:db8::1", "2001:db8:0:7::1", False),
        ("192.0.2.7", "2001:db8::1", False),
        ("192.0.2.7", "", False),
    ],
)
async def test_an_address_is_banned_as_limits_count_it(
    store: SqliteStore, banned: str, address: str, *, kept_out: bool
) -> None:
    bans, barred = Bans(store), Barred(store)
    await bans.add(ban(str(network_of(banned)), await store.now() + 60, "address"))
    await barred.look()

    assert kept_out is await barred.address(address)


@pytest.mark.parametrize(
    "text",
    ["0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96", "1.2.3.4/33", "localhost", "", "10.0.0.1:80/8"],
)
def test_what_is_no_network_or_too_wide_is_not_banned(text: str) -> None:
    with pytest.raises(BadBan):
        network_of(text)


async def test_a_long_list_of_networks_makes_no_door_slow(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a ban changes, all lines are asked about at once: a walk through the list for each holds up all."""
    until = await store.now() + 60
    single = [f"10.{number // 250}.{number % 250}.7/32" for number in range(MOST - 2)]
    banned = [ban(who, until, "address") for who in (*single, "11.0.0.0/8", "2001:db8::/48")]
    monkeypatch.setattr(Bans, "all", AsyncMock(return_value=tuple(banned)))
    barred = Barred(store)
    await barred.look()
    calls = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        kept_out = [await barred.address(place) for place in ("10.0.1.7", "10.0.1.8", "11.2.3.4")]
        kept_out += [await barred.address(place) for place in ("2001:db8:0:9::1", "2001:db9::1")]
    finally:
        sys.setprofile(None)

    assert [True, False, True, True, False] == kept_out
    assert calls < MOST
