"""The hole of the day in a terminal: playing it, reading its results, and checking that it was honest."""

import asyncio
import urllib.request
from collections import Counter
from datetime import date, timedelta
from http.client import HTTPException

from dormie_client.day_text import day_text
from dormie_client.day_wish import YESTERDAY, DayWish
from dormie_client.here import End, Here
from dormie_client.one_line import plain
from dormie_client.promises import keep_promise, kept_promise
from dormie_client.web_address import named_record_url
from dormie_protocol.day_messages import DayLine, DaySeen
from dormie_rules.day_record import BadDay, check_day
from dormie_rules.record import MAX_BYTES

PAGE = 100
SHOWN = 20
"""So many lines of results are shown; the others are counted."""
_IN_TIME = 20.0
_MANY = 2


class NotRight(Exception):
    """A day cannot be checked, or is not what it was said to be; the sentence that says so."""


async def day_first(here: Here, wish: DayWish) -> End:
    """Do what is wished for; the table where there is something to be played.

    Raises RefusedError, ClosedError, and NotRight for a day that is checked.
    """
    if wish.verify is not None:
        await _verify(here, await _named(here, wish.verify))
    elif wish.results:
        await _results(here, wish.date and await _named(here, wish.date))
    else:
        return await _play(here, wish.date and await _named(here, wish.date))
    return "quit"


async def _named(here: Here, day: str) -> str:
    """The date of a day; yesterday is the day before the house's own today."""
    if day not in YESTERDAY:
        return day
    today = date.fromisoformat((await here.house.day()).date)
    return (today - timedelta(days=1)).isoformat()


async def _play(here: Here, day: str | None) -> End:
    """Today's hole, unless it was played; of another day only what is known of it."""
    seen = await here.house.day(day)
    _say_day(here, seen)
    if here.home is not None and seen.state != "closed":  # what is told afterwards proves nothing
        keep_promise(here.home, here.show.url, seen.date, seen.promise)
    played = seen.own is not None and seen.own.table is None
    if seen.state != "open" or played:
        return "quit"
    _say(here, "one_try")
    return await here.house.play_day()


def _say_day(here: Here, seen: DaySeen) -> None:
    count = f"begun_by_{seen.tries}" if seen.tries < _MANY else "begun"
    _say(here, seen.state, date=seen.date, begun=_text(here, count, tries=seen.tries))
    _say(here, "promise", promise=seen.promise)
    own = seen.own
    if own is not None and own.score is not None:
        _say(here, "own_place" if own.place else "own", score=own.score, place=own.place)


async def _results(here: Here, day: str | None) -> None:
    page = await here.house.day_results(day, limit=SHOWN)
    _say_day(here, await here.house.day(page.date))
    if not page.lines:
        _say(here, "no_results")
    own = page.own
    for line in page.lines:
        _say_line(here, line, own=line == own)
        own = None if line == own else own  # a namesake may have done as well
    if page.of > len(page.lines):
        _say(here, "more", count=page.of - len(page.lines))
        if own is not None:
            _say_line(here, own, own=True)


def _say_line(here: Here, line: DayLine, *, own: bool) -> None:
    badge = _text(here, "badge") if line.cleared else ""
    name = _text(here, "you") if own else plain(line.name)
    _say(here, "line", place=line.place, name=name, score=line.score, badge=badge)


async def _verify(here: Here, day: str) -> None:
    """Check a day with what the house publishes, and with the promise that was kept here on that day.

    Raises NotRight.
    """
    seen = await here.house.day(day)
    if seen.shown is None:
        raise NotRight(_text(here, "not_over", date=day))
    kept = kept_promise(here.home, here.show.url, day) if here.home else None
    _say(here, "kept_promise" if kept else "no_promise")
    text = await _record(here, seen.shown.record)
    if text is None:
        raise NotRight(_text(here, "no_record", date=day))
    scores = Counter[int]()
    while True:
        page = await here.house.day_results(day, after=scores.total(), limit=PAGE)
        scores.update(line.score for line in page.lines)
        if not page.lines or scores.total() >= page.of:
            break
    promised = f"\nday {day}\npromise {kept or seen.promise}\n"
    key, fields = await asyncio.to_thread(_verdict, text, promised, scores)
    if key != "right":
        raise NotRight(_text(here, key, date=day, **fields))
    _say(here, key, date=day, **fields)


def _verdict(text: str, promised: str, scores: Counter[int]) -> tuple[str, dict[str, object]]:
    """What there is to say of a record that must hold these lines: the key of a sentence and what stands in it."""
    from dormie_rules.solver import solve  # noqa: PLC0415 - numpy is loaded when it is needed

    if promised not in text:  # with its day: another day's deal has been shown already
        return "wrong_promise", {}
    try:
        moves = check_day(text, lambda rules, position: solve(rules, position).verdict)
    except BadDay as bad:
        return "wrong_line", {"line": bad.line, "because": bad.because}
    tries = [line.split(" ") for line in text.splitlines() if line.startswith("try ")]
    if Counter(int(words[2]) for words in tries) != scores:
        return "wrong_results", {}
    return "right", {"tries": len(tries), "moves": moves}


async def _record(here: Here, name: str) -> str | None:
    """The record as the house publishes it, or None."""
    url = named_record_url(here.show.url, name)

    def fetch() -> str:
        with urllib.request.urlopen(url, timeout=_IN_TIME) as answer:  # noqa: S310 - it begins with http
            text: str = answer.read(MAX_BYTES + 1).decode("utf-8", "replace")
            return text

    try:
        return await asyncio.to_thread(fetch)
    except (OSError, HTTPException, ValueError):
        return None


def _say(here: Here, key: str, **fields: object) -> None:
    here.show.console.say(_text(here, key, **fields))


def _text(here: Here, key: str, **fields: object) -> str:
    return day_text(key, here.show.screen.language, **fields)
