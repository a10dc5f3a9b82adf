"""A network in memory: lines that are slow, get stuck, go silent, break, and never mix up their bytes.

A line has two ends, each a transport as asyncio knows it. What is written at one end waits there until
the line takes it, is on its way for a while, and arrives in order, in pieces. As on a real line, what
the other end does not read fills the line, then the writer's buffer, then the writer's patience.
"""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextvars import Context, copy_context
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from tests.simulator.end import End
from tests.simulator.loop import VirtualLoop
from tests.simulator.machine import HERE, Machine

Factory = Callable[[], asyncio.Protocol]

FRONT = 8421
"""Whoever connects to this port meets any of the servers, as behind a proxy."""
REFUSED = ConnectionRefusedError(111, "nobody listens")


@dataclass(frozen=True, slots=True)
class Manner:
    """How a line carries bytes."""

    latency: float = 0.005
    """Seconds that everything takes."""
    jitter: float = 0.005
    """Seconds more that something may take."""
    piece: int = 65536
    """Bytes that arrive in one go."""
    rate: float | None = None
    """Bytes a second; None is as many as there are."""
    window: int = 65536
    """Bytes that may be on their way, or wait to be read."""


class Witness(Protocol):
    """Who sees everything that is written."""

    def opened(self, line: "Line") -> None: ...
    def written(self, line: "Line", data: bytes, *, by_server: bool) -> None: ...
    def ended(self, line: "Line") -> None: ...


class Line:
    """A connection between a client and a server."""

    def __init__(self, network: "Network", number: int, manner: Manner) -> None:
        self.network = network
        self.number = number
        self.manner = manner
        self.luck = Random(f"{network.seed} line {number}")
        self.silent = False
        """Whether everything that is sent vanishes, and nobody is told."""
        self.stuck_until = 0.0
        self.troubled = 0.0
        """When something last happened to it that a line should not do."""
        self.client: End
        self.server: End

    def __repr__(self) -> str:
        return f"line {self.number}"

    @property
    def whole(self) -> bool:
        """Whether both ends think that they are connected."""
        return not (self.client.gone or self.server.gone)

    def trouble(self) -> None:
        """From now on nothing can be promised about this line for a while."""
        self.troubled = self.network.loop.time()

    # what may happen to it

    def break_off(self) -> None:
        """Both ends are told at once that the other is gone."""
        self.trouble()
        for end in (self.client, self.server):
            end.reset()

    def fall_silent(self) -> None:
        """Nothing arrives any more and nobody is told: somebody pulled a plug."""
        self.trouble()
        self.silent = True

    def stall(self, seconds: float) -> None:
        """Nothing arrives for a while, and then all of it."""
        self.trouble()
        self.stuck_until = self.network.loop.time() + seconds

    def half_close(self, end: End) -> None:
        """One end hears that nothing more will come, though the other one goes on."""
        self.trouble()
        end.arrive(b"")

    def slow_down(self, rate: float) -> None:
        """From now on so many bytes a second."""
        self.trouble()
        self.manner = Manner(self.manner.latency, 0.0, 512, rate, 4096)


class SimulatedServer:
    """What listens at a port; as much of `asyncio.Server` as is needed."""

    def __init__(self, network: "Network", factory: Factory, port: int) -> None:
        self.factory = factory
        self.port = port
        self.context: Context = copy_context()
        self.machine: Machine | None = HERE.get()
        self._network = network
        self._open = True

    @property
    def sockets(self) -> tuple["SimulatedServer", ...]:
        return (self,)

    def getsockname(self) -> tuple[str, int]:
        return ("127.0.0.1", self.port)

    @property
    def family(self) -> int:
        return socket.AF_INET

    def get_loop(self) -> VirtualLoop:
        return self._network.loop

    def is_serving(self) -> bool:
        return self._open

    def close(self) -> None:
        self._open = False
        self._network.listeners.pop(self.port, None)

    async def wait_closed(self) -> None:
        """Nothing is left to wait for."""


class Network:
    """Everything between clients and servers."""

    def __init__(self, loop: VirtualLoop, seed: str, witness: Witness) -> None:
        self.loop = loop
        self.seed = seed
        self.witness = witness
        self.luck = Random(f"{seed} network")
        self.manner: Callable[[], Manner] = Manner
        """How the next line will be."""
        self.unreachable = 0.0
        """How often an attempt to connect comes to nothing."""
        self.listeners: dict[int, SimulatedServer] = {}
        self.lines: dict[int, Line] = {}
        self.count = 0
        loop.network = self

    def listen(self, factory: Factory, _host: str, port: int) -> SimulatedServer:
        """Let somebody listen at *port*. Raises OSError when somebody does already."""
        if port in self.listeners:
            raise OSError(98, "the port is in use")
        server = self.listeners[port] = SimulatedServer(self, factory, port)
        return server

    async def connect(
        self, factory: Factory, port: int
    ) -> tuple[asyncio.Transport, asyncio.Protocol]:
        """Connect to *port*. Raises ConnectionRefusedError when nobody listens there."""
        manner = self.manner()
        await asyncio.sleep(manner.latency + self.luck.random() * manner.jitter)
        if self.luck.random() < self.unreachable:
            await asyncio.sleep(60.0)
            raise TimeoutError
        listener = self._listener(port)
        if listener is None:
            raise REFUSED
        self.count += 1
        line = self.lines[self.count] = Line(self, self.count, manner)
        address = (here.address if (here := HERE.get()) else "127.0.0.1", 40000 + self.count)
        line.client = End(line, copy_context(), ("127.0.0.1", listener.port), address)
        line.server = End(line, listener.context, address, ("127.0.0.1", listener.port))
        line.client.far, line.server.far = line.server, line.client
        self.witness.opened(line)
        self.loop.call_soon(self._accept, line, listener, context=listener.context)
        protocol = factory()
        line.client.made(protocol)
        return line.client, protocol

    def machine_died(self, machine: Machine, *, quietly: bool) -> None:
        """A machine is no more: its lines break, or if it died *quietly* they only fall silent."""
        for listener in list(self.listeners.values()):
            if listener.machine is machine:
                listener.close()
        for line in self.of(machine):
            line.trouble()
            line.silent = line.silent or quietly
            for end in (line.client, line.server):
                if end.machine is machine:
                    end.gone = True
                    end.leave(reset=True)
            self.forget(line)

    def of(self, machine: Machine) -> Iterator[Line]:
        """The lines of a machine."""
        return iter([line for line in self.lines.values() if machine in _machines(line)])

    def forget(self, line: Line) -> None:
        """A line has no end left."""
        if line.client.gone and line.server.gone and line.number in self.lines:
            del self.lines[line.number]
            self.witness.ended(line)

    def _listener(self, port: int) -> SimulatedServer | None:
        if port != FRONT:
            return self.listeners.get(port)
        there = list(self.listeners.values())
        return self.luck.choice(there) if there else None

    def _accept(self, line: Line, listener: SimulatedServer) -> None:
        if not line.server.gone:
            line.server.made(listener.factory())


def _machines(line: Line) -> tuple[Any, ...]:
    return (line.client.machine, line.server.machine)
