"""What happens in the simulator that people can do, or that can become of a table: each with its count.

The two hundred seeds of the tests must show every one of them; the bench prints how often it saw each.
"""

from collections import Counter
from collections.abc import Mapping

FEATURES: Mapping[str, str] = {
    "people talked": "done say",
    "quick words": "done emote",
    "muted": "done mute",
    "blocked": "done block",
    "reported": "done report",
    "locked a table": "done lock",
    "changed a password": "done password",
    "handed over": "done hand_over",
    "sent away": "event kicked",
    "quick matches": "done quick",
    "asked for the lobby": "done lobby",
    "asked for their tables": "done mine",
    "asked for their history": "done history",
    "asked for their devices": "done devices",
    "devices by a code": "device claimed",
    "devices forgotten": "device forgotten",
    "players erased": "player erased",
    "pauses": "event pause_began",
    "votes about somebody away": "event vote_decided",
    "bots that sat in": "event sat_in",
    "seats handed back": "event handed_back",
    "players out by the clock": "event forfeited",
    "moves with days for it": "move with days for it",
    "slept for longer than that": "overslept",
    "moves taken back by consent": "event move_undone",
    "told late to spectators": "told late",
    "moves that the store has lost": "move lost",
    "and that somebody was shown": "lost move shown",
    "who was told so": "told that it was lost",
    "rematches": "done rematch",
    "races of two": "race of 2",
    "races of three": "race of 3",
    "races of six": "race of 6",
    "courses alone": "race of 1",
    "races on columns": "race on columns",
    "races on peaks": "race on peaks",
    "races up an elevator": "race on elevator",
    "races up an escalator": "race on escalator",
    "races of upward runs": "race on up",
    "holes over as they are dealt": "dead deal",
    "race holes scored": "event race_hole_scored",
    "of them by match play": "event stands",
    "ended by their time": "event hole_time_up",
    "finished boards": "event race_finished",
    "conceded matches": "event conceded",
    "hints to who plays alone": "done hint",
    "hints refused in company": "refused no_hint",
    "moves taken back alone": "taken back alone",
    "taking back refused in company": "refused undo_off",
}
"""What each is called, and under which name the trace counts it."""


def missing(counts: Counter[str]) -> list[str]:
    """The features that did not occur.

    >>> missing(Counter(FEATURES.values()) - Counter(["done say"]))
    ['people talked']
    """
    return [feature for feature, name in FEATURES.items() if not counts[name]]
