"""The little grammar that lines spoken in English are made with: cards, seats, verbs, scores."""

from collections.abc import Iterable, Sequence

from dormie_protocol.listener import Listener
from dormie_rules.cards import Card

RANKS = dict(
    zip(
        "A23456789TJQK*",
        (
            *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
            *("Jack", "Queen", "King", "joker"),
        ),
        strict=True,
    )
)
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def card_name(card: Card) -> str:
    """A card in words.

    >>> card_name(Card("5S")), card_name(Card("*"))
    ('five of spades', 'joker')
    """
    suit = SUITS.get(card[1:])
    return f"{RANKS[card[0]]} of {suit}" if suit else RANKS[card[0]]


def the(card: Card) -> str:
    return f"the {card_name(card)}"


def points(score: int) -> str:
    return f"minus {-score}" if score < 0 else str(score)


def name(ear: Listener, seat: int, *, begins: bool = False) -> str:
    """How a seat is called at the beginning of a sentence or inside it.

    >>> name(Listener(("Ada", None), 0), 0), name(Listener(("Ada", None), 0), 1, begins=True)
    ('you', 'Seat 2')
    """
    if seat == ear.seat:
        return "You" if begins else "you"
    called = ear.names[seat] if seat < len(ear.names) else None
    return called or f"{'S' if begins else 's'}eat {seat + 1}"


def does(ear: Listener, seat: int, you: str, they: str) -> str:
    """The beginning of a sentence about a seat.

    >>> does(Listener(("Ada", "Ben"), 0), 1, "draw", "draws")
    'Ben draws'
    """
    return f"{name(ear, seat, begins=True)} {you if seat == ear.seat else they}"


def all_of(ear: Listener, seats: Sequence[int], *, begins: bool = False) -> str:
    """Some seats, the listener's own first.

    >>> all_of(Listener(("Ada", "Ben", "Cleo"), 2), (0, 1, 2))
    'you, Ada and Ben'
    """
    first, *rest = ear.me_first(seats)
    *most, last = [name(ear, first, begins=begins), *(name(ear, seat) for seat in rest)]
    return f"{', '.join(most)} and {last}" if most else last


def are(ear: Listener, seats: Sequence[int]) -> str:
    """Some seats and the verb that goes with them, at the beginning of a sentence."""
    verb = "is" if len(seats) == 1 and seats[0] != ear.seat else "are"
    return f"{all_of(ear, seats, begins=True)} {verb}"


def card_at(ear: Listener, at: int) -> str:
    place = ear.row_and_column(at)
    return f"card {at + 1} (row {place[0]}, column {place[1]})" if place else f"card {at + 1}"


def scores_of(ear: Listener, scores: Iterable[tuple[int, int]]) -> str:
    """Seats and what they have, the listener's own first, as a sentence without its end."""
    of = dict(scores)
    return "; ".join(
        f"{name(ear, seat, begins=not at)}: {points(of[seat])}"
        for at, seat in enumerate(ear.me_first(list(of)))
    )
