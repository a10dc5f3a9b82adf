"""What happens at a table, for one who listens: in order, and never more than fits."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable

from dormie_protocol.messages import Seen

MOST = 64
"""So many changes wait for a listener; after that one summary stands for them."""


class Summary(Seen):
    """What stands for changes that nobody fetched in time: how the table looks, and no events."""

    missed: int = 0
    """How many events were left out."""


class Updates(AsyncIterator[Seen]):
    """Every change at a table in order, first the present one, until the table is closed."""

    def __init__(self, first: Seen) -> None:
        self._waiting: deque[Seen] = deque([first])
        self._over = False
        self._news = asyncio.Event()

    def put(self, seen: Seen, look: Callable[[], Seen]) -> None:
        """Add a change; *look* is how the table looks after it."""
        self._waiting.append(seen)
        if len(self._waiting) > MOST:
            self._waiting = deque([_summary(self._waiting, look())])
        self._news.set()

    def end(self) -> None:
        """Nothing comes after what is waiting."""
        self._over = True
        self._news.set()

    async def __anext__(self) -> Seen:
        while not self._waiting:
            if self._over:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._waiting.popleft()


def _summary(left_out: deque[Seen], look: Seen) -> Summary:
    missed = sum(len(seen.events) for seen in left_out)
    earlier = sum(seen.missed for seen in left_out if isinstance(seen, Summary))
    fields = {name: getattr(look, name) for name in Seen.model_fields}
    return Summary.model_construct(
        **fields
        | {
            "after": left_out[0].after,
            "rolled_back": any(seen.rolled_back for seen in left_out),
            "missed": missed + earlier,
        }
    )
