"""What the door of the game says to whoever knocks, over real sockets."""

import asyncio

import pytest

from dormie_server.answers import SAFE
from dormie_server.guard import GuardedConnection
from tests.nasty import CASES
from tests.server.browser import PROXY, UPGRADE, ask, knock
from tests.server.small_house import Wishes, small_house

# the door of the game


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://golf.example:8421", 101),
        ("https://golf.example:8421", 101),
        ("https://GOLF.example:8421", 101),
        ("https://friend.example", 101),
        ("https://golf.example", 403),
        ("https://golf.example:8421.evil.example", 403),
        ("https://evil.example/golf.example:8421", 403),
        ("https://friend.example.evil.example", 403),
        ("http://friend.example", 403),
        ("file://golf.example:8421", 403),
        ("golf.example:8421", 403),
        ("null", 403),
        ("", 403),
    ],
)
async def test_a_page_of_ours_may_connect_and_pages_elsewhere_may_not(
    origin: str, status: int
) -> None:
    async with small_house(Wishes(origins=("https://friend.example",))) as house:
        assert status == await knock(house, f"Origin: {origin}")


async def test_a_program_has_no_origin() -> None:
    async with small_house() as house:
        assert 101 == await knock(house)


async def test_what_is_said_twice_is_not_believed() -> None:
    ours = "Origin: http://golf.example:8421"
    async with small_house() as house:
        assert 400 == await knock(house, ours, ours)
        assert 403 == await knock(house, ours, "Host: golf.example:8421", "Host: evil.example")


@pytest.mark.parametrize("path", ["/ws?", "/ws?token=SECRET123", "/ws?a=b"])
async def test_nothing_may_be_asked_in_the_address_of_the_game(path: str) -> None:
    async with small_house() as house:
        answer = await ask(house, path, *UPGRADE.split("\r\n"))

    assert 400 == answer.status
    assert b"SECRET123" not in answer.body


async def test_who_does_not_speak_our_protocol_is_refused_as_safely_as_others() -> None:
    async with small_house() as house:
        page = await ask(house, "/ws")
        other = [line.replace("dormie.1", "dormie.9") for line in UPGRADE.split("\r\n")]
        stranger = await ask(house, "/ws", *other)

    assert 426 == page.status
    assert 400 == stranger.status
    for answer in (page, stranger):
        assert SAFE == {name: answer.headers[name] for name in SAFE}


# who is there


async def counted_as(wishes: Wishes, *lines: str) -> str:
    """The address under which the game counts whoever sends these lines."""
    seen: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def note(connection: GuardedConnection) -> None:
        seen.set_result(connection.address)

    async with small_house(wishes, handler=note) as house, asyncio.timeout(5):
        await knock(house, *lines)
        return await seen


async def test_nasty_H11_only_a_trusted_proxy_may_say_for_whom_it_speaks() -> None:
    ((name, value),) = CASES["H11"]["input"]["headers"].items()

    assert "127.0.0.1" == await counted_as(Wishes(), f"{name}: {value}")
    assert value == await counted_as(Wishes(trusted=PROXY), f"{name}: {value}")


async def test_nasty_S20_a_64_behind_a_proxy_is_one_address() -> None:
    line = "X-Forwarded-For: 2001:db8:1:2:3:4:5:6"

    assert "2001:db8:1:2::/64" == await counted_as(Wishes(trusted=PROXY), line)
