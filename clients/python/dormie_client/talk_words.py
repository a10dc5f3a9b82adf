"""What words about talk do: say something, and hear no more of somebody."""

from dataclasses import dataclass
from typing import cast, get_args

from dormie_client.commands import Command, Unclear, meant, plain
from dormie_client.here import Group, Here
from dormie_client.talk_text import REASONS
from dormie_protocol.emotes import EMOTES, EmoteWord, emote_line
from dormie_protocol.people_messages import Reason

LONGEST = 15
"""Digits in the number of a line."""


async def _say(here: Here, command: Command) -> None:
    if not command.rest:
        raise Unclear("which_text")
    await here.table.say(command.rest)


async def _emote(here: Here, command: Command) -> None:
    language = here.show.screen.language
    if not command.rest:
        for number, word in enumerate(EMOTES, start=1):
            here.text("emote_line", number=number, line=emote_line(word, language))
        return
    await here.table.emote(_emote_called(command.rest))


def _emote_called(typed: str) -> EmoteWord:
    """The quick word that is meant by its number, its name, or the beginning of its line."""
    words: tuple[EmoteWord, ...] = get_args(EmoteWord)
    if typed.isascii() and typed.isdecimal() and 1 <= int(typed[:4]) <= len(words):
        return words[int(typed[:4]) - 1]
    said = plain(typed).replace("_", " ")
    for word in words:
        if any(plain(line).startswith(said) for line in (word.replace("_", " "), *EMOTES[word])):
            return word
    raise Unclear("which_emote")


@dataclass(frozen=True, slots=True)
class _Who:
    """Whom one means: somebody in a seat, or whoever said a line."""

    name: str
    seat: int | None
    line: int | None


def _who(here: Here, typed: str) -> _Who:
    """Who is meant by a seat, a name, or `#7`. Raises Unclear."""
    number = typed.removeprefix("#")
    if typed.startswith("#") and number.isascii() and number.isdecimal() and len(number) <= LONGEST:
        return _Who(here.word("line_number", number=number), None, int(number))
    seat = here.seat(typed)
    return _Who(here.scene.called(seat), seat, None)


async def _mute(here: Here, command: Command) -> None:
    who = _who(here, command.rest)
    await here.table.mute(who.seat, line=who.line)
    here.text("muted", name=who.name)


async def _unmute(here: Here, command: Command) -> None:
    who = _who(here, command.rest)
    await here.table.unmute(who.seat, line=who.line)
    here.text("unmuted", name=who.name)


async def _block(here: Here, command: Command) -> None:
    who = _who(here, command.rest)
    await here.table.block(who.seat, line=who.line)
    here.text("blocked", name=who.name)


async def _blocks(here: Here, command: Command) -> None:
    del command
    players = await here.house.blocked()
    if not players:
        here.text("no_blocks")
    for number, player in enumerate(players, start=1):
        here.text("block_line", number=number, name=player.name)


async def _unblock(here: Here, command: Command) -> None:
    players = await here.house.blocked()
    number = int(command.rest[:4]) if command.rest.isdecimal() else 0
    if not 1 <= number <= len(players):
        raise Unclear("which_block")
    player = players[number - 1]
    await here.house.unblock(player.entry)
    here.text("unblocked", name=player.name)


async def _report(here: Here, command: Command) -> None:
    whose, _, rest = command.rest.partition(" ")
    why, _, words = rest.strip().partition(" ")
    reason = meant(why, REASONS)
    if reason is None:
        column = 1 if here.show.screen.language == "fr" else 0
        names = ", ".join(of.split()[min(column, len(of.split()) - 1)] for of in REASONS.values())
        raise Unclear("which_report", reasons=names)
    who = _who(here, whose)
    await here.table.report(who.seat, cast("Reason", reason), words.strip(), line=who.line)
    here.text("reported")


WORDS: Group = {
    "say": _say,
    "emote": _emote,
    "mute": _mute,
    "unmute": _unmute,
    "block": _block,
    "blocks": _blocks,
    "unblock": _unblock,
    "report": _report,
}
