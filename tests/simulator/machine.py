"""Whatever runs code and may fail as a whole: a server, or somebody's phone.

All code of one machine runs in contexts that name it, and so does all that it starts. The loop looks
at that name: a frozen machine's calls wait, a dead one's are never made.
"""

from collections import deque
from contextvars import ContextVar, copy_context
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextvars import Context

    from tests.simulator.loop import Call

T = TypeVar("T")


class Machine:
    """A machine: its name, its address, and how it is."""

    def __init__(self, name: str, address: str = "127.0.0.1") -> None:
        self.name = name
        self.address = address
        self.state: Literal["running", "frozen", "dead", "buried"] = "running"
        self.died = False
        """Whether nothing that it still does may have any effect."""
        self.troubled = 0.0
        """When it was last in trouble: from then on promises about time count."""
        self.woke = 0.0
        """When it was last thawed."""
        self.waiting: deque[Call] = deque()

    def __repr__(self) -> str:
        return self.name

    def context(self) -> "Context":
        """A context in which code runs on this machine."""
        context = copy_context()
        context.run(HERE.set, self)
        return context

    def hold(self, call: "Call") -> None:
        """Keep a call that cannot be made now; what the dead have left is kept until they are buried."""
        if self.state != "buried":
            self.waiting.append(call)

    def do(self, what: "Callable[[], T]") -> T:
        """Do something on this machine, now."""
        return self.context().run(what)


HERE: ContextVar[Machine | None] = ContextVar("HERE", default=None)
"""The machine on which the present code runs; None for the world around them."""
