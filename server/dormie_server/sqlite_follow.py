"""Following a key of `SqliteStore`: first what is kept, then what comes, with no hole between."""

from collections.abc import AsyncIterator, Callable

from dormie_server.bells import Bells, Follower
from dormie_server.sqlite_file import SqliteFile
from dormie_server.store import Note

LARGEST_BATCH = 256


async def follow(
    file: SqliteFile,
    bells: Bells,
    clock: Callable[[], float],
    place: tuple[str, int],
    ear: Follower,
) -> AsyncIterator[Note]:
    """The notes of a key above a number, until its life is over."""
    key, after = place
    with bells.heard_by(key, ear):
        while (batch := await _more(file, clock, (key, after), ear)) is not None:
            for note in batch:
                if note.version > after:
                    after = note.version
                    yield note


async def _more(
    file: SqliteFile, clock: Callable[[], float], place: tuple[str, int], ear: Follower
) -> list[Note] | None:
    """Wait for notes; some may be known already. None when there will be no more."""
    key, after = place
    while True:
        if ear.behind and not ear.ended:
            ear.life = ear.life or file.life(key, clock())
            if ear.life is not None:
                ear.open()
                kept = file.replay(ear.life, after, clock(), LARGEST_BATCH)
                # There may be more: what is heard meanwhile would leave a hole.
                ear.behind = kept is not None and len(kept) == LARGEST_BATCH
                return kept
        elif heard := ear.take():
            return heard
        if ear.ended:
            return None
        await ear.woken()
