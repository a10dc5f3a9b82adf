"""What a host's words do: who is in, who comes in, who is host next."""

from dormie_client.commands import Command, Unclear
from dormie_client.here import Group, Here
from dormie_client.invitation import invitation_url
from dormie_client.web_address import for_others


async def _kick(here: Here, command: Command) -> None:
    await here.table.kick(here.seat(command.rest))


async def _ban(here: Here, command: Command) -> None:
    await here.table.kick(here.seat(command.rest), ban=True)


async def _host(here: Here, command: Command) -> None:
    await here.table.hand_over(here.seat(command.rest.removeprefix("over").strip()))


async def _lock(here: Here, command: Command) -> None:
    del command
    await here.table.lock(locked=True)


async def _unlock(here: Here, command: Command) -> None:
    del command
    await here.table.lock(locked=False)


async def _password(here: Here, command: Command) -> None:
    if not command.rest:
        raise Unclear("which_password")
    await here.table.set_password(command.rest)
    _tell_link(here, command.rest)


async def _no_password(here: Here, command: Command) -> None:
    del command
    await here.table.set_password(None)


async def _invite(here: Here, command: Command) -> None:
    """The link, with the password if it was said here."""
    known = here.session.password_of(here.table.code) if here.session else None
    _tell_link(here, (command.rest or known) if here.scene.about.password else None)


def _tell_link(here: Here, key: str | None) -> None:
    links = here.session.links if here.session else ()
    link = invitation_url(for_others(here.show.url, links), here.table.code, key)
    here.text("invite_link", link=link)
    here.text("invite_typed", link=link)
    if key is not None:
        here.text("invite_secret")


WORDS: Group = {
    "kick": _kick,
    "ban": _ban,
    "host": _host,
    "lock": _lock,
    "unlock": _unlock,
    "password": _password,
    "nopassword": _no_password,
    "invite": _invite,
}
