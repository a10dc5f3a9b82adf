"""People among people: they talk, mute, block and report, and a host locks, sends away and hands over.

It happens at random beside the game, so that whatever a host may do meets whatever goes wrong.
"""

from random import Random
from typing import get_args

from dormie_client import Table
from dormie_protocol.emotes import EmoteWord

SAYINGS = ("Bonne chance !", "well, well", "🙂 nice", "again?", "\u202eolleh", "a" * 280)
EMOTES = get_args(EmoteWord)
BUSY = frozenset({"playing", "between"})


async def mingle(luck: Random, table: Table, *, kicks: bool = True) -> bool:
    """Do one of the things that are not the game, now and then; whether anything was done."""
    if luck.random() < 0.12:
        await _talk(luck, table)
        return True
    if table.seat is not None and table.view.host == table.seat and luck.random() < 0.05:
        return await _rule(luck, table, kicks=kicks)
    return False


async def _talk(luck: Random, table: Table) -> None:
    others = _others(table)
    what = luck.choice(("say", "say", "emote", "emote", "mute", "unmute", "block", "report"))
    if what == "say":
        await table.say(luck.choice(SAYINGS))
    elif what == "emote":
        await table.emote(luck.choice(EMOTES))
    elif not others:
        return
    elif what == "mute":
        await table.mute(luck.choice(others))
    elif what == "unmute":
        await table.unmute(luck.choice(others))
    elif what == "block" and table.view.phase in BUSY:  # before a match it would keep people out
        await table.block(luck.choice(others))
    elif what == "report":
        await table.report(luck.choice(others), "spam", "too much of it")


async def _rule(luck: Random, table: Table, *, kicks: bool) -> bool:
    """What only a host may do."""
    others = [seat for seat in _others(table) if not _bot(table, seat)]
    rights = ("lock", "unlock", "unlock", "password", "hand over", *(("kick",) if kicks else ()))
    what = luck.choice(rights)
    if what in ("lock", "unlock"):
        await table.lock(locked=what == "lock")
    elif what == "password" and table.about.password:
        await table.set_password(f"{luck.getrandbits(64):016x}")
    elif others and what == "hand over" and table.view.phase in BUSY:
        await table.hand_over(luck.choice(others))
    elif others and what == "kick" and table.view.phase in BUSY and luck.random() < 0.3:
        await table.kick(luck.choice(others), ban=luck.random() < 0.5)
    else:
        return False
    return True


def _others(table: Table) -> list[int]:
    seats = enumerate(table.view.seats)
    return [seat for seat, who in seats if who is not None and seat != table.seat]


def _bot(table: Table, seat: int) -> bool:
    who = table.view.seats[seat]
    return who is not None and who.bot is not None
