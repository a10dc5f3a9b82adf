"""What a session says next and what it makes of what it hears; sockets and clocks are elsewhere."""

import asyncio
import logging
from collections.abc import Callable

from dormie_client.errors import TRY_AGAIN, ClosedError, RefusedError, no
from dormie_client.ledger import Ledger, Request
from dormie_client.mirror import Mirror
from dormie_client.place import Place
from dormie_client.reports import Reports
from dormie_protocol.day_messages import DayResultsSeen, DaySeen
from dormie_protocol.messages import (
    Audience,
    ClientMessage,
    Done,
    HintSeen,
    HistorySeen,
    LobbySeen,
    MineSeen,
    Refused,
    Replaced,
    Seen,
    SentAway,
    ServerMessage,
)
from dormie_protocol.people_messages import BlockedList, ClaimTicket, DeviceList, Said

log = logging.getLogger(__name__)

STOPPING = "stopping"
"""The word of a server that is about to go, and to come back."""


class Desk:
    """Requests and tables of one session, over all of its connections."""

    def __init__(
        self, language: str, run: str, new_id: Callable[[], str], later: Callable[[Place], None]
    ) -> None:
        self.work = asyncio.Event()
        """Set when there may be something to say."""
        self.reports = Reports()
        """What the house tells that is about no single table."""
        self._language = language
        self._run = run
        self._lines = 0
        """How many connections this session has had."""
        self._new_id = new_id
        self._later = later
        self._ledger = Ledger()
        self._places: dict[str, Place] = {}
        self._watches: dict[str, Place] = {}

    def place(self, code: str) -> Place | None:
        """The place of a table that is known here."""
        return self._places.get(code)

    def follow(self, code: str, *, again: bool = False, password: str | None = None) -> Place:
        """Follow a table and play a seat one has there: *again* even if it is followed already."""
        place = self._places.get(code)
        if place is None:
            place = self._places[code] = Place(Mirror(code, self._language))
        elif again or place.mirror.replaced:
            place.mirror.replaced = place.held = False
            place.want()
        place.password = password or place.password
        self.work.set()
        return place

    def forget(self, code: str) -> None:
        """Follow a table no longer."""
        place = self._places.pop(code, None)
        if place is not None:
            place.state = "idle"
            place.mirror.end(ClosedError("This table is followed no longer."))

    def put(self, message: ClientMessage) -> Request:
        """Say *message* as soon as that is possible."""
        request = self._ledger.add(message)
        self.work.set()
        return request

    def new_line(self) -> None:
        """There is a new connection, on which nothing has been said yet."""
        self._lines += 1
        self._watches.clear()
        self.reports.new_line()
        self._ledger.new_line()
        for place in self._places.values():
            place.new_line()
        self.work.set()

    def next(self) -> ClientMessage | None:
        """The next thing to say: first where tables have to be followed, then what was asked."""
        for place in self._places.values():
            if place.state == "wanted":
                name = self._new_id()
                self._watches[name] = place
                return place.ask(name, self._run, self._lines)
        if (again := self.reports.next()) is not None:
            return again
        for request in self._ledger.waiting():
            at = self._places.get(request.table or "")
            if at is None or at.open:
                self._ledger.send(request)
                return request.message
            if at.mirror.replaced:
                request.settle(no("replaced", self._language))
        return None

    def hear(self, message: ServerMessage) -> None:
        """Make something of what the server says."""
        match message:
            case Done() | Refused():
                self._hear_answer(message)
            case (
                LobbySeen() | MineSeen() | HistorySeen() | HintSeen() | DaySeen() | DayResultsSeen()
            ):
                self.reports.hear(message)
            case Seen(table=code) if place := self._places.get(code):
                place.hear(message)
                if place.has_gap:
                    self._look_again(place)
                if place.mirror.over is not None:
                    self._places.pop(code, None)
            case Replaced(table=code) if place := self._places.get(code):
                place.replace()
            case SentAway(table=code, why=why) if place := self._places.pop(code, None):
                place.send_away(why)
            case Said(table=code) | Audience(table=code) if place := self._places.get(code):
                place.mirror.hear_aside(message)
            case ClaimTicket(re=re) | DeviceList(re=re) | BlockedList(re=re):
                self._ledger.tell(re, message)
            case _:
                return
        self.work.set()

    def close(self, error: ClosedError) -> None:
        """Nothing will be said or heard any more."""
        self._ledger.close(error)
        self.reports.close(error)
        for place in self._places.values():
            place.mirror.end(error)
        self._places.clear()

    def _hear_answer(self, answer: Done | Refused) -> None:
        place = self._watches.pop(answer.re or "", None)
        if place is not None:
            self._hear_watch(place, answer)
            return
        if isinstance(answer, Refused) and answer.word == STOPPING and answer.re:
            return  # nothing has changed, and the next connection asks again
        request = self._ledger.answer(answer)
        if isinstance(answer, Done):
            self._acknowledge(answer)
            return
        if request is None:
            refusal = RefusedError(answer.word, answer.because, answer.field)
            self.reports.refuse(answer.re or "", refusal)
            log.warning("the server refused something: %s", answer.word)
        elif answer.word == "replaced" and (at := self._places.get(request.table or "")):
            at.replace()

    def _acknowledge(self, done: Done) -> None:
        place = self._places.get(done.table or "")
        if place is not None and done.version and done.chain:
            place.acknowledged(done.version, done.chain)

    def _hear_watch(self, place: Place, answer: Done | Refused) -> None:
        if isinstance(answer, Done):
            place.answered(answer.version)
            if place.has_gap:
                self._look_again(place)
        elif answer.word in TRY_AGAIN:
            self._look_later(place)
        elif answer.word == "replaced":
            place.replace()
        else:
            self._places.pop(place.mirror.code, None)
            place.refuse(RefusedError(answer.word, answer.because, answer.field))

    def _look_again(self, place: Place) -> None:
        """Ask the server for what is missing: at once, and with patience when that did not help."""
        if place.tries:
            self._look_later(place)
        else:
            place.tries = 1
            place.want()

    def _look_later(self, place: Place) -> None:
        place.tries += 1
        place.state = "later"
        self._later(place)
