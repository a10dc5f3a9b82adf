"""What a player asks of a table, from the words of the wire to the table's own."""

from dormie_protocol import messages as m
from dormie_server.table import commands as c


def request(message: m.AtTable, name: str, key: str | None) -> c.Request:
    """What the table is asked for, in its own words; *key* is what follows from the password in it."""
    match message:
        case m.Join():
            return c.Join(name, message.seat, key)
        case m.Ready():
            return c.Ready(message.entropy)
        case m.Start():
            return c.Start()
        case m.Bot():
            return c.SetBot(message.level, message.seat)
        case m.Leave():
            return c.Leave()
        case m.End():
            return c.End()
        case m.Rematch():
            return c.Rematch()
        case m.Pause() | m.Resume() | m.Agree() | m.Vote() | m.Undo():
            return _about_time(message)
        case _:
            return _request_of_host(message, key)


def _request_of_host(message: m.AtTable, key: str | None) -> c.Request:
    match message:
        case m.Kick():
            return c.Kick(message.seat, message.ban, message.name)
        case m.HandOver():
            return c.HandOver(message.seat, message.name)
        case m.Lock():
            return c.Lock(message.locked)
        case m.SetPassword():
            return c.SetPassword(key)
        case m.SetSpectators():
            return c.SetSpectators(message.allowed, message.password, message.chat, message.delay)
        case _:
            raise AssertionError(f"{type(message)} has no answer here")


def _about_time(message: m.Pause | m.Resume | m.Agree | m.Vote | m.Undo) -> c.Request:
    """The same, about what players ask of each other."""
    match message:
        case m.Pause():
            return c.Pause(message.seconds)
        case m.Resume():
            return c.Resume()
        case m.Agree():
            return c.Agree(message.yes)
        case m.Undo():
            return c.Undo()
        case m.Vote():
            return c.Vote(message.choice)
