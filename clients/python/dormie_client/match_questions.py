"""What the referee is asked about match play: how a match of two stands, and who has won it."""

from collections.abc import Mapping, Sequence

from dormie_client.question import Ask, Question, read_score
from dormie_rules.match_play import (
    MAX_EXTRA_HOLES,
    Letter,
    Parting,
    Side,
    Terms,
    after,
    hole_letter,
)
from dormie_rules.patience_options import MAX_HOLES
from dormie_rules.scoring_options import BadRules, rows, whole, yes_or_no

MOST_HOLES = MAX_HOLES + MAX_EXTRA_HOLES + 1
"""And one more, for the concession."""

_WON: Mapping[str, Letter] = {"A": "A", "B": "B", "=": "="}
_GIVEN: Mapping[str, Side] = {"CA": "A", "CB": "B"}


def _match_play(question: Question) -> dict[str, object]:
    holes = whole("holes_in_round", question["holes_in_round"], 1, MAX_HOLES)
    extra = yes_or_no("extra_holes", question["extra_holes"])
    listed = rows("holes", question["holes"], MOST_HOLES)
    played = [_hole(f"holes.{at}", one) for at, one in enumerate(listed)]
    given = next((at for at, letter in enumerate(played) if letter is None), len(played))
    letters = "".join(letter for letter in played[:given] if letter)
    standing = after(
        Terms(holes, "extend" if extra else "halve"),
        letters,
        Parting(_strokes(listed[:holes])),
        conceded_to=_GIVEN[str(listed[given])] if given < len(listed) else None,
    )
    return {
        "result": standing.result,
        "winner": standing.winner,
        "decided_after": standing.played,
        "last_state": standing.state,
    }


def _hole(field: str, given: object) -> Letter | None:
    """Who won a hole; None for a concession of the match."""
    if _is_concession(given):
        return None
    if isinstance(given, str) and given in _WON:
        return _WON[given]
    if not isinstance(given, list) or len(given) != 2:  # noqa: PLR2004 - A and B
        raise BadRules(field, "A, B, =, CA, CB, or the strokes of A and B are needed")
    return hole_letter(read_score(field, given[0]), read_score(field, given[1]))


def _is_concession(given: object) -> bool:
    return isinstance(given, str) and given in _GIVEN


def _strokes(round_of: Sequence[object]) -> tuple[int, int] | None:
    """The strokes of the round, if every hole of it says them."""
    pairs = [pair for pair in round_of if isinstance(pair, list)]
    if len(pairs) < len(round_of):
        return None
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


MATCH_ASKS: Mapping[str, Ask] = {
    "match_play": Ask(_match_play, ("holes_in_round", "holes", "extra_holes")),
}
