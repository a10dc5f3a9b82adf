"""Guests and their devices: a token is the only proof, and nobody can read it from the store."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from dormie_server.erasing import Eraser
from dormie_server.ids import new_token, token_key
from dormie_server.keeper import Keeper
from dormie_server.metrics import Metrics
from dormie_server.person import MOST_FORGOT
from dormie_server.players import Players
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import StoreUnavailable
from dormie_server.table.refusal import No
from dormie_server.traces import traces_shelf
from tests.contracts.stores import Clock
from tests.evening import CountingLuck
from tests.server.moody_store import MoodyStore
from tests.waiting import until

DAY = 86400.0


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def store(clock: Clock) -> AsyncIterator[MoodyStore]:
    opened = MoodyStore(SqliteStore(":memory:", clock=clock))
    yield opened
    await opened.close()


@pytest.fixture
def players(store: MoodyStore) -> Players:
    return Players(store, CountingLuck())


async def refusal(players: Players, token: str | None, name: str | None = None) -> No:
    with pytest.raises(No) as no:
        await players.hello(token, name)
    return no.value


async def test_a_new_guest_gets_a_token_which_is_proof_from_then_on(players: Players) -> None:
    ada, token = await players.hello(None, "Ada")
    assert token is not None
    assert 43 == len(token)
    again, none = await players.hello(token, None)

    assert (ada, None) == (again, none)


async def test_two_guests_of_one_name_are_two_players(players: Players) -> None:
    one, other = [await players.hello(None, "Ada") for _ in range(2)]

    assert one[0].id != other[0].id
    assert one[0].secret != other[0].secret
    assert one[1] != other[1]


async def test_whoever_gives_no_name_is_called_something(players: Players) -> None:
    guest, _ = await players.hello(None, None)

    assert "Guest" == guest.name


async def test_a_new_name_is_kept(players: Players) -> None:
    ada, token = await players.hello(None, "Ada")
    await players.hello(token, "Adele")
    known, _ = await players.hello(token, None)

    assert (ada.id, "Adele") == (known.id, known.name)


async def test_nasty_S03_neither_id_nor_name_nor_another_token_is_proof(players: Players) -> None:
    ada, token = await players.hello(None, "Ada")
    assert token is not None
    for guess in (new_token(), token[:-1] + ("A" if token[-1] != "A" else "B"), ada.id, ada.name):
        no = await refusal(players, guess)

        assert ("unknown_token", "token") == (no.why, no.field)


async def test_nasty_S02_no_token_can_be_read_from_the_store(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "dormie.db")
    tokens = [(await Players(store, CountingLuck()).hello(None, "Ada"))[1] for _ in range(5)]
    await store.close()
    kept = (tmp_path / "dormie.db").read_bytes()

    assert b"device:" in kept, "the file was read"
    assert [] == [token for token in tokens if token and token.encode() in kept]


@pytest.mark.parametrize("name", ["", "   ", "a\0b", "\x1b[31m", "\u202eadA", "x" * 25, "Ad\u0430"])
async def test_a_name_that_cannot_be_used_is_refused_before_anything_is_kept(
    players: Players, store: MoodyStore, name: str
) -> None:
    store.refusing_puts = True
    no = await refusal(players, None, name)

    assert ("bad_name", "name") == (no.why, no.field)
    assert name not in str(no) or not name.strip()


@pytest.mark.parametrize("mood", ["away", "refusing_puts"])
async def test_a_guest_who_cannot_be_kept_is_told_so(
    players: Players, store: MoodyStore, mood: str
) -> None:
    setattr(store, mood, True)

    assert "store_unavailable" == (await refusal(players, None, "Ada")).why


async def test_whoever_comes_back_now_and_then_is_never_forgotten(
    players: Players, clock: Clock
) -> None:
    ada, token = await players.hello(None, "Ada")
    clock.advance(6 * DAY)
    await players.hello(token, None)
    for _ in range(5):
        clock.advance(300 * DAY)
        assert ada.id == (await players.hello(token, None))[0].id

    clock.advance(401 * DAY)
    assert "unknown_token" == (await refusal(players, token)).why


async def test_two_devices_that_say_hello_at_once_are_both_welcome(
    players: Players, store: MoodyStore, clock: Clock
) -> None:
    ada, token = await players.hello(None, "Ada")
    clock.advance(2 * DAY)
    store.late = 1

    assert ada.id == (await players.hello(token, "Adele"))[0].id


async def test_a_new_name_that_is_answered_is_kept_also_when_somebody_was_faster(
    players: Players, store: MoodyStore
) -> None:
    ada, token = await players.hello(None, "Ada")
    store.late = 1
    called = (await players.hello(token, "Adele"))[0].name
    found = await players.find(ada.id)
    assert found is not None

    assert ("Adele", "Adele") == (called, found.name)


async def test_whoever_is_erased_in_the_middle_of_a_hello_is_not_known_any_more(
    players: Players, store: MoodyStore
) -> None:
    ada, token = await players.hello(None, "Ada")
    assert token is not None
    store.open.clear()
    hello = asyncio.create_task(players.hello(token, "Adele"))
    await until(lambda: store.waiting == 1)
    for key in (f"device:{token_key(token)}", f"player:{ada.id}"):
        await store.drop(key)
    store.open.set()

    with pytest.raises(No) as no:
        await hello
    assert "unknown_token" == no.value.why


async def test_nasty_S12_a_damaged_player_tells_no_secret(
    players: Players, store: MoodyStore
) -> None:
    ada, token = await players.hello(None, "Ada")
    document = await store.get(f"player:{ada.id}")
    assert document is not None
    damaged = document.body.replace(b'"name":', b'"name_":')
    await store.put(f"player:{ada.id}", damaged, document.version)

    with pytest.raises(ValidationError) as error:
        await players.hello(token, None)
    assert ada.secret[:8] not in f"{error.value} {error.value!r} {ada!r}"


async def test_a_code_that_was_good_makes_a_device_even_if_its_end_is_lost(
    players: Players, store: MoodyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And whoever is erased is found by what is left of it."""
    ada, _ = await players.hello(None, "Ada")
    code, _ = await players.new_claim(ada.id)

    async def lost(key: str) -> None:
        raise StoreUnavailable(key)

    monkeypatch.setattr(store, "drop", lost)
    claimed, token = await players.claim(code)

    assert (ada.id, ada.id) == (claimed.id, (await players.hello(token, None))[0].id)
    monkeypatch.undo()
    left = [key for key in await store.on(traces_shelf(ada.id)) if key.startswith("claim:")]
    assert 1 == len(left)
    with pytest.raises(No):
        await players.claim(code)


