"""Nobody at a race, and nobody who watches one, is told a card of an unfinished hole that they have not seen."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from dormie_protocol.messages import Done
from dormie_rules import race, race_hole
from dormie_rules.patience_moves import Concede, GiveUp
from dormie_rules.race_state import Shown
from dormie_server.app import App
from dormie_server.seen import Page
from dormie_server.table.draft import Change
from tests.leaks import Leak
from tests.server.guest import Guest
from tests.server.patience_scan import RaceScan
from tests.serving import serving


@asynccontextmanager
async def scanned(patch: pytest.MonkeyPatch) -> AsyncIterator[tuple[App, RaceScan]]:
    """A house whose every change is followed."""
    scan = RaceScan()
    async with serving({"deal": scan.packs.deal}) as app:
        changed = app.alarms.changed

        def follow(change: Change, now: float) -> None:
            scan.follow(change)
            changed(change, now)

        patch.setattr(app.alarms, "changed", follow)
        yield app, scan


async def sit(guest: Guest, code: str, luck: Random) -> None:
    """Play anything legal until the match is over."""
    await guest.do("ready", table=code, entropy="ab" * 16)
    while True:
        seen = guest.last(code)
        assert seen.view is not None
        if seen.view.phase in ("over", "closed"):
            return
        moves = [one for one in seen.moves if not isinstance(one, Concede)]
        if len(moves) > 1 and luck.random() < 0.99:
            moves = [one for one in moves if not isinstance(one, GiveUp)]
        mine = seen.view.seats[seen.seat or 0]
        if seen.view.phase == "between" and mine and not mine.ready:
            await guest.ask("ready", table=code)
        if not moves:
            await guest.see(code)
            continue
        answer = await guest.play(code, luck.choice(moves))
        version = answer.version if isinstance(answer, Done) else None
        await guest.see(code, lambda one, v=version or seen.version + 1: one.version >= v)  # type: ignore[misc]  # mypy cannot see its default


async def season(app: App, scan: RaceScan, seats: int, **options: object) -> int:
    """A match with somebody who watches and somebody who comes late; returns how many frames were read."""
    port = app.port
    people = [await Guest.come(port, f"P{seat}") for seat in range(seats)]
    watchers = [await Guest.come(port, "Eve"), await Guest.come(port, "Late")]
    code = await people[0].create(
        variant="golf_patience_queen", size=seats, options={"holes": 3, **options}
    )
    for one in people[1:]:
        await one.join(code)
    await watchers[0].do("watch", table=code)

    async def late() -> None:
        await watchers[1].do("watch", table=code)
        await watchers[0].see(code, lambda one: one.version > 40)
        again = await Guest.come(port, token=people[0].token)
        watchers.append(again)
        await again.ask("watch", table=code, after=1)

    async with asyncio.timeout(120), asyncio.TaskGroup() as group:
        for seat, one in enumerate(people[1:], 1):
            group.create_task(sit(one, code, Random(seat)))
        group.create_task(sit(people[0], code, Random(0)))
    await late()
    frames = 0
    for guest in (*people, *watchers):
        scan.check(guest.player, guest.frames)
        frames += len(guest.frames)
        await guest.leave()
    return frames


@pytest.mark.parametrize("seats", [1, 2, 3, 6])
async def test_scenario_R57_nobody_is_told_a_card_of_an_unfinished_hole(
    monkeypatch: pytest.MonkeyPatch, seats: int
) -> None:
    async with scanned(monkeypatch) as (app, scan):
        frames = await season(app, scan, seats)

    assert frames > 100
    assert scan.marks > frames, "whoever sees no card sees no leak"


# ------------------------------------------------------------------ planted leaks


def rivals_board(patch: pytest.MonkeyPatch) -> None:
    """A seat is shown its neighbour's board beside its own."""
    own = Page._own  # noqa: SLF001 - a leak respects nothing

    def leaky(page: Page, seat: int | None) -> bytes:
        kept = page._kept  # noqa: SLF001 - as above
        pockets = kept.table.state.pockets if kept else ()
        more = repr(pockets[(seat + 1) % len(pockets)]) if pockets and seat is not None else ""
        return own(page, seat) + b',"more":' + _json(more)

    patch.setattr(Page, "_own", leaky)


def watched_board(patch: pytest.MonkeyPatch) -> None:
    """Whoever watches is shown the first board while the hole is played."""
    own = Page._own  # noqa: SLF001 - as above

    def leaky(page: Page, seat: int | None) -> bytes:
        kept = page._kept  # noqa: SLF001 - as above
        more = repr(kept.table.state.pockets[0]) if kept and seat is None else ""
        return own(page, seat) + b',"more":' + _json(more)

    patch.setattr(Page, "_own", leaky)


def shown_too_soon(patch: pytest.MonkeyPatch) -> None:
    """The deal is shown with its first card, not when all have played it."""
    dealt = race_hole.deal_hole

    def leaky(*given: Any) -> Any:
        step = dealt(*given)
        state = step.state
        boards = tuple(pocket.board for pocket in state.pockets)
        shown = Shown(state.secret.deal, boards, state.secret.paths, (0,) * len(boards))
        return step._replace(state=replace(state, public=replace(state.public, shown=shown)))

    patch.setattr(race, "deal_hole", leaky)


def _json(text: str) -> bytes:
    return b'"' + text.replace('"', "'").encode() + b'"'


@pytest.mark.parametrize("plant", [rivals_board, watched_board, shown_too_soon])
async def test_every_planted_leak_is_found(
    monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None]
) -> None:
    plant(monkeypatch)
    async with scanned(monkeypatch) as (app, scan):
        with pytest.raises(Leak):
            await season(app, scan, 2)
