"""Everything the terminal says that is not an event, in English and in French."""

from dormie_client import host_text, house_text, self_text, spectator_text, talk_text, time_text
from dormie_protocol.messages import Language

# What the program calls it -> what a person reads, in English and in French.
_TEXTS: dict[str, tuple[str, str]] = {
    # coming and going
    "opened": (
        "Table {code} is open. Others join it with:",
        "La table {code} est ouverte. Les autres la rejoignent avec :",
    ),
    "opened_alone": (
        "Table {code} is open. Others look on with:",
        "La table {code} est ouverte. Les autres regardent avec :",
    ),
    "sitting": (
        "You sit at table {code}, seat {seat}: {variant}.",
        "Vous êtes à la table {code}, place {seat} : {variant}.",
    ),
    "watching": (
        "You watch table {code}: {variant}.",
        "Vous regardez la table {code} : {variant}.",
    ),
    "also_at": ("You also have a seat at: {codes}.", "Vous avez aussi une place à : {codes}."),
    "no_variant": (
        "There is no variant {name} here; there are {there}.",
        "Il n’y a pas de variante {name} ici ; il y a {there}.",
    ),
    "no_bot": (
        "There is no bot {name} here; there are {there}.",
        "Il n’y a pas de robot {name} ici ; il y a {there}.",
    ),
    "forgotten": (
        "The server does not know you any more: you are a new guest.",
        "Le serveur ne vous connaît plus : vous voilà de nouveau invité.",
    ),
    "not_kept": (
        "Who you are cannot be kept here ({why}): do not lose this window.",
        "Votre identité ne peut être conservée ici ({why}) : gardez cette fenêtre.",
    ),
    "no_hole": ("No hole is being played now.", "Aucun trou ne se joue en ce moment."),
    "help_hint": (
        "Type ? for everything you can do.",
        "Tapez ? pour tout ce que vous pouvez faire.",
    ),
    "left": ("You have given your seat up.", "Vous avez rendu votre place."),
    "kept": (
        "Your seat stays yours. To come back: dormie play {url} {code}",
        "Votre place vous reste. Pour revenir : dormie play {url} {code}",
    ),
    "lost": (
        "The connection is lost; it is being made again.",
        "La connexion est perdue ; elle se rétablit.",
    ),
    "found": ("The connection is back.", "La connexion est rétablie."),
    "replaced": (
        "Your seat is played from another connection now.",
        "Votre place est jouée depuis une autre connexion.",
    ),
    "rolled_back": (
        "The server was set back to an earlier moment; the table is as it now looks.",
        "Le serveur est revenu à un moment antérieur ; voici la table telle qu’elle est.",
    ),
    "missed": ("Events you missed: {count}.", "Événements manqués : {count}."),
    "record": (
        "The record of this match: {url} (dormie verify checks it)",
        "Le procès-verbal de la partie : {url} (dormie verify le contrôle)",
    ),
    "record_local": (
        "While you stay here, its record is at {url} (dormie verify checks it)",
        "Tant que vous restez, le procès-verbal est à {url} (dormie verify le contrôle)",
    ),
    # the table
    "you": ("You", "Vous"),
    "seat": ("Seat {seat}", "Place {seat}"),
    "free": ("free", "libre"),
    "bot": ("bot ({level})", "robot ({level})"),
    "away": ("away", "absent"),
    "sat_in": ("a bot ({level}) sits in", "un robot ({level}) joue à sa place"),
    "out": ("out of the match", "hors de la partie"),
    "host": ("host", "hôte"),
    "ready": ("ready", "c’est bon"),
    "discard": ("Discard {card}", "Défausse {card}"),
    "stock": ("Stock {count}", "Pioche {count}"),
    "empty": ("empty", "vide"),
    "in_hand": ("In hand {card}", "En main {card}"),
    "row": ("row {row}", "rangée {row}"),
    "face_down": ("face-down", "cachée"),
    "hole": ("Hole", "Trou"),
    "totals": ("Total", "Total"),
    "up": ("Up", "Avance"),
    "place": ("{place}. {name}, {score}", "{place}. {name}, {score}"),
    "no_cards": ("No cards have been dealt.", "Aucune carte n’est distribuée."),
    "no_scores": ("No hole is over yet.", "Aucun trou n’est terminé."),
    "nobody_there": ("Nobody like that plays here.", "Personne de tel ne joue ici."),
    "line": ("{name}: {cards}", "{name} : {cards}"),
    # what may be done now
    "or": ("or", "ou"),
    "ask_lobby": ("{taken} of {size} seats taken", "{taken} sur {size} à table"),
    "ask_seats": ("Everybody is here", "Tout le monde est là"),
    "ask_setup": ("Turn {count} of your cards up", "Retournez {count} de vos cartes"),
    "ask_turn": ("Your turn", "À vous"),
    "ask_last_turn": ("Your last turn, {name} has closed", "Votre dernier tour, {name} a fermé"),
    "ask_last_lap": ("Your last turn", "Votre dernier tour"),
    "ask_held": ("{card} in hand", "{card} en main"),
    "ask_between": ("Next hole", "Trou suivant"),
    "ask_over": ("The match is over", "La partie est terminée"),
    "ask_replaced": ("Played elsewhere", "Jouée ailleurs"),
    "seconds_left": ("{count} seconds left.", "Plus que {count} secondes."),
    # answers
    "what": (
        "That is no command; ? lists them all.",
        "Ce n’est pas une commande ; ? les donne toutes.",
    ),
    "which_card": (
        "Say which card, counted from 1 row by row: swap 4.",
        "Dites quelle carte, comptée à partir de 1 rangée par rangée : échange 4.",
    ),
    "no_level": ("Say the level of the bot: {levels}.", "Dites le niveau du robot : {levels}."),
    "sure_leave": (
        "That gives your seat up for good. Type leave again if you mean it.",
        "Votre place sera perdue. Tapez encore abandonne si c’est voulu.",
    ),
    "sure_end": (
        "That closes the table for everybody. Type end again if you mean it.",
        "La table sera fermée pour tous. Tapez encore ferme si c’est voulu.",
    ),
    "waiting": ("Waiting for {names}.", "En attente de {names}."),
}

TEXTS = {
    **_TEXTS,
    **host_text.TEXTS,
    **spectator_text.TEXTS,
    **time_text.TEXTS,
    **talk_text.TEXTS,
    **house_text.TEXTS,
    **self_text.TEXTS,
}


def text(key: str, language: Language, **fields: object) -> str:
    """What a person reads for *key*.

    >>> text("stock", "fr", count=31)
    'Pioche 31'
    """
    english, french = TEXTS[key]
    return (french if language == "fr" else english).format(**fields)
