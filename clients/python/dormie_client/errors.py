"""The two ways in which what was asked does not happen: the house says no, or it is over."""

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError

from dormie_protocol.words import sentence


class RefusedError(Exception):
    """The house said no and nothing has changed: a word for programs, a sentence for people.

    Some refusals are said without asking the house, with the same words: a move that was overtaken,
    a code that cannot be a table's.

    >>> error = RefusedError("stale", "This was overtaken; look again.")
    >>> print(error.word, "-", error)
    stale - This was overtaken; look again.
    """

    def __init__(self, word: str, because: str, field: str | None = None) -> None:
        super().__init__(word, because, field)
        self.word = word
        self.because = because
        self.field = field

    def __str__(self) -> str:
        return self.because


class ClosedError(Exception):
    """It is over for good, and the reason is one sentence.

    A session was closed, a server is not there or wants no more of us, a table is closed.
    """


def no(word: str, language: str = "en", field: str | None = None) -> RefusedError:
    """A refusal in the protocol's own words.

    >>> no("stale", "fr").because
    'C’est dépassé ; regardez à nouveau.'
    """
    return RefusedError(word, sentence(word, language), field)


TRY_AGAIN = frozenset({"too_fast", "store_unavailable", "stopping"})
"""Words that mean: not now. Asked again a little later, the same may be done."""

_WORDS = {
    "table": "no_table",
    "seat": "no_such_seat",
    "level": "no_such_bot",
    "name": "bad_name",
    "token": "unknown_token",
    "claim": "unknown_claim",
    "text": "bad_text",
    "emote": "bad_text",
    "device": "no_such_device",
    "entry": "no_such_entry",
    "variant": "bad_option",
    "options": "bad_option",
    "size": "bad_option",
    "turn_seconds": "bad_option",
    "bots": "bad_option",
    "password": "bad_option",
}
"""What the house would say to a message with a field that cannot be."""


@contextmanager
def refusing(language: str) -> Iterator[None]:
    """Turn a message that cannot be written into the refusal it would have met.

    >>> from dormie_protocol.messages import Watch
    >>> with refusing("en"):
    ...     Watch(id="1", table="not a code")
    Traceback (most recent call last):
        ...
    dormie_client.errors.RefusedError: There is no such table, or no seat for you.
    """
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False, include_url=False)[0]
        field = str(first["loc"][0]) if first["loc"] else None
        raise no(_WORDS.get(field or "", "unreadable"), language, field) from None
