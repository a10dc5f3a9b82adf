"""What is typed and read about tables at which one is not, or not yet, in English and in French."""

from typing import Literal, TypeAlias

from dormie_protocol.messages import Language

HouseVerb: TypeAlias = Literal[
    "lobby", "quick", "new", "options", "join", "watch", "mine", "history"
]

TYPED: dict[str, str] = {
    "lobby": "lobby salon",
    "quick": "quick vite",
    "new": "new nouvelle",
    "options": "options option",
    "join": "join rejoins rejoindre",
    "watch": "watch observe observer",
    "mine": "mine miennes",
    "history": "history historique",
}

TEXTS: dict[str, tuple[str, str]] = {
    "no_table_here": ("You are at no table.", "Vous n’êtes à aucune table."),
    "no_house_here": (
        "There is no house here but this table.",
        "Il n’y a ici pas de maison, que cette table.",
    ),
    "ask_hall": ("In the house", "Dans la maison"),
    "counts": (
        "Open tables: {tables}. People here: {online}; at tables: {seated}; watching: {watching}.",
        "Tables ouvertes : {tables}. Présents : {online} ; assis : {seated} ; spectateurs : {watching}.",
    ),
    "lobby_empty": (
        "No table is listed. quick takes the first that comes, new opens one.",
        "Aucune table n’est annoncée. vite prend la première venue, nouvelle en ouvre une.",
    ),
    "lobby_more": ("And {count} more.", "Et {count} de plus."),
    "card": (
        "{code}: {variant}; {taken} of {size} seats taken; {phase}; {time} a turn",
        "{code} : {variant} ; {taken} places prises sur {size} ; {phase} ; {time} par tour",
    ),
    "card_host": ("host {name}", "hôte {name}"),
    "card_password": ("password", "mot de passe"),
    "card_locked": ("locked", "verrouillée"),
    "card_unwatched": ("no spectators", "sans spectateurs"),
    "mine_none": ("You have a seat nowhere.", "Vous n’avez de place nulle part."),
    "mine_line": (
        "{number}. {code}: {variant}; {phase}; {names}",
        "{number}. {code} : {variant} ; {phase} ; {names}",
    ),
    "mine_turn": ("your turn", "à vous"),
    "history_none": (
        "You have finished no match here.",
        "Vous n’avez fini aucune partie ici.",
    ),
    "history_line": (
        "{record}: {variant}; {holes} holes; {results}",
        "{record} : {variant} ; {holes} trous ; {results}",
    ),
    "history_place": ("{place}. {name} {total}", "{place}. {name} {total}"),
    "history_more": (
        "For older ones: history {record}",
        "Pour les précédentes : historique {record}",
    ),
    "which_table": (
        "Say which table: its code or its link, and its password if it has one.",
        "Dites quelle table : son code ou son lien, et son mot de passe s’il y en a un.",
    ),
    "which_number": (
        "Say one of the numbers, or new.",
        "Dites un des numéros, ou nouvelle.",
    ),
    "ask_which": (
        "Several tables are yours: 1-{count}, new",
        "Plusieurs tables sont à vous : 1-{count}, nouvelle",
    ),
    "elsewhere": (
        'That table is in another house: dormie play "{link}"',
        'Cette table est dans une autre maison : dormie play "{link}"',
    ),
    "needs_password": (
        "There is no such table, or no seat for you. If it has a password: {word} {code} PASSWORD",
        "Pas de telle table, ou de place. Si elle a un mot de passe : {word} {code} MOTDEPASSE",
    ),
    "needs_password_first": (
        "There is no such table, or no seat for you. If it has a password: --password WORD",
        "Pas de telle table, ou de place. Si elle a un mot de passe : --password MOT",
    ),
    "join_word": ("join", "rejoins"),
    "watch_word": ("watch", "observe"),
    "seat_kept": ("Your seat at {code} stays yours.", "Votre place à {code} vous reste."),
    "name_stays": (
        "At this table you stay {name}; as {new} you take a seat at the next one.",
        "À cette table vous restez {name} ; vous serez {new} à la prochaine.",
    ),
    "no_option": (
        "There is no option {name}; options lists them.",
        "Il n’y a pas d’option {name} ; options les donne.",
    ),
    "bad_value": (
        "{name} cannot be {value}; it can be {range}.",
        "{name} ne peut pas être {value} ; ce peut être {range}.",
    ),
    "bad_clock": (
        "{name} cannot be {value}; options says what it can be.",
        "{name} ne peut pas être {value} ; options dit ce que ce peut être.",
    ),
    "option_line": (
        "{name} ({usual}): {why} Can be {range}.",
        "{name} ({usual}) : {why} Valeurs : {range}.",
    ),
    "options_intro": (
        "Say them behind new: new {variant} size=2 holes=3 bots=easy. In brackets what is usual.",
        "Dites-les après nouvelle : nouvelle {variant} size=2 holes=3 bots=easy. Entre parenthèses, l’usage.",
    ),
    # the phases of a table
    "phase_lobby": ("waits for players", "attend des joueurs"),
    "phase_starting": ("is about to start", "va commencer"),
    "phase_playing": ("plays", "joue"),
    "phase_between": ("between two holes", "entre deux trous"),
    "phase_over": ("the match is over", "partie terminée"),
    "phase_closed": ("closed", "fermée"),
}

HELP: dict[Language, str] = {
    "en": """\
lobby, lobby six_card, lobby free: the listed tables, and how many people are here.
quick, quick six_card 2: the best table that waits for players (of 2 seats), or a new one.
new, new six_card size=2 holes=3 bots=easy: open a table; options: all that can be chosen.
join CODE, join LINK, join CODE PASSWORD: take a seat. watch CODE: look on.
mine: where you have a seat, join 1 goes there. history: your matches.""",
    "fr": """\
salon, salon six_card, salon free : les tables annoncées, et combien de monde il y a.
vite, vite six_card 2 : la meilleure table qui attend des joueurs (à 2 places), ou une nouvelle.
nouvelle, nouvelle six_card size=2 holes=3 bots=easy : ouvrir une table ; options : tous les choix.
rejoins CODE, rejoins LIEN, rejoins CODE MOTDEPASSE : prendre place. observe CODE : regarder.
miennes : où vous avez une place, rejoins 1 y mène. historique : vos parties.""",
}
