"""What `?` says: how to play, and a page for each group of words, in English and in French."""

from collections.abc import Mapping

from dormie_client import host_text, house_text, self_text, spectator_text, talk_text, time_text
from dormie_client.commands import meant
from dormie_protocol.messages import Language

PLAYING: dict[Language, str] = {
    "en": """\
On your turn: draw (d), take (t); with a card in hand swap 4 (s 4, or just 4) or throw (x);
then flip 4 (f 4) or pass (p). Cards are counted from 1, row by row.
look (l): the cards; look 2 or look Ada: one player's in words; score; who; rules.
ready (or Enter): to start, and to go on after a hole. rematch: once more.
leave: give your seat up. quit (q): keep it. back: play it here again.
More: ? host, ? watch, ? time, ? talk, ? house, ? me. French words do as well: pioche...""",
    "fr": """\
À votre tour : pioche (p), prends (r) ; avec une carte en main échange 4 (e 4, ou 4) ou jette (j) ;
puis retourne 4 (t 4) ou passe (n). Les cartes se comptent à partir de 1, rangée par rangée.
regarde (l) : les cartes ; regarde 2, regarde Ada : une place en mots. score, qui, règles.
prêt (ou Entrée) : pour commencer, et pour continuer après un trou. revanche : encore une.
abandonne : rendre sa place. quitte (q) : la garder. reprends : la jouer ici de nouveau.
Suite : ? hôte, ? spectateurs, ? temps, ? paroles, ? maison, ? moi.""",
}

PAGES: Mapping[str, Mapping[Language, str]] = {
    "host": host_text.HELP,
    "watch": spectator_text.HELP,
    "time": time_text.HELP,
    "talk": talk_text.HELP,
    "house": house_text.HELP,
    "me": self_text.HELP,
}

TOPICS: dict[str, str] = {
    "host": "host hote",
    "watch": "watch spectators observe spectateurs",
    "time": "time clock temps horloge",
    "talk": "talk chat paroles",
    "house": "house lobby maison salon",
    "me": "me moi",
}
"""What one types behind ``?`` for each page, without accents."""


def help_lines(topic: str, language: Language) -> list[str]:
    """The page about *topic*, or about how to play.

    >>> help_lines("host", "en")[0]
    'kick SEAT: send somebody away. ban SEAT: for good.'
    """
    page = PAGES.get(meant(topic, TOPICS) or "", PLAYING)
    return page[language].splitlines()
