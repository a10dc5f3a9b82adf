import pytest

from dormie_client.commands import LETTERS, WORDS, Command, Unclear, Verb, move_of, read_command
from dormie_protocol.messages import Language
from dormie_rules.grid_moves import Discard, Draw, Flip, GridMove, Pass, Swap, Take
from dormie_rules.grid_state import Stage


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("draw", Command("draw")),
        ("  DRAW  ", Command("draw")),
        ("pioche", Command("draw")),
        ("swap 4", Command("swap", 4, "4")),
        ("swap4", Command("swap", 4, "4")),
        ("Échange   4", Command("swap", 4, "4")),
        ("échange 4", Command("swap", 4, "4")),
        ("flip 16", Command("flip", 16, "16")),
        ("4", Command("number", 4)),
        (" 12 ", Command("number", 12)),
        ("x", Command("throw")),
        ("discard", Command("throw")),
        ("jette", Command("throw")),
        ("", Command("ready")),
        ("   ", Command("ready")),
        ("prêt", Command("ready")),
        ("?", Command("help")),
        ("? rules", Command("help", None, "rules")),
        ("règles", Command("rules")),
        ("look", Command("look")),
        ("look Ada B", Command("look", None, "Ada B")),
        ("look 2", Command("look", 2, "2")),
        ("bot medium", Command("bot", None, "medium")),
        ("nobot 3", Command("nobot", 3, "3")),
        ("say full", Command("say", None, "full")),
        ("q", Command("quit")),
    ],
)
def test_a_line_is_read_as_a_command(typed: str, command: Command, language: Language) -> None:
    assert command == read_command(typed, language)


@pytest.mark.parametrize(
    ("language", "letter", "verb"),
    [(language, letter, verb) for language, of in LETTERS.items() for letter, verb in of.items()],
)
def test_a_letter_is_enough_in_the_language_of_the_screen(
    language: Language, letter: str, verb: Verb
) -> None:
    number = " 1" if verb in ("swap", "flip") else ""

    assert verb == read_command(letter + number, language).verb


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("dance", "what"),
        ("draw 4", "what"),
        ("take 7", "what"),
        ("swap", "which_card"),
        ("swap four", "which_card"),
        ("flip -1", "which_card"),
        ("swap 400", "what"),
        ("400", "what"),
        ("٣", "what"),
        ("4 5", "what"),
        ("4x", "what"),
        ("nobot", "what"),
        ("\x1b[A", "what"),
        ("x" * 100_000, "what"),
    ],
)
def test_what_is_no_command_is_unclear(typed: str, key: str, language: Language) -> None:
    with pytest.raises(Unclear) as unclear:
        read_command(typed, language)

    assert key == unclear.value.key


def test_no_word_means_two_things() -> None:
    words = [word for of in WORDS.values() for word in of.split()]

    assert sorted(set(words)) == sorted(words)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_letter_hides_a_word(language: Language) -> None:
    words = {word: verb for verb, of in WORDS.items() for word in of.split()}
    hidden = [x for x, verb in LETTERS[language].items() if words.get(x, verb) != verb]

    assert [] == hidden


@pytest.mark.parametrize(
    ("typed", "stage", "move"),
    [
        ("draw", "turn", Draw()),
        ("take", "turn", Take()),
        ("swap 4", "drawn", Swap(3)),
        ("throw", "drawn", Discard()),
        ("flip 1", "flip", Flip(0)),
        ("pass", "flip", Pass()),
        ("4", "drawn", Swap(3)),
        ("4", "taken", Swap(3)),
        ("4", "flip", Flip(3)),
        ("4", "setup", Flip(3)),
        ("0", "flip", Flip(-1)),
        ("look", "turn", None),
        ("quit", "turn", None),
    ],
)
def test_a_command_asks_for_a_move(typed: str, stage: Stage, move: GridMove | None) -> None:
    assert move == move_of(read_command(typed, "en"), stage)
