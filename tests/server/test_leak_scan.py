"""No frame, page or log line of a whole season tells anybody a card they have not seen.

And none of this is believed before planted leaks have been found.
"""

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any
from urllib.error import HTTPError

import pytest
import structlog
from pydantic_core import to_json

from dormie_bots import find_bot
from dormie_server import house_bots, lobby_cards, own
from dormie_server.app import App
from dormie_server.hub import Hub
from dormie_server.seen import Look, Page
from dormie_server.table import fair, matches
from dormie_server.table.draft import Change, Draft
from dormie_server.table.refusal import No
from dormie_server.table.state import Table
from tests.diary import diary as everything
from tests.grid_only import grid_secret
from tests.leaks import Leak
from tests.server.leak_scan import LeakScan
from tests.server.season import Season
from tests.serving import fetch, serving

MATCHES, AT_ONCE = 110, 10


@dataclass
class House:
    """A house, the scan that follows it, and everybody who was ever there."""

    app: App
    scan: LeakScan
    season: Season

    async def play(self, matches: int) -> None:
        """Play so many matches, some at a time, and look at the pages meanwhile."""
        numbers = iter(range(matches))

        async def some() -> None:
            for number in numbers:
                code = await self.season.match(number)
                for path in ("/metrics", "/healthz", f"/record/{code}-1"):
                    if number % 10 == 0:
                        with suppress(HTTPError):  # a match that was given up has no record
                            self.scan.check_text(await fetch(self.app.port, path), path)

        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(some())

    def check(self) -> None:
        """Look through everything that anybody got. Raises Leak."""
        for guest in self.season.everybody:
            self.scan.check_frames(guest.player, guest.frames)


