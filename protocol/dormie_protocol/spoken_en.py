"""What is said in English when something happens at the table."""

from collections.abc import Callable, Mapping
from typing import Any

from dormie_protocol import table_view as at_table
from dormie_protocol.grammar_en import (
    all_of,
    are,
    card_at,
    card_name,
    does,
    name,
    points,
    scores_of,
    the,
)
from dormie_protocol.listener import Listener
from dormie_rules import course_state as course
from dormie_rules import grid_events as grid
from dormie_rules.cards import Card

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
CLOSINGS = {
    "host": "The host has closed the table.",
    "empty": "The table is closed: everybody has left.",
    "abandoned": "The table is closed: nobody has come back.",
    "failed": "The table is closed: something goes wrong at it again and again, and it is our mistake.",
    "finished": "The table is closed.",
    "voted": "The table is closed: so the players have decided.",
    "house": "Those who run the house have closed the table.",
}
RAN_OUT = {
    "closed": "Every card of one player lies face-up.",
    "no_progress": "Nobody has turned a card up for a while.",
    "max_laps": "This hole has lasted long enough.",
    "stock_out": "The stock is used up.",
    "abandoned": "The hole ends here.",
}


def _opened(event: at_table.Opened, ear: Listener) -> str:
    line = f"The table is open: {event.variant.replace('_', ' ')}."
    return f"{line} {_sealed(event.commitment)}" if ear.detail == "full" else line


def _sealed(commitment: str) -> str:
    return f"The deals are sealed with {commitment[:16]}."


def _joined(event: at_table.Joined, ear: Listener) -> str:
    if event.bot:
        return f"{event.name}, a bot ({event.bot}), takes seat {event.seat + 1}."
    if event.seat == ear.seat:
        return f"You take seat {event.seat + 1}."
    return f"{event.name} takes seat {event.seat + 1}."


def _left_table(event: at_table.LeftTable, ear: Listener) -> str:
    return "You leave the table." if event.seat == ear.seat else f"{event.name} leaves the table."


def _kicked(event: at_table.Kicked, ear: Listener) -> str:
    for_good = " for good" if event.ban else ""
    if event.seat == ear.seat:
        return f"The host has sent you away{for_good}."
    return f"The host has sent {event.name} away{for_good}."


def _missing(event: at_table.Missing, ear: Listener) -> str:
    line = f"{' and '.join(event.names)} {'is' if len(event.names) == 1 else 'are'} not here."
    if ear.detail == "brief":
        return line
    after = "The match begins without them" if event.went_on else "The match does not begin yet"
    return f"{line} {after}."


def _starting(event: at_table.Starting, ear: Listener) -> str:
    line = f"Match {event.match} is about to start."
    return f"{line} {_sealed(event.commitment)}" if ear.detail == "full" else line


def _match_began(event: at_table.MatchBegan, ear: Listener) -> str:
    sent = [seat for seat, luck in enumerate(event.contributions) if luck]
    if ear.detail != "full" or not sent:
        return "The match begins."
    return f"The match begins. Luck was added by {all_of(ear, sent)}."


def _time_out(event: at_table.TimeOut, ear: Listener) -> str:
    line = does(ear, event.seat, "are out of time", "is out of time")
    whom = "you" if event.seat == ear.seat else "them"
    return f"{line}." if ear.detail == "brief" else f"{line}; a move is made for {whom}."


def _hole_began(event: course.HoleBegan, _: Listener) -> str:
    return f"{'Extra hole' if event.extra else 'Hole'} {event.hole} begins."


def _hole_scored(event: course.HoleScored, ear: Listener) -> str:
    played = [(seat, score) for seat, score in enumerate(event.charged) if score is not None]
    line = f"Hole {event.hole}. {scores_of(ear, played)}."
    closer = event.closer
    if closer is not None and (raw := event.raw[closer]) != event.charged[closer]:
        assert raw is not None, "who is charged has a grid that was counted"
        line += f" {does(ear, closer, 'closed', 'closed')} with {points(raw)} and"
        line += f" {'pay' if closer == ear.seat else 'pays'} for it."
    return line if ear.detail == "brief" else f"{line} Totals. {_totals(ear, event.totals)}."


def _totals(ear: Listener, totals: tuple[int, ...]) -> str:
    return scores_of(ear, enumerate(totals))


def _play_off(event: course.PlayOff, ear: Listener) -> str:
    return f"{are(ear, event.seats)} level and play an extra hole."


def _match_over(event: course.MatchOver, ear: Listener) -> str:
    if len(event.places) == 1:
        return f"That was the last hole: {points(event.totals[0])}."
    first = [seat for seat, place in enumerate(event.places) if place == 1]
    won = "wins" if len(first) == 1 and first[0] != ear.seat else "win"
    winners = f"{all_of(ear, first, begins=True)} {won}"
    line = f"The match is over. {winners}{' together' if len(first) > 1 else ''}!"
    if ear.detail == "brief":
        return line
    order = sorted(range(len(event.places)), key=event.places.__getitem__)
    ranks = [
        f"{PLACES[event.places[seat] - 1]} {name(ear, seat)} with {points(event.totals[seat])}"
        for seat in order
    ]
    return f"{line} Places: {', '.join(ranks)}."


def _dealt(event: grid.Dealt, ear: Listener) -> str:
    if ear.detail == "brief":
        return f"On the discard pile: {card_name(event.discard)}."
    first = "you play" if event.first == ear.seat else f"{name(ear, event.first)} plays"
    line = f"{does(ear, event.dealer, 'deal', 'deals')}; {first} first."
    return f"{line} The discard pile begins with {the(event.discard)}."


