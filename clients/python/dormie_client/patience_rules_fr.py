"""The rules of Golf Patience and its relatives in French; in English they are the variants' own texts."""

from dormie_protocol.messages import Language
from dormie_rules.patience_variant import PatienceVariant

_LAY = """\
Posez une carte libre sur la base si son rang est juste au-dessus ou juste au-dessous de celui qui s’y trouve,
quelle que soit la couleur ; le sens peut changer à chaque carte."""
_TURN = """\
Ou retournez sur la base la carte suivante du talon, quand vous voulez ; on ne le parcourt qu’une fois."""
_COLUMNS = """\
Sept colonnes de cinq cartes sont visibles ; seule la dernière de chacune est libre. Une carte commence la
base, et {stock} forment le talon{jokers}."""
_DOUBLE = """\
Neuf colonnes de sept cartes sont visibles ; seule la dernière de chacune est libre. Une carte commence la
base, et quarante forment le talon."""
_PYRAMID = """\
Une pyramide de vingt-huit cartes a sept rangées, d’une carte au sommet à sept à la base. {lies} Chaque carte est
couverte par deux cartes de la rangée du dessous ; quand les deux sont parties, elle est libre{turned}. Une
carte de plus commence la base, et vingt-trois forment le talon."""
_PEAKS = """\
Trois pyramides de six cartes cachées, la pointe en haut, reposent sur une rangée commune de dix cartes
visibles. Chaque carte d’une pyramide est couverte par deux cartes de la rangée du dessous. Quand les deux
sont parties, elle est libre, et aussitôt retournée. Une carte de plus commence la base, et vingt-trois
forment le talon."""
_ROW = """\
Tout le jeu est visible en treize colonnes de quatre ; seule la dernière carte de chacune est libre. Il n’y a
pas de talon, et la base est vide : toute carte libre peut être la première."""

_STRICT = "Rien ne va sur un roi : il finit une suite, et seul le talon continue."
_QUEEN = (
    "Une dame va sur un roi, et un roi sur une dame ; un as et un roi ne se rencontrent jamais."
)
_WRAP = "Les rangs tournent : un roi est entre une dame et un as, et un as entre un roi et un 2."

_END = """\
Le trou finit quand le tableau est vide, quand le talon est vide et que rien ne va, ou quand vous renoncez.
Chaque carte qui reste au tableau est un coup. S’il n’en reste aucune, chaque carte du talon enlève un coup."""
_END_NO_STOCK = """\
Le trou finit quand le tableau est vide, quand rien ne va, ou quand vous renoncez. Chaque carte qui reste est
un coup."""
_COURSE = "Neuf trous font un parcours, gagné avec au plus les 45 coups de son par."
_BACK = "On peut reprendre ses coups."
_GENTLE = """\
Une donne est clémente quand un joueur sur quatre la réussit, parmi ceux qui regardent une carte plus loin et
ne connaissent pas le talon."""
_PAR_4_5 = """\
Un solveur réussit chaque donne ; mais des joueurs qui regardent une carte plus loin et ne connaissent pas le
talon y laissent en moyenne trois coups et demi ou plus : ce sont les donnes dont le par propre est 4 ou 5."""
_BUDGET = "Un solveur cherche dans de telles donnes avec un budget, et peut ne pas savoir."
_TOGETHER = """\
Jusqu’à six peuvent jouer les mêmes donnes en même temps, chacun sur son tableau. Tant qu’un trou n’est pas
fini pour tous, les autres voient seulement qui l’a fini et combien de cartes restent ; puis chaque tableau
est montré. Le plus petit total gagne, et nul ne reprend de coup."""
_MATCH = """\
Les deux jouent la même donne en même temps, chacun sur son tableau, et ne voient de l’autre que s’il a fini et
combien de cartes lui restent, jusqu’à ce que le trou soit fini pour les deux. Qui renonce à un trou le
concède ; on peut aussi concéder le match. Il est fini dès que l’un mène de plus de trous qu’il n’en reste.
Jusqu’à six peuvent jouer, chacun contre chacun."""


def _golf(title: str, kings: str, *more: str, stock: str = "seize", jokers: str = "") -> str:
    lies = _COLUMNS.format(stock=stock, jokers=jokers)
    return _page(title, f"{lies} {_LAY} {_TURN}", kings, " ".join((_END, _COURSE, *more)))


def _page(*paragraphs: str, together: str = _TOGETHER) -> str:
    return "\n\n".join((*paragraphs, together))


_LEVEL = "Golf patience {what}, et toute donne peut être réussie."
_PYRAMID_DOWN = _PYRAMID.format(
    lies="Les six rangées du haut sont cachées, celle du bas est visible.",
    turned=", et aussitôt retournée",
)
_PYRAMID_UP = _PYRAMID.format(lies="Toutes sont visibles.", turned="")

