"""Whether a Redis keeps what it is given: asked once, when the house opens, and said in plain words."""

import asyncio
from collections.abc import Mapping
from typing import Final

import structlog

from dormie_server.redis_line import Line
from dormie_server.redis_scripts import FORMAT, FORMAT_KEY
from dormie_server.redis_wire import Answer
from dormie_server.store import StoreUnavailable

OLDEST_REDIS: Final = (7, 0)
SCRUB_STEP: Final = 0.05

log = structlog.get_logger(__name__)


async def checked(line: Line) -> list[str]:
    """What the operator should know of this Redis; raises StoreUnavailable if it cannot be used at all."""
    info = _lines(await line.ask("INFO"))
    refusal = refused(info, await _settings(line))
    if refusal:
        raise StoreUnavailable(refusal)
    await line.ask("SET", FORMAT_KEY, FORMAT, "NX")
    found = int(await line.ask("GET", FORMAT_KEY))
    if found > FORMAT:
        raise StoreUnavailable(f"this Redis was used by a newer Dormie (format {found})")
    return warnings(info, await _settings(line))


def refused(info: Mapping[str, str], settings: Mapping[str, str]) -> str | None:
    """Why a Redis that says this of itself cannot be used; None if it can."""
    version = info.get("redis_version", "0.0")
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())
    if numbers < OLDEST_REDIS:
        return f"Redis {version} is too old: 7.0 is the oldest that will do"
    if info.get("cluster_enabled") == "1":
        return "this Redis is part of a cluster, which Dormie does not use yet"
    if info.get("role") != "master":
        return "this Redis is a replica and takes no writes: name its master, or its sentinels"
    policy = settings.get("maxmemory-policy") or info.get("maxmemory_policy", "noeviction")
    limited = settings.get("maxmemory", info.get("maxmemory", "0")) != "0"
    if limited and policy != "noeviction":
        return (
            f"this Redis throws tables away when its memory is full (maxmemory-policy {policy}):"
            " set it to noeviction"
        )
    return None


def warnings(info: Mapping[str, str], settings: Mapping[str, str]) -> list[str]:
    """What a Redis that says this of itself may lose, each in a sentence."""
    if not settings:
        return [
            "it does not say how it keeps things (CONFIG GET is not allowed): see docs/operate.md"
        ]
    if info.get("aof_enabled") != "1":
        return [
            "appendonly is off: what was played since the last snapshot is lost when Redis stops"
        ]
    sync = settings.get("appendfsync")
    if sync == "always":
        return []
    lost = {"everysec": "about a second of play", "no": "some thirty seconds of play"}
    most = lost.get(str(sync), "something")
    return [f"appendfsync is {sync}: when Redis dies, {most} may be lost; always loses nothing"]


async def scrubbed(line: Line) -> None:
    """Return when the files of Redis hold nothing that was replaced or dropped before.

    Where that is not allowed it is written down: then Redis rewrites its files in its own time.
    """
    info = _lines(await line.ask("INFO", "persistence"))
    settings = await _settings(line)
    try:
        if info.get("aof_enabled") == "1":
            await _rewritten(
                line, "BGREWRITEAOF", "aof_rewrite_in_progress", "aof_rewrite_scheduled"
            )
        if settings.get("save"):
            await _rewritten(line, "BGSAVE", "rdb_bgsave_in_progress")
    except StoreUnavailable as because:
        if "NOPERM" not in str(because):
            raise
        log.warning("not_scrubbed", because=str(because))


async def _rewritten(line: Line, order: str, *busy: str) -> None:
    """Have a file written anew, by a writer that begins now."""
    await _idle(line, *busy)
    await line.ask(order, *(("SCHEDULE",) if order == "BGSAVE" else ()))
    await _idle(line, *busy)


async def _idle(line: Line, *busy: str) -> None:
    while True:
        info = _lines(await line.ask("INFO", "persistence"))
        if not any(info.get(name, "0") != "0" for name in busy):
            return
        await asyncio.sleep(SCRUB_STEP)


async def _settings(line: Line) -> dict[str, str]:
    """What Redis is set to; nothing where we may not ask."""
    try:
        found = await line.ask("CONFIG", "GET", "*")
    except StoreUnavailable as because:
        if "NOPERM" in str(because) or "unknown command" in str(because):
            return {}
        raise
    return {
        name.decode(): value.decode() for name, value in zip(found[::2], found[1::2], strict=True)
    }


def _lines(said: Answer) -> dict[str, str]:
    """What INFO says, by name."""
    rows = (row.partition(":") for row in said.decode().splitlines() if ":" in row)
    return {name: value for name, _, value in rows}
