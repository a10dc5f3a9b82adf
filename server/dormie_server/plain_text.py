"""Plain text from strangers: on one line, and every sign of it seen where it stands."""

import unicodedata

LONGEST = 280
MARKS_IN_A_ROW = 2

# Letters, marks and signs that are drawn as nothing at all, though Unicode does not call them so.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_BLANK_RANGES = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0x1D159, 0x1D159), (0x13441, 0x13442))


def clean_text(raw: str) -> str:
    r"""Return the text as it will be shown, or raise ValueError with a sentence for its author.

    >>> clean_text("  well   \uff50layed \u2764\ufe0f")
    'well played \u2764'
    >>> clean_text("\x1b[2J")
    Traceback (most recent call last):
        ...
    ValueError: A text is one line, without control or invisible characters.
    """
    text = _unglued(unicodedata.normalize("NFKC", raw))
    if unseen(text):
        raise ValueError("A text is one line, without control or invisible characters.")
    if unassigned(text):
        raise ValueError("A text has only characters that everybody can see.")
    if piled_up(text):
        raise ValueError("A text has at most two accents on a letter.")
    text = " ".join(text.split())
    if not text:
        raise ValueError("There is nothing to say.")
    if len(text) > LONGEST:
        raise ValueError(f"A text has at most {LONGEST} characters.")
    return text


def _unglued(text: str) -> str:
    """Pictures without what joins them and chooses their colours: each is seen all the same."""
    shown, before = list[str](), ""
    for sign in text:
        if sign in _GLUE and before and unicodedata.category(before) in {"So", "Sk"}:
            continue
        shown.append(sign)
        before = sign
    return "".join(shown)


_GLUE = frozenset("\u200d\ufe0e\ufe0f")


def unseen(text: str) -> bool:
    """Whether there is a sign that nobody sees, or that moves the others about."""
    return any(
        unicodedata.category(sign) in {"Cc", "Cf", "Zl", "Zp"}
        or sign in _BLANK
        or any(low <= ord(sign) <= high for low, high in _BLANK_RANGES)
        for sign in text
    )


def unassigned(text: str) -> bool:
    """Whether there is a sign of which nobody knows how it looks."""
    return any(unicodedata.category(sign) in {"Cn", "Co", "Cs"} for sign in text)


def piled_up(text: str) -> bool:
    """Whether marks stand on one another, or on nothing."""
    before, marks = " ", 0
    for sign in text:
        marks = marks + 1 if unicodedata.category(sign).startswith("M") else 0
        if marks > MARKS_IN_A_ROW or (marks and before == " "):
            return True
        before = sign
    return False
