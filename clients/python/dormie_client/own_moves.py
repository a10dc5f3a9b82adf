"""The numbers of one's own moves: each is used once, for a move chosen on the newest view."""

from dormie_client.errors import RefusedError, no
from dormie_client.follow import Copy
from dormie_client.ledger import Request
from dormie_protocol.messages import Play, Seen
from dormie_protocol.table_view import TablePublic


class OwnMoves:
    """The last move sent from here, so that no second one is sent under its number."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._request: Request | None = None
        self._match = 0
        self._made = (0, 0)
        """The match and the number of the last move that the server has acknowledged."""

    def next_count(self, copy: Copy, chosen_on: Seen | None = None) -> int:
        """The number of the next move. Raises RefusedError when it cannot be made on what is known.

        *chosen_on* is what the player looked at while choosing.
        """
        if copy.seat is None or copy.view is None or copy.about is None:
            raise no("not_seated", self._language)
        count = _moves_made(copy.view, copy.seat) + 1
        taken = self._request is not None or (copy.about.match, count) <= self._made
        if taken or not _still_holds(chosen_on, copy, count):
            raise self._stale()
        return count

    def sent(self, request: Request, copy: Copy) -> None:
        """*request* is on its way, and its number is in use."""
        assert copy.about is not None, "next_count has seen to it"
        self._request, self._match = request, copy.about.match
        request.answer.add_done_callback(lambda _: self._answered(request))

    def look(self, copy: Copy, *, rolled_back: bool) -> None:
        """See whether the move on its way was overtaken by what is known now."""
        if rolled_back:
            self._made = (0, 0)
        request = self._request
        if request is None or copy.about is None:
            return
        assert isinstance(request.message, Play), "nothing else has a number"
        other_story = rolled_back or copy.about.match != self._match
        if other_story or (not request.sent and not self._is_next(copy, request.message.count)):
            self._request = None
            request.settle(self._stale())

    def _is_next(self, copy: Copy, count: int) -> bool:
        if copy.seat is None or copy.view is None:
            return False
        return count == _moves_made(copy.view, copy.seat) + 1

    def _answered(self, request: Request) -> None:
        if self._request is request:
            self._request = None
        answer = request.answer
        done = not answer.cancelled() and answer.exception() is None
        if done and isinstance(request.message, Play):
            self._made = max(self._made, (self._match, request.message.count))

    def _stale(self) -> RefusedError:
        return no("stale", self._language, "count")


def _moves_made(view: TablePublic, seat: int) -> int:
    who = view.seats[seat] if seat < len(view.seats) else None
    return who.count if who else 0


def _still_holds(chosen_on: Seen | None, copy: Copy, count: int) -> bool:
    """Whether what the player looked at still says what may be done; others may have moved."""
    if chosen_on is None:
        return True
    if chosen_on.seat is None or chosen_on.view is None or chosen_on.version < copy.match_since:
        return False
    return count == _moves_made(chosen_on.view, chosen_on.seat) + 1
