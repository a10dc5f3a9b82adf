"""The one way in which a table says no."""

from dormie_protocol.words import sentence


class No(Exception):
    """A command refused: *why* is a word of the protocol's closed list, *because* a sentence.

    >>> no = No("must_swap")
    >>> no.why, str(no)
    ('must_swap', 'A card taken from the discard pile must be placed.')
    """

    def __init__(self, why: str, because: str | None = None, field: str | None = None) -> None:
        super().__init__(because or sentence(why))
        self.why = why
        self.field = field