def _flipped(event: grid.Flipped, ear: Listener) -> str:
    if ear.detail == "brief":
        who = name(ear, event.seat, begins=True)
        return f"{who}, {event.at + 1}: {card_name(event.card)}."
    line = f"{does(ear, event.seat, 'turn', 'turns')} {card_at(ear, event.at)} up"
    return f"{line}: {card_name(event.card)}."


def _drew(event: grid.Drew, ear: Listener) -> str:
    if ear.drawn is None:
        return "" if ear.detail == "brief" else f"{does(ear, event.seat, 'draw', 'draws')} a card."
    return f"You draw a card: {card_name(ear.drawn)}."


def _took(event: grid.Took, ear: Listener) -> str:
    line = f"{does(ear, event.seat, 'take', 'takes')} {the(event.card)}"
    return f"{line}." if ear.detail == "brief" else f"{line} from the discard pile."


def _swapped(event: grid.Swapped, ear: Listener) -> str:
    if ear.detail == "brief":
        who = name(ear, event.seat, begins=True)
        return f"{who}, {event.at + 1}: {card_name(event.card)}; out: {card_name(event.out)}."
    line = f"{does(ear, event.seat, 'swap', 'swaps')} {card_at(ear, event.at)}"
    return f"{line} for {the(event.card)}; {the(event.out)} goes to the discard pile."


def _discarded(event: grid.Discarded, ear: Listener) -> str:
    return f"{does(ear, event.seat, 'discard', 'discards')} {the(event.card)}."


def _reshuffled(event: grid.Reshuffled, _: Listener) -> str:
    return f"The discard pile is shuffled and becomes the stock: {event.stock} cards."


def _final_lap(event: grid.FinalLap, ear: Listener) -> str:
    if event.closer is None:
        return f"{RAN_OUT[event.why]} One last turn for {all_of(ear, event.seats)}."
    closed = does(ear, event.closer, "close", "closes")
    return f"{closed} the hole! One last turn for {all_of(ear, event.seats)}."


def _withdrew(event: grid.Withdrew, ear: Listener) -> str:
    line = f"{does(ear, event.seat, 'leave', 'leaves')} the hole"
    if event.discarded is None:
        return f"{line}."
    return f"{line}; {the(event.discarded)} goes to the discard pile."


def _revealed(event: grid.Revealed, ear: Listener) -> str:
    line = "The hole is over; every card is turned up."
    if ear.detail != "full":
        return line
    seats = [seat for seat, cards in enumerate(event.grids) if cards]
    return " ".join([line, *(_all_cards(ear, seat, event.grids[seat]) for seat in seats)])


def _all_cards(ear: Listener, seat: int, cards: tuple[Card | None, ...]) -> str:
    words = [card_name(card) for card in cards if card is not None]
    step = ear.cols or len(words)
    rows = [", ".join(words[at : at + step]) for at in range(0, len(words), step)]
    return f"{does(ear, seat, 'have', 'has')} {'; '.join(rows)}."


LINES: Mapping[type, Callable[[Any, Listener], str]] = {  # each takes the event it stands beside
    at_table.Opened: _opened,
    at_table.Joined: _joined,
    at_table.LeftTable: _left_table,
    at_table.BecameReady: lambda e, ear: f"{does(ear, e.seat, 'are', 'is')} ready.",
    at_table.Dropped: lambda e, ear: f"{does(ear, e.seat, 'have', 'has')} lost the connection.",
    at_table.Returned: lambda e, ear: f"{does(ear, e.seat, 'are', 'is')} back.",
    at_table.NewHost: lambda e, ear: f"{does(ear, e.seat, 'are', 'is')} the host now.",
    at_table.Starting: _starting,
    at_table.MatchBegan: _match_began,
    at_table.LinkShown: lambda e, _: f"The seal of hole {e.hole} is open: {e.link[:16]}.",
    at_table.TimeOut: _time_out,
    at_table.Closed: lambda e, _: f"{CLOSINGS[e.why]} {e.said or ''}".rstrip(),
    at_table.Kicked: _kicked,
    at_table.Missing: _missing,
    at_table.LockTurned: lambda e, _: (
        "The table is locked: nobody new may join." if e.locked else "The table is open again."
    ),
    at_table.PasswordChanged: lambda e, _: (
        "The table has a new password." if e.password else "The table has no password any more."
    ),
    course.HoleBegan: _hole_began,
    course.HoleScored: _hole_scored,
    course.WentOut: lambda e, ear: f"{are(ear, e.seats)} out of the match.",
    course.LeftMatch: lambda e, ear: f"{does(ear, e.seat, 'leave', 'leaves')} the match.",
    course.PlayOff: _play_off,
    course.MatchOver: _match_over,
    grid.Dealt: _dealt,
    grid.PlayBegan: lambda e, ear: f"{does(ear, e.seat, 'play', 'plays')} first.",
    grid.Flipped: _flipped,
    grid.Drew: _drew,
    grid.Took: _took,
    grid.Swapped: _swapped,
    grid.Discarded: _discarded,
    grid.Passed: lambda e, ear: f"{does(ear, e.seat, 'turn', 'turns')} nothing up.",
    grid.Reshuffled: _reshuffled,
    grid.FinalLap: _final_lap,
    grid.Withdrew: _withdrew,
    grid.Revealed: _revealed,
}
