"""Which store a house gets, and what is said when it cannot be used."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dormie_server.cli import main
from dormie_server.config import BadSetting, read_settings
from dormie_server.cupboard import cupboard, place_of
from dormie_server.redis_store import RedisStore
from dormie_server.sqlite_store import SqliteStore
from dormie_server.store import Store, StoreUnavailable
from tests.diary import diary
from tests.redis_server import RedisServer, running_redis


@pytest.fixture
async def opened() -> AsyncIterator[list[Store]]:
    """Stores that are closed at the end."""
    stores: list[Store] = []
    yield stores
    for store in stores:
        await store.close()


async def test_without_a_word_it_is_the_embedded_one(opened: list[Store]) -> None:
    opened.append(await cupboard(read_settings({"data": ":memory:"})))

    assert [SqliteStore] == [type(store) for store in opened]
    assert not opened[0].shared


async def test_a_redis_is_shared(opened: list[Store], redis: RedisServer) -> None:
    opened.append(await cupboard(read_settings({"store": redis.url})))

    assert [RedisStore] == [type(store) for store in opened]
    assert opened[0].shared


async def test_the_password_may_lie_in_a_file(opened: list[Store], tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hush\n")
    with running_redis("--requirepass", "hush") as redis:
        settings = {"store": redis.url, "store_password_file": str(secret)}
        opened.append(await cupboard(read_settings(settings)))

        assert 1 == await opened[0].put("t", b"", 0)


async def test_what_cannot_be_used_is_said_without_its_password(tmp_path: Path) -> None:
    missing = read_settings({"store": "redis://h", "store_password_file": str(tmp_path / "none")})
    with pytest.raises(BadSetting, match="store_password_file"):
        await cupboard(missing)
    with pytest.raises(BadSetting, match="store: a store is at redis://") as bad:
        await cupboard(read_settings({"store": "http://:hush@h"}))
    away = read_settings({"store": "redis://:hush@127.0.0.1:1"})
    with pytest.raises(StoreUnavailable, match="Redis") as gone:
        await cupboard(away)

    assert "hush" not in f"{bad.value} {gone.value} {away!r} {place_of(away)}"


def test_a_server_whose_redis_is_away_says_so_in_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with diary():  # as it was before, when the server has set it up
        status = main(["--store", "redis://:hush@127.0.0.1:1", "--port", "0"])
    said = capsys.readouterr().err.strip().splitlines()

    assert (2, 1) == (status, len(said)), said
    assert "Redis" in said[0]
    assert "hush" not in said[0]
