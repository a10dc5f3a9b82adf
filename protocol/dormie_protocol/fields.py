"""What messages are made of: the fields that several have, and what all of one side are."""

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,36}$")]
"""What a client calls its request; the answer repeats it, and sent twice it is done once."""
Code = Annotated[str, StringConstraints(pattern=rf"^[{CODE_LETTERS}]{{{CODE_LENGTH}}}$")]
Letter = Annotated[str, StringConstraints(pattern=rf"^[{CODE_LETTERS}]{{1}}$")]
"""One of a code; the last one sorts tables, so that a proxy can bring the people of one to one server."""
Token = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{43}$")]
Entropy = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){16,32}$")]
Chain = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{0,32}$")]
Run = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{0,36}$")]
"""A name that a program gives itself, to be known again when it comes back by itself."""
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]{1,32}$")]
Password = Annotated[str, StringConstraints(min_length=4, max_length=64)]
"""What opens a table to those who know it; an invitation carries one that nobody types."""
Language = Literal["en", "fr"]


def _json(options: dict[str, Any]) -> dict[str, Any]:
    """The same options; NaN and Infinity, which some readers of JSON let through, are refused."""
    json.dumps(options, allow_nan=False)
    return options


Options = Annotated[
    dict[Word, Any],  # any JSON: the rules check it
    Field(max_length=40),
    AfterValidator(_json),
]
SeatNumber = Annotated[int, Field(ge=0, le=5)]


class FromClient(BaseModel):
    """A message of a client: strict, closed, and with an id."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False
    )
    id: Id


class AtTable(FromClient):
    """A message about one table."""

    table: Code


class FromServer(BaseModel):
    """A message of the server; a client skips fields that it does not know."""

    model_config = ConfigDict(frozen=True, extra="ignore")