@asynccontextmanager
async def scanned(patch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A house whose every change is followed, with a bot that fails now and then."""
    scan, luck = LeakScan(), Random(1)

    def moody(level: str, rules: Any) -> Any:
        if luck.random() < 0.01:
            raise ZeroDivisionError("a mistake of ours")
        return find_bot(level, rules)

    patch.setattr(house_bots, "find_bot", moody)
    async with serving({"deal": scan.packs.deal}) as app:
        changed = app.alarms.changed

        def follow(change: Change, now: float) -> None:
            scan.follow(change)
            changed(change, now)

        patch.setattr(app.alarms, "changed", follow)
        yield House(app, scan, Season(app.port, scan.progress))


@pytest.fixture
def diary() -> Iterator[io.StringIO]:
    """Everything the house writes down."""
    with everything("debug") as pages:
        yield pages


async def test_nasty_P12_nobody_is_told_a_card_in_a_whole_season(
    monkeypatch: pytest.MonkeyPatch, diary: io.StringIO
) -> None:
    async with scanned(monkeypatch) as house:
        await house.play(MATCHES)
        house.check()
    house.scan.check_text(diary.getvalue(), "the log")

    assert "bot_failed" in diary.getvalue(), "something went wrong, and was written down"
    assert house.scan.matches >= 100
    assert house.scan.frames > 10_000
    assert house.scan.marks > 10 * house.scan.frames, "whoever sees no card sees no leak"


# ------------------------------------------------------------------ planted leaks

Secret = Callable[[Table, Look], object]


def next_pocket(table: Table, how: Look) -> object:
    """What the neighbour has in hand."""
    pockets = table.state.pockets
    return None if how.seat is None else pockets[(how.seat + 1) % len(pockets)]


def first_pocket(table: Table, how: Look) -> object:
    """For those who only watch."""
    return table.state.pockets[0] if how.seat is None else None


def pockets_after_all(table: Table, how: Look) -> object:
    """For those who come back."""
    return table.state.pockets if how.replay else None


def own_hidden_cards(table: Table, how: Look) -> object:
    """What lies under the backs of one's own cards, as other servers tell it."""
    hole = grid_secret(table)
    return None if hole is None or how.seat is None else hole.hidden[how.seat]


def top_of_the_stock(table: Table, _how: Look) -> object:
    return hole.stock[-1:] if (hole := grid_secret(table)) else None


def link_of_this_hole(table: Table, _how: Look) -> object:
    if table.public.phase != "playing" or not table.public.match or not table.public.match.hole:
        return None
    return fair.link(table.secret.master, table.about.match, table.public.match.hole).hex()


def luck_of_the_others(table: Table, _how: Look) -> object:
    """Whoever is the last to be ready could choose."""
    return table.secret.contributions


def master(table: Table, _how: Look) -> object:
    return table.secret.master


SECRETS: tuple[Secret, ...] = (
    next_pocket,
    first_pocket,
    pockets_after_all,
    own_hidden_cards,
    top_of_the_stock,
    link_of_this_hole,
    luck_of_the_others,
    master,
)


def tell_also(patch: pytest.MonkeyPatch, secret: Secret) -> None:
    """Write something more into every view."""

    def leaky(page: Page, how: Look, text: Any = Page.text) -> bytes:
        told: bytes = text(page, how)
        kept = page._kept  # noqa: SLF001 - a leak respects nothing
        more = secret(kept.table, how) if kept else None
        return told[:-1] + b',"also":' + to_json(more) + b"}"

    patch.setattr(Page, "text", leaky)


def take_watchers_for_players(patch: pytest.MonkeyPatch) -> None:
    """The hub gives those who only watch the last seat."""

    def leaky(*given: Any, seat: Any = Hub._seat) -> int | None:  # noqa: SLF001 - as above
        found: int | None = seat(*given)
        return len(given[-1].public.seats) - 1 if found is None and given[-1] else found

    patch.setattr(Hub, "_seat", leaky)


def let_everybody_hear(patch: pytest.MonkeyPatch) -> None:
    """Everybody is told which card was drawn."""

    def leaky(page: Page, _seat: int | None, *flags: bool, head: Any = Page._head) -> bytes:  # noqa: SLF001 - as above
        told: bytes = head(page, next(iter(page._private), None), *flags)  # noqa: SLF001 - as above
        return told

    patch.setattr(Page, "_head", leaky)


def explain_too_much(patch: pytest.MonkeyPatch) -> None:
    """Whoever makes an illegal move is told why with a look into the stock."""

    def leaky(draft: Draft, *given: Any, make_move: Any = matches.make_move, **auto: Any) -> None:
        try:
            make_move(draft, *given, **auto)
        except No as no:
            hole = grid_secret(draft.table)
            raise No(no.why, str(hole.stock[-1:] if hole else "")) from no

    patch.setattr(matches, "make_move", leaky)


def tell_the_lobby(patch: pytest.MonkeyPatch) -> None:
    """The list of tables says what lies on top of the stock."""

    def leaky(table: Table, card_of: Any = lobby_cards.card_of) -> Any:  # a card with more on it
        card, hole = card_of(table), grid_secret(table)
        return replace(card, host=str(hole.stock[-1:])) if card and hole else card

    patch.setattr(lobby_cards, "card_of", leaky)


def tell_whose_turn_it_is(patch: pytest.MonkeyPatch) -> None:
    """The list of one's own tables says what the others have in hand."""

    def leaky(table: Table, player: str, own: Any = own._own) -> Any:  # noqa: SLF001 - as above
        told, hole = own(table, player), grid_secret(table)
        return replace(told, variant=str(hole.stock[-1:])) if told and hole else told

    patch.setattr(own, "_own", leaky)


async def found_a_leak(patch: pytest.MonkeyPatch) -> bool:
    """A leak that needs somebody to come back at the right moment may take another evening."""
    for _ in range(3):
        async with scanned(patch) as house:
            await house.play(AT_ONCE)
            try:
                house.check()
            except Leak:
                return True
    return False


@pytest.mark.parametrize("secret", SECRETS, ids=lambda secret: secret.__name__)
async def test_a_secret_that_is_told_is_found(
    monkeypatch: pytest.MonkeyPatch, diary: io.StringIO, secret: Secret
) -> None:
    tell_also(monkeypatch, secret)

    assert await found_a_leak(monkeypatch)


@pytest.mark.parametrize(
    "plant",
    [
        take_watchers_for_players,
        let_everybody_hear,
        explain_too_much,
        tell_the_lobby,
        tell_whose_turn_it_is,
    ],
    ids=["watch", "hear", "explain", "lobby", "mine"],
)
async def test_a_planted_leak_is_found(
    monkeypatch: pytest.MonkeyPatch, diary: io.StringIO, plant: Callable[[pytest.MonkeyPatch], None]
) -> None:
    plant(monkeypatch)

    assert await found_a_leak(monkeypatch)


async def test_a_leak_in_the_log_or_on_a_page_is_found(
    monkeypatch: pytest.MonkeyPatch, diary: io.StringIO
) -> None:
    async with scanned(monkeypatch) as house:
        await house.play(1)
        house.scan.check_text(diary.getvalue(), "the log")
        (deal, *_) = house.scan.packs.dealt.values()
        structlog.get_logger().info("dealt", cards=deal.pack[-3:])

        with pytest.raises(Leak, match="the log"):
            house.scan.check_text(diary.getvalue(), "the log")
