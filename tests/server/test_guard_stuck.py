"""Guarded connections, over real sockets: whoever does not listen is cut, and nobody else is."""

import asyncio
import time
from contextlib import AsyncExitStack, suppress
from statistics import median

from dormie_server.goodbye import close_all
from dormie_server.guard import GuardedConnection
from dormie_server.limits import Limits
from tests.nasty import CASES
from tests.server.peers import PAGE, fill, friend, ours, stay, stuck, within
from tests.server.small_house import SmallHouse, Wishes, small_house
from tests.waiting import until
from tests.wire import Place, Wire, framed

# whoever does not listen


async def test_a_peer_that_reads_nothing_is_cut_before_much_waits_for_it() -> None:
    async with small_house(handler=stay) as house, friend(house) as client:
        wire, connection = await stuck(house)
        with wire:
            written = 0
            while connection.write_frame(PAGE):
                written += len(PAGE)
                await asyncio.sleep(0)
            await until(lambda: connection not in house.made.alive)

        assert written < 4 * Limits().buffered_bytes
        assert "overflow" == connection.was_cut
        assert 1 == house.cuts.reasons["overflow"]
        assert (await ours(house, client)).write_text(b"and you?")
        assert "and you?" == await client.recv()


async def test_a_peer_that_takes_nothing_for_a_while_is_cut() -> None:
    wishes = Wishes(Limits(stalled_seconds=0.1))
    async with small_house(wishes, handler=stay) as house:
        wire, connection = await stuck(house)
        with wire:
            await fill(connection)
            await until(lambda: connection not in house.made.alive)

        assert "stalled" == connection.was_cut


async def test_a_peer_that_reads_late_but_reads_is_kept() -> None:
    wishes = Wishes(Limits(stalled_seconds=0.2))
    async with small_house(wishes, handler=stay) as house:
        wire, connection = await stuck(house)
        began = time.monotonic()
        with wire:
            while within(0.5, began):
                await fill(connection)
                while connection.paused:
                    await asyncio.to_thread(wire.listen, 0.01)

        assert connection.was_cut is None


async def test_nasty_L02_one_of_fifty_that_never_reads_harms_nobody() -> None:
    limits = Limits(stalled_seconds=0.2)
    async with small_house(Wishes(limits), handler=stay) as house:
        wire, theirs = await stuck(house)
        with wire:
            times = await _rounds(house, theirs)
            await until(lambda: theirs not in house.made.alive)

    ratio = CASES["L02"]["expected"]["healthy_p99_ratio_max"]
    alone, crowded = (median(times[which]) for which in (False, True))  # p99 is for the bench

    assert theirs.was_cut in {"overflow", "stalled"}
    assert crowded <= ratio * alone + 0.005


async def _rounds(house: SmallHouse, theirs: GuardedConnection) -> dict[bool, list[float]]:
    """Say something to fifty, many times, without the stuck one and with it; how long each took."""
    times: dict[bool, list[float]] = {False: [], True: []}
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(friend(house)) for _ in range(50)]
        mine = [await ours(house, client) for client in clients]
        for crowded in (False, True):
            for _ in range(100):
                began = time.monotonic()
                everybody = [theirs, *mine] if crowded else mine
                answers = [connection.write_frame(PAGE) for connection in everybody]
                await asyncio.gather(*(client.recv() for client in clients))
                times[crowded].append(time.monotonic() - began)
                assert all(answers[-50:])
    return times


async def test_nasty_L03_a_ping_to_a_peer_that_is_full_does_not_wait_for_ever() -> None:
    wishes = Wishes(Limits(stalled_seconds=0.3), ping_seconds=0.1)
    async with small_house(wishes, handler=stay) as house:
        wire, connection = await stuck(house)
        with wire:
            await fill(connection)
            began = time.monotonic()
            await until(lambda: connection not in house.made.alive)

        assert within(CASES["L03"]["expected"]["peer_aborted_within_s"], began)


