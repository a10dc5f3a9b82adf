"""The others decide what comes of a player whose time is over."""

from collections import Counter

from dormie_protocol.clocks import Choice, Voted, VoteDecided
from dormie_rules.tuples import put
from dormie_server.table.draft import Draft
from dormie_server.table.policy import carry_out, waits
from dormie_server.table.refusal import No
from dormie_server.table.running import change, clocks_of, on_turn
from dormie_server.table.state import Table, in_match

_MILDEST_FIRST: tuple[Choice, ...] = ("wait", "bot", "withdraw", "end")
_UNDECIDED: Choice = "bot"
"""When nobody has voted."""


def vote(draft: Draft, seat: int, choice: Choice) -> None:
    """*seat* votes; when everybody who is here has, it is decided. Raises No."""
    table = draft.table
    clocks, about = clocks_of(table), on_turn(table)
    if clocks.runs != "vote" or clocks.votes is None or about == seat or not in_match(table, seat):
        raise No("no_vote")
    votes = put(clocks.votes, seat, choice)
    change(draft, votes=votes)
    draft.tell(Voted(seat, choice))
    if about is not None and all(votes[s] for s in waits(table, about)):
        count(draft)


def count(draft: Draft) -> None:
    """Decide: what most have voted for and, of two alike, the milder."""
    seat = on_turn(draft.table)
    assert seat is not None, "a vote is about somebody whose turn it is"
    choice = _winner(draft.table)
    draft.tell(VoteDecided(seat, choice))
    carry_out(draft, seat, choice)


def _winner(table: Table) -> Choice:
    votes = Counter(vote for vote in clocks_of(table).votes or () if vote)
    most = max(votes.values(), default=0)
    return next((choice for choice in _MILDEST_FIRST if most and votes[choice] == most), _UNDECIDED)
