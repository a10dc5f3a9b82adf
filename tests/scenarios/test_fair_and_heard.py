"""Luck that can be checked, rules that can be read, and everything said in words."""

from collections.abc import AsyncIterator
from typing import get_args

import pytest

from dormie_bots import LEVELS, say_why
from dormie_client.commands import WORDS, read_command
from dormie_client.day_wish import read_day
from dormie_client.play_wish import read_wish
from dormie_client.scene import Scene
from dormie_client.show import LOOKS
from dormie_protocol.messages import ClientMessage, Language
from dormie_protocol.spoken import CLASS_OF, say
from dormie_protocol.table_view import LinkShown, PublicEvent
from dormie_protocol.words import REFUSALS, sentence
from dormie_rules.cards import Card
from dormie_rules.grid_events import FinalLap, Flipped
from dormie_rules.grid_moves import GridMove
from dormie_rules.luck import earlier
from dormie_server.app import App
from tests.bots.asking import ask
from tests.event_examples import EXAMPLES, NAMES
from tests.grid_only import grid_rules
from tests.rules.playing import SIX, Hole
from tests.scenarios.tables import view_of
from tests.server.guest import ENTROPY, Guest, guests, play_alone
from tests.serving import fetch, serving
from tests.waiting import until

LANGUAGES: tuple[Language, ...] = get_args(Language)


@pytest.fixture
async def house() -> AsyncIterator[App]:
    async with serving() as app:
        yield app


# ------------------------------------------------------------------------------ fairness


async def test_scenario_H1_the_promise_comes_before_anybody_adds_to_luck_and_is_kept(
    house: App,
) -> None:
    async with guests(house.port, "Ada") as (ada,):
        code = await ada.create(bots=["random"], options={"holes": 2})
        first = ada.of(code)[0].fairness
        assert first is not None
        assert () == first.contributions, "nobody has added anything yet"
        await play_alone(ada, code)
        last = [seen.fairness for seen in ada.of(code) if seen.fairness][-1]
        links = [
            one.all
            for seen in ada.of(code)
            for one in seen.events
            if isinstance(one.all, LinkShown)
        ]

        assert (first.commitment, (ENTROPY, None)) == (last.commitment, last.contributions)
        assert [1, 2] == [shown.hole for shown in links]
        for shown in links:
            assert first.commitment == earlier(bytes.fromhex(shown.link), shown.hole).hex()


