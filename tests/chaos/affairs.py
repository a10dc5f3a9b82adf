"""What people at a table of chaos do besides playing: all that a house offers, at any time.

Each of these is also a judgement: what must not be so afterwards is a surprise in the ledger.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from dormie_client import ClosedError, RefusedError, Table
from dormie_protocol.clocks import Choice
from tests.simulator.company import mingle

if TYPE_CHECKING:
    from tests.chaos.person import Person

BUSY = frozenset({"playing", "between"})
MOST_DEVICES = 3
CHOICES: tuple[Choice, ...] = ("bot", "bot", "wait", "withdraw")
WORDS = "Remember {}, whatever comes"


async def aside(person: "Person") -> bool:
    """Something that is not the game, now and then; whether the person is gone after it."""
    plan, luck, table = person.fourball.plan, person.luck, person.table
    if await leaves_early(person):
        return True
    if plan.company:
        await _in_company(person)
    if plan.kicks and luck.random() < 0.2:
        await _send_away(person, table)
    if plan.when_out != "default" and person.number == 0 and luck.random() < 0.3:
        await _nap(person)
    if plan.devices and person.devices < MOST_DEVICES and luck.random() < 0.08:
        await _change_device(person)
    if vanishes(person) and luck.random() < 0.02:
        await _vanish(person)
        return True
    return False


async def _in_company(person: "Person") -> None:
    """Talk, rule, pause, take back; what is refused then is nobody's loss."""
    luck, table = person.luck, person.table
    asides: list[Awaitable[object]] = [mingle(luck, table, kicks=False)]
    if luck.random() < 0.02:
        asides.append(table.pause(1))
    if luck.random() < 0.05:
        asides.append(table.undo())
    for one in asides:
        try:
            if await person.wait(one, "the answer to something else") is True:
                person.ledger.deed("said, blocked, reported, ruled")
        except RefusedError as no:
            person.ledger.refuse(no.word)


# ---------------------------------------------------------------- what others ask


def is_asked(person: "Person") -> bool:
    """Whether the others want something that needs this person's consent or vote."""
    table, plan = person.table, person.fourball.plan
    match = table.view.match
    if table.seat is None or match is None or table.view.phase != "playing":
        return False
    if match.out[table.seat] is not None:
        return False
    if plan.company and (ask := table.clocks.ask) is not None:
        return table.seat not in ask.agreed
    votes = table.clocks.votes if plan.when_out == "vote" else None
    return votes is not None and votes[table.seat] is None and not table.my_turn()


async def answer(person: "Person") -> None:
    """Agree, most of the time; or vote."""
    table = person.table
    if table.clocks.ask is not None:
        yes = person.luck.random() < 0.9
        await person.attempt(table.agree(yes=yes), "the answer to agree")
    elif await person.attempt(table.vote(person.luck.choice(CHOICES)), "the answer to a vote"):
        person.ledger.deed("votes given")


# ---------------------------------------------------------------------- asleep


async def _nap(person: "Person") -> None:
    """Once a match let the time of a turn run out, and come back to whatever that has led to."""
    if person.naps >= person.table.about.match or not person.table.my_turn():
        return
    person.naps += 1
    person.ledger.deed("asleep in a turn")
    seat = person.table.seat

    def is_over(table: Table) -> bool:
        mine = table.seat is None or table.seat != seat or not table.moves
        return mine or table.view.phase != "playing" or table.clocks.runs == "wait"

    await person.wait(person.table.until(is_over), "the end of a nap")
    table = person.table
    sat = table.seat is not None and table.clocks.sits_in[table.seat] is not None
    if sat and person.luck.random() < 0.7:  # otherwise the next move takes the seat back
        await person.attempt(table.resume(), "the seat, from a bot")


# --------------------------------------------------------------------- devices


async def _change_device(person: "Person") -> None:
    """Go on on another device, with a code; the old one is told so, and is nobody any more."""
    old, before = person.session, person.table
    key, version = person.fourball.key, person.table.version
    while True:
        ticket = await person.insist(old.claim_code, "a claim code")
        try:
            await person.connect(ticket.code)
        except RefusedError as no:  # the house died, and the code was used before that
            person.ledger.refuse(no.word)
            if no.word != "unknown_claim":
                raise
            await asyncio.sleep(0.2)
        else:
            break
    watch = partial(person.session.watch, before.code, password=key)
    table = await person.insist(watch, "the table on another device")
    if table.version < version and not person.fourball.plan.far_store:
        person.ledger.surprise(f"{table.code}: another device sees less than the one before")
    person.sit(table)
    await person.wait(before.until(_is_no_longer_ours), "that the old device is told")
    person.ledger.deed("seats claimed from another device")
    for device in await person.insist(person.session.devices, "the devices"):
        if not device.this:
            forget = partial(person.session.forget_device, device.device)
            await person.insist(forget, "that a device is forgotten")
            person.ledger.deed("devices forgotten")
    if person.fourball.plan.far_store:  # another server is not told, and its line lives on
        await person.wait(old.close(), "the end of the old session")
        return
    while not old.over:  # its token is worth nothing, on this connection and on the next
        await person.wait(asyncio.sleep(0.01), "the end of the old device")
    await person.wait(old.close(), "the end of the old session")


def _is_no_longer_ours(table: Table) -> bool:
    return table.replaced or table.seat is None


# ------------------------------------------------------------------- sent away


