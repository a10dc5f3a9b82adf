"""Spectators with a delay: everything, in order, without a hole, and never a moment too early."""

import asyncio

import pytest

from dormie_protocol.messages import Seen, SentAway, Veiled
from dormie_server import gallery as galleries
from dormie_server.documents import Kept
from dormie_server.gallery import Gallery
from dormie_server.seen import Look, Page, Span
from dormie_server.table.commands import Join, Leave, SetSpectators, Start
from tests.evening import Evening
from tests.server.backstage import CODE, Backstage, Ear, backstage
from tests.server.late import DELAY, TWO, moves, open_late, seen_at, told, views
from tests.server.turns import assert_no_hole, chains

EVE = "p-eve"


def clock() -> float:
    return asyncio.get_running_loop().time()


def test_scenario_B10_a_second_account_sees_it_later_where_the_host_says_so() -> None:
    async def story(house: Backstage) -> None:
        ada, _ = await open_late(house)
        eve = Ear(EVE)
        players, watched = seen_at(ada, clock), seen_at(eve, clock)
        await house.hub.watch(eve, CODE, 0, "")
        assert [None] == [seen.view.match for seen in eve.seen if seen.view], "nothing to wait for"
        begun = ada.seen[-1].version
        await house.start(*TWO)
        await moves(house, 20)
        await asyncio.sleep(DELAY + 1)

        live, late = views(players), views(watched)
        assert_no_hole(eve.seen)
        for version, (at, seen) in late.items():
            if version > begun:
                then, player = live[version]
                assert DELAY == pytest.approx(at - then, abs=0.01)
                assert (player.view, player.chain) == (seen.view, seen.chain)
                assert (None, None, ()) == (seen.seat, seen.pocket, seen.moves)
        assert (await house.table()).version == eve.seen[-1].version

    told(story)


def test_scenario_B3_whoever_comes_late_sees_the_table_as_it_was_then() -> None:
    async def story(house: Backstage) -> None:
        ada, _ = await open_late(house)
        players = seen_at(ada, clock)
        await house.start(*TWO)
        await moves(house, 90)
        eve = Ear(EVE)
        seat, version = await house.hub.watch(eve, CODE, 0, "")
        then = [seen for at, seen in players if at <= clock() - DELAY and isinstance(seen, Seen)][
            -1
        ]

        assert (None, then.version) == (seat, version)
        (seen,) = eve.seen
        assert (then.version, then.version, then.chain) == (seen.after, seen.version, seen.chain)
        assert then.view == seen.view
        assert seen.about is not None

    told(story)


def test_where_nothing_old_enough_is_kept_it_is_said_and_the_match_is_left_out() -> None:
    async def story(house: Backstage) -> None:
        await open_late(house)
        await house.start(*TWO)
        await moves(house, 5)
        other = Ear("p-fay")
        async with backstage(house.store, "server-2") as fresh:  # it has seen nothing of it yet
            log = seen_at(other, clock)
            assert (None, 0) == await fresh.hub.watch(other, CODE, 0, "")
            (seen,), veil = other.seen, other.heard[-1]
            assert isinstance(veil, Veiled)
            assert (0, "", ()) == (seen.version, seen.chain, seen.events)
            assert seen.view is not None
            assert (None, None, None) == (seen.view.match, seen.view.clocks, seen.view.deadline)
            assert [0, 0] == [who.count for who in seen.view.seats if who]
            newest, came = (await house.table()).version, clock()
            await moves(house, 3)
            await asyncio.sleep(DELAY)

            first, *_ = [(at, one) for at, one in log[2:] if isinstance(one, Seen)]
            assert DELAY == pytest.approx(first[0] - came, abs=0.1)
            assert (newest, newest) == (first[1].after, first[1].version)
            assert first[1].view is not None
            assert first[1].view.match is not None
            assert [newest + n for n in range(4)] == [one.version for one in other.seen[1:]]

    told(story)


