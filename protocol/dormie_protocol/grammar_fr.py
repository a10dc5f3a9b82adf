"""The little grammar that lines spoken in French are made with: cards, seats, verbs, scores."""

from collections.abc import Iterable, Sequence

from dormie_protocol.listener import Listener
from dormie_rules.cards import Card

RANKS = dict(
    zip(
        "A23456789TJQK*",
        (
            *("as", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"),
            *("valet", "dame", "roi", "joker"),
        ),
        strict=True,
    )
)
SUITS = {"S": "pique", "H": "cœur", "D": "carreau", "C": "trèfle"}


def card_name(card: Card) -> str:
    """A card in words.

    >>> card_name(Card("QH")), card_name(Card("*"))
    ('dame de cœur', 'joker')
    """
    suit = SUITS.get(card[1:])
    return f"{RANKS[card[0]]} de {suit}" if suit else RANKS[card[0]]


def the(card: Card) -> str:
    """A card with its article.

    >>> the(Card("AC")), the(Card("QC")), the(Card("8C"))
    ('l’as de trèfle', 'la dame de trèfle', 'le huit de trèfle')
    """
    article = {"A": "l’", "Q": "la "}.get(card[0], "le ")
    return f"{article}{card_name(card)}"


def points(score: int) -> str:
    return f"moins {-score}" if score < 0 else str(score)


def name(ear: Listener, seat: int, *, begins: bool = False) -> str:
    """How a seat is called at the beginning of a sentence or inside it.

    >>> name(Listener(("Ada", None), 0), 0), name(Listener(("Ada", None), 0), 1, begins=True)
    ('vous', 'La place 2')
    """
    if seat == ear.seat:
        return "Vous" if begins else "vous"
    called = ear.names[seat] if seat < len(ear.names) else None
    return called or f"{'L' if begins else 'l'}a place {seat + 1}"


def does(ear: Listener, seat: int, vous: str, il: str) -> str:
    """The beginning of a sentence about a seat.

    >>> does(Listener(("Ada", "Ben"), 0), 1, "piochez", "pioche")
    'Ben pioche'
    """
    return f"{name(ear, seat, begins=True)} {vous if seat == ear.seat else il}"


def all_of(ear: Listener, seats: Sequence[int], *, begins: bool = False) -> str:
    """Some seats, the listener's own first.

    >>> all_of(Listener(("Ada", "Ben", "Cléo"), 2), (0, 1, 2))
    'vous, Ada et Ben'
    """
    first, *rest = ear.me_first(seats)
    *most, last = [name(ear, first, begins=begins), *(name(ear, seat) for seat in rest)]
    return f"{', '.join(most)} et {last}" if most else last


def do(ear: Listener, seats: Sequence[int], vous: str, il: str, ils: str) -> str:
    """Some seats and the form of the verb that goes with them, at the beginning of a sentence."""
    alone = il if len(seats) == 1 else ils
    return f"{all_of(ear, seats, begins=True)} {vous if ear.seat in seats else alone}"


def card_at(ear: Listener, at: int) -> str:
    place = ear.row_and_column(at)
    if place is None:
        return f"la carte {at + 1}"
    return f"la carte {at + 1} (rangée {place[0]}, colonne {place[1]})"


def scores_of(ear: Listener, scores: Iterable[tuple[int, int]]) -> str:
    """Seats and what they have, the listener's own first, as a sentence without its end."""
    of = dict(scores)
    return " ; ".join(
        f"{name(ear, seat, begins=not at)} : {points(of[seat])}"
        for at, seat in enumerate(ear.me_first(list(of)))
    )
