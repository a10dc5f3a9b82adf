"""Messages between people and about them: talk at a table, whom one hears, one's own devices.

Whoever is meant is named by a seat at a table, or by what they said there; no message names a player.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, StringConstraints

from dormie_protocol.emotes import EmoteWord
from dormie_protocol.fields import AtTable, Code, FromClient, FromServer, SeatNumber, Word

LONGEST_TEXT = 280
"""Characters of what is said, as it will be shown."""

Text = Annotated[str, StringConstraints(max_length=2 * LONGEST_TEXT)]
"""Two signs may be shown as one: what counts is the length of what is shown."""

Reason = Literal["abuse", "spam", "cheating", "stalling", "name", "other"]


class Say(AtTable):
    """Say something at the table: plain text, at most 280 characters, on one line."""

    type: Literal["say"] = "say"
    text: Text


class Emote(AtTable):
    """Say one of the quick words, which everybody reads in their own language."""

    type: Literal["emote"] = "emote"
    emote: EmoteWord


class Chat(AtTable):
    """Send what was said after number *after*, as far as it is kept; you have to watch the table."""

    type: Literal["chat"] = "chat"
    after: Annotated[int, Field(ge=0, le=2**53)] = 0


class AtSeat(AtTable):
    """A message about whoever sits in a seat, or sat there and spoke; or who said line number *line*."""

    seat: SeatNumber | None = None
    line: Annotated[int, Field(ge=1, le=2**53)] | None = None
    """For somebody who watches and spoke; with a line the seat does not matter."""


class Mute(AtSeat):
    """Hear no more of what whoever sits there says, at any table. They are not told."""

    type: Literal["mute"] = "mute"


class Unmute(AtSeat):
    """Hear them again."""

    type: Literal["unmute"] = "unmute"


class Block(AtSeat):
    """Hear nothing of them, have them at no table of yours, and be matched with them by nobody."""

    type: Literal["block"] = "block"


class Report(AtSeat):
    """Tell those who run the house about somebody, with the last of what happened and was said."""

    type: Literal["report"] = "report"
    reason: Reason
    text: Text = ""


class AboutMe(FromClient):
    """A message about nobody but the one who sends it."""


class Blocks(AboutMe):
    """Ask whom you block; ``blocked_list`` comes before ``done``."""

    type: Literal["blocks"] = "blocks"


class Unblock(AboutMe):
    """Block somebody no longer: the *entry* of your list."""

    type: Literal["unblock"] = "unblock"
    entry: Word


class ClaimCode(AboutMe):
    """Ask for a code with which a new device says hello as you; ``claim`` comes before ``done``."""

    type: Literal["claim_code"] = "claim_code"


class Devices(AboutMe):
    """Ask on which devices you are known; ``device_list`` comes before ``done``."""

    type: Literal["devices"] = "devices"


class ForgetDevice(AboutMe):
    """Let a device be you no longer; its connections end."""

    type: Literal["forget_device"] = "forget_device"
    device: Word


class Erase(AboutMe):
    """Be forgotten by the house, for good. Say your *name* again, so that it is no slip."""

    type: Literal["erase"] = "erase"
    name: Annotated[str, StringConstraints(max_length=64)]


class Said(FromServer):
    """Somebody said something at a table. Numbers grow; those you do not hear are left out."""

    type: Literal["said"] = "said"
    table: str
    number: int
    seat: int | None
    """Where the speaker sat then; None for somebody who watched."""
    name: str
    text: str
    """Plain text: show it as it is, never as anything that does something."""
    emote: str | None = None
    """The quick word, for a client that says it in another language; *text* has it in English."""
    when: float


class ClaimTicket(FromServer):
    """The code for a new device: good once, until a time on the server's clock."""

    type: Literal["claim"] = "claim"
    re: str
    code: Code
    until: float


class DeviceInfo(FromServer):
    """One device on which a player is known; *device* is a made-up name for it."""

    device: str
    seen: float
    """When it last said hello, give or take a day."""
    here: bool
    """Whether it is connected to this server now."""
    this: bool
    """Whether it is the one that asks."""


class DeviceList(FromServer):
    """The answer to ``devices``."""

    type: Literal["device_list"] = "device_list"
    re: str
    devices: tuple[DeviceInfo, ...]


class BlockedPlayer(FromServer):
    """Somebody you block: a word to take it back with, and what they were called then."""

    entry: str
    name: str
    since: float


class BlockedList(FromServer):
    """The answer to ``blocks``."""

    type: Literal["blocked_list"] = "blocked_list"
    re: str
    players: tuple[BlockedPlayer, ...]


MessageAboutPeople: TypeAlias = (
    Say
    | Emote
    | Chat
    | Mute
    | Unmute
    | Block
    | Unblock
    | Blocks
    | Report
    | ClaimCode
    | Devices
    | ForgetDevice
    | Erase
)

NewsOfPeople: TypeAlias = Said | ClaimTicket | DeviceList | BlockedList