def test_spectators_of_a_store_that_has_gone_back_begin_anew_when_that_is_old_enough() -> None:
    """What they were shown last may be lost; what they are shown next says so."""

    async def story(house: Backstage) -> None:
        await open_late(house)
        eve = Ear(EVE)
        await house.hub.watch(eve, CODE, 0, "")
        await house.start(*TWO)
        await moves(house, 10)
        before = await house.keeper.table(CODE)
        assert before is not None
        await moves(house, 3)
        await asyncio.sleep(DELAY + 1)
        shown, back = eve.seen[-1], clock()
        log = seen_at(eve, clock)
        house.hub.went_back(before, await house.store.now())
        await asyncio.sleep(DELAY + 1)  # nothing more happens in the meantime
        await moves(house, 2)
        await asyncio.sleep(DELAY + 1)
        (at, first), *_ = [(at, one) for at, one in log if isinstance(one, Seen)]

        assert shown.version > before.table.version == first.version == first.after
        assert first.rolled_back
        assert DELAY == pytest.approx(at - back, abs=0.01)
        assert_no_hole([one for one in eve.seen if one.version > shown.version])
        assert not any(one.rolled_back for one in eve.seen if one is not first and one != first)

    told(story)


def test_whoever_resumes_gets_what_became_old_enough_meanwhile_and_no_more() -> None:
    async def story(house: Backstage) -> None:
        await open_late(house)
        eve = Ear(EVE)
        await house.hub.watch(eve, CODE, 0, "")
        await house.start(*TWO)
        await moves(house, 80)
        last = eve.seen[-1]
        house.hub.unwatch(eve, CODE)
        await moves(house, 10, 3.0)
        again = Ear(EVE)
        _, version = await house.hub.watch(again, CODE, last.version, last.chain)

        (seen,) = again.seen
        assert (last.version, version, True) == (seen.after, seen.version, seen.replay)
        assert last.version < version < (await house.table()).version
        assert not seen.rolled_back

    told(story)


def test_nasty_S13_who_may_not_know_a_version_yet_learns_nothing_by_naming_it() -> None:
    """Otherwise the chain would tell the last move to whoever tries them all."""

    async def story(house: Backstage) -> None:
        await open_late(house)
        await house.start(*TWO)
        await moves(house, 70)
        known = await chains(house)
        newest = len(known) - 1
        answers = []
        for chain in (known[newest], "00ff"):
            eve = Ear(EVE)
            await house.hub.watch(eve, CODE, newest, chain)
            answers.append([(one.after, one.version, one.rolled_back) for one in eve.seen])
            house.hub.unwatch(eve, CODE)

        assert answers[0] == answers[1]
        assert answers[0][0][2]

    told(story)


def test_whoever_stands_up_is_told_of_that_at_once_and_waits_from_then_on() -> None:
    async def story(house: Backstage) -> None:
        _, bob = await open_late(house, size=3)
        log = seen_at(bob, clock)
        await house.ask(TWO[0], Start())
        await house.start(*TWO)
        await moves(house, 6)
        gone = clock()
        change = await house.ask(TWO[1], Leave())
        assert change.version == bob.seen[-1].version, (
            "without seeing less than everybody at the table"
        )
        known = (await chains(house))[change.version]
        await asyncio.sleep(1)
        again = Ear(TWO[1])
        house.hub.unwatch(bob, CODE)
        assert (None, change.version) == await house.hub.watch(again, CODE, change.version, known)
        assert [change.version] == [seen.version for seen in again.seen]
        assert not again.seen[0].rolled_back
        assert not [at for at, _ in log if at > gone]

    told(story)


def test_whoever_sits_down_waits_no_longer() -> None:
    async def story(house: Backstage) -> None:
        await open_late(house, size=3)
        eve = Ear(EVE)
        await house.hub.watch(eve, CODE, 0, "")
        change = await house.ask(EVE, Join("Eve"))
        seen = eve.seen[-1]
        assert seen.version < change.version, "who has not sat down here yet still waits"
        seat, version = await house.hub.watch(eve, CODE, seen.version, seen.chain)

        assert (2, True) == (seat, version >= change.version)
        assert (2, version) == (eve.seen[-1].seat, eve.seen[-1].version)

    told(story)


