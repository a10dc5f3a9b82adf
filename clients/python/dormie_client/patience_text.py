"""Everything the terminal says at a table of Golf Patience that is not an event, in English and in French."""

from dormie_protocol.messages import Language

# What the program calls it -> what a person reads, in English and in French.
TEXTS: dict[str, tuple[str, str]] = {
    "column": ("column {number}: {cards}", "colonne {number} : {cards}"),
    "row": ("row {number}: {cards}", "rangée {number} : {cards}"),
    "free": ("free: {cards}", "libres : {cards}"),
    "covered": ("{card} covered", "{card} couverte"),
    "face_down": ("{count} face-down", "{count} face cachée"),
    "empty": ("empty", "vide"),
    "foundation": ("foundation {card}", "base {card}"),
    "stock": ("stock {count}", "talon {count}"),
    "left": ("{count} left", "reste {count}"),
    "piles": ("; ", " ; "),
    "no_board": ("You play no board in this hole.", "Vous ne jouez pas de tableau à ce trou."),
    "others": ("Others: {names}", "Les autres : {names}"),
    "progress": ("{name} {count} left", "{name} (reste {count})"),
    "playing": ("{name} plays", "{name} joue"),
    "finished": ("{name} has finished", "{name} a fini"),
    "finished_with": ("{name} has finished with {count}", "{name} a fini avec {count}"),
    "hole": ("Hole", "Trou"),
    "par": ("Par", "Par"),
    "total": ("Total", "Total"),
    "up": ("Up", "Avance"),
    "score_of": ("{name}: {score}", "{name} : {score}"),
    "hole_of": ("Hole {hole} of {holes}, par {par}.", "Trou {hole} sur {holes}, par {par}."),
    "extra_hole": ("Extra hole {hole}, par {par}.", "Trou supplémentaire {hole}, par {par}."),
    "so_far": ("So far {total} ({against}).", "Jusqu’ici {total} ({against})."),
    "score_line": ("Hole {hole}: {score}, {name}.", "Trou {hole} : {score}, {name}."),
    "no_scores": ("No hole is over yet.", "Aucun trou n’est terminé."),
    "ask_play": ("Column {columns}", "Colonne {columns}"),
    "ask_place": ("Place {columns}", "Place {columns}"),
    "say_draw": ("Draw", "Pioche"),
    "say_give_up": ("Give up", "Renonce"),
    "ask_draw": ("draw (d)", "pioche (p)"),
    "or": ("or", "ou"),
    "ask_nothing": ("Nothing fits: {rest}", "Rien ne va : {rest}"),
    "ask_give_up": ("give up (g)", "renonce (g)"),
    "ask_ready": ("Enter when you are ready", "Entrée quand vous êtes prêt"),
    "ask_between": ("Enter for the next hole", "Entrée pour le trou suivant"),
    "ask_over": (
        "The match is over: rematch or quit",
        "La partie est terminée : revanche ou quitte",
    ),
    "ask_day_over": (
        "That was your try; the results come when the day is over: quit",
        "C’était votre essai ; les résultats viennent à la fin du jour : quitte",
    ),
    "ask_lobby": (
        "{taken} of {size} seats taken: ready, bot LEVEL, start",
        "{taken} places prises sur {size} : prêt, robot NIVEAU, commence",
    ),
    "which_column": (
        "Say which column, counted from 1: 3.",
        "Dites quelle colonne, comptée à partir de 1 : 3.",
    ),
    "sure_give_up": (
        "That ends the hole with {count}. Type it again if you mean it.",
        "Le trou finira avec {count}. Tapez-le encore si c’est voulu.",
    ),
    "sure_concede_hole": (
        "That concedes the hole. Type it again if you mean it.",
        "Le trou sera concédé. Tapez-le encore si c’est voulu.",
    ),
    "sure_concede": (
        "That gives the match away for good. Type it again if you mean it.",
        "Le match sera perdu pour de bon. Tapez-le encore si c’est voulu.",
    ),
    "no_auto": (
        "There is not exactly one card that fits.",
        "Il n’y a pas exactement une carte qui va.",
    ),
    "marks_on": ("Cards that fit have a star.", "Les cartes qui vont ont une étoile."),
    "marks_off": ("Nothing is marked.", "Rien n’est marqué."),
    "seconds_left": (
        "{count} seconds left for this hole.",
        "Plus que {count} secondes pour ce trou.",
    ),
    "minutes": ("{count} minutes for this hole.", "{count} minutes pour ce trou."),
}

HELP: dict[Language, str] = {
    "en": """\
3 (or play 3): put the last card of column 3 on the foundation. draw (d): turn the next card of the stock up.
auto (a): play on while exactly one card fits; it never draws. undo (u): take back, where the table lets you.
give up (g): end the hole, or concede it in a match; twice. concede: give a whole match away; twice.
hint, hint open: a good move, where you play alone.
look (l): the columns; score: the card; marks: star the cards that fit, or not; who; rules.
ready (or Enter): to start, and to go on after a hole. rematch: once more. time: what is left of it.
start, bot LEVEL, end: for the host. leave: give your seat up. quit (q): keep it.
More, as at every table: ? host, ? watch, ? time, ? talk, ? house, ? me.""",
    "fr": """\
3 (ou joue 3) : poser la dernière carte de la colonne 3 sur la base. pioche (p) : retourner une carte du talon.
auto (a) : jouer tant qu’une seule carte va ; jamais de pioche. reprends (u) : reprendre, si la table le permet.
renonce (g) : finir le trou, ou le concéder dans un match ; deux fois. concède : donner tout le match ; deux fois.
indice, indice open : un bon coup, si vous jouez seul.
regarde (l) : les colonnes ; score : la carte ; marques : une étoile aux cartes qui vont, ou non ; qui ; règles.
prêt (ou Entrée) : pour commencer, et après un trou. revanche : encore une. temps : ce qu’il en reste.
commence, robot NIVEAU, ferme : pour l’hôte. abandonne : rendre sa place. quitte (q) : la garder.
Suite, comme à toute table : ? hôte, ? spectateurs, ? temps, ? paroles, ? maison, ? moi.""",
}


def text(key: str, language: Language, **fields: object) -> str:
    """What a person reads for *key*.

    >>> text("left", "fr", count=12)
    'reste 12'
    """
    english, french = TEXTS[key]
    return (french if language == "fr" else english).format(**fields)
