"""At least one example of everything that can happen, with what only its own seat is told."""

from typing import TypeAlias

from dormie_protocol import clocks
from dormie_protocol import table_view as at_table
from dormie_protocol.spectators import SpectatorsChanged
from dormie_protocol.table_view import PocketEvent, PublicEvent
from dormie_protocol.undo_messages import MoveUndone, UndoAsked
from dormie_rules import course_state as course
from dormie_rules import grid_events as grid
from dormie_rules import patience_events as patience
from dormie_rules import race_events as race
from dormie_rules.cards import Card
from dormie_rules.match_play import Pairing, Terms, after

Example: TypeAlias = tuple[PublicEvent, PocketEvent | None]

NAMES = ("Ada", "Ben", "Cléo", None)
COMMITMENT = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(card) for card in text.split())


GRIDS = (cards("5S KD 3C 9H 9D *"), cards("AS 2D 4C 6H 8D TC"), (), cards("QS QD JC JH 7D 7C"))

EXAMPLES: tuple[Example, ...] = (
    (at_table.Opened("six_card", COMMITMENT), None),
    (at_table.Joined(0, "Ada"), None),
    (at_table.Joined(2, "Cléo", bot="medium"), None),
    (at_table.LeftTable(0, "Ada"), None),
    (at_table.BecameReady(0), None),
    (at_table.BecameReady(3), None),
    (at_table.Dropped(0), None),
    (at_table.Returned(0), None),
    (at_table.NewHost(0), None),
    (at_table.Starting(2, COMMITMENT), None),
    (at_table.MatchBegan(("ab" * 16, None, "cd" * 16, None)), None),
    (at_table.MatchBegan((None, None, None, None)), None),
    (at_table.LinkShown(3, COMMITMENT), None),
    (at_table.TimeOut(0), None),
    (at_table.Closed("host"), None),
    (at_table.Closed("empty"), None),
    (at_table.Closed("abandoned"), None),
    (at_table.Closed("finished"), None),
    (at_table.Kicked(0, "Ada"), None),
    (at_table.Kicked(2, "Cléo", ban=True), None),
    (at_table.Missing((1,), ("Ben",), went_on=True), None),
    (at_table.Missing((1, 2), ("Ben", "Cléo"), went_on=False), None),
    (at_table.LockTurned(locked=True), None),
    (at_table.LockTurned(locked=False), None),
    (at_table.PasswordChanged(password=True), None),
    (at_table.PasswordChanged(password=False), None),
    (SpectatorsChanged(allowed=False, password=True, chat="hear", delay=0), None),
    (SpectatorsChanged(allowed=True, password=True, chat="off", delay=60), None),
    (SpectatorsChanged(allowed=True, password=False, chat="apart", delay=0), None),
    (SpectatorsChanged(allowed=True, password=True, chat="all", delay=0), None),
    (SpectatorsChanged(allowed=True, password=True, chat="hear", delay=0), None),
    (UndoAsked(0), None),
    (MoveUndone(0), None),
    (at_table.Closed("voted"), None),
    (at_table.Closed("house"), None),
    (at_table.Closed("house", said="The club closes at eleven."), None),
    (clocks.SatIn(0, "medium"), None),
    (clocks.HandedBack(0), None),
    (clocks.Forfeited(0), None),
    (clocks.WaitsOn(0, 1800.0), None),
    (clocks.VoteCalled(0, 60.0), None),
    (clocks.Voted(0, "bot"), None),
    (clocks.Voted(3, "wait"), None),
    (clocks.VoteDecided(0, "withdraw"), None),
    (clocks.VoteDecided(2, "end"), None),
    (clocks.PauseAsked(0, 900.0), None),
    (clocks.ResumeAsked(0), None),
    (clocks.Agreed(0), None),
    (clocks.Declined(0), None),
    (clocks.Declined(None), None),
    (clocks.PauseBegan(90.0), None),
    (clocks.PauseEnded(), None),
    (course.HoleBegan(1), None),
    (course.HoleBegan(10, extra=True), None),
    (course.HoleScored(1, (12, -4, None, 20), (12, -4, None, 20), (12, -4, 0, 20), None), None),
    (course.HoleScored(2, (12, -4, 3, 20), (24, -4, 3, 20), (36, -8, 3, 40), 0), None),
    (course.WentOut((0,)), None),
    (course.WentOut((0, 1, 3)), None),
    (course.LeftMatch(0), None),
    (course.PlayOff((0, 2)), None),
    (course.MatchOver((1, 2, 3, 4), (31, 40, 52, 60)), None),
    (course.MatchOver((1, 1, 3, 4), (-2, -2, 52, 60)), None),
    (grid.Dealt(3, 0, Card("7S")), None),
    (grid.PlayBegan(0), None),
    (grid.Flipped(0, 3, Card("KH")), None),
    (grid.Drew(0), grid.DrewCard(Card("5S"))),
    (grid.Took(0, Card("AD")), None),
    (grid.Swapped(0, 4, Card("5S"), Card("JH")), None),
    (grid.Swapped(0, 0, Card("*"), Card("QC")), None),
    (grid.Discarded(0, Card("TC")), None),
    (grid.Passed(0), None),
    (grid.Reshuffled(31), None),
    (grid.FinalLap("closed", 0, (1, 2, 3)), None),
    (grid.FinalLap("no_progress", None, (1, 2, 3, 0)), None),
    (grid.FinalLap("max_laps", None, (0, 1)), None),
    (grid.FinalLap("stock_out", None, (0, 1)), None),
    (grid.Withdrew(0, None), None),
    (grid.Withdrew(0, Card("5S")), None),
    (grid.Revealed("closed", GRIDS), None),
    (race.RaceHoleBegan(1, 5, (0, 1)), patience.LaidOut(Card("7H"), 16)),
    (race.RaceHoleBegan(19, 4, (0, 1), extra=True), patience.LaidOut(None, 17)),
    (race.RaceMoved(0, 34), patience.Played(0, 2, Card("8S"), 34)),
    (
        race.RaceMoved(0, 25),
        patience.Played(0, 18, Card("8S"), 25, ((9, Card("KH")), (10, Card("2C")))),
    ),
    (race.RaceMoved(0, 34), patience.TurnedUp(0, Card("QH"), 12)),
    (race.RaceMoved(0, None), race.TookBack(0, Card("8S"), 2, 12)),
    (race.RaceMoved(3, 12), None),
    (race.RaceMoved(3, None), None),
    (race.RaceFinished(0, 0), patience.HoleEnded(0, "cleared", -5, 9)),
    (race.RaceFinished(0, 7), patience.HoleEnded(0, "stuck", 7, 9)),
    (race.RaceFinished(0, 7), patience.HoleEnded(0, "given_up", 7, 9)),
    (race.RaceFinished(0, 7), patience.HoleEnded(0, "time_up", 7, 9)),
    (race.RaceFinished(0, 7), patience.HoleEnded(0, "left", 7, 9)),
    (race.RaceFinished(2, None), None),
    (race.HoleTimeUp((0, 2)), None),
    (race.Conceded(0), None),
    (
        race.RaceHoleScored(
            3, 5, (4, -5, None, 35), ("stuck", "cleared", None, "left"), (4, -5, 0, 35)
        ),
        None,
    ),
    (race.RaceHoleScored(3, 5, (4,), ("stuck",), (12,)), None),
    (
        race.RaceHoleScored(
            3, 5, (4, 32, -5, None), ("stuck", "given_up", "cleared", None), (4, 32, -5, 0), True
        ),
        None,
    ),
    (race.Stands(Pairing(0, 1, "A", after(Terms(9), "A"))), None),
    (race.Stands(Pairing(0, 1, "BBB==", after(Terms(8), "BBB=="))), None),
    (race.Stands(Pairing(1, 2, "AB", after(Terms(9), "AB"))), None),
    (race.Stands(Pairing(0, 1, "AAA====", after(Terms(9), "AAA===="))), None),
    (race.Stands(Pairing(0, 1, "AB", after(Terms(2), "AB"))), None),
    (patience.CourseOver(40, 45, won=True), None),
    (patience.CourseOver(47, 45, won=False), None),
    (course.MatchOver((1,), (47,)), None),
)