TEXTS: dict[str, str] = {
    "golf_patience_strict": _golf("Golf patience : rien ne va sur un roi.", _STRICT),
    "golf_patience_queen": _golf("Golf patience : une dame va sur un roi.", _QUEEN),
    "golf_patience_wrap": _golf("Golf patience : rois et as se rencontrent.", _WRAP),
    "golf_patience_easy": _golf(
        "Golf patience pour débuter : rois et as se rencontrent, et toute donne est clémente.",
        _WRAP,
        _BACK,
        _GENTLE,
    ),
    "golf_patience_medium": _golf(_LEVEL.format(what="avec la dame sur le roi"), _QUEEN, _BACK),
    "golf_patience_hard": _golf(
        "Golf patience sans rien sur le roi, et des donnes qui peuvent être réussies, mais difficilement.",
        _STRICT,
        _BACK,
        _PAR_4_5,
    ),
    "golf_patience_match": _page(
        "Golf patience à deux, trou contre trou sur les mêmes donnes.",
        f"{_COLUMNS.format(stock='seize', jokers='')} {_LAY} {_TURN}",
        _STRICT,
        f"{_END} Le plus petit score gagne le trou ; dix-huit trous font un match, et les coups ne"
        " s’additionnent pas.",
        together=_MATCH,
    ),
    "putt_putt": _golf(
        "Putt Putt, ou golf assoupli : rois et as se rencontrent.",
        f"{_WRAP} D’autres l’appellent golf assoupli, un nom qui veut dire ailleurs que seules les dames vont"
        " sur les rois : voir queen_on_king.",
    ),
    "queen_on_king": _golf(
        "Dame sur roi : le golf où une dame peut suivre un roi.",
        f"{_QUEEN} D’autres l’appellent golf, ou golf assoupli.",
    ),
    "dead_king": _golf(
        "Roi mort : le golf où rien ne va sur un roi.",
        "Rien ne va sur un roi : il finit toute suite. Un roi va sur une dame, et un 2 sur un as. Beaucoup"
        " l’appellent golf, sans plus.",
    ),
    "thieves": _golf(
        "Voleurs : le golf avec deux jokers, qui vont partout.",
        f"Un joker va sur toute carte, et toute carte sur un joker. {_QUEEN}",
        stock="dix-huit",
        jokers=" : deux jokers sont dans le jeu",
    ),
    "double_golf": _page(
        "Double golf : deux jeux, neuf colonnes de sept cartes, et une dame va sur un roi.",
        f"{_DOUBLE} {_LAY} {_TURN}",
        _QUEEN,
        f"{_END} {_COURSE} {_BUDGET}",
    ),
    "double_putt": _page(
        "Double putt : deux jeux, neuf colonnes de sept cartes, rois et as se rencontrent.",
        f"{_DOUBLE} {_LAY} {_TURN}",
        _WRAP,
        f"{_END} {_COURSE} {_BUDGET}",
    ),
    "tripeaks": _page(
        "TriPeaks : trois petites pyramides sur une rangée commune de dix cartes.",
        f"{_PEAKS} {_LAY} {_TURN}",
        _WRAP,
        f"{_END} {_COURSE} Une suite ne rapporte rien par elle-même : un trou vaut autant, de quelque"
        " façon que ses cartes soient parties.",
    ),
    "elevator": _page(
        "Elevator, ou golf en pyramide : seule la rangée du bas est visible.",
        f"{_PYRAMID_DOWN} {_LAY} {_TURN}",
        _WRAP,
        f"{_END} {_COURSE}",
    ),
    "escalator": _page(
        "Escalator, ou golf en pyramide : toutes les cartes sont visibles.",
        f"{_PYRAMID_UP} {_LAY} {_TURN}",
        _WRAP,
        f"{_END} {_COURSE}",
    ),
    "black_hole": _page(
        "Trou noir : tout le jeu sur l’as de pique, sans talon.",
        "L’as de pique est retiré avant que le jeu soit battu, et commence la base. Les autres cartes sont"
        f" visibles en dix-sept colonnes de trois ; seule la dernière de chacune est libre. Il n’y a pas de"
        f" talon. {_LAY}",
        _WRAP,
        f"{_END_NO_STOCK} {_COURSE} {_BUDGET}",
    ),
    "all_in_a_row": _page(
        "Tout en suite, comme on y joue le plus souvent : tout le jeu en une suite, commencée où l’on veut.",
        f"{_ROW} Ensuite : {_LAY[0].lower()}{_LAY[1:]}",
        f"{_WRAP} C’est une méprise répandue sur un jeu plus ancien : voir all_in_a_row_ii.",
        f"{_END_NO_STOCK} {_COURSE} {_BUDGET}",
    ),
    "all_in_a_row_ii": _page(
        "Tout en suite II, comme son auteur l’entendait : des suites montantes de deux cartes ou plus.",
        f"{_ROW} Une suite monte, quelle que soit la couleur : sur une carte va le rang du dessus, et sur un roi"
        " un as.",
        "Quand une suite a deux cartes ou plus, toute carte libre peut en commencer une autre. Une carte seule ne"
        " peut rester seule : elle attend celle qui va sur elle.",
        "Le trou finit quand tout est en suites, quand rien ne va, ou quand vous renoncez. Chaque carte qui reste"
        f" est un coup, et aussi une carte seule qui attendait. {_COURSE} Aucun solveur ne connaît ce jeu.",
    ),
}


def patience_text(variant: PatienceVariant, language: Language) -> str:
    """The rules for people; in English where there is no French text yet.

    >>> from dormie_rules.patience_variants import find_patience
    >>> patience_text(find_patience("dead_king"), "fr").splitlines()[0]
    'Roi mort : le golf où rien ne va sur un roi.'
    """
    return TEXTS.get(variant.name, variant.text) if language == "fr" else variant.text