def test_a_delay_that_ends_shows_everything_and_one_that_begins_hides_nothing_again() -> None:
    async def story(house: Backstage) -> None:
        await open_late(house)
        eve = Ear(EVE)
        await house.hub.watch(eve, CODE, 0, "")
        await house.ask(TWO[0], SetSpectators(delay=0))
        newest = (await house.table()).version
        assert newest == eve.seen[-1].version
        await house.ask(TWO[0], SetSpectators(delay=30))
        assert newest + 1 == eve.seen[-1].version
        late = Ear("p-fay")
        await house.hub.watch(late, CODE, 0, "")

        assert newest + 1 == late.seen[-1].version, "everybody has seen that"
        assert_no_hole(eve.seen)
        assert eve.seen[-1].about is not None
        assert 30 == eve.seen[-1].about.spectators.delay

    told(story)


@pytest.mark.parametrize("delay", [0, DELAY])
def test_whoever_may_not_watch_any_more_is_told_at_once_and_hears_no_more(delay: int) -> None:
    async def story(house: Backstage) -> None:
        await open_late(house, delay)
        eve = Ear(EVE)
        await house.hub.watch(eve, CODE, 0, "")
        await house.ask(TWO[0], SetSpectators(allowed=False))
        assert SentAway(table=CODE, why="not_for_spectators") == eve.heard[-1]
        heard = len(eve.frames)
        await house.start(*TWO)
        await asyncio.sleep(DELAY + 1)

        assert heard == len(eve.frames)
        assert house.hub.watching(eve, CODE) is None

    told(story)


def test_no_timer_outlives_the_table_nor_the_last_who_watches() -> None:
    async def story(house: Backstage) -> None:
        ears = await open_late(house)
        eve = Ear(EVE)
        await house.hub.watch(eve, CODE, 0, "")
        await house.start(*TWO)
        room = house.hub.room(CODE)
        assert room is not None
        assert room.timers
        for ear in (eve, *ears):
            house.hub.unwatch(ear, CODE)

        assert not room.timers
        assert house.hub.gallery(CODE) is None

    told(story)


# ------------------------------------------------------------------------ what is kept


def page(version: int, *, view: bool = True, after: int = -1) -> Page:
    table = Evening(size=2).table
    span = Span(CODE, version - 1 if after < 0 else after, version, "ab", 1.0, ())
    return Page(span, Kept(table) if view else None)


def test_what_is_kept_is_bounded_and_what_is_lost_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(galleries, "MOST_PAGES", 3)
    gallery = Gallery(10)
    for version in range(1, 9):
        gallery.keep(page(version), 0.0, whole=False)

    held = gallery.due(10.0)
    assert [6, 7, 8] == [one.page.version for one in held]
    assert [True, False, False] == [one.lost for one in held]
    assert b'"rolled_back":true' in held[0].text(2)
    assert b'"rolled_back":false' in held[1].text(6)


def test_a_view_as_large_as_all_that_may_be_kept_is_kept_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(galleries, "MOST_BYTES", 1)
    gallery = Gallery(10)
    for version in (1, 2, 3):
        gallery.keep(page(version), 0.0, whole=False)

    assert [3] == [one.page.version for one in gallery.due(10.0)]


def test_what_cannot_be_looked_at_is_told_together_with_what_can() -> None:
    gallery = Gallery(10)
    gallery.keep(page(1, view=False), 0.0, whole=True)
    assert gallery.next_at() is None
    assert [] == gallery.due(100.0)
    gallery.keep(page(2), 5.0, whole=False)
    assert [] == gallery.due(14.9)
    (held,) = gallery.due(15.0)

    assert (0, 2, True) == (held.page.after, held.page.version, held.whole)
    assert gallery.shown is not None
    assert held.page.look().text(Look(None)) == gallery.shown.text(Look(None))
    assert b'"after":1,"version":2' in held.text(1), "who stood up at 1 has seen the first of it"


def test_nothing_is_kept_twice_and_only_those_who_sat_are_ahead() -> None:
    gallery = Gallery(10)
    gallery.keep(page(4), 0.0, whole=False)
    gallery.keep(page(4), 0.0, whole=False)
    gallery.let_ahead("p-bob", 4)

    assert [4] == [one.page.version for one in gallery.due(10.0)]
    gallery.keep(page(5), 10.0, whole=False)
    gallery.let_ahead("p-bob", 5)
    assert [True, False, True] == [
        gallery.may_know(*who) for who in (("p-bob", 5), ("p-eve", 5), ("p-eve", 4))
    ]
    for n in range(galleries.MOST_AHEAD):
        gallery.let_ahead(f"p-{n}", 5)
    assert not gallery.may_know("p-bob", 5)
