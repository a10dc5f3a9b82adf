"""The front of a house: where it listens, and what whoever comes to the port may ask."""

from dataclasses import asdict

from websockets.asyncio.server import Server, serve
from websockets.typing import Subprotocol

from dormie_protocol import messages as m
from dormie_server.config import Settings
from dormie_server.connection import Reception
from dormie_server.days import RECORD
from dormie_server.limits import Misses
from dormie_server.metrics import Metrics
from dormie_server.records import find_record
from dormie_server.store import Store, StoreUnavailable
from dormie_server.tls import Certificate
from dormie_server.web import Access, House, Web


async def listen(
    settings: Settings, reception: Reception, web: Web, certificate: Certificate | None
) -> Server:
    """Open the port. Raises OSError."""
    return await serve(
        reception.receive,  # type: ignore[arg-type]  # create_connection makes the right kind
        settings.host,
        settings.port,
        create_connection=reception.line,
        process_request=web.process_request,
        process_response=web.process_response,
        subprotocols=[Subprotocol(m.SUBPROTOCOL)],
        compression=None,  # small messages; and compression beside secrets leaks
        max_size=m.MAX_MESSAGE,
        open_timeout=settings.handshake_seconds,
        ping_interval=settings.ping_seconds,
        ping_timeout=settings.ping_seconds,
        close_timeout=settings.close_seconds,
        server_header=None,
        ssl=certificate.context if certificate else None,
        ssl_handshake_timeout=settings.handshake_seconds if certificate else None,
    )


def web_of(
    settings: Settings, store: Store, reception: Reception, metrics: Metrics, misses: Misses
) -> Web:
    """What is answered over HTTP."""
    ours = (settings.public_url,) if settings.public_url else ()
    origins = (*settings.allowed_origins, *ours)
    access = Access(origins, settings.trusted_proxies, settings.metrics_for)
    return Web(_house(store, reception, metrics), access, misses)


def _house(store: Store, reception: Reception, metrics: Metrics) -> House:
    """What the web may ask."""

    async def well() -> bool:
        try:
            await store.get("well?")
        except StoreUnavailable:
            return False
        return True

    async def record(name: str) -> str | None:
        if name.startswith(RECORD):
            return await reception.desk.days.record(name.removeprefix(RECORD))
        return await find_record(store, name)

    def figures() -> bytes:
        counts = reception.desk.lobby.census.counts()
        metrics.tables(asdict(counts.tables))
        metrics.people(counts.seated, counts.online, counts.spectators)
        return metrics.render()

    barred = reception.porter.barred.address
    return House(well, lambda: reception.stopping, figures, record, barred=barred)