async def test_whoever_asks_again_to_forget_a_device_is_answered_as_before(
    players: Players, store: MoodyStore
) -> None:
    """Its answer was lost. With another id there is no such device any more."""
    ada, _ = await players.hello(None, "Ada")
    for _ in range(MOST_FORGOT + 1):
        await players.claim((await players.new_claim(ada.id))[0])
    known = await players.find(ada.id)
    assert known is not None
    labels = [one.label for one in known.devices[1:]]
    gone = [await players.forget_device(ada.id, label, f"f-{label}") for label in labels]
    before = await players.find(ada.id)

    assert gone[-1] == await players.forget_device(ada.id, labels[-1], f"f-{labels[-1]}")
    assert before == await players.find(ada.id)
    for label, command in ((labels[-1], "f-new"), (labels[0], f"f-{labels[0]}")):
        with pytest.raises(No) as no:
            await players.forget_device(ada.id, label, command)
        assert "no_such_device" == no.value.why, "only so many are remembered"


async def test_nothing_is_left_of_an_erased_player_of_whose_code_the_end_was_lost(
    players: Players, store: MoodyStore
) -> None:
    """The first code was made void by a second one, and could not be dropped."""
    ada, _ = await players.hello(None, "Ada")
    await players.new_claim(ada.id)
    await players.change(ada.id, lambda one: replace(one, claim="", claim_until=0.0))
    luck, metrics = CountingLuck(), Metrics(())
    keeper = Keeper(store, luck, lambda _change, _now: None, metrics)
    left = await store.on(traces_shelf(ada.id))

    assert 1 == len(left)
    assert await Eraser(store, keeper, players).erase(ada.id)
    assert [None] == [await store.get(key) for key in left]
