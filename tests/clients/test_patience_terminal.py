"""Golf Patience in a terminal: what is typed, and what stands on the screen."""

import asyncio
import re
from io import StringIO
from pathlib import Path

import pytest

import dormie_client
from dormie_client import Dormie, Pace
from dormie_client.console import Console
from dormie_client.here import Here
from dormie_client.patience_evening import PatienceEvening
from dormie_client.patience_show import PatienceShow
from dormie_client.patience_text import HELP, TEXTS
from dormie_client.patience_words import WORDS, Unclear, read_patience
from dormie_client.play_text import TEXTS as COMMON
from dormie_client.scene import Screen
from dormie_client.show import Show
from tests.serving import serving, url_of
from tests.waiting import until

FAST = Pace(a_second=1_000_000, at_once=1_000_000)


async def evening(*lines: str, screen: Screen | None = None, **table: object) -> str:
    """Everything that is on the screen when these lines are typed at a table of one's own."""
    left, paper = list(lines), StringIO()

    async def line() -> str | None:
        return left.pop(0) if left else None

    screen = screen or Screen(symbols=False)
    wish = {"variant": "golf_patience_queen", "size": 1, "options": {"holes": 2}, **table}
    async with (
        serving() as app,
        await Dormie.connect(
            url_of(app), name="Ada", language=screen.language, pace=FAST
        ) as session,
    ):
        seat = await session.create(**wish)  # type: ignore[arg-type]  # as the caller says
        show = PatienceShow(Console(paper, echo=True), screen, url_of(app))
        async with asyncio.timeout(60):
            await PatienceEvening(seat, show, line, ("easy",), patient=True).play()
    return paper.getvalue()


async def test_scenario_I4_columns_are_read_out_one_a_line_to_who_listens() -> None:
    said = await evening("", "look", "d", screen=Screen(symbols=False, listed=True))

    column = r"column 3: \S+, \S+, \S+, \S+, \S+\n"
    assert re.search(column, said)
    assert re.search(r"\nfoundation \S+; 35 left; stock 16\n", said)
    assert re.search(r"\nfoundation \S+; 35 left; stock 15\n", said), (
        "a draw is answered by one line"
    )


async def test_what_fits_is_marked_unless_the_player_minds() -> None:
    said = await evening("", *["d"] * 3, "marks", "look", *["d"] * 3)
    before, _, after = said.partition("Nothing is marked.")

    assert "*" not in after
    assert re.search(r"Column 1-7 or draw|Nothing fits: draw", after)
    assert "Column 1-7" not in before


async def test_a_hole_is_given_up_only_when_that_is_said_twice() -> None:
    said = await evening("", "g", "look", "g", "give up", "score", "", "quit")

    assert 2 == said.count("That ends the hole with 35. Type it again if you mean it.")
    assert 1 == said.count("You give the hole up: 35.")
    assert "Hole 1: 35, 30 over par.\nSo far 35 (+30).\n" in said
    assert "Hole 2 of 2, par 5. So far 35 (+30).\n" in said


async def test_a_move_that_does_not_go_is_told_without_asking_the_house() -> None:
    said = await evening("", "9", "u", "concede", "concede", "swap 4", "0")

    assert "There is no such column.\n" in said
    assert "At this table nothing is taken back.\n" in said
    assert "There is no match to concede.\n" in said
    assert "That is no command; ? lists them all.\n" in said
    assert "Say which column, counted from 1: 3.\n" in said


async def test_who_asks_for_the_time_is_told_what_it_is_that_the_clock_runs_for() -> None:
    said = await evening("time", "", "time", "g", "g", "quit", options={"holes": 1})
    before, _, after = said.partition("The match begins.")

    assert re.search(r"\nThe table goes on in \d+ h( \d+ min)?\.\n", before)
    assert re.search(r"\n\d+ seconds left for this hole\.\n", after)


async def test_it_speaks_french() -> None:
    screen = Screen("fr", symbols=False, listed=True)
    said = await evening("", "regarde", "p", "renonce", "renonce", "score", "quitte", screen=screen)

    assert re.search(r"colonne 7 : ", said)
    assert re.search(r"base \S+ ; reste 35 ; talon 16\n", said)
    assert "Le trou finira avec 35." in said
    assert "Trou 1 : 35, 30 au-dessus du par.\n" in said


