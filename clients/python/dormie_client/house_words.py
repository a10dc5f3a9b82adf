"""What words about other tables do: find one, open one, go to one; one's own, and one's matches."""

import re
from dataclasses import dataclass

from dormie_client.address import server_name
from dormie_client.at_table import AtTable
from dormie_client.commands import Command, Unclear
from dormie_client.errors import ClosedError, RefusedError
from dormie_client.here import Group, Here
from dormie_client.house_lines import lobby_lines, match_lines, own_lines
from dormie_client.invitation import invitation_url, read_invitation
from dormie_client.option_lines import option_lines
from dormie_client.patience_option_text import patience_explained
from dormie_client.patience_page import patience_options
from dormie_client.table import Table
from dormie_client.table_wish import USUAL_VARIANT, TableWish, open_table, read_table_wish
from dormie_client.web_address import for_others
from dormie_protocol.fields import CODE_LENGTH, CODE_LETTERS
from dormie_rules.patience_variants import find_patience, patience_names
from dormie_rules.variants import find, names

_CODE = re.compile(f"[{CODE_LETTERS}]{{{CODE_LENGTH}}}")
_SIZES = frozenset("23456")
ASKS_PASSWORD = ("no_table", "wrong_password")
"""What a house says to whoever does not know a password."""
_PAGE = 10
"""So many matches are told at once."""


@dataclass(frozen=True, slots=True)
class _Goal:
    """A table to go to."""

    code: str
    password: str | None


async def _lobby(here: Here, command: Command) -> None:
    wishes = command.rest.split()
    free = any(wish in ("free", "libre", "libres") for wish in wishes)
    variant = next((wish for wish in wishes if wish in here.house.variants), None)
    seen = await here.house.lobby(variant, free=free)
    here.show.console.say(*lobby_lines(seen, here.show.screen))


async def _quick(here: Here, command: Command) -> AtTable:
    wishes = command.rest.split()
    size = next((int(wish) for wish in wishes if wish in _SIZES), None)
    variant = next((wish for wish in wishes if not wish.isdecimal()), None)
    if variant is not None:
        _check_variant(here, variant)
    return await here.house.quick(variant, size)


async def _new(here: Here, command: Command) -> AtTable:
    wish = read_table_wish(command.rest, here.house.variants)
    return await open_and_tell(here, wish)


async def open_and_tell(here: Here, wish: TableWish) -> Table:
    """Open a table, and say what others type to come. Raises RefusedError or Unclear."""
    _check_variant(here, wish.variant)
    for level in wish.table.get("bots", ()):
        if level not in here.house.bots:
            raise Unclear("no_bot", name=level, there=", ".join(here.house.bots))
    try:
        table = await open_table(here.house, wish)
    except RefusedError as no:
        unknown = next((name for name in wish.options if not patience_explained(name, "en")), None)
        if no.field == "options" and unknown is not None:
            raise Unclear("no_option", name=unknown) from None
        raise
    if here.show.local:
        return table  # nobody else can reach a server of one's own
    url = for_others(here.show.url, here.house.links)
    alone = wish.table.get("size") == 1
    if alone and not table.about.spectators.allowed:
        return table  # nor can anybody come here
    where = f"{url} {table.code}"
    if wish.password is not None:
        where = f'"{invitation_url(url, table.code, wish.password)}"'
    here.text("opened_alone" if alone else "opened", code=table.code)
    here.show.console.say(f"  dormie {'watch' if alone else 'play'} {where}")
    if wish.password is not None:
        here.text("invite_secret")
    return table


async def _options(here: Here, command: Command) -> None:
    variant = command.rest or (here.seen.about.variant if here.seen else USUAL_VARIANT)
    if variant in patience_names():
        page = patience_options(find_patience(variant), here.show.screen.language)
        here.text("options_intro", variant=variant)
        here.show.console.say(*page.splitlines())
        return
    if variant not in names():
        there = ", ".join((*names(), *patience_names()))
        raise Unclear("no_variant", name=variant, there=there)
    bots = here.session.bots if here.session else ()
    language = here.show.screen.language
    here.text("options_intro", variant=variant)
    here.show.console.say(*option_lines(find(variant), bots, language))


async def _join(here: Here, command: Command) -> AtTable:
    goal = await _goal(here, command.rest)
    try:
        return await here.house.join(goal.code, password=goal.password)
    except RefusedError as no:
        raise _more_about(no, goal, here.word("join_word")) from None


async def _watch(here: Here, command: Command) -> AtTable:
    goal = await _goal(here, command.rest)
    try:
        return await here.house.watch(goal.code, goal.password)
    except RefusedError as no:
        raise _more_about(no, goal, here.word("watch_word")) from None


def _more_about(no: RefusedError, goal: _Goal, word: str) -> Exception:
    """A house tells strangers nothing of a table with a password, not even that there is one."""
    if no.word in ASKS_PASSWORD and goal.password is None:
        return Unclear("needs_password", code=goal.code, word=word)
    return no


async def _goal(here: Here, typed: str) -> _Goal:
    """The table that is meant by a code, a link, or a number of the list of one's own."""
    first, _, rest = typed.partition(" ")
    if first.isascii() and first.isdecimal() and len(first) <= 2:  # noqa: PLR2004 - nobody has a hundred tables
        own = await here.house.mine()
        if 1 <= int(first) <= len(own):
            return _Goal(own[int(first) - 1].table, None)
    if _CODE.fullmatch(first.upper()):
        return _Goal(first.upper(), rest.strip() or None)
    try:
        invitation = read_invitation(first.strip("\"'"))
    except ClosedError:
        raise Unclear("which_table") from None
    there = {server_name(url) for url in (here.show.url, *here.house.links)}
    if server_name(invitation.url) not in there:
        link = invitation_url(invitation.url, invitation.code, invitation.key)
        raise Unclear("elsewhere", link=link)
    return _Goal(invitation.code, invitation.key or rest.strip() or None)


async def _mine(here: Here, command: Command) -> None:
    del command
    tables = await here.house.mine()
    here.show.console.say(*own_lines(tables, here.show.screen))


async def _history(here: Here, command: Command) -> None:
    before = command.rest.upper() or None
    matches = await here.house.history(before=before, limit=_PAGE)
    here.show.console.say(*match_lines(matches, here.show.screen))
    if len(matches) == _PAGE:
        here.text("history_more", record=matches[-1].record)


def _check_variant(here: Here, variant: str) -> None:
    if variant not in here.house.variants:
        raise Unclear("no_variant", name=variant, there=", ".join(here.house.variants))


WORDS: Group = {
    "lobby": _lobby,
    "quick": _quick,
    "new": _new,
    "options": _options,
    "join": _join,
    "watch": _watch,
    "mine": _mine,
    "history": _history,
}
