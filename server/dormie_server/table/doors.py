"""Who may come in: the lock, the password, and those who may never come again.

Passwords themselves never get so far: what is compared is their hash, made outside with the table's salt.
"""

import hmac

from dormie_protocol.table_view import LockTurned, PasswordChanged
from dormie_rules.values import replace
from dormie_server.table.draft import Draft
from dormie_server.table.refusal import No
from dormie_server.table.state import Table

MOST_BANNED = 64
"""So many are remembered at a table; then the one who was sent away first is forgotten."""


def let_in(table: Table, player: str, proof: str | None) -> None:
    """Raise No unless *player*, who has no seat, may take one as far as the door is concerned."""
    if is_banned(table, player):
        raise No("no_table")
    _check(table, proof)
    if table.public.locked:
        raise No("no_table")


def let_watch(table: Table, player: str, proof: str | None) -> None:
    """Raise No unless *player*, who has no seat, may see the table.

    What cannot be found in any list must not be found by its refusals either: only where everybody
    knows of the table anyway is a wrong password called one.
    """
    switches = table.about.spectators
    if is_banned(table, player):
        raise No("no_table")
    if not switches.allowed:
        raise No("no_spectators" if table.about.listed else "no_table")
    if switches.password:
        _check(table, proof)


def proves(table: Table, proof: str | None) -> bool:
    """Whether *proof* follows from the table's password, or it has none."""
    key = table.secret.key
    return key is None or hmac.compare_digest(key.encode(), (proof or "").encode())


def may_stay(table: Table, player: str, *, proven: bool) -> bool:
    """Whether *player*, who has no seat and watches, may go on; *proven* says whether by the password.

    Whoever knew a password that was changed since stays, as whoever sits does.
    """
    switches = table.about.spectators
    known = proven or not switches.password or table.secret.key is None
    return switches.allowed and known and not is_banned(table, player)


def _check(table: Table, proof: str | None) -> None:
    if proves(table, proof):
        return
    if table.about.listed:
        raise No("wrong_password", field="password")
    raise No("no_table")


def is_banned(table: Table, player: str) -> bool:
    """Whether the host has sent *player* away for good."""
    return player in table.secret.banned


def ban(draft: Draft, player: str) -> None:
    """Let *player* neither join nor watch any more."""
    banned = [one for one in draft.table.secret.banned if one != player]
    draft.secret(banned=(*banned, player)[-MOST_BANNED:])


def turn_lock(draft: Draft, *, locked: bool) -> None:
    """Let nobody new join, or let them join again."""
    draft.public(locked=locked)
    draft.tell(LockTurned(locked))


def change_password(draft: Draft, key: str | None) -> None:
    """From now on whoever comes has to know another password, or none."""
    draft.secret(key=key)
    draft.match(replace(draft.table.about, password=key is not None), draft.table.fairness)
    draft.tell(PasswordChanged(key is not None))
