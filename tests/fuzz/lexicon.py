"""What an attacker knows and likes to say: the names at hand, and the old troublemakers among values."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

CANARY = "hunter2.canary"
"""Said in many places; no refusal may say it back. Its dot keeps it out of ids and of words."""


@dataclass
class Lexicon:
    """The names an attacker can put into a message."""

    tables: tuple[str, ...] = ("ABCDEFGH",)
    """Codes of tables that are open here, the attacker's own first."""
    tokens: tuple[str, ...] = ("A" * 43,)
    """The attackers' own."""
    version: int = 0
    chain: str = ""
    """How far the attacker has followed the first table."""
    count: int = 0
    """How many moves the attacker has made at the first table."""
    moves: tuple[dict[str, object], ...] = ()
    """What the attacker may play there now."""
    recorded: tuple[str, ...] = field(default=('{"type":"start","id":"7","table":"ABCDEFGH"}',))
    """Texts that honest players have sent; none of them holds a token."""


@dataclass(frozen=True, slots=True)
class Spelt:
    """A value that is written just so, be it JSON or not."""

    text: str


NUMBERS: tuple[object, ...] = (
    *(
        -1,
        0,
        1,
        2,
        5,
        6,
        7,
        15,
        16,
        40,
        99,
        2**31,
        2**31 + 1,
        2**53,
        2**53 + 1,
        2**63,
        -(2**63) - 1,
    ),
    *(2**64, 10**400, -(10**400), 0.5, 1e308, True, False, None),
    *(Spelt(text) for text in ("1.0", "1e0", "1E0", "-0", "-0.0", "0.0", "1e400", "-1e400")),
    *(Spelt(text) for text in ("NaN", "Infinity", "-Infinity", "nan", "01", "+1", "0x1", "1_0")),
    *(Spelt(text) for text in ("1.", ".5", "1e", "٣", "9" * 1500, "0." + "3" * 900)),
)
TEXTS: tuple[str, ...] = (
    *("", " ", "0", "1", "-1", "true", "null", "NaN", "[]", "{}", "draw", "swap", "six_card"),
    *("\x00", "a\x00b", "\n", "a\n", "\r\nSet-Cookie: a=b", "\t", "\x1b[2J\x1b]0;pwn\x07", "\x7f"),
    *("\ufeff", "\u200b", "\u202eecilA", "\u2066a\u2069", "a" + "\u0301" * 20, "é", "e\u0301"),
    *(
        "\ufffe",
        "\uffff",
        "\U0001f3cc\ufe0f\u200d\u2640",
        "\U0010ffff",
        "\u3164",
        "\u2800",
        "ﷺ" * 9,
    ),
    *("\u0410lice", "\U0001d504\U0001d521", "ⅷ", "ǆ", "ß", "İ", "٣", "K", "﷽", "\u1160", "\ue000"),
    *("a" * 24, "a" * 25, "a" * 36, "a" * 37, "A" * 43, "A" * 44, "a" * 64, "a" * 65, "b" * 1000),
    *("ab" * 15, "ab" * 16, "ab" * 32, "ab" * 33, "AB" * 16, "ABCDEFGH", "ABCDEFG1", "abcdefgh"),
    *("../../etc/passwd", "a}{b", "x:*", "a\r\nFLUSHALL", "'; DROP TABLE notes; --", "%s%n%x"),
    *("<img src=x onerror=alert(1)>", "{{7*7}}", "${7*7}", "__class__", "__proto__", CANARY),
)
SURROGATES = tuple(Spelt(f'"{text}"') for text in (r"\ud800", r"\udc00\ud800", r"a\udfffb"))
ODD_STRINGS = (
    *(Spelt(f'"{text}"') for text in (r"\u0000", r"\u00", r"\x41", r"\'", "\\", "\t", "\x00")),
    *(Spelt(text) for text in ("'single'", '"open', "undefined", "/**/1", "1 // why", '"a" "b"')),
)


def nested(depth: int, opening: str = "[") -> Spelt:
    """A value *depth* deep.

    >>> nested(3).text, nested(2, '{"a":').text
    ('[[[]]]', '{"a":{"a":1}}')
    """
    if opening == "[":
        return Spelt("[" * depth + "]" * depth)
    return Spelt(opening * depth + "1" + "}" * depth)


def _numbers(luck: Random) -> object:
    return luck.choice(NUMBERS)


def text(luck: Random) -> str:
    """A text that is hard on somebody; one in eight would be known again anywhere."""
    return CANARY if luck.random() < 0.125 else luck.choice(TEXTS)


def _spelt(luck: Random) -> object:
    return luck.choice((*SURROGATES, *ODD_STRINGS))


def _lists(luck: Random) -> object:
    return luck.choice(([], [1], [[]], [None] * 7, ["easy"] * 6, {}, {"a": 1}, {"": {}}))


def _depths(luck: Random) -> object:
    return nested(luck.choice((2, 50, 190, 200, 201, 255, 400)), luck.choice(("[", '{"a":')))


def _longest(luck: Random) -> object:
    size = luck.choice((63, 64, 255, 300, 500, 600) if luck.random() < 0.9 else (2000, 3900, 4096))
    return luck.choice("aA0_\u00e9\U0001f0a1") * size


_LIKED: tuple[Callable[[Random], object], ...] = (
    *((_numbers,) * 4),
    *((text,) * 4),
    *((_lists,) * 2),
    _spelt,
    _depths,
    _longest,
)


def anything(luck: Random) -> object:
    """A value that somebody, somewhere, once forgot to think of."""
    return luck.choice(_LIKED)(luck)
