"""Inputs that were once answered badly, each kept in a file, so that none of them comes back.

A file of `tests/fuzz/corpus` says `why` it is there, who says it (`as`: a stranger, who has said hello, or
a newcomer, who has not), and what: `texts`, sent as messages one after the other, or `pieces`, bytes in
hexadecimal that arrive one by one. `TABLE` in a text stands for a table that is open.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.fuzz.attack import PATIENCE
from tests.fuzz.doors import GREETING
from tests.fuzz.house import House
from tests.fuzz.judge import CODES
from tests.fuzz.line import polite
from tests.wire import TEXT, framed

FOLDER = Path(__file__).parent / "corpus"
CORPUS: dict[str, dict[str, Any]] = {  # as the files have it
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))
}


async def replay(house: House, case: dict[str, Any]) -> int | None:
    """Say what a case says; returns the code with which the house closes, None when it does not.

    Raises TimeoutError when the house says nothing any more.
    """
    line = house.line(1)
    polite(line)
    ear = line.ear
    async with asyncio.timeout(PATIENCE):
        line.say(GREETING)
        await ear.until(lambda: ear.head is not None)
        if case["as"] == "stranger":
            hello = {"type": "hello", "id": "hello", "token": house.strangers[0]}
            line.say(framed(TEXT, json.dumps(hello).encode()))
            await ear.until(lambda: bool(ear.texts))
        for piece in pieces(case, house.standing[0].code):
            line.say(piece)
        line.say(framed(TEXT, b'{"type":"unwatch","id":"the-end","table":"ABCDEFGH"}'))
        await ear.until(lambda: not ear.open or any(b'"the-end"' in text for text in ear.texts))
        line.hang_up()
        await ear.until(lambda: False)
    assert ear.broken is None, ear.broken
    assert ear.code is None or ear.code in CODES, ear.code
    return ear.code


def pieces(case: dict[str, Any], table: str) -> list[bytes]:
    """What a case says, as it arrives.

    >>> pieces({"texts": ["TABLE"]}, "KAYMEDZ5")[0][-8:], pieces({"pieces": ["88"]}, "")
    (b'KAYMEDZ5', [b'\\x88'])
    """
    said = [framed(TEXT, text.replace("TABLE", table).encode()) for text in case.get("texts", ())]
    return said + [bytes.fromhex(piece) for piece in case.get("pieces", ())]
