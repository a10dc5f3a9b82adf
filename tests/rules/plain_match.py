"""Match play and stroke play as slowly and plainly as they can be counted, from a finished score card.

It shares no line with the rules, so that it can disagree with them: nothing is carried on from hole to
hole, every question is counted again from the card.
"""

from typing import Any, TypeAlias

Card: TypeAlias = list[list[int | None]]
"""A row for each hole, and in it a score for each seat; None is a hole that was lost without a score."""


def wins(card: Card, us: int, them: int) -> int:
    """How many holes *us* won of them."""
    return sum(better(row[us], row[them]) for row in card)


def better(mine: int | None, theirs: int | None) -> bool:
    return mine is not None and (theirs is None or mine < theirs)


def decided_at(card: Card, us: int, them: int, holes: int) -> int | None:
    """The first hole of the round after which one side can no longer be caught."""
    for played in range(1, min(len(card), holes) + 1):
        lead = abs(wins(card[:played], us, them) - wins(card[:played], them, us))
        if lead > holes - played:
            return played
    return None


def match_of(card: Card, us: int, them: int, holes: int, tied: str) -> dict[str, Any]:
    """What is said of a match: who won it, how, and after how many holes."""
    at = decided_at(card, us, them, holes)
    if at is not None:
        lead = wins(card[:at], us, them) - wins(card[:at], them, us)
        left = holes - at
        how = f"{abs(lead)}&{left}" if left else f"{abs(lead)} up"
        return {"winner": us if lead > 0 else them, "how": how, "played": at}
    if len(card) < holes:
        return {"winner": None, "how": "in progress", "played": len(card)}
    if tied == "halve":
        return {"winner": None, "how": "AS", "played": holes}
    if tied == "countback":
        last = last_won(card[:holes], us, them)
        return {"winner": last, "how": "AS" if last is None else "last hole", "played": holes}
    return extended(card, us, them, holes)


def extended(card: Card, us: int, them: int, holes: int) -> dict[str, Any]:
    for at in range(holes, min(len(card), holes + 9)):
        one, two = card[at][us], card[at][them]
        if better(one, two) or better(two, one):
            winner = us if better(one, two) else them
            return {"winner": winner, "how": f"hole {at + 1}", "played": at + 1}
    if len(card) < holes + 9:
        return {"winner": None, "how": "AS, extra holes", "played": len(card)}
    last = last_won(card[:holes], us, them)
    return {"winner": last, "how": "after all extra holes", "played": holes + 9}


def last_won(card: Card, us: int, them: int) -> int | None:
    for row in reversed(card):
        if better(row[us], row[them]):
            return us
        if better(row[them], row[us]):
            return them
    return None


def totals(card: Card, holes: int, seats: int) -> list[int]:
    return [sum(row[seat] or 0 for row in card[:holes]) for seat in range(seats)]


def places(card: Card, holes: int, out: list[int | None], tie_break: str) -> list[int]:
    """The places of a stroke play, from the whole card with its extra holes; *out* is when a seat left."""
    seats = range(len(out))
    total = totals(card, holes, len(out))

    def before(one: int, other: int) -> bool:
        one_out, other_out = out[one], out[other]
        if one_out is None or other_out is None or one_out == other_out:
            level = (one_out is None) == (other_out is None)
            return total[one] < total[other] if level else one_out is None
        return one_out > other_out

    place = [1 + sum(before(other, one) for other in seats) for one in seats]

    def further(one: int, other: int) -> bool:
        if tie_break == "last_hole_back":
            return back_beats(card, one, other)
        return lasted(card, holes, one) > lasted(card, holes, other)

    if tie_break == "share":
        return place
    return [
        place[one] + sum(further(other, one) for other in seats if place[other] == place[one])
        for one in seats
    ]


def back_beats(card: Card, them: int, us: int) -> bool:
    for row in reversed(card):
        if row[them] != row[us]:
            return better(row[them], row[us])
    return False


def lasted(card: Card, holes: int, seat: int) -> int:
    """How many extra holes *seat* had a score of the lowest in, before it first had not."""
    lasted = 0
    for row in card[holes:]:
        scores = [score for score in row if score is not None]
        if row[seat] is None or row[seat] != min(scores):
            break
        lasted += 1
    return lasted
