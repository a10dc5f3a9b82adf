"""What people may call themselves, and when two names look too much alike for one table.

A name is decoration: it is no credential, it is not unique in the house, and every alphabet is
welcome. But it must be seen, it must stay where it is written, and at one table nobody may pass for
somebody else.
"""

import unicodedata
from collections.abc import Callable, Iterable

from dormie_server.plain_text import piled_up, unassigned, unseen

LONGEST = 24
_ANYBODY = frozenset({"you", "vous", "tu", "toi", "me", "moi"})
"""What everybody is called by a client that speaks to them."""

# Alphabets that are written together.
_TOGETHER = (
    frozenset({"HIRAGANA", "KATAKANA", "CJK"}),
    frozenset({"HANGUL", "CJK"}),
    frozenset({"BOPOMOFO", "CJK"}),
)

# Written alike, whatever the alphabet: each letter, as printed, and the Latin one it passes for.
_ALIKE = {
    **dict(zip("АВСЕНІЈКМОРЅТУХҺԚԜ", "abcehijkmopstyxhqw", strict=True)),
    **dict(zip("авсеніјкморѕтухһԁԛԝɡ", "abcehijkmopstyxhdqwg", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "abezhikmnoptyx", strict=True)),  # noqa: RUF001 - Greek
    **dict(zip("αεηικνορτυχω", "aenikvoptuxw", strict=True)),
    **dict(zip("‐‑‒–—―−_", "--------", strict=True)),  # noqa: RUF001 - dashes
    **dict(zip("‘’‛′`´", "''''''", strict=True)),  # noqa: RUF001 - apostrophes
}
_PAIRS = (("rn", "m"), ("vv", "w"))
_ONE_STROKE = str.maketrans("i1|!ıǀ0", "llllllo")  # noqa: RUF001 - one line, or a ring


def clean_name(raw: str) -> str:
    r"""Return the name as it will be shown, or raise ValueError with a sentence for its owner.

    >>> clean_name("  Zoé   \uff21\uff22 ")
    'Zoé AB'
    >>> clean_name("admin\0")
    Traceback (most recent call last):
        ...
    ValueError: A name has no control or invisible characters.
    """
    name = unicodedata.normalize("NFKC", raw)
    for wrong, because in _RULES:
        if wrong(name):
            raise ValueError(because)
    name = " ".join(name.split())
    if not name:
        raise ValueError("A name needs at least one character.")
    if len(name) > LONGEST:
        raise ValueError(f"A name has at most {LONGEST} characters.")
    if name.casefold() in _ANYBODY or name.isdigit():
        raise ValueError("This name would be taken for somebody else, or for a seat.")
    return name


def skeleton(name: str) -> str:
    """Return what is left of a name for an eye that does not look closely.

    >>> skeleton("Alice") == skeleton("A1ICE") == skeleton("\u0410lice"), skeleton("Rnike O")
    (True, 'mlkeo')
    """
    plain = unicodedata.normalize("NFKC", name)
    text = "".join(_ALIKE.get(letter, letter) for letter in plain).casefold()
    for pair, letter in _PAIRS:
        text = text.replace(pair, letter)
    return "".join(text.translate(_ONE_STROKE).split())


def distinct(name: str, taken: Iterable[str]) -> str:
    """Return *name*, with a number behind it when it looks like one of those *taken*.

    >>> distinct("ALICE", ["Alice"]), distinct("Alice", ["Alice", "A1ice 2"]), distinct("Bob", [])
    ('ALICE 2', 'Alice 3', 'Bob')
    """
    used = {skeleton(other) for other in taken}
    shown, number = name, 1
    while skeleton(shown) in used:
        number += 1
        suffix = f" {number}"
        shown = name[: LONGEST - len(suffix)].rstrip() + suffix
    return shown


def _mixed(name: str) -> bool:
    alphabets = {_alphabet(sign) for sign in name} - {None}
    return len(alphabets) > 1 and not any(alphabets <= family for family in _TOGETHER)


def _alphabet(sign: str) -> str | None:
    """Return the alphabet of a letter or digit: the first word of its name in Unicode."""
    if sign.isascii() and not sign.isalpha():
        return None
    if unicodedata.category(sign) not in {"Ll", "Lm", "Lo", "Lt", "Lu", "Nd", "Nl"}:
        return None
    word = unicodedata.name(sign, "NAMELESS").split()[0]
    return _FIRST_WORDS.get(word, word)


_FIRST_WORDS = {
    "ARABIC-INDIC": "ARABIC",
    "EXTENDED": "ARABIC",  # EXTENDED ARABIC-INDIC DIGIT
    "KATAKANA-HIRAGANA": "KATAKANA",
    "IDEOGRAPHIC": "CJK",
    "MODIFIER": None,
}

_RULES: tuple[tuple[Callable[[str], bool], str], ...] = (
    (unseen, "A name has no control or invisible characters."),
    (unassigned, "A name has only characters that everybody can see."),
    (piled_up, "A name has at most two accents on a letter."),
    (_mixed, "A name is written in one alphabet."),
)
