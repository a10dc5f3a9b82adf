"""What golfers have seen go wrong with matches elsewhere, at a table: what is told, and what the record says."""

import pytest

from dormie_protocol.spoken import say
from dormie_rules.patience_moves import GiveUp
from dormie_rules.race_events import Stands
from dormie_rules.replay import verify
from dormie_server.table.commands import Leave
from tests.evening import Evening

NAMES = ("Ada", "Bob", "Cid")


def matched(size: int = 2, **options: object) -> Evening:
    evening = Evening(variant="golf_patience_match", options=options, size=size)
    evening.begin(*["p-bob", "p-cid"][: size - 1])
    return evening


def hole(evening: Evening, *losers: int) -> None:
    """Play a hole that these seats give up; the others play it to its end."""
    while evening.phase == "between":
        evening.sleep()
    for seat in losers:
        evening.play(seat, GiveUp())
    while seats := evening.waiting():
        evening.play(seats[0], evening.moves(seats[0])[0])


def told(evening: Evening, seat: int | None = None) -> list[str]:
    """What somebody was told of how matches stand."""
    names = NAMES[: evening.size]
    return [
        say(e.public, None, names, seat, "en") for e in evening.told if isinstance(e.public, Stands)
    ]


def test_scenario_R104_a_match_that_stays_level_is_decided_aloud_and_the_record_proves_it() -> None:
    """Not even nine extra holes parted them: a lot does, and says so to both."""
    evening = matched(holes=1, tied_match="extend")
    while evening.phase != "over":
        hole(evening, 0, 1)
    match = evening.table.public.match
    assert match is not None
    winner = match.places.index(1)
    record = evening.record()

    assert (10, (1, 2)) == (match.hole, tuple(sorted(match.places)))
    line = f"You win the match against {NAMES[1 - winner]}, by lot."
    assert f"The hole is halved. {line}" == told(evening, winner)[-1]
    level = "The hole is halved. Ada and Bob are all square with extra holes to play."
    assert [level] * 9 == told(evening)[:-1]
    assert verify(record).ok, verify(record)
    assert any(line.endswith(f" lot {winner + 1}") for line in record.splitlines())


@pytest.mark.parametrize(("holes", "played", "result"), [(9, 5, "5&4"), (18, 10, "10&8")])
def test_scenario_R92_the_same_holes_win_a_match_sooner_where_the_round_is_shorter(
    holes: int, played: int, result: str
) -> None:
    evening = matched(holes=holes)
    while evening.phase != "over":
        hole(evening, 1)
    match = evening.table.public.match

    assert match is not None
    assert played == match.hole
    assert f"You win the hole. You win the match against Bob, {result}." == told(evening, 0)[-1]


def test_scenario_R91_a_pair_s_holes_are_not_those_of_others_at_the_table() -> None:
    """Three play, and one of them leaves after the first hole."""
    evening = matched(3, holes=9)
    hole(evening, 2)
    evening.ask("p-cid", Leave())
    hole(evening, 1)
    second = [line.split(" ")[2:5] for line in evening.lines if line.startswith("stands 2 ")]

    assert [["1", "2"], ["1", "3"], ["2", "3"]] == [words[:2] for words in second]
    assert [2, 1, 1] == [len(words[2]) for words in second]
    assert told(evening)[-1].endswith("with 7 to play.")
