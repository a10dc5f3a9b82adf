"""What a host types and reads, in English and in French."""

from typing import Literal, TypeAlias

from dormie_protocol.messages import Language

HostVerb: TypeAlias = Literal[
    "kick", "ban", "host", "lock", "unlock", "password", "nopassword", "invite"
]

TYPED: dict[str, str] = {
    "kick": "kick exclus exclure",
    "ban": "ban bannis bannir",
    "host": "host hand handover confie confier",
    "lock": "lock verrouille verrouiller",
    "unlock": "unlock deverrouille deverrouiller",
    "password": "password motdepasse",
    "nopassword": "nopassword sansmotdepasse",
    "invite": "invite link inviter lien",
}

TEXTS: dict[str, tuple[str, str]] = {
    "which_seat": (
        "Say who: the number of a seat, or the beginning of a name.",
        "Dites qui : le numéro d’une place, ou le début d’un nom.",
    ),
    "which_password": (
        "Say the password behind it, 4 to 64 signs; nopassword lifts it.",
        "Dites le mot de passe ensuite, 4 à 64 signes ; sansmotdepasse le lève.",
    ),
    "invite_link": ("The invitation: {link}", "L’invitation : {link}"),
    "invite_typed": (
        'Others come with: dormie play "{link}"',
        'Les autres viennent avec : dormie play "{link}"',
    ),
    "invite_secret": (
        "Nobody joins or watches without the password; whoever knows it can invite.",
        "Sans le mot de passe, nul n’entre ni ne regarde ; qui le connaît peut inviter.",
    ),
}

HELP: dict[Language, str] = {
    "en": """\
kick SEAT: send somebody away. ban SEAT: for good.
host SEAT: make somebody else the host.
lock, unlock: let nobody new in, or let them in again.
password WORD, nopassword: what one has to know to join or to watch.
invite: the link for friends. bot LEVEL, nobot SEAT, start, end: bots, begin, close.
A seat is a number or the beginning of a name: kick 2, kick Ben.""",
    "fr": """\
exclus PLACE : renvoyer quelqu’un. bannis PLACE : pour de bon.
confie PLACE : faire de quelqu’un d’autre l’hôte.
verrouille, déverrouille : ne plus laisser entrer, ou de nouveau.
motdepasse MOT, sansmotdepasse : ce qu’il faut savoir pour entrer ou regarder.
lien : l’invitation pour vos amis. robot NIVEAU, sansrobot PLACE, commence, ferme : pour l’hôte.
Une place est un numéro ou le début d’un nom : exclus 2, exclus Ben.""",
}