UNSEEN = ("K57/K39", "A62/84T"), ("K5Q/J2T", "A69/9QK")
"""Two deals that differ in what lies face-down when the first two cards are up."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("level", LEVELS)
def test_scenario_H6_a_bot_gives_a_reason_that_follows_from_what_it_can_see(
    level: str, language: Language
) -> None:
    told = []
    for grids, stock in zip(UNSEEN, ("34567", "3KKQQ"), strict=True):
        hole = Hole(SIX, grids, stock=stock)
        before = ask(level, hole)
        hole.plays("draw")
        after = ask(level, hole)
        told.append([(choice.move, say_why(choice.why, language)) for choice in (before, after)])

    assert told[0] == told[1]
    assert all(why.endswith(".") for _, why in told[0])


async def test_scenario_R90_what_a_table_has_chosen_is_seen_there_and_in_the_record(
    house: App,
) -> None:
    """Whoever wonders about the final lap finds out that this table has none."""
    chosen = {"holes": 1, "final_lap": "none", "closer_penalty": "qc"}
    async with guests(house.port, "Ada", "Eve") as (ada, eve):
        code = await ada.create(bots=["random"], options=chosen)
        await eve.do("watch", table=code)
        seen = eve.of(code)[0]
        assert seen.about is not None
        await play_alone(ada, code)
        await until(lambda: house.keeper.phases() == {"over": 1})
        record = await _record(house, ada, code)
        page = "\n".join(LOOKS["rules"](Scene(seen.about, view_of(seen), None, None), ""))

        rules = grid_rules(seen.about.rules)
        assert chosen == seen.about.options
        assert ("none", "qc") == (rules.final_lap, rules.closer_penalty)
        assert '"final_lap": "none"' in record or '"final_lap":"none"' in record
        rows = {line.split()[0]: line.split()[1] for line in page.splitlines() if line[:1].strip()}
        assert ("none", "qc") == (rows["final_lap"], rows["closer_penalty"])
        assert [] == [
            one for one in eve.of(code) for h in one.events if isinstance(h.all, FinalLap)
        ]


async def _record(house: App, guest: Guest, code: str) -> str:
    """The record, once it is kept."""
    while True:
        try:
            return await fetch(house.port, f"/record/{code}-1")
        except OSError:
            await guest.ask("ready", table=code)  # takes a moment


# --------------------------------------------------------------------------- in words


@pytest.mark.parametrize("language", LANGUAGES)
def test_scenario_I1_no_answer_and_no_event_is_silent(language: Language) -> None:
    full = {
        type(event): say(event, mine, NAMES, 0, language, "full", cols=3)
        for event, mine in EXAMPLES
    }

    assert set(get_args(PublicEvent)) == set(full)
    assert [] == [kind for kind, line in full.items() if not line.strip()]
    assert [] == [word for word in REFUSALS if not sentence(word, language).endswith((".", "!"))]


SAID: dict[str, tuple[str, ...]] = {
    "hello": ("dormie play",),
    "create": ("dormie play --bots medium", "new six_card size=2 holes=3"),
    "join": ("dormie play ABCDEFGH", "join ABCDEFGH"),
    "watch": ("dormie play --watch ABCDEFGH", "watch ABCDEFGH"),
    "unwatch": ("join ABCDEFGH",),
    "ready": ("ready",),
    "start": ("start",),
    "play": ("draw", "take", "swap 1", "throw", "flip 1", "pass"),
    "bot": ("bot medium", "nobot 2"),
    "leave": ("leave",),
    "end": ("end",),
    "rematch": ("rematch",),
    "kick": ("kick 2", "ban Ben"),
    "hand_over": ("hand over 2", "host Ben"),
    "lock": ("lock", "unlock"),
    "password": ("password birdie", "nopassword"),
    "spectators": ("spectators no", "spectators delay 60"),
    "lobby": ("lobby", "lobby six_card free"),
    "quick": ("quick six_card 2",),
    "mine": ("mine",),
    "history": ("history",),
    "pause": ("pause 5",),
    "resume": ("resume",),
    "agree": ("agree", "refuse"),
    "vote": ("vote bot",),
    "undo": ("undo",),
    "say": ("say hello",),
    "emote": ("emote 3",),
    "chat": ("watch ABCDEFGH",),  # what was said before comes with the table
    "mute": ("mute 2",),
    "unmute": ("unmute 2",),
    "block": ("block 2",),
    "unblock": ("unblock 1",),
    "blocks": ("blocks",),
    "report": ("report 2 spam",),
    "claim_code": ("claim",),
    "devices": ("devices",),
    "forget_device": ("forget 2",),
    "erase": ("erase Ada",),
    "day": ("dormie day", "dormie day --verify 2026-11-29"),
    "play_day": ("dormie day",),
    "day_results": ("dormie day --results",),
}
"""For each message of a client what a person at a terminal types."""
NOT_YET_TYPED = {"hint"}  # it has its words at tables of Golf Patience
"""What programs can ask for, and the terminal has no words for yet."""


def test_scenario_I3_whatever_can_be_asked_can_be_typed() -> None:
    """A whole match is played by the prompts alone in the tests of the command, and everything else
    in `tests/stories/test_terminal_hosts.py`, in both languages."""
    kinds = {kind.model_fields["type"].default for kind in get_args(ClientMessage)}
    moves = {move.__name__.lower() for move in get_args(GridMove)}
    typed = [line for lines in SAID.values() for line in lines]

    assert kinds == set(SAID) | NOT_YET_TYPED
    assert moves == {
        {"throw": "discard"}.get(line.split()[0], line.split()[0]) for line in SAID["play"]
    }
    for line in typed:
        if line.startswith("dormie day"):
            assert read_wish(read_day(line.split()[2:])[1], {}).url
        elif line.startswith("dormie play"):
            assert read_wish(line.split()[2:], {}).url
        else:
            assert read_command(line, "en").verb in WORDS


def test_scenario_I5_each_class_of_events_is_as_loud_as_its_listener_wants() -> None:
    flipped = Flipped(1, 3, Card("KH"))
    words = [
        say(flipped, None, NAMES, 0, "en", {"moves": level, "people": "full"}, cols=3)
        for level in ("brief", "normal", "full")
    ]

    assert sorted(words, key=len) == words
    assert 3 == len(set(words))
    assert {"moves", "scores", "people", "fairness"} == set(CLASS_OF.values())


def test_scenario_R42_the_end_of_a_hole_is_told_whatever_comes_with_it() -> None:
    """Every event has a line for everybody who listens, in full, whoever it is about."""
    ears: tuple[int | None, ...] = (0, 1, 2, None)
    for event, mine in EXAMPLES:
        for seat in ears:
            for language in LANGUAGES:
                line = say(
                    event, mine if seat == 0 else None, NAMES, seat, language, "full", cols=3
                )

                assert line.strip(), (event, seat, language)
                assert line.isprintable()
