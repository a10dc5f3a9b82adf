"""The options of a table, explained one by one: what is usual, what it can be, and what for."""

from collections.abc import Iterator, Sequence
from typing import get_args

from dormie_client.option_text import explained, word
from dormie_client.play_text import text
from dormie_client.rules_page import option_values
from dormie_protocol.clocks import Clock, WhenOut
from dormie_protocol.messages import Language
from dormie_protocol.spectators import LONGEST_DELAY, Spectators, SpectatorTalk
from dormie_protocol.table_view import Chatter
from dormie_rules.variant import Variant

USUAL_SEATS = 4
_CLOCK, _SPECTATORS = Clock(), Spectators()


def option_lines(variant: Variant, bots: Sequence[str], language: Language) -> list[str]:
    """One line for each option of a new table."""
    rows = [
        *_of_the_table(variant, language),
        *_of_the_clocks(bots, language),
        *option_values(variant, variant.rules, language),
    ]
    return [
        text(
            "option_line",
            language,
            name=name,
            usual=usual,
            why=explained(name, language),
            range=can,
        )
        for name, usual, can in rows
    ]


def _of_the_table(variant: Variant, language: Language) -> Iterator[tuple[str, str, str]]:
    none, yes_no = word("none", language), word("yes_no", language)
    sizes = word("range", language, low=variant.min_seats, high=variant.max_seats)
    yield "size", str(min(USUAL_SEATS, variant.max_seats)), sizes
    yield "bots", none, word("levels", language)
    yield "password", none, word("signs", language)
    yield "private", "false", yes_no
    yield "listed", "false", yes_no
    yield "chat", "on", ", ".join(get_args(Chatter))
    yield "undo", "false", yes_no
    yield "watching", "true", yes_no
    yield "watch_password", "true", yes_no
    yield "watch_chat", _SPECTATORS.chat, ", ".join(get_args(SpectatorTalk))
    yield (
        "watch_delay",
        str(_SPECTATORS.delay),
        word("range", language, low=0, high=LONGEST_DELAY),
    )


def _of_the_clocks(bots: Sequence[str], language: Language) -> Iterator[tuple[str, str, str]]:
    def upto(low: int, high: int) -> str:
        return word("range", language, low=low, high=high)

    yield "turn_seconds", f"{_CLOCK.turn_seconds:.0f}", upto(5, 14 * 86_400)
    yield "game_seconds", word("none", language), word("whole", language)
    yield "away_seconds", f"{_CLOCK.away_seconds:.0f}", word("whole", language)
    yield "pauses", str(_CLOCK.pauses), word("whole", language)
    yield "pause_seconds", f"{_CLOCK.pause_seconds:.0f}", word("whole", language)
    yield "when_out", _CLOCK.when_out, ", ".join(get_args(WhenOut))
    yield "bot", _CLOCK.bot, ", ".join(bots) or word("level", language)
    yield "vote_seconds", f"{_CLOCK.vote_seconds:.0f}", word("whole", language)
    yield "wait_seconds", f"{_CLOCK.wait_seconds:.0f}", word("whole", language)
