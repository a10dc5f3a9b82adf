"""How a new table is wished for: names and values as people type them, sorted into what a house is asked."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from pydantic import ValidationError

from dormie_client.commands import Unclear
from dormie_client.invitation import new_key
from dormie_client.option_lines import USUAL_SEATS
from dormie_protocol.clock_messages import ClockWish
from dormie_protocol.spectators import LONGEST_DELAY, SpectatorTalk
from dormie_protocol.table_view import Chatter
from dormie_rules.grid_rules import MAX_SEATS
from dormie_rules.patience_variants import patience_names

if TYPE_CHECKING:
    from dormie_client.session import Dormie
    from dormie_client.table import Table

USUAL_VARIANT = "six_card"
FLAGS = ("private", "listed", "undo")
"""Options that are meant when they are only named."""
_SPECTATORS = {
    "watching": "allowed",
    "watch_password": "password",
    "watch_chat": "chat",
    "watch_delay": "delay",
}
"""Options about those who watch, and the switches they stand for."""
_TABLE = ("size", "bots", "password", "chat", "practice", *FLAGS, *_SPECTATORS)
_MANY = 8
_TEXTS = ("password", "chat", "bots", "watch_chat")
"""Options whose values are text, even if they look like numbers."""


@dataclass(frozen=True, slots=True)
class TableWish:
    """A table as it is wished for; what is not said is as usual."""

    variant: str = USUAL_VARIANT
    options: Mapping[str, Any] = field(default_factory=dict)  # any JSON: the rules check it
    clock: Mapping[str, Any] = field(default_factory=dict)  # any JSON: the house checks it
    table: Mapping[str, Any] = field(default_factory=dict)  # size, bots, password, listed, chat

    @property
    def size(self) -> int:
        """How many seats there are."""
        return int(self.table.get("size", USUAL_SEATS))

    @property
    def password(self) -> str | None:
        """What one has to know to come in."""
        word: str | None = self.table.get("password")
        return word


def read_table_wish(typed: str, variants: Iterable[str]) -> TableWish:
    """What was typed behind `new`. Raises Unclear for a word that is no option.

    >>> wish = read_table_wish("six_card size=2 holes=3 listed when_out=bot", ["six_card"])
    >>> wish.size, wish.options, wish.clock, wish.table["listed"]
    (2, {'holes': 3}, {'when_out': 'bot'}, True)
    """
    variant, pairs = USUAL_VARIANT, []
    for at, part in enumerate(typed.split()):
        name, equals, value = part.partition("=")
        if at == 0 and not equals and part in variants:
            variant = part
        elif equals and name:
            pairs.append((name.lower(), read_value(name.lower(), value)))
        elif name in FLAGS:
            pairs.append((name, True))
        else:
            raise Unclear("no_option", name=part)
    return sorted_out(variant, pairs)


def read_value(name: str, value: str) -> Any:  # any JSON
    """The value of an option: JSON where it is, else the text itself.

    >>> read_value("holes", "3"), read_value("password", "1234"), read_value("bots", "easy,easy")
    (3, '1234', ('easy', 'easy'))
    """
    if name == "bots":
        return tuple(level.strip() for level in value.split(",") if level.strip())
    if name in _TEXTS:
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def sorted_out(variant: str, pairs: Iterable[tuple[str, Any]]) -> TableWish:
    """Options of the table, of its clocks and of the rules, each where it belongs."""
    options: dict[str, Any] = {}
    clock: dict[str, Any] = {}
    table: dict[str, Any] = {}
    patience = variant in patience_names()
    for name, value in pairs:
        ours = name in _TABLE and not (patience and name == "undo")  # its rules have one, too
        where = table if ours else clock if name in ClockWish.model_fields else options
        where[name] = value
    _check(table, clock)
    if table.pop("private", False):
        table.setdefault("password", new_key())
    return TableWish(variant, options, clock, table)


def _check(table: Mapping[str, Any], clock: Mapping[str, Any]) -> None:  # any JSON
    """Raise Unclear for what the house would not even read."""
    allowed: dict[str, tuple[object, ...]] = {
        **dict.fromkeys(FLAGS, (True, False)),
        "size": tuple(range(1, MAX_SEATS + 1)),  # one plays a patience
        "chat": get_args(Chatter),
        "watching": (True, False),
        "watch_password": (True, False),
        "watch_chat": get_args(SpectatorTalk),
        "watch_delay": tuple(range(LONGEST_DELAY + 1)),
    }
    for name, values in allowed.items():
        if name in table and table[name] not in values:
            first, *rest, last = (str(value).lower() for value in values)
            can_be = f"{first}-{last}" if len(rest) > _MANY else ", ".join((first, *rest, last))
            raise Unclear("bad_value", name=name, value=table[name], range=can_be)
    try:
        ClockWish(**clock)
    except ValidationError as error:
        name = str(error.errors(include_input=False, include_url=False)[0]["loc"][0])
        raise Unclear("bad_clock", name=name, value=clock[name]) from None


async def open_table(house: "Dormie", wish: TableWish) -> "Table":
    """Open the table. Raises RefusedError."""
    return await house.create(
        wish.variant,
        options=wish.options,
        size=wish.size,
        bots=wish.table.get("bots", ()),
        password=wish.password,
        listed=wish.table.get("listed", False),
        clock=wish.clock or None,
        chat=wish.table.get("chat", "on"),
        undo=wish.table.get("undo", False),
        practice=wish.table.get("practice"),
        spectators={
            switch: wish.table[name] for name, switch in _SPECTATORS.items() if name in wish.table
        },
    )
