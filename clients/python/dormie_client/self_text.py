"""What one types and reads about oneself: devices, being forgotten, and how much is told."""

from typing import Literal, TypeAlias

from dormie_protocol.messages import Language

SelfVerb: TypeAlias = Literal["claim", "devices", "forget", "erase"]

TYPED: dict[str, str] = {
    "claim": "claim reclame",
    "devices": "devices appareils",
    "forget": "forget oublie oublier",
    "erase": "erase efface effacer",
}

TEXTS: dict[str, tuple[str, str]] = {
    "claim_code": (
        "On your other device, within {time}: dormie play {url} --claim {code}",
        "Sur votre autre appareil, avant {time} : dormie play {url} --claim {code}",
    ),
    "claim_secret": (
        "Whoever types it is you: show it to nobody.",
        "Qui le tape est vous : ne le montrez à personne.",
    ),
    "claimed": ("Here you are {name} from now on.", "Ici vous êtes désormais {name}."),
    "device_line": ("{number}. {device}{marks}", "{number}. {device}{marks}"),
    "device_this": ("this one", "celui-ci"),
    "device_here": ("connected", "connecté"),
    "which_device": (
        "Say which number of the list: devices shows it.",
        "Dites quel numéro de la liste : appareils la montre.",
    ),
    "device_forgotten": (
        "{device} is you no longer.",
        "{device} n’est plus vous.",
    ),
    "sure_erase": (
        "That forgets you for good, with your seats and your history. If you mean it: erase {name}",
        "Vous serez oublié pour de bon, places et parties comprises. Si c’est voulu : efface {name}",
    ),
    "erased": ("You are forgotten here.", "Vous êtes oublié ici."),
    "tells": ("As you wish: {level}.", "Comme vous voudrez : {level}."),
    "tells_of": ("As you wish, {kind}: {level}.", "Comme vous voudrez, {kind} : {level}."),
    "which_kind": (
        "Say of what, or nothing: moves, scores, people, fairness.",
        "Dites de quoi, ou rien : coups, points, gens, preuves.",
    ),
}

KINDS: dict[str, str] = {
    "moves": "moves coups",
    "scores": "scores points",
    "people": "people gens",
    "fairness": "fairness preuves",
}
"""Of what more or less can be told, and what one types for it, without accents."""

HELP: dict[Language, str] = {
    "en": """\
brief, normal, full: how much is told; brief moves, full scores: of one kind only
(moves, scores, people, fairness).
claim: a code with which another device becomes you.
devices: where you are known; forget 2: no longer there.
erase: be forgotten here for good.""",
    "fr": """\
bref, normal, complet : plus ou moins de paroles ; bref coups, complet points : d’une sorte
(coups, points, gens, preuves).
réclame : un code avec lequel un autre appareil devient vous.
appareils : où l’on vous connaît ; oublie 2 : là plus jamais.
efface : être oublié ici pour de bon.""",
}
