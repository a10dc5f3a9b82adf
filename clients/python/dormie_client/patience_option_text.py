"""Every option of Golf Patience explained, in English and in French."""

from dormie_client.option_text import explained
from dormie_protocol.messages import Language

OPTIONS: dict[str, tuple[str, str]] = {
    "king_rule": (
        "What goes on a King: nothing; a Queen; a Queen and an Ace, and a King on an Ace.",
        "Ce qui va sur un roi : rien ; une dame ; une dame et un as, et un roi sur un as.",
    ),
    "jokers": (
        "Jokers in the pack: they go on any card, and any card on them.",
        "Jokers dans le jeu : ils vont sur toute carte, et toute carte sur eux.",
    ),
    "empty_start": (
        "Whether the foundation begins empty, and any free card may be the first.",
        "Si la base commence vide, et si toute carte libre peut être la première.",
    ),
    "draw_with_moves": (
        "Whether one may draw although a card fits.",
        "Si l’on peut piocher bien qu’une carte aille.",
    ),
    "joker_on_strict_king": (
        "Whether a joker goes on a King on which nothing else goes.",
        "Si un joker va sur un roi où rien d’autre ne va.",
    ),
    "joker_follow": (
        "What follows a joker.",
        "Ce qui suit un joker.",
    ),
    "undo": (
        "Whether who plays alone may take moves back: none, back to the last card drawn, or all.",
        "Si qui joue seul peut reprendre ses coups : aucun, jusqu’à la dernière carte piochée, ou tous.",
    ),
    "deal_policy": (
        "Which deals: any, none hopeless at a glance, those one can clear, gentle ones, or those of par 4 or 5.",
        "Donnes : toutes, aucune perdue d’avance, celles qu’on peut réussir, les clémentes, celles de par 4 ou 5.",
    ),
    "holes": ("Holes of a course.", "Trous d’un parcours."),
    "par": ("The par of every hole.", "Le par de chaque trou."),
    "par_of_deal": (
        "Whether each hole has a par of its own, from 3 to 5, by its deal.",
        "Si chaque trou a son propre par, de 3 à 5, selon sa donne.",
    ),
    "scoring": (
        "Whether strokes are added up, or holes are won one by one.",
        "Si l’on additionne les coups, ou si l’on gagne trou par trou.",
    ),
    "tied_match": (
        "What becomes of a match that is level after its last hole.",
        "Ce que devient un match à égalité après son dernier trou.",
    ),
    "play_out": (
        "Whether all holes are played although the match is decided.",
        "Si l’on joue tous les trous bien que le match soit décidé.",
    ),
    "opponent_view": (
        "What rivals see of each other in a hole: the cards left, or only who has finished.",
        "Ce que l’on voit des autres pendant un trou : les cartes restantes, ou seulement qui a fini.",
    ),
    "hole_seconds": ("Seconds for a hole.", "Secondes pour un trou."),
    "time_up": (
        "What the end of that time does: the board counts as it lies, or the hole is lost.",
        "Ce que fait la fin de ce temps : le tableau compte tel quel, ou le trou est perdu.",
    ),
}


def patience_explained(name: str, language: Language) -> str:
    """What an option is for; empty for one of a newer server.

    >>> patience_explained("par", "fr"), patience_explained("tie_break", "en")
    ('Le par de chaque trou.', 'How a tie for first is settled.')
    """
    english, french = OPTIONS.get(name) or (explained(name, "en"), explained(name, "fr"))
    return french if language == "fr" else english
