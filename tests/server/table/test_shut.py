"""Those who run the house close a table: at any time, once, and with a word for its players."""

import pytest

from dormie_protocol.table_view import Closed
from dormie_server.table.commands import Shut
from tests.evening import Evening
from tests.server.table.test_evenings import events_of, play_on

SHUT = Shut("The club closes.")
TOLD = Closed("house", said="The club closes.")


@pytest.mark.parametrize("phase", ["playing", "between", "over"])
def test_a_table_is_closed_in_any_phase_and_its_players_are_told_why(phase: str) -> None:
    evening = Evening(options={"holes": 2})
    evening.begin("p-bob")
    if phase != "playing":
        play_on(evening, until=phase)
    evening.do(SHUT)

    assert ("closed", [TOLD]) == (evening.phase, events_of(evening, Closed))
    assert evening.table.public.deadline is None


def test_what_is_closed_is_not_closed_again() -> None:
    evening = Evening()
    evening.do(SHUT)
    version = evening.table.version
    evening.do(Shut("And again."))

    assert (version, [TOLD]) == (evening.table.version, events_of(evening, Closed))


def test_a_record_that_is_owed_is_kept_all_the_same() -> None:
    evening = Evening(options={"holes": 1})
    evening.begin("p-bob")
    while evening.table.secret.owes_record is None:
        seats = evening.waiting()
        evening.play(seats[0], evening.moves(seats[0])[0]) if seats else evening.ring()
    evening.do(SHUT)

    owing = evening.table.secret
    assert owing.owes_record is not None
    assert owing.alarm is not None
    evening.ring()
    settled = evening.table.secret

    assert (None, None) == (settled.owes_record, settled.alarm)
