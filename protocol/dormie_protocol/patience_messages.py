"""What only a table of Golf Patience is asked: which move is a good one, for whoever plays alone and learns."""

from typing import Literal

from dormie_protocol.fields import AtTable, Code, FromServer
from dormie_rules.patience_hints import Hint as HintText

HintKind = Literal["fair", "open"]
"""fair: from what the player can see, as an average; open: from the stock as well, exactly."""


class Hint(AtTable):
    """Ask for a good move, alone at a table of Golf Patience. The answer is ``hint_seen``, then ``done``.

    There is none in company, where it would be an advantage.
    """

    type: Literal["hint"] = "hint"
    hint: HintKind = "fair"


class HintSeen(FromServer):
    """A move, what it promises, and why, as a word and its numbers."""

    type: Literal["hint_seen"] = "hint_seen"
    re: str
    table: Code
    hint: HintText
