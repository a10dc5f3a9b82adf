"""Meeting a server: as the player one was there the last time, or as a new guest."""

from collections.abc import Callable
from pathlib import Path

from dormie_client.errors import RefusedError
from dormie_client.identity import forget, recall, remember
from dormie_client.play_wish import Wish
from dormie_client.session import Dormie
from dormie_client.show import Show

PATIENCE = 5.0
"""Seconds until a server that does not answer counts as not there."""


async def meet(wish: Wish, show: Show, home: Path | None, tell: Callable[[str], None]) -> Dormie:
    """A session with the server at the address of *show*. Raises RefusedError or ClosedError.

    *home* is where this player's tokens are, None for a server that nobody will come back to; *tell*
    hears how the connection is.
    """

    async def connect(token: str | None) -> Dormie:
        return await Dormie.connect(
            show.url,
            name=wish.name,
            token=None if wish.claim else token,
            claim=wish.claim.upper() if wish.claim else None,
            language=wish.language,
            patience=PATIENCE,
            on_state=tell,
            code=wish.code,
        )

    if home is None:
        return await connect(None)
    token = None if wish.claim else recall(home, show.url)
    try:
        session = await connect(token)
    except RefusedError as no:
        if token is None or no.word != "unknown_token":
            raise
        forget(home, show.url)  # it was another server, or this one has forgotten everything
        show.text("forgotten")
        session = await connect(None)
    _keep(home, session, show)
    if wish.claim:
        show.text("claimed", name=session.name)
    return session


def _keep(home: Path, session: Dormie, show: Show) -> None:
    try:
        remember(home, show.url, session.token)
    except OSError as error:
        show.text("not_kept", why=error.strerror)
