"""What a player in front of a terminal is told: everything that happens, and whatever is asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias, get_args

from dormie_client.clock_lines import duration
from dormie_client.commands import WORDS, Command, LookVerb, Unclear, meant
from dormie_client.console import Console
from dormie_client.errors import RefusedError
from dormie_client.hearing import heard_as, sent_away
from dormie_client.help_text import help_lines
from dormie_client.play_text import text
from dormie_client.prompts import prompt
from dormie_client.rules_page import USUAL, rules_page
from dormie_client.scene import Scene, Screen, clean
from dormie_client.self_text import KINDS
from dormie_client.terminal_view import draw_table, places, score_card, spell_grid, who
from dormie_client.updates import Summary
from dormie_client.web_address import record_url
from dormie_protocol.emotes import emote_line
from dormie_protocol.listener import Verbosity
from dormie_protocol.messages import Heard, Language, Seen
from dormie_protocol.people_messages import Said
from dormie_protocol.spoken import EventClass, Volume, say
from dormie_protocol.table_view import Dropped, Returned
from dormie_protocol.words import SENTENCES, sentence
from dormie_rules.course_state import MatchOver
from dormie_rules.grid_events import Revealed
from dormie_rules.variants import find, names

Turn: TypeAlias = tuple[int, int, int, bool]
"""The match, the hole, how many turns were over, and whether it is for turning up first cards."""

LOOKS: Mapping[LookVerb, Callable[[Scene, str], list[str]]] = {
    "look": lambda scene, whose: spell_grid(scene, whose) if whose else draw_table(scene),
    "score": lambda scene, _: score_card(scene),
    "who": lambda scene, _: who(scene),
    "rules": lambda scene, _: _rules(scene),
    "help": lambda scene, topic: help_lines(topic, scene.screen.language),
}
"""What only needs to be looked up."""


@dataclass
class Show:
    """One screen, and what it has shown so far."""

    console: Console
    screen: Screen
    url: str
    """Where the server is, as others would type it."""
    volume: Volume = "normal"
    local: bool = False
    """The server ends with this program."""
    _names: tuple[str | None, ...] = ()
    _drawn: Turn | None = None
    """The turn for which the table was drawn last."""
    _lost: bool = False
    _sat: int | None = None

    def text(self, key: str, **fields: object) -> None:
        """Say one of the terminal's own sentences."""
        self.console.say(text(key, self.screen.language, **fields))

    def word(self, word: str) -> None:
        """Say why something cannot be."""
        self.console.say(sentence(word, self.screen.language))

    def refusal(self, no: RefusedError) -> None:
        """Say why something was refused."""
        self.console.say(because(no, self.screen.language))

    def arrive(self, code: str, scene: Scene) -> None:
        """Say where the player has come to, and show what is there."""
        seat, variant = scene.seat, scene.about.variant
        if seat is None:
            self.text("watching", code=code, variant=variant)
            if scene.about.spectators.delay:
                late = duration(scene.about.spectators.delay, self.screen.language)
                self.text("watching_late", time=late)
        else:
            self.text("sitting", code=code, variant=variant, seat=seat + 1)
        self.text("help_hint")
        if scene.hole is not None:
            self.draw(scene)

    def events(self, seen: Seen, scene: Scene | None) -> None:
        """Tell everything that has happened; *scene* is how it looks now, if that is known."""
        now = scene.names() if scene else ()
        if len(now) == len(self._names):  # who has just left is still called by name
            now = tuple(new or old for new, old in zip_longest(now, self._names))
        self._names = now or self._names
        if isinstance(seen, Summary) and seen.missed:
            self.text("missed", count=seen.missed)
        if seen.rolled_back:
            self.text("rolled_back")
        for heard in seen.events:
            self._event(heard, heard_as(heard.all, seen.seat, self._sat), scene)
        self._sat = seen.seat

    def turn(self, scene: Scene) -> None:
        """Draw the table when a turn of the player's begins."""
        turn = _turn(scene)
        if turn is not None and turn != self._drawn:
            self.draw(scene)

    def draw(self, scene: Scene) -> None:
        """Draw the table."""
        self.console.say(*draw_table(scene))
        self._drawn = _turn(scene)

    def ask(self, scene: Scene) -> None:
        """Say what may be done now, unless that is what was said last."""
        asked = prompt(scene)
        if asked is not None and asked != self.console.asked:
            self.console.ask(asked)

    def look(self, verb: LookVerb, command: Command, scene: Scene) -> None:
        """Show what a player asks to see."""
        if verb in ("brief", "normal", "full"):
            self.loud(verb, command.rest)
        else:
            self.console.say(*LOOKS[verb](scene, command.rest))

    def unclear(self, unclear: Unclear) -> None:
        """Say why something that was typed makes no sense."""
        self.text(unclear.key, **unclear.fields)

    def said(self, said: Said, seat: int | None) -> None:
        """Tell what somebody says; *seat* is the player's own."""
        language = self.screen.language
        line = emote_line(said.emote, language) if said.emote else said.text
        mine = seat is not None and said.seat == seat
        name = clean(said.name) or text("seat", language, seat=(said.seat or 0) + 1)
        key = "you_say" if mine else "says" if said.seat is not None else "watcher_says"
        self.text(key, name=name, line=line, number=said.number)

    def loud(self, level: Verbosity, of: str) -> None:
        """Tell more or less from now on: of everything, or of one kind of events."""
        kind = meant(of, KINDS)
        if of and kind is None:
            self.text("which_kind")
        elif kind is None:
            self.volume = level
            self.text("tells", level=self._word_for(level))
        else:
            before = (
                dict.fromkeys(get_args(EventClass), self.volume)
                if isinstance(self.volume, str)
                else self.volume
            )
            self.volume = {**before, _kind(kind): level}
            self.text("tells_of", kind=of, level=self._word_for(level))

    def state(self, state: str) -> None:
        """Say that the connection was lost or is back."""
        if state == "reconnecting":
            self._lost = True
            self.text("lost")
        if state == "connected" and self._lost:
            self._lost = False
            self.text("found")

    def _event(self, heard: Heard, seat: int | None, scene: Scene | None) -> None:
        event, language = heard.all, self.screen.language
        if isinstance(event, Dropped | Returned) and event.seat == seat:
            return  # the connection itself has told that, and sooner
        cols = scene.rules.cols if scene else 0
        volume = "brief" if isinstance(event, MatchOver) else self.volume  # the places follow
        line = say(event, heard.mine, self._names, seat, language, volume, cols=cols)
        if line:
            self.console.say(line)
        if sent_away(event, seat) and scene:
            self.text("watching", code=scene.about.table, variant=scene.about.variant)
        if isinstance(event, Revealed) and scene:
            self.draw(scene)
        if isinstance(event, MatchOver) and scene:
            self.console.say(*places(scene))
            url = record_url(self.url, scene.about.table, scene.about.match)
            self.text("record_local" if self.local else "record", url=url)

    def _word_for(self, level: Verbosity) -> str:
        english, *french = WORDS[level].split()
        return french[0] if french and self.screen.language == "fr" else english


def because(no: RefusedError, language: Language) -> str:
    """Why something was refused, in the player's language where that says all there is to say.

    >>> because(RefusedError("not_host", "Only the host may do that."), "en")
    'Only the host may do that.'
    >>> because(RefusedError("bad_option", "rows: a grid has at least two rows"), "fr")
    'rows: a grid has at least two rows'
    """
    plain_word = no.word in SENTENCES and no.word != "bad_option"
    return sentence(no.word, language) if plain_word else no.because


def _turn(scene: Scene) -> Turn | None:
    """The turn that begins for the player, if one does."""
    hole, match = scene.hole, scene.view.match
    if hole is None or match is None or not scene.moves or hole.stage not in ("setup", "turn"):
        return None
    return scene.about.match, match.hole, hole.turns, hole.stage == "setup"


def _rules(scene: Scene) -> list[str]:
    variant = scene.about.variant
    if variant not in names():  # a newer server may have more than this program knows
        return [variant]
    screen = scene.screen
    return rules_page(
        find(variant), scene.rules, screen.language, min(screen.width - 1, USUAL)
    ).splitlines()


def _kind(name: str) -> EventClass:
    found: EventClass = next(kind for kind in get_args(EventClass) if kind == name)
    return found
