"""The quick words: what one can say at a table with one key, and everybody reads in their language."""

from collections.abc import Mapping
from typing import Literal, get_args

EmoteWord = Literal[
    "hello",
    "good_luck",
    "well_played",
    "nice_card",
    "thank_you",
    "sorry",
    "oops",
    "ouch",
    "hurry_please",
    "one_moment",
    "good_game",
    "goodbye",
]

EMOTES: Mapping[str, tuple[str, str]] = {
    "hello": ("Hello!", "Bonjour !"),
    "good_luck": ("Good luck!", "Bonne chance !"),
    "well_played": ("Well played!", "Bien joué !"),
    "nice_card": ("What a card!", "Quelle carte !"),
    "thank_you": ("Thank you!", "Merci !"),
    "sorry": ("Sorry!", "Désolé !"),
    "oops": ("Oops!", "Oups !"),
    "ouch": ("Ouch!", "Aïe !"),
    "hurry_please": ("Hurry, please.", "Plus vite, s’il vous plaît."),
    "one_moment": ("One moment, please.", "Un instant, s’il vous plaît."),
    "good_game": ("Good game!", "Belle partie !"),
    "goodbye": ("Goodbye!", "Au revoir !"),
}
"""Each word with its line in English and in French."""

assert set(get_args(EmoteWord)) == set(EMOTES), "every quick word has its lines"


def emote_line(word: str, language: str = "en") -> str:
    """What a person reads for a quick word; a word of a newer server is read as it is.

    >>> emote_line("well_played", "fr"), emote_line("high_five")
    ('Bien joué !', 'high five')
    """
    if word not in EMOTES:
        return word.replace("_", " ")
    english, french = EMOTES[word]
    return french if language == "fr" else english
