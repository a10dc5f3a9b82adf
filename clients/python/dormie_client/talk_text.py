"""What is typed and read about talk at a table, in English and in French."""

from typing import Literal, TypeAlias

from dormie_protocol.messages import Language

TalkVerb: TypeAlias = Literal[
    "say", "emote", "mute", "unmute", "block", "unblock", "blocks", "report"
]

TYPED: dict[str, str] = {
    "say": "say dis dire",
    "emote": "emote emotes mot mots",
    "mute": "mute sourdine",
    "unmute": "unmute hear entends entendre",
    "block": "block bloque bloquer",
    "unblock": "unblock debloque debloquer",
    "blocks": "blocks blocked bloques",
    "report": "report signale signaler",
}

REASONS: dict[str, str] = {
    "abuse": "abuse insultes insulte",
    "spam": "spam pub",
    "cheating": "cheating triche",
    "stalling": "stalling lenteur",
    "name": "name nom",
    "other": "other autre",
}
"""Why somebody can be reported, and what one types for it, without accents."""

TEXTS: dict[str, tuple[str, str]] = {
    "says": ("{name} says: {line}", "{name} dit : {line}"),
    "you_say": ("You say: {line}", "Vous dites : {line}"),
    "which_text": (
        "Say what: say hello, everybody.",
        "Dites quoi : dis bonjour à tous.",
    ),
    "which_emote": (
        "Say which, by its number or its words: emote 1.",
        "Dites lequel, par son numéro ou ses mots : mot 1.",
    ),
    "emote_line": ("{number}. {line}", "{number}. {line}"),
    "muted": (
        "You hear {name} no more; they are not told. unmute takes it back.",
        "Vous n’entendez plus {name}, qui n’en sait rien. entends y remet fin.",
    ),
    "unmuted": ("You hear {name} again.", "Vous entendez {name} à nouveau."),
    "blocked": (
        "{name} is blocked: nothing is heard of them anywhere, and no table of yours takes them.",
        "{name} est bloqué : vous n’en entendez plus rien, et vos tables lui sont fermées.",
    ),
    "unblocked": ("{name} is blocked no longer.", "{name} n’est plus bloqué."),
    "no_blocks": ("You block nobody.", "Vous ne bloquez personne."),
    "block_line": ("{number}. {name}", "{number}. {name}"),
    "which_block": (
        "Say which number of the list: blocks shows it.",
        "Dites quel numéro de la liste : bloqués la montre.",
    ),
    "which_report": (
        "Say whom, why, and what you like: report 2 abuse WORDS. Reasons: {reasons}.",
        "Dites qui, pourquoi, et ce que vous voulez : signale 2 insultes MOTS. Raisons : {reasons}.",
    ),
    "reported": (
        "Those who run this house will read it, with what everybody here saw and heard.",
        "Qui tient cette maison le lira, avec ce que tous ici ont vu et entendu.",
    ),
}

HELP: dict[Language, str] = {
    "en": """\
say WORDS: to everybody here. emote: the quick words; emote 3: say one.
mute SEAT, unmute SEAT: hear somebody no more, or again. They are not told.
block SEAT: hear nothing of them anywhere, have them at no table of yours.
blocks: whom you block; unblock 1: no longer.
report SEAT REASON WORDS: tell those who run the house.
Reasons: abuse, spam, cheating, stalling, name, other.""",
    "fr": """\
dis MOTS : à tous ici. mots : les mots rapides ; mot 3 : en dire un.
sourdine PLACE, entends PLACE : ne plus entendre quelqu’un, ou de nouveau, sans qu’il le sache.
bloque PLACE : n’en plus rien entendre nulle part, et l’avoir à aucune de vos tables.
bloqués : qui vous bloquez ; débloque 1 : ne plus le bloquer.
signale PLACE RAISON MOTS : le dire à qui tient la maison.
Raisons : insultes, spam, triche, lenteur, nom, autre.""",
}
