"""What every word of a group does: one table, to which a new group is added in a line.

A group is two modules: ``X_text`` says in both languages what is typed, what is read and what ``?`` says
about it, ``X_words`` what the words do. `commands` and `play_text` know the first, this module the second.
"""

from typing import cast, get_args

from dormie_client import (
    host_words,
    house_words,
    self_words,
    spectator_words,
    talk_words,
    time_words,
)
from dormie_client.commands import GroupVerb, Verb
from dormie_client.here import Does, Group

WORDS: Group = {
    **host_words.WORDS,
    **spectator_words.WORDS,
    **time_words.WORDS,
    **talk_words.WORDS,
    **house_words.WORDS,
    **self_words.WORDS,
}

_VERBS = frozenset(verb for group in get_args(GroupVerb) for verb in (get_args(group) or (group,)))


def does(verb: Verb) -> Does | None:
    """What a word does; None for one that belongs to the game itself."""
    return WORDS.get(cast("str", verb))


assert set(WORDS) == _VERBS, "every word that can be typed does something"
