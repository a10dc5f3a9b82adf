"""What is typed and read about those who watch, in English and in French."""

from typing import Literal, TypeAlias

from dormie_protocol.messages import Language

SpectatorVerb: TypeAlias = Literal["spectators"]

TYPED: dict[str, str] = {"spectators": "spectators spectateurs"}

SWITCHES: dict[str, str] = {
    "allowed": "allowed permis",
    "password": "password motdepasse",
    "chat": "chat talk paroles",
    "delay": "delay delai",
}
"""What can be turned, and what one types for it, without accents."""

YES_NO: dict[str, str] = {"yes": "yes on true oui", "no": "no off false non"}
TALK: dict[str, str] = {
    "off": "off rien",
    "hear": "hear entendre",
    "apart": "apart entre-eux",
    "all": "all tous",
}
"""What spectators may say and hear, and what one types for it, without accents."""

TEXTS: dict[str, tuple[str, str]] = {
    "watchers": ("Watching now: {count}.", "Spectateurs en ce moment : {count}."),
    "switches": (
        "allowed {allowed}, password {password}, chat {chat}, delay {delay}",
        "permis {allowed}, motdepasse {password}, paroles {chat}, délai {delay}",
    ),
    "yes": ("yes", "oui"),
    "no": ("no", "non"),
    "which_switch": (
        "Say what, and how: spectators no, spectators chat apart, spectators delay 60.",
        "Dites quoi, et comment : spectateurs non, spectateurs paroles tous, spectateurs délai 60.",
    ),
    "watching_late": (
        "You see and hear this table {time} late.",
        "Vous voyez et entendez cette table avec {time} de retard.",
    ),
    "watcher_says": (
        "{name}, who watches, says (#{number}): {line}",
        "{name}, qui regarde, dit (#{number}) : {line}",
    ),
    "line_number": ("whoever said #{number}", "qui a dit #{number}"),
}

HELP: dict[Language, str] = {
    "en": """\
spectators: how many watch, and what they may.
spectators no, spectators yes: whether anybody may watch without a seat.
spectators password no: they need not know the password of the table.
spectators chat off, hear, apart, all: nothing; hear the table; talk apart; be heard by all.
spectators delay 60: they see everything 60 seconds later (before a match begins).
mute #7, block #7, report #7 spam: about a spectator, by the number of what they said.""",
    "fr": """\
spectateurs : combien regardent, et ce qui leur est permis.
spectateurs non, spectateurs oui : si l’on peut regarder sans être assis.
spectateurs motdepasse non : le mot de passe de la table ne leur est pas demandé.
spectateurs paroles rien, entendre, entre-eux, tous : silence, écoute, entre eux, avec tous.
spectateurs délai 60 : ils voient tout 60 secondes plus tard (avant le début d’une partie).
sourdine #7, bloque #7, signale #7 spam : pour un spectateur, par le numéro de ce qu’il a dit.""",
}
