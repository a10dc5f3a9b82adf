"""What only the host of a table may ask: who is in, who comes in, and who is host next."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from dormie_protocol.fields import AtTable, Password, SeatNumber


class Kick(AtTable):
    """Send the person in *seat* away, with *ban* for as long as the table is open (the host).

    *name* is who is meant: if somebody else sits there by now, the answer is ``stale``.
    """

    type: Literal["kick"] = "kick"
    seat: SeatNumber
    ban: bool = False
    name: Annotated[str, StringConstraints(max_length=64)] | None = None


class HandOver(AtTable):
    """Make the person in *seat* the host (the host). *name* is who is meant, as in ``kick``."""

    type: Literal["hand_over"] = "hand_over"
    seat: SeatNumber
    name: Annotated[str, StringConstraints(max_length=64)] | None = None


class Lock(AtTable):
    """Let nobody new join, or let them join again (the host)."""

    type: Literal["lock"] = "lock"
    locked: bool


class SetPassword(AtTable):
    """Change the table's password, or lift it with null (the host). Whoever is in stays in."""

    type: Literal["password"] = "password"
    password: Annotated[Password | None, Field(repr=False)]
