"""Text to messages and back: the only place where the wire is read or written."""

import re
from typing import Annotated, Any, cast

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import from_json

from dormie_protocol.messages import ClientMessage, FromServer, ServerMessage

CLIENT: TypeAdapter[ClientMessage] = TypeAdapter(
    Annotated[ClientMessage, Field(discriminator="type")]
)
SERVER: TypeAdapter[ServerMessage] = TypeAdapter(
    Annotated[ServerMessage, Field(discriminator="type")]
)
_ID = re.compile(r"[A-Za-z0-9_-]{1,36}")
_MAX_FIELD = 60
_NOT_OURS = ("extra_forbidden", "unexpected_keyword_argument")
"""What pydantic calls a field that a message, or a move, does not have."""


class Unreadable(Exception):
    """A message nobody can read: the id of the request if that is clear, and the field at fault."""

    def __init__(self, re: str | None, field: str | None) -> None:
        super().__init__("unreadable")
        self.re = re
        self.field = field


def read_client(text: str | bytes) -> ClientMessage:
    """The message a client sent. Raises Unreadable, which never holds any of its text.

    >>> read_client('{"type":"start","id":"7","table":"ABCDEFGH"}').id
    '7'
    >>> try:
    ...     read_client('{"type":"watch","id":"8","table":"ABCDEFGH","after":"1"}')
    ... except Unreadable as what:
    ...     print(what.re, what.field)
    8 after
    """
    try:
        return CLIENT.validator.validate_json(text)  # type: ignore[no-any-return]  # its own kind
    except ValidationError as error:
        raise Unreadable(_id_of(text), _field_of(error)) from None


def read_server(text: str | bytes) -> ServerMessage:
    """The message a server sent. Raises Unreadable."""
    try:
        return SERVER.validate_json(text)
    except ValidationError as error:
        raise Unreadable(None, _field_of(error)) from None


def write(message: FromServer | ClientMessage) -> str:
    """The text of a message.

    >>> from dormie_protocol.messages import Replaced
    >>> write(Replaced(table="ABCDEFGH"))
    '{"type":"replaced","table":"ABCDEFGH"}'
    """
    return message.model_dump_json()


def written(message: FromServer) -> bytes:
    """The same text as ``write``, as the bytes that go out.

    >>> from dormie_protocol.messages import Replaced
    >>> written(Replaced(table="ABCDEFGH"))
    b'{"type":"replaced","table":"ABCDEFGH"}'
    """
    return message.__pydantic_serializer__.to_json(message)


def _id_of(text: str | bytes) -> str | None:
    """The request's id, from a message that may be wrong everywhere else."""
    try:
        loose = from_json(text)
    except (ValueError, TypeError):  # TypeError: text that has no UTF-8
        return None
    found = loose.get("id") if isinstance(loose, dict) else None
    return found if isinstance(found, str) and _ID.fullmatch(found) else None


def _field_of(error: ValidationError) -> str | None:
    """The path of the first field at fault, made of our own names and of places in lists.

    What a client calls its own fields is left out, be it only a number.
    """
    first = error.errors(include_input=False, include_context=False, include_url=False)[0]
    path = first["loc"][1:]
    if first["type"] in _NOT_OURS:
        path = path[:-1]
    known = [str(part) for part in path if isinstance(part, int) or part in _KNOWN]
    return ".".join(known)[:_MAX_FIELD] or None


def _names(schema: object) -> set[str]:
    """Every property name in a JSON schema."""
    if isinstance(schema, list):
        return {name for item in schema for name in _names(item)}
    if not isinstance(schema, dict):
        return set()
    plain = cast("dict[str, Any]", schema)  # a schema is JSON
    here = set(plain.get("properties", {}))
    return here.union(*(_names(value) for value in plain.values()), set())


_KNOWN = frozenset(_names(CLIENT.json_schema()) | _names(SERVER.json_schema()))
