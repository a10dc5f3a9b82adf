"""A table of grid Golf at which two play hole against hole."""

from dormie_rules.course_state import CoursePublic
from dormie_rules.race_events import Stands
from dormie_rules.replay import verify
from dormie_server.table.commands import Leave
from tests.evening import HOST, Evening

OPTIONS: dict[str, object] = {"holes": 3, "match_play": True, "tied_match": "extend"}


def matched(seed: str = "evening") -> Evening:
    evening = Evening(options=dict(OPTIONS), seed=seed)
    evening.begin("p-bob")
    return evening


def play_out(evening: Evening) -> None:
    """Both play what comes first; who plays a hole better is luck."""
    while evening.phase in ("playing", "between"):
        if seats := evening.waiting():
            evening.play(seats[0], evening.moves(seats[0])[0])
        else:
            evening.sleep()


def card_of(evening: Evening) -> CoursePublic:
    match = evening.table.public.match
    assert isinstance(match, CoursePublic)
    return match


def test_a_match_at_a_table_is_played_to_its_end_and_its_record_is_right() -> None:
    for seed in ("one", "two", "three", "four", "five"):
        evening = matched(seed)
        play_out(evening)
        (pair,) = card_of(evening).matches
        record = evening.record()

        assert pair.standing.ending is not None
        assert len(pair.holes) == card_of(evening).hole
        assert len(pair.holes) == sum(isinstance(e.public, Stands) for e in evening.told)
        assert verify(record).ok, verify(record)
        assert len(pair.holes) == sum(line.startswith("stands ") for line in record.splitlines())


def test_whoever_leaves_the_table_has_conceded_the_match() -> None:
    evening = matched()
    evening.ask(HOST, Leave())
    (pair,) = card_of(evening).matches

    assert ("over", "conceded", "B") == (
        evening.phase,
        pair.standing.ending,
        pair.standing.winner,
    )
    assert verify(evening.record()).ok
