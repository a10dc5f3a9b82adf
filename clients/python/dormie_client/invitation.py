"""Invitations: one link that says which house, which table, and what opens it.

Code and key stand behind the ``#``, which no browser sends and no server or proxy writes down.
"""

import re
import secrets
from dataclasses import dataclass, field
from urllib.parse import parse_qs, quote, urlsplit

from dormie_client.address import socket_url
from dormie_client.errors import ClosedError
from dormie_protocol.fields import CODE_LENGTH, CODE_LETTERS

_CODE = re.compile(rf"[{CODE_LETTERS}]{{{CODE_LENGTH}}}")
_KEY = range(4, 65)


@dataclass(frozen=True, slots=True)
class Invitation:
    """Where to go: ``Dormie.connect(invitation.url, code=code)``, then ``join(code, password=key)``."""

    url: str
    code: str
    key: str | None = field(default=None, repr=False)
    """What opens the table; None where the code is enough."""


def new_key() -> str:
    """A password that nobody guesses and nobody has to type: 128 random bits.

    >>> len(new_key()), new_key() == new_key()
    (22, False)
    """
    return secrets.token_urlsafe(16)


def invitation_url(address: str, code: str, key: str | None = None) -> str:
    """The link for a friend to a table of the server at *address*; *key* is the table's password.

    >>> invitation_url("http://localhost:8421/", "PARTEE23")
    'http://localhost:8421/#table=PARTEE23'
    >>> invitation_url("wss://golf.example/club/ws", "PARTEE23", "birdie & eagle")
    'https://golf.example/club/#table=PARTEE23&key=birdie%20%26%20eagle'
    """
    page = f"http{socket_url(address).removeprefix('ws').removesuffix('/ws')}/"
    return f"{page}#table={code}" + ("" if key is None else f"&key={quote(key, safe='')}")


def read_invitation(link: str) -> Invitation:
    """The invitation that *link* is. Raises ClosedError for one that is none; the key is in no error.

    >>> invitation = read_invitation("https://golf.example/club/#table=PARTEE23&key=birdie%20")
    >>> invitation, invitation.key
    (Invitation(url='https://golf.example/club/', code='PARTEE23'), 'birdie ')
    >>> read_invitation("https://golf.example/?table=PARTEE23&key=birdie")
    Traceback (most recent call last):
        ...
    dormie_client.errors.ClosedError: This is not an invitation: it looks like http://host/#table=CODE.
    """
    try:
        parts = urlsplit(link.strip())
        said = parse_qs(parts.fragment, keep_blank_values=True, max_num_fields=8)
    except ValueError:
        raise _none() from None
    codes, keys = said.get("table", []), said.get("key", [None])
    code, key = codes[0].upper() if len(codes) == 1 else "", keys[0]
    whole = _CODE.fullmatch(code) and len(keys) == 1 and (key is None or len(key) in _KEY)
    if not whole or parts.scheme not in ("http", "https"):
        raise _none()
    url = parts._replace(fragment="").geturl()
    socket_url(url)
    return Invitation(url, code, key)


def _none() -> ClosedError:
    return ClosedError("This is not an invitation: it looks like http://host/#table=CODE.")
