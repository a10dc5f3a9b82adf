"""Asking a small house over HTTP, header line by header line."""

import asyncio
from dataclasses import dataclass
from ipaddress import IPv4Network

from tests.server.small_house import SmallHouse
from tests.wire import Place, request

UPGRADE = request(Place("", 0, "golf.example:8421")).decode().partition("Host: ")[2]
UPGRADE = UPGRADE.partition("\r\n")[2].rstrip()
PROXY = (IPv4Network("127.0.0.0/8"),)


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


async def ask(house: SmallHouse, path: str, *lines: str, method: str = "GET") -> Answer:
    """Ask over HTTP; *lines* are header lines, and a Host is added where they have none."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    if not any(line.startswith("Host:") for line in lines):
        lines = ("Host: golf.example:8421", *lines)
    head = "".join(f"{line}\r\n" for line in (f"{method} {path} HTTP/1.1", *lines, ""))
    writer.write(head.encode())
    async with asyncio.timeout(5):
        first = (await reader.readline()).decode()
        answer = Answer(int(first.split(" ")[1]), {}, b"")
        while (line := (await reader.readline()).decode().strip()) != "":
            name, _, value = line.partition(": ")
            answer.headers[name] = value
        if answer.status != 101:
            answer.body = await reader.read()
    writer.close()
    return answer


async def knock(house: SmallHouse, *lines: str, path: str = "/ws") -> int:
    """The status with which the game answers."""
    return (await ask(house, path, *UPGRADE.split("\r\n"), *lines)).status
