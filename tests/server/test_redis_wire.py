"""The ways to a Redis: addresses, passwords, TLS and sentinels."""

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trustme

from dormie_server.redis_store import RedisStore
from dormie_server.redis_wire import BadAddress, address
from dormie_server.store import StoreUnavailable
from tests.contracts.stores import outcome
from tests.redis_server import RedisServer, redis_program, running_redis
from tests.serving import free_port


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://:hush@golf.example:7000/2", "redis://golf.example:7000/2"),
        ("rediss://ada:hush@golf.example", "rediss://golf.example"),
        ("unix:///run/redis.sock?password=hush", "unix:///run/redis.sock"),
        ("redis+sentinel://:hush@a:1,b/golf/3", "redis+sentinel://a:1,b/golf/3"),
    ],
)
def test_an_address_is_shown_without_its_password(url: str, shown: str) -> None:
    assert shown == address(url).shown


@pytest.mark.parametrize(
    "url",
    ["", "golf.example", "http://golf.example", "redis+sentinel://a", "redis+sentinel://a/b/c"],
)
def test_an_address_of_no_store_is_refused_in_words(url: str) -> None:
    with pytest.raises(BadAddress, match="redis"):
        address(url)


@pytest.mark.parametrize(
    "url",
    [
        "redis://:hu#sh@golf.example/0",
        "redis://:hu/sh@golf.example/0",
        "redis://:hu?sh@golf.example/0",
        "redis://:12?sh@golf.example/0",
        "redis://[:hush@golf.example/0",
        "redis://:hush@golf.example:port/0",
        "redis://:hush@golf.example:99999/0",
        "redis://:hush@golf.example/golf",
        "redis://:hush@golf.example/0?sh",
        "redis://:hush@golf.example/0?no_such_option=hush",
        "redis://:hush@golf.example/0?socket_timeout=5&password=hush",
        "redis+sentinel://:hu#sh@a/golf",
        "redis+sentinel://:hu/sh@a/golf",
        "redis+sentinel://:hush@a:port/golf",
        "redis+sentinel://:hush@a:99999/golf",
        "redis+sentinel://:hush@a/golf?no_such_option=hush",
    ],
)
def test_an_address_that_cannot_be_used_is_refused_at_once_without_a_word_of_its_password(
    url: str,
) -> None:
    with pytest.raises(BadAddress) as refused:
        address(url)

    assert [] == [
        word for word in ("hu#", "hu/", "hush", "'hu'", ":12") if word in str(refused.value)
    ]
    assert "sh@" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost",
        "redis://localhost/",
        "redis://[::1]:7000/15",
        "redis://:a%23%2F%3F@golf.example/0",
        "rediss://golf.example?ssl_ca_certs=/etc/ca.pem",
        "unix:///run/a@b.sock?db=2",
        "redis+sentinel://[::1]:26379,b:26380/golf/0?tls=1",
    ],
)
def test_an_address_in_all_its_forms_is_taken(url: str) -> None:
    assert url.partition("?")[0].endswith(address(url).shown.rpartition("//")[2])


async def works(url: str, password: str | None = None) -> object:
    """What becomes of a put by this way."""
    store = RedisStore(url, password)
    try:
        return await outcome(store.put("way", b"", 0))
    finally:
        await store.drop("way") if not store.line.lost else None
        await store.close()


async def test_a_password_is_taken_from_the_address_or_beside_it() -> None:
    with running_redis("--requirepass", "hush") as redis:
        place = f"127.0.0.1:{redis.port}"

        assert 1 == await works(f"redis://:hush@{place}")
        assert 1 == await works(f"redis://{place}", "hush")
        for wrong in (f"redis://{place}", f"redis://:guess@{place}"):
            refused = await works(wrong)

            assert isinstance(refused, StoreUnavailable)
            assert "guess" not in str(refused)


async def test_a_socket_in_a_file_is_a_way(tmp_path: Path) -> None:
    with running_redis("--unixsocket", str(tmp_path / "redis.sock")):
        assert 1 == await works(f"unix://{tmp_path / 'redis.sock'}")


async def test_a_way_through_tls_is_only_taken_to_whom_it_was_meant_for(tmp_path: Path) -> None:
    ca, cert = trustme.CA(), trustme.CA().issue_cert("127.0.0.1")
    ours = ca.issue_cert("127.0.0.1")
    ca.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    for name, one in (("ours", ours), ("stranger", cert)):
        one.private_key_pem.write_to_path(str(tmp_path / f"{name}.key"))
        one.cert_chain_pems[0].write_to_path(str(tmp_path / f"{name}.pem"))
    outcomes = {}
    for name in ("ours", "stranger"):
        port = free_port()
        told = {"port": port, "auth-clients": "no", "ca-cert-file": tmp_path / "ca.pem"}
        told |= {"cert-file": tmp_path / f"{name}.pem", "key-file": tmp_path / f"{name}.key"}
        flags = [part for flag, value in told.items() for part in (f"--tls-{flag}", str(value))]
        with running_redis(*flags):
            ca_file = tmp_path / "ca.pem"
            outcomes[name] = await works(f"rediss://127.0.0.1:{port}?ssl_ca_certs={ca_file}")

    assert 1 == outcomes["ours"]
    assert isinstance(outcomes["stranger"], StoreUnavailable)


@contextmanager
def sentinel(redis: RedisServer, folder: Path) -> Iterator[int]:
    """A sentinel that watches over *redis*; its port."""
    port = free_port()
    told = folder / "sentinel.conf"
    told.write_text(
        f"port {port}\nbind 127.0.0.1\ndir {folder}\n"
        f"sentinel monitor golf 127.0.0.1 {redis.port} 1\n"
        "sentinel down-after-milliseconds golf 60000\n"
    )
    command = [redis_program(), str(told), "--sentinel"]
    with (folder / "sentinel.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield port
    finally:
        process.kill()
        process.wait()


async def test_sentinels_say_where_the_master_is(tmp_path: Path) -> None:
    with running_redis() as redis, sentinel(redis, tmp_path) as port:
        url = f"redis+sentinel://127.0.0.1:{port}/golf/0"
        async with asyncio.timeout(10):
            while await works(url) != 1:
                await asyncio.sleep(0.05)