async def test_nasty_L04_to_close_a_peer_that_is_full_takes_two_seconds_at_most() -> None:
    async with small_house(Wishes(close_seconds=1), handler=stay) as house:
        wire, connection = await stuck(house)
        with wire:
            await fill(connection)
            began = time.monotonic()
            await connection.close()

        assert within(CASES["L04"]["expected"]["returns_within_s"], began)


async def test_nasty_L05_a_frozen_peer_is_noticed_by_its_silence() -> None:
    """At a tenth of the speed of the case; what is left over is the library's and the linger."""
    async with small_house(Wishes(ping_seconds=0.5), handler=stay) as house:
        wire, connection = await stuck(house)
        with wire:
            began = time.monotonic()
            await until(lambda: connection not in house.made.alive)

        assert within(1.0 + Limits().lingering_seconds + 0.3, began)


async def test_a_peer_that_has_been_told_goodbye_may_not_stay_on_the_line() -> None:
    """The library would let it, until its next ping, or for ever where there are no pings."""
    wishes = Wishes(Limits(lingering_seconds=0.1), ping_seconds=None)
    async with small_house(wishes) as house:
        wire, connection = await stuck(house)
        with wire:
            wire.say(framed(3, b"nonsense"))
            await until(lambda: connection not in house.made.alive)

        assert "lingering" == connection.was_cut


async def test_a_peer_that_has_been_told_goodbye_may_not_go_on_shouting() -> None:
    wishes = Wishes(Limits(lingering_seconds=60), ping_seconds=None)
    async with small_house(wishes) as house:
        wire, connection = await stuck(house)
        with wire:
            with suppress(OSError):
                wire.say(framed(3, b"nonsense"))
                await asyncio.to_thread(wire.say, bytes(4_000_000))
            await until(lambda: connection not in house.made.alive)

        assert "lingering" == connection.was_cut


# the end


async def test_nasty_C13_fifty_that_never_read_cannot_hold_up_the_end() -> None:
    async with small_house(Wishes(Limits(stalled_seconds=60)), handler=stay) as house:
        wires = []
        for _ in range(50):
            wire, connection = await stuck(house)
            await fill(connection)
            wires.append(wire)
        async with friend(house) as client:
            reading = asyncio.create_task(client.wait_closed())
            began = time.monotonic()
            await close_all(house.made.alive, 1012, "restarting", within=0.5)

            assert within(1.5, began)
            assert not house.made.alive
            await reading
            assert 1012 == client.close_code
        for wire in wires:
            wire.line.close()


async def test_whoever_is_still_in_the_handshake_cannot_hold_up_the_end() -> None:
    async with small_house(Wishes(handshake_seconds=60)) as house:
        with await asyncio.to_thread(Wire, Place("127.0.0.1", house.port)) as wire:
            wire.say(b"GET /ws HT")
            await until(lambda: bool(house.made.alive))
            await close_all(house.made.alive, 1012, "restarting", within=0.1)

            assert not house.made.alive


async def test_to_say_goodbye_to_nobody_takes_no_time() -> None:
    await close_all([], 1012, "restarting", within=60)


async def test_one_pulse_asks_everybody_and_whoever_answers_may_stay() -> None:
    async with small_house(Wishes(ping_seconds=0.1), handler=stay) as house:
        wire, silent = await stuck(house)
        with wire:
            async with friend(house) as client:
                answering = await ours(house, client)
                assert 2 == len(house.made.pulse)
                await until(lambda: silent not in house.made.alive)
                closed = asyncio.get_running_loop().time() + 0.5
                await until(lambda: asyncio.get_running_loop().time() > closed)

                assert answering in house.made.alive
                assert 1 == len(house.made.pulse)
    assert 0 == len(house.made.pulse)


async def test_what_was_said_in_the_greeting_is_not_kept() -> None:
    async with small_house(handler=stay) as house, friend(house) as client:
        connection = await ours(house, client)

        assert connection.request is not None
        assert 0 == len(connection.request.headers)
        assert connection.response is None
        assert "_pings" not in vars(connection)
