"""Messages that are none, said by somebody who has been greeted: one short answer each, and nothing else."""

import asyncio
import itertools
import json
import re
from collections.abc import AsyncIterator
from random import Random
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote

import pytest

from dormie_protocol.codec import write
from dormie_protocol.messages import Done, FromServer, Refused
from dormie_protocol.words import REFUSALS, sentence
from dormie_rules.grid_options import LATER, OPTIONS, SCORING
from dormie_server.app import App
from tests.nasty import CASES, UNREADABLE, made
from tests.server.guest import ENTROPY, Guest, guests
from tests.serving import fetch, serving

SHORT = 256
PATIENT = {
    "strikes": 1_000_000,
    "messages_per_second": 1_000_000,
    "messages_at_once": 1_000_000,
    "creations_per_minute": 1_000_000,
    "creations_at_once": 1_000_000,
}
PLAIN = {
    "null",
    "type",
    "table",
    "count",
    "move",
    "flip",
    "play",
    "ready",
    "hello",
    "token",
    "ABCDEFGH",
}
"""What a message that is right says, too."""


def texts_of(case: dict[str, Any]) -> list[str]:
    """What a case sends."""
    given = case["input"]
    if "gen" in given:
        return [made(given).decode()]
    return [str(text) for text in given.get("each", [given.get("text")])]


def echoes(text: str, answer: str) -> set[str]:
    """Words of a message that came back in the answer, though they are no words of ours."""
    words = set(re.findall(r"[A-Za-z0-9_]{4,}", text)) - PLAIN
    return {word for word in words if word in answer}


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving(limits=PATIENT) as app:
        yield app


@pytest.mark.parametrize("name", UNREADABLE, ids=lambda name: f"nasty_{name}")
async def test_a_message_that_is_none_has_one_short_answer_and_changes_nothing(
    house: App, name: str
) -> None:
    case = CASES[name]
    hopes = case["expected"]
    async with guests(house.port, "Ada", "Bob") as (ada, bob):
        code = await ada.create()
        await bob.join(code)
        before = await house.keeper.table(code)
        start = len(ada.frames)
        for text in texts_of(case):
            await ada.say(text)
        assert isinstance(await ada.ask("ready", table=code, id="last"), Done), "it goes on"
        *answers, _last = [one for one in ada.heard[start:] if isinstance(one, Done | Refused)]

        assert ["unreadable"] * len(texts_of(case)) == [
            one.word for one in answers if isinstance(one, Refused)
        ]
        assert len(texts_of(case)) == len(answers)
        for text, answer in zip(texts_of(case), answers, strict=True):
            said = write(answer)
            assert len(said.encode()) <= hopes["reply_max_bytes"]
            assert set() == echoes(text, said)
            assert answer.re in (None, "c1")
        assert before is not None
        after = await house.keeper.table(code)
        assert after is not None
        assert before.table.version + 1 == after.table.version, "only the last one was done"
        await bob.do("ready", table=code, entropy=ENTROPY)


@pytest.mark.parametrize("code", CASES["S18"]["input"]["each"], ids=ascii)
async def test_nasty_S18_what_is_no_code_never_gets_near_a_key(house: App, code: str) -> None:
    async with guests(house.port, "Ada") as (ada,):
        for kind in ("watch", "join", "start", "leave"):
            assert "unreadable" == await ada.refused(kind, table=code)
        for path in (code, f"{code}-1"):
            with pytest.raises(HTTPError, match="404"):
                await fetch(house.port, f"/record/{quote(path)}")


@pytest.mark.parametrize("word", REFUSALS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_refusal_is_short_however_long_the_id(word: str, language: str) -> None:
    because = sentence(word, language)
    longest = Refused(re="x" * 36, word=word, because=because, field="f" * 40)

    assert len(write(longest).encode()) <= SHORT


BAD: tuple[Any, ...] = (
    None,
    "canary_5f1e",
    -(10**30),
    10**30,
    0.5,
    [],
    ["canary_5f1e"] * 9,
    {},
    {"canary_5f1e": 1},
)


async def test_options_that_cannot_be_had_are_refused_shortly_and_not_repeated(house: App) -> None:
    """Every option with every kind of nonsense; whatever some option takes is a table, and no matter."""
    numbers = itertools.count()
    async with guests(house.port, "Ada") as (ada,):
        for field in sorted({*OPTIONS, *SCORING, *LATER, "canary_5f1e"}):
            for value in BAD:
                number = f"o{next(numbers)}".ljust(36, "x")
                answer: FromServer = await ada.ask(
                    "create", id=number, options={field: value}, size=2
                )
                said = write(answer)

                assert len(said.encode()) <= SHORT, said
                assert "canary_5f1e" not in said
                if isinstance(answer, Done):
                    await ada.do("end", table=answer.table)


VALID: tuple[dict[str, Any], ...] = (
    {"type": "hello", "id": "1", "token": "a" * 43, "name": "Ada"},
    {"type": "create", "id": "2", "options": {"holes": 1}, "size": 3, "bots": ["random"]},
    {"type": "join", "id": "3", "table": "ABCDEFGH", "seat": 1},
    {"type": "watch", "id": "4", "table": "ABCDEFGH", "after": 3, "chain": "00ff"},
    {"type": "ready", "id": "5", "table": "ABCDEFGH", "entropy": ENTROPY},
    {"type": "play", "id": "6", "table": "ABCDEFGH", "count": 1, "move": {"move": "swap", "at": 1}},
    {"type": "bot", "id": "7", "table": "ABCDEFGH", "level": "random", "seat": 1},
)
STRANGE: tuple[Any, ...] = (
    None,
    True,
    -1,
    2**63,
    2**64,
    1e308,
    "",
    "canary_5f1e",
    "\ud800",
    "\0",
    [],
    {},
    [[]],
    "é" * 40,
)


def mutated(luck: Random) -> str:
    """A message that was right once: a field is strange, missing, added or deep inside, or bytes are."""
    message: dict[str, Any] = json.loads(json.dumps(luck.choice(VALID)))
    for _ in range(luck.randrange(1, 3)):
        field = luck.choice([*message, "canary_5f1e"])
        match luck.randrange(4):
            case 0:
                message.pop(field, None)
            case 1:
                message[field] = {luck.choice(["canary_5f1e", "move", "at"]): luck.choice(STRANGE)}
            case _:
                message[field] = luck.choice(STRANGE)
    text = json.dumps(message)
    if luck.random() < 0.2:
        at = luck.randrange(len(text))
        text = text[:at] + luck.choice('{}[]",:\\é\u2028 0') + text[at + 1 :]
    return text


async def test_two_thousand_spoilt_messages_have_two_thousand_short_answers(house: App) -> None:
    luck = Random(7)
    async with guests(house.port, *(f"P{number}" for number in range(4))) as people:
        await asyncio.gather(*(_spoil(guest, Random(luck.random())) for guest in people))


async def _spoil(guest: Guest, luck: Random, times: int = 500) -> None:
    start = len(guest.frames)
    for number in range(times):
        await guest.say(mutated(luck))
        if number % 50 == 49:
            await guest.refused("hello", id=f"hello{number}")
    answers = [one for one in guest.heard[start:] if isinstance(one, Done | Refused)]

    assert times + times // 50 == len(answers)
    for answer in answers:
        said = write(answer)
        assert len(said.encode()) <= SHORT, said
        assert answer.re == "canary_5f1e" or "canary_5f1e" not in said
