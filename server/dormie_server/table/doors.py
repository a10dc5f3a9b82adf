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
    let_watch(table, player, proof)
    if table.public.locked:
        raise No("no_table")


def let_watch(table: Table, player: str, proof: str | None) -> None:
    """Raise No unless *player*, who has no seat, may see the table.

    What cannot be found in any list must not be found by its refusals either: only where everybody
    knows of the table anyway is a wrong password called one.
    """
    if is_banned(table, player):
        raise No("no_table")
    key = table.secret.key
    if key is None or hmac.compare_digest(key.encode(), (proof or "").encode()):
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
