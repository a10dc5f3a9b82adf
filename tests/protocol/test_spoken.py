import re
from pathlib import Path
from typing import get_args

import pytest

from dormie_protocol.listener import Verbosity
from dormie_protocol.messages import Language
from dormie_protocol.spoken import CLASS_OF, NOT_BELOW, EventClass, card_name, say
from dormie_protocol.table_view import PocketEvent, PublicEvent
from dormie_rules import grid_events as grid
from dormie_rules import race_events as race
from dormie_rules.cards import Card, pack
from dormie_rules.match_play import Pairing, Terms, after
from tests.event_examples import EXAMPLES, NAMES
from tests.golden import unchanged

GOLDEN = Path(__file__).parent / "golden" / "spoken.txt"
EVENTS: tuple[type, ...] = get_args(PublicEvent)
LANGUAGES: tuple[Language, ...] = get_args(Language)
LEVELS: tuple[Verbosity, ...] = get_args(Verbosity)
EARS = {"seat 1": 0, "seat 2": 1, "a spectator": None}
PACK = tuple(dict.fromkeys(pack(jokers_per_deck=1)))


def spoken(
    event: PublicEvent, mine: PocketEvent | None, seat: int | None, language: Language
) -> dict[Verbosity, str]:
    mine = mine if seat == 0 else None  # in every example it is seat 1 that is told more
    return {level: say(event, mine, NAMES, seat, language, level, cols=3) for level in LEVELS}


def every_line(language: Language) -> list[str]:
    lines = [
        line
        for event, mine in EXAMPLES
        for seat in EARS.values()
        for line in spoken(event, mine, seat, language).values()
    ]
    return [line for line in lines if line]


def page() -> str:
    return "\n".join(block for event, mine in EXAMPLES for block in story(event, mine))


def story(event: PublicEvent, mine: PocketEvent | None) -> list[str]:
    """The lines for one event; whoever hears just what the one before hears is left out."""
    lines = [f"\n{event}" + (f" {mine}" if mine else "")]
    for language in LANGUAGES:
        before: dict[Verbosity, str] = {}
        for ear, seat in EARS.items():
            said = spoken(event, mine, seat, language)
            lines += [
                f"  {language}, {ear}, {level}: {line or '(nothing)'}"
                for level, line in said.items()
                if said != before and (level == "normal" or line != said["normal"])
            ]
            before = said
    return lines


def test_no_line_has_changed_or_fallen_silent() -> None:
    """Twice in a week a refactor elsewhere took every spoken reply away, and nobody heard (I1)."""
    unchanged(GOLDEN, page())


def test_every_event_has_an_example() -> None:
    assert set(EVENTS) == {type(event) for event, _ in EXAMPLES}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.__name__)
def test_every_event_has_a_line_for_who_wants_to_hear_all(event: type, language: Language) -> None:
    examples = [example for example in EXAMPLES if type(example[0]) is event]

    assert all(
        spoken(*example, seat, language)["full"] for example in examples for seat in EARS.values()
    )


def test_only_what_a_table_names_is_left_out() -> None:
    silent = {
        (type(event), level)
        for event, mine in EXAMPLES
        for level, line in spoken(event, mine, 1, "en").items()
        if not line
    }
    named = {
        (event, level)
        for event, least in NOT_BELOW.items()
        for level in LEVELS[: LEVELS.index(least)]
    }

    quiet = {(grid.Drew, "brief"), (race.RaceMoved, "brief"), (race.RaceMoved, "normal")}
    assert named | quiet == silent