async def _send_away(person: "Person", table: Table) -> None:
    """The host sends the one whom the plan has chosen away, for good."""
    if table.view.host != table.seat or table.view.phase not in BUSY:
        return
    lout = person.fourball.lout
    seats = enumerate(table.view.seats)
    for seat in [at for at, who in seats if lout and who and who.name == lout.name and who.here]:
        person.fourball.kicking += 1
        try:
            await person.wait(table.kick(seat, ban=True), "that somebody goes")
            person.fourball.kicked = True
        except RefusedError as no:
            person.ledger.refuse(no.word)
        finally:
            person.fourball.kicking -= 1


async def was_sent_away(person: "Person") -> bool:
    """Whether the host has sent this person away for good: then nobody lets them in any more."""
    if person is not person.fourball.lout or person.session.over:
        return False
    while person.fourball.kicking:  # the answer comes to whoever has asked for it
        await person.wait(asyncio.sleep(0.01), "what the host hears")
    if not person.fourball.kicked:
        return False
    person.gone = True
    code, key = person.fourball.code, person.fourball.key
    ways: tuple[Callable[..., Awaitable[Table]], ...] = (person.session.join, person.session.watch)
    for way in ways:
        try:
            await person.insist(partial(way, code, password=key), "to be refused")
        except RefusedError as no:
            if no.word != "no_table":
                person.ledger.surprise(f"{code}: whoever was banned hears {no.word}")
            person.ledger.deed("banned, and kept out")
        else:
            person.ledger.surprise(f"{code}: whoever was banned is let in")
    return True


async def has_gone(person: "Person", no: ClosedError | RefusedError) -> bool:
    """Whether somebody has no seat any more, and may not even watch: the password has changed meanwhile."""
    if isinstance(no, RefusedError) and no.word != "no_table":
        return False
    return await was_sent_away(person) or await _was_left_out(person)


async def _was_left_out(person: "Person") -> bool:
    """Whether a match has begun without this person, who was away for too long."""
    if person.session.over or not person.fourball.plan.company:
        return False
    own = [one.table for one in await person.insist(person.session.mine, "one's tables")]
    if person.fourball.code in own:
        return False
    person.gone = True
    person.ledger.left_out += 1
    return True


# -------------------------------------------------------------------- forgotten


def vanishes(person: "Person") -> bool:
    """Whether this person asks to be forgotten some time."""
    return person is person.fourball.vanishing and not person.gone


async def _vanish(person: "Person") -> None:
    """Say something, and be forgotten by the house."""
    words = WORDS.format(person.name)
    try:
        await person.wait(person.table.say(words), "the answer to last words")
    except RefusedError as no:
        person.ledger.refuse(no.word)
    traces = [person.name, person.session.player]
    try:
        await person.insist(partial(person.session.erase, person.name), "to be forgotten")
    except ClosedError:  # forgotten before the house died, and so nobody to the next one
        person.ledger.deed("erased, and the answer lost")
    person.gone = True
    person.ledger.deed("people erased")
    person.ledger.erased[person.fourball.code] = person.name
    person.ledger.traces += traces


async def farewell(person: "Person") -> None:
    """The last match is over here: whoever wanted to be forgotten does not put it off any more."""
    if vanishes(person):
        await _vanish(person)
    elif person.fourball.plan.quick:
        await _go_home(person)


# ------------------------------------------------------------------ looking back


async def look_back(person: "Person") -> None:
    """The match that is over is in the history, once; one's tables are there once each."""
    table, ledger = person.table, person.ledger
    record = f"{table.code}-{table.about.match}"
    if person.table.seat is None:
        return
    while True:  # the record is kept a moment after the last move
        played = [one.record for one in await person.insist(person.session.history, "a history")]
        if record in played:
            break
        await asyncio.sleep(0.1)
    if len(played) != len(set(played)):
        ledger.surprise(f"{table.code}: a match is twice in a history: {played}")
    own = [one.table for one in await person.insist(person.session.mine, "one's tables")]
    if len(own) != len(set(own)) or (table.seat is not None and table.code not in own):
        ledger.surprise(f"{table.code}: {person.name} sits at {own}")
    if len(own) > 1:
        ledger.surprise(f"{person.name} has one seat, and sits at {own}")
    told = await person.insist(person.session.lobby, "the lobby")
    if any(card.free + card.taken > card.size for card in told.tables):
        ledger.surprise(f"the lobby tells of too many at {told.tables}")
    ledger.deed("histories, own tables and lobbies read")


# -------------------------------------------------------------------- by chance


def goes_home(person: "Person") -> bool:
    """Whether somebody who plays with strangers has had enough of this table."""
    plan, view = person.fourball.plan, person.table.view
    if not plan.quick or person.table.seat is None:
        return False
    return view.phase == "lobby" and person.fourball.finishing.is_set()


async def leaves_early(person: "Person") -> bool:
    """Whether somebody has left strangers alone in the middle of a match: one of two, in its second hole."""
    table = person.table
    match = table.view.match
    if not person.fourball.plan.quick or table.seat != 1 or match is None or match.hole < 2:
        return False
    await _go_home(person)
    return True


async def _go_home(person: "Person") -> None:
    """Give the seat up."""
    person.gone = True
    try:
        await person.insist(person.table.leave, "to leave")
    except (ClosedError, RefusedError) as no:
        person.ledger.refuse(no.word if isinstance(no, RefusedError) else "closed")