async def test_moves_are_taken_back_and_hints_are_given_to_who_plays_alone() -> None:
    options = {"holes": 1, "undo": "unlimited"}
    said = await evening("", "d", "u", "hint", "hint open", options=options)

    assert re.search(r"You take the .* back\.\n", said)
    assert re.search(r"(Column \d|Draw)\. Fair hint, from what you can see: ", said)
    assert re.search(r"(Column \d|Draw)\. Open hint, which knows the stock: ", said)


async def test_auto_plays_on_only_while_nothing_is_to_be_decided() -> None:
    said = await evening("", *["auto", "d"] * 12)
    prompts = [line for line in said.splitlines() if line.endswith(" >")]

    assert "There is not exactly one card that fits.\n" in said
    assert any(line.startswith("You play ") for line in said.splitlines())
    assert prompts


async def test_rivals_are_told_by_how_far_they_are() -> None:
    said = await evening("", "look", "score", "who", size=2, bots=["easy"])

    assert re.search(r"Others: \S+ (\d+ left|has finished with \d+)", said)
    assert "2. " in said


def test_every_word_is_one_word_s_only() -> None:
    words = [word for several in WORDS.values() for word in several.split()]

    assert len(words) == len(set(words))


def test_every_sentence_that_is_asked_for_is_there() -> None:
    """``text``, ``_own`` and ``common`` say which they want by its name."""
    folder = Path(dormie_client.__file__).parent
    source = "".join(one.read_text("utf-8") for one in folder.glob("patience_*.py"))
    own = set(re.findall(r"(?:(?<!here)\.text|\b_own)\(\s*\"(\w+)\"", source))
    common = set(re.findall(r"\bcommon\(\s*\"(\w+)\"", source))

    assert set() == own - TEXTS.keys()
    assert set() == common - COMMON.keys()


def test_every_sentence_is_said_in_both_languages() -> None:
    assert [] == [key for key, (english, french) in TEXTS.items() if not (english and french)]
    assert len(HELP["en"].splitlines()) == len(HELP["fr"].splitlines())


@pytest.mark.parametrize("typed", ["3", "p3", "play 3", "joue 3", "colonne 3", "COLUMN 3"])
def test_a_column_is_typed_in_many_ways(typed: str) -> None:
    command = read_patience(typed, "en")

    assert ("play", 2) == (command.verb, command.column)


@pytest.mark.parametrize("typed", ["0", "play", "play x", "3 4", "100", "٣"])
def test_what_is_no_column_is_said(typed: str) -> None:
    with pytest.raises(Unclear):
        read_patience(typed, "en")


async def test_in_a_match_giving_up_says_that_it_concedes_the_hole() -> None:
    said = await evening("", "g", "g", variant="golf_patience_match", size=2, bots=["easy"])

    assert "That concedes the hole. Type it again if you mean it.\n" in said
    assert "You give the hole up: 35.\nOthers: " in said


@pytest.mark.parametrize(
    ("typed", "asked", "told"), [("d", "play", "You turn up "), ("say hello", "say", "You say")]
)
async def test_a_line_that_is_lost_while_an_answer_is_waited_for_is_told_at_once(
    typed: str, asked: str, told: str
) -> None:
    """The answer waits for the line, and whoever asked would wonder."""
    left, paper, screen = ["", typed, "look"], StringIO(), Screen(symbols=False)
    async with serving() as app, await Dormie.connect(url_of(app), name="Ada", pace=FAST) as ada:
        seat, console = await ada.create("golf_patience_queen", size=1), Console(paper, echo=True)
        show, house = PatienceShow(console, screen, url_of(app)), Show(console, screen, url_of(app))

        async def line() -> str | None:
            if not left:  # what is said comes back in its own time
                await until(lambda: told in paper.getvalue())
            return left.pop(0) if left else None

        game = PatienceEvening(seat, show, line, patient=True, here=Here(house, ada, at=seat))
        real = getattr(seat, asked)

        async def slow(*said: object, **more: object) -> None:
            game.hear_state("reconnecting")
            assert paper.getvalue().endswith("The connection is lost; it is being made again.\n")
            await real(*said, **more)

        setattr(seat, asked, slow)  # a line that breaks in the middle of it
        async with asyncio.timeout(60):
            await game.play()

    assert told in paper.getvalue()
