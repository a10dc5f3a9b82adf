"""What a player of Golf Patience is told: everything that happens, in the order in which it does."""

from dataclasses import dataclass

from dormie_bots import say_hint
from dormie_client import play_text
from dormie_client.console import Console
from dormie_client.errors import RefusedError
from dormie_client.hearing import heard_as, sent_away
from dormie_client.patience_card import score_card
from dormie_client.patience_view import Sight, draw_board, others, say_move, title
from dormie_client.scene import Screen
from dormie_client.web_address import record_url
from dormie_protocol.messages import Heard, Seen
from dormie_protocol.spoken import Volume, say
from dormie_protocol.table_view import Dropped, Returned
from dormie_protocol.words import SENTENCES, sentence
from dormie_rules import patience_hints as rules
from dormie_rules.course_state import MatchOver
from dormie_rules.patience_events import HoleEnded
from dormie_rules.race_state import RacePublic


@dataclass
class PatienceShow:
    """One screen, and what it has shown so far."""

    console: Console
    screen: Screen
    url: str
    """Where the server is, as others would type it."""
    volume: Volume = "normal"
    local: bool = False
    """The server ends with this program."""
    _names: tuple[str | None, ...] = ()
    _drawn: tuple[int, int] | None = None
    """The match and hole whose board was drawn last."""
    _sat: int | None = None
    """The seat in which the last change was seen."""

    def common(self, key: str, **fields: object) -> None:
        """Say a sentence that is said at every table."""
        self.console.say(play_text.text(key, self.screen.language, **fields))

    def word(self, word: str) -> None:
        """Say why something cannot be."""
        self.console.say(sentence(word, self.screen.language))

    def refusal(self, no: RefusedError) -> None:
        """Say why something was refused."""
        plain = no.word in SENTENCES and no.word != "bad_option"
        self.console.say(sentence(no.word, self.screen.language) if plain else no.because)

    def state(self, state: str) -> None:
        """Say that the connection was lost or is back."""
        words = {"reconnecting": "lost", "connected": "found"}
        if state in words:
            self.common(words[state])

    def hint(self, hint: rules.Hint) -> None:
        """Say which move is a good one, and what is known of it."""
        move = say_move(hint.move, self.screen.language)
        self.console.say(f"{move} {say_hint(hint, self.screen.language)}")

    def arrive(self, code: str, sight: Sight) -> None:
        """Say where the player has come to."""
        variant, seat = sight.scene.about.variant, sight.scene.seat
        if seat is None:
            self.common("watching", code=code, variant=variant)
        else:
            self.common("sitting", code=code, variant=variant, seat=seat + 1)
        self.common("help_hint")

    def events(self, seen: Seen, sight: Sight) -> None:
        """Tell everything that has happened, and draw the board of a hole that begins."""
        if seen.rolled_back:
            self.common("rolled_back")
        now = sight.scene.names()
        before = (*self._names, *(None for _ in now))  # who has just left is still called by name
        self._names = tuple(new or old for new, old in zip(now, before, strict=False))
        for heard in seen.events:
            self._event(heard, heard_as(heard.all, seen.seat, self._sat), sight)
        self._sat = seen.seat

    def hole(self, sight: Sight) -> None:
        """Draw the board when a hole begins, or when the player comes to one."""
        match = sight.match
        if match is not None and match.play is not None and match.play.stage != "over":
            self._draw(sight, match)

    def _draw(self, sight: Sight, match: RacePublic) -> None:
        hole = sight.scene.about.match, match.hole
        if hole != self._drawn:
            self._drawn = hole
            scored = len(match.card) >= match.hole  # over when it was dealt, which is not told yet
            self.console.say(title(sight, standing=not scored), *draw_board(sight))

    def _event(self, heard: Heard, seat: int | None, sight: Sight) -> None:
        event = heard.all
        if isinstance(event, Dropped | Returned) and event.seat == seat:
            return  # the connection itself has told that, and sooner
        match = sight.match
        between_two = match is not None and len(match.matches) == 1
        if isinstance(heard.mine, HoleEnded) and match is not None and sight.board is not None:
            self._draw(sight, match)  # nothing fitted from the beginning
        # In a match of two it is said already how it went, and strokes decide nothing.
        volume = "brief" if between_two and isinstance(event, MatchOver) else self.volume
        line = say(event, heard.mine, self._names, seat, self.screen.language, volume)
        if line:
            self.console.say(line)
        if sent_away(event, seat):
            about = sight.scene.about
            self.common("watching", code=about.table, variant=about.variant)
        if isinstance(heard.mine, HoleEnded):
            self.console.say(*others(sight))
        if isinstance(event, MatchOver):
            about = sight.scene.about
            if match is not None and match.card:  # conceded on the first hole, there is none
                self.console.say(*score_card(sight))
            if about.given is not None:  # a day has one record for all, and practice has none
                return
            url = record_url(self.url, about.table, about.match)
            self.common("record_local" if self.local else "record", url=url)