def test_who_draws_hears_the_card_even_in_brief() -> None:
    line = say(grid.Drew(0), grid.DrewCard(Card("5S")), NAMES, 0, "en", "brief")

    assert "You draw a card: five of spades." == line


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_placeholder_is_left_over(language: Language) -> None:
    leftovers = re.compile(r"[{}_]|None|\bseat 0\b|  ")

    assert [] == [line for line in every_line(language) if leftovers.search(line)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_is_one_line_of_whole_sentences(language: Language) -> None:
    sentences = re.compile(r"[A-ZÀ-Ý0-9][^\n]*[.!]")

    assert [] == [line for line in every_line(language) if not sentences.fullmatch(line)]


def test_the_two_languages_do_not_mix() -> None:
    assert set() == set(every_line("en")) & set(every_line("fr"))


def test_french_has_its_own_signs() -> None:
    wrong = re.compile(r"'|(?<! )[;:!?]")

    assert [] == [line for line in every_line("fr") if wrong.search(line)]


def test_english_has_no_space_before_a_sign() -> None:
    assert [] == [line for line in every_line("en") if re.search(r" [;:!?]", line)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_names_no_card_that_its_listener_was_not_told(language: Language) -> None:
    told_too_much = [
        line
        for event, mine in EXAMPLES
        for seat in EARS.values()
        for line in spoken(event, mine, seat, language).values()
        for card in PACK
        if card_name(card, language) in line
        and card not in str(event)
        and not (seat == 0 and card in str(mine))
    ]

    assert [] == told_too_much


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_has_a_name_of_its_own(language: Language) -> None:
    assert len(PACK) == len({card_name(card, language) for card in PACK})


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_of_an_unknown_suit_is_called_by_its_rank(language: Language) -> None:
    """Decks in tests may name their cards so that nobody could guess them."""
    assert {"en": "Queen", "fr": "dame"}[language] == card_name(Card("Q#58"), language)


def test_a_name_is_said_as_it_is_written() -> None:
    names = ("{0}", "%s", "Ben", "\\n")

    assert ["{0} draws a card.", "%s draws a card.", "\\n draws a card."] == [
        say(grid.Drew(seat), None, names, 2, "en") for seat in (0, 1, 3)
    ]


def test_a_full_line_says_in_which_row_a_card_lies() -> None:
    event = grid.Flipped(0, 3, Card("KH"))

    assert "Ada turns card 4 (row 2, column 1) up: King of hearts." == say(
        event, None, NAMES, 1, "en", "full", cols=3
    )


TOLD_OF_A_MATCH = {
    ("en", "=B"): "Ben wins the hole. Ben is 1 up against you with 7 to play.",
    ("en", "=A"): "You win the hole. You are 1 up against Ben with 7 to play.",
    ("en", "A="): "The hole is halved. You are 1 up against Ben with 7 to play.",
    ("fr", "=B"): "Ben gagne le trou. Ben mène de 1 trou contre vous, encore 7 à jouer.",
    ("fr", "=A"): "Vous gagnez le trou. Vous menez de 1 trou contre Ben, encore 7 à jouer.",
    ("fr", "A="): "Le trou est partagé. Vous menez de 1 trou contre Ben, encore 7 à jouer.",
}


@pytest.mark.parametrize(("language", "holes"), TOLD_OF_A_MATCH)
def test_of_a_match_between_two_it_is_said_who_won_the_hole(language: Language, holes: str) -> None:
    event = race.Stands(Pairing(0, 1, holes, after(Terms(9), holes)))

    assert TOLD_OF_A_MATCH[language, holes] == say(event, None, NAMES[:2], 0, language)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "You win the match against Ben, by concession."),
        ("fr", "Vous gagnez le match contre Ben, par abandon."),
    ],
)
def test_nobody_wins_a_hole_by_the_concession_of_a_match(language: Language, line: str) -> None:
    """The last hole that was won was told of when it was over."""
    event = race.Stands(Pairing(0, 1, "AB", after(Terms(9), "AB", conceded_to="A")))

    assert line == say(event, None, NAMES[:2], 0, language)


def test_each_class_of_events_has_a_level_of_its_own() -> None:
    """Who knows a table well wants the scores in full and the moves in brief (I5)."""
    level = {"moves": "brief", "scores": "full"}
    event = grid.Flipped(0, 3, Card("KH"))

    assert "Ada, 4: King of hearts." == say(event, None, NAMES, 1, "en", {"moves": "brief"})
    assert "Ada turns card 4 up: King of hearts." == say(
        event, None, NAMES, 1, "en", {"scores": "brief"}
    )
    assert set(get_args(EventClass)) >= set(level)


def test_every_event_is_of_a_class() -> None:
    assert set(EVENTS) == set(CLASS_OF)
    assert set(get_args(EventClass)) == set(CLASS_OF.values())
