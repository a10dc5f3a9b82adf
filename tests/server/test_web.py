"""What a browser, a monitor and a curious person get, over real sockets."""

import asyncio
import re
import socket

import pytest

from dormie_server import guard, web
from dormie_server.answers import SAFE
from dormie_server.assets import Asset
from dormie_server.limits import Limits
from dormie_server.metrics import Metrics
from tests.server.browser import PROXY, UPGRADE, ask, knock
from tests.server.small_house import Wishes, small_house
from tests.waiting import until
from tests.wire import Place, Wire

# the page


async def test_a_browser_gets_a_page_in_two_languages() -> None:
    async with small_house() as house:
        page = await ask(house, "/")
        text = page.body.decode()

        assert 200 == page.status
        assert "text/html; charset=utf-8" == page.headers["Content-Type"]
        assert 2 == text.count("dormie play URL CODE")
        assert '<html lang="en">' in text
        assert '<section lang="fr"' in text
        for link in re.findall(r'(?:href|src)="([^"#]+)"', text):
            assert 200 == (await ask(house, link)).status


async def test_the_page_keeps_to_its_own_policy() -> None:
    async with small_house() as house:
        page = await ask(house, "/")

    assert SAFE == {name: page.headers[name] for name in SAFE}
    assert not re.search(rb"<script|<style|style=| on\w+=|https?:", page.body)


async def test_a_page_that_is_known_is_not_sent_again() -> None:
    async with small_house() as house:
        page = await ask(house, "/")
        again = await ask(house, "/", f"If-None-Match: {page.headers['ETag']}")

    assert (304, b"") == (again.status, again.body)


async def test_a_head_is_the_page_without_the_page() -> None:
    async with small_house() as house:
        page, head = await ask(house, "/"), await ask(house, "/", method="HEAD")

    assert (200, b"") == (head.status, head.body)
    assert page.headers["Content-Length"] == head.headers["Content-Length"]


@pytest.mark.parametrize("size", [8_000_000, 30_000])
async def test_a_file_arrives_whole_over_a_slow_line(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game is cut off for less, but a file is as long as we have made it."""

    def small_buffer(line: socket.socket, _: float) -> None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)

    monkeypatch.setattr(guard, "_tune", small_buffer)
    impatient = Limits(stalled_seconds=0.05, lingering_seconds=0.05)
    assets = {"/big.png": Asset(bytes(size), "image/png", "1a2b")}
    # A page may take as long as a handshake; under load these many small pieces take more than five seconds.
    wishes = Wishes(impatient, handshake_seconds=60, close_seconds=0.05, assets=assets)
    async with small_house(wishes) as house:
        with await asyncio.to_thread(Wire, Place("127.0.0.1", house.port), small=True) as wire:
            wire.say(b"GET /big.png HTTP/1.1\r\n\r\n")
            begin_to_read = asyncio.get_running_loop().time() + 0.2
            await until(lambda: asyncio.get_running_loop().time() > begin_to_read)
            await asyncio.to_thread(wire.head)
            while await asyncio.to_thread(wire.listen):
                pass

    assert size == len(wire.heard)


@pytest.mark.parametrize(
    "path", ["/nothing", "/../web.py", "/%2e%2e/web.py", "//", "/index.html/", "/WS", "*", "/ws/"]
)
async def test_what_is_not_there_is_not_found(path: str) -> None:
    async with small_house() as house:
        answer = await ask(house, path)

    assert (404, b"Not Found\n") == (answer.status, answer.body)
    assert SAFE == {name: answer.headers[name] for name in SAFE}


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"])
async def test_there_is_nothing_to_do_but_to_read(method: str) -> None:
    async with small_house() as house:
        page = await ask(house, "/", method=method)
        game = await ask(house, "/ws", *UPGRADE.split("\r\n"), method=method)

    assert (405, "GET, HEAD") == (page.status, page.headers["Allow"])
    assert (405, "GET") == (game.status, game.headers["Allow"])


# monitors


async def test_a_house_whose_store_answers_is_well() -> None:
    async with small_house() as house:
        assert 200 == (await ask(house, "/healthz")).status


async def test_a_house_whose_store_does_not_answer_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "WELL_WITHIN", 0.05)

    async def no() -> bool:
        return False

    async def never() -> bool:
        waiting: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        return await waiting

    for well in (no, never):
        async with small_house(Wishes(well=well)) as house:
            assert 503 == (await ask(house, "/healthz")).status


async def test_a_house_that_closes_is_well_and_not_ready_and_lets_nobody_in() -> None:
    async with small_house(Wishes(draining=lambda: True)) as house:
        ready = await ask(house, "/readyz")

        assert 200 == (await ask(house, "/healthz")).status
        assert 503 == ready.status
        assert "Retry-After" in ready.headers
        assert 503 == await knock(house)
    async with small_house() as house:
        assert 200 == (await ask(house, "/readyz")).status


async def test_figures_are_for_this_machine() -> None:
    metrics = Metrics()
    metrics.moves.inc()
    async with small_house(metrics=metrics) as house:
        answer = await ask(house, "/metrics")

    assert 200 == answer.status
    assert b"dormie_moves_total 1.0" in answer.body
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")


@pytest.mark.parametrize("line", ["X-Forwarded-For: 127.0.0.1", "Forwarded: for=::1", "Via: 1.1 p"])
async def test_figures_are_not_for_whom_an_unknown_proxy_on_this_machine_lets_in(line: str) -> None:
    async with small_house() as house:
        assert 404 == (await ask(house, "/metrics", line)).status


async def test_figures_are_not_for_strangers_behind_a_known_proxy() -> None:
    async with small_house(Wishes(trusted=PROXY)) as house:
        assert 404 == (await ask(house, "/metrics", "X-Forwarded-For: 192.0.2.7")).status
        assert 200 == (await ask(house, "/metrics", "X-Forwarded-For: 127.0.0.1")).status


# records


async def test_a_record_is_text() -> None:
    async with small_house(Wishes(records={"ABCDEFGH-1": "été\n"})) as house:
        answer = await ask(house, "/record/ABCDEFGH-1")

    assert (200, "été\n") == (answer.status, answer.body.decode())
    assert "text/plain; charset=utf-8" == answer.headers["Content-Type"]


async def test_all_misses_are_alike_and_after_ten_nobody_may_look() -> None:
    now = 0.0
    wishes = Wishes(records={"ABCDEFGH-1": "x", "../x": "y"}, clock=lambda: now)
    async with small_house(wishes) as house:
        paths = ["/record/ABCDEFGH-2", "/record/../x", "/record/", "/record/a%00", "/record/a/b"]
        answers = [await ask(house, path) for path in paths * 2]
        blocked = await ask(house, "/record/ABCDEFGH-1")
        now = 61.0
        allowed = await ask(house, "/record/ABCDEFGH-1")

    assert {(404, b"Not Found\n")} == {(answer.status, answer.body) for answer in answers}
    assert 1 == len({tuple(sorted({**answer.headers, "Date": ""}.items())) for answer in answers})
    assert [429, 200] == [blocked.status, allowed.status]
