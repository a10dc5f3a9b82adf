"""Every option of a table explained, in English and in French."""

from dormie_protocol.messages import Language

# The option -> why one would choose it, in English and in French.
OPTIONS: dict[str, tuple[str, str]] = {
    # the table
    "size": ("How many seats.", "Combien de places."),
    "bots": (
        "Bots to seat at once, by their levels.",
        "Robots à asseoir tout de suite, par niveau.",
    ),
    "password": (
        "What one has to know to join or to watch.",
        "Ce qu’il faut savoir pour entrer ou regarder.",
    ),
    "private": (
        "A password that nobody types: it is in the link.",
        "Un mot de passe que nul ne tape : il est dans le lien.",
    ),
    "listed": (
        "Whether everybody finds the table in the lobby.",
        "Si tout le monde trouve la table au salon.",
    ),
    "chat": (
        "What may be said: anything, quick words, nothing.",
        "Ce qui peut se dire : tout, des mots rapides, rien.",
    ),
    "undo": (
        "Whether a move that showed no card may be taken back when all others agree.",
        "Si un coup qui n’a montré aucune carte peut être repris quand tous sont d’accord.",
    ),
    # those who watch
    "watching": (
        "Whether anybody may watch without a seat.",
        "Si l’on peut regarder sans être assis.",
    ),
    "watch_password": (
        "Whether they need the password, if there is one.",
        "S’il leur faut le mot de passe, s’il y en a un.",
    ),
    "watch_chat": (
        "What they may do: nothing, hear the table, talk among themselves, be heard by all.",
        "Ce qu’ils peuvent : rien, entendre, parler entre eux, être entendus de tous.",
    ),
    "watch_delay": (
        "How many seconds later they see everything.",
        "De combien de secondes ils voient tout plus tard.",
    ),
    # its clocks
    "turn_seconds": ("Seconds for a turn.", "Secondes pour un tour."),
    "game_seconds": (
        "Seconds more for each player and match, used when a turn’s own are over.",
        "Secondes en plus par joueur et par partie, une fois celles du tour passées.",
    ),
    "away_seconds": (
        "Seconds a line may be down before that costs time to think.",
        "Secondes de ligne coupée avant que la réflexion n’en pâtisse.",
    ),
    "pauses": ("Pauses in a match, all together.", "Pauses par partie, pour tous ensemble."),
    "pause_seconds": ("Seconds of all pauses.", "Secondes de toutes les pauses."),
    "when_out": (
        (
            "What happens when a player’s time is over: the usual move, a bot that sits in, a vote, "
            "out of the match, or patience."
        ),
        (
            "Ce qui arrive quand le temps d’un joueur est écoulé : le coup habituel, un robot qui "
            "joue à sa place, un vote, la sortie, ou la patience."
        ),
    ),
    "bot": ("The level of the bot that sits in.", "Le niveau du robot qui joue à sa place."),
    "vote_seconds": ("Seconds for a vote.", "Secondes pour un vote."),
    "wait_seconds": (
        "Seconds the others wait on at most.",
        "Secondes que les autres attendent au plus.",
    ),
    # the cards
    "rows": ("Rows of a grid.", "Rangées d’une grille."),
    "cols": ("Columns of a grid.", "Colonnes d’une grille."),
    "initial_face_up": (
        "Cards everybody turns up before the first turn.",
        "Cartes que chacun retourne avant le premier tour.",
    ),
    "flip_after_discard": (
        "Whether one must, may or may never turn a card up after throwing the drawn one away.",
        "Si l’on doit, peut ou ne peut pas retourner une carte après avoir jeté la pioche.",
    ),
    "last_flip_optional": (
        "Whether the last face-down card may stay down where one must turn.",
        "Si la dernière carte cachée peut le rester là où il faut retourner.",
    ),
    "final_lap": (
        "Who has one last turn when somebody has closed.",
        "Qui a un dernier tour quand quelqu’un a fermé.",
    ),
    "closer_penalty": (
        "What whoever closed pays for not being lowest.",
        "Ce que paie qui a fermé sans être le plus bas.",
    ),
    "closer_tie": (
        "Whether being equalled is being beaten.",
        "Si être égalé, c’est être battu.",
    ),
    "jokers_per_deck": ("Jokers in every deck.", "Jokers par paquet."),
    "decks": (
        "Decks shuffled together; auto takes as many as the players need.",
        "Paquets mélangés ensemble ; auto en prend autant qu’il en faut.",
    ),
    "stock_empty": (
        "What happens when the stock is empty.",
        "Ce qui arrive quand la pioche est vide.",
    ),
    "max_reshuffles": (
        "How often the discard pile becomes the stock again.",
        "Combien de fois la défausse redevient la pioche.",
    ),
    "no_progress_laps": (
        "Laps without a card turned up that end a hole.",
        "Tours de table sans carte retournée qui finissent un trou.",
    ),
    "max_laps": ("Laps that end a hole.", "Tours de table qui finissent un trou."),
    "end": (
        (
            "When a match ends: after so many holes, when one player is left, or when one reaches "
            "the limit."
        ),
        (
            "Quand finit la partie : après tant de trous, quand il ne reste qu’un joueur, ou quand "
            "l’un atteint la limite."
        ),
    ),
    "holes": ("Holes of a match.", "Trous d’une partie."),
    "limit": ("Points at which one is out.", "Points auxquels on est éliminé."),
    "limit_inclusive": (
        "Whether one is out at the limit itself, or only above.",
        "Si l’on est éliminé à la limite même, ou seulement au-delà.",
    ),
    "tie_break": ("How a tie for first is settled.", "Comment se règle une égalité en tête."),
    "match_play": (
        "Whether holes are won, each against each, instead of strokes counted.",
        "Si l’on gagne des trous, chacun contre chacun, au lieu de compter les coups.",
    ),
    "tied_match": (
        "What becomes of a match that is all square: halved, extended hole by hole, or counted back.",
        "Ce que devient un match à égalité : partagé, prolongé trou par trou, ou départagé à rebours.",
    ),
    "next_first_player": ("Who begins the next hole.", "Qui commence le trou suivant."),
    # what they count
    "lines": (
        "Which lines of equal cards count nothing.",
        "Quelles lignes de cartes égales ne comptent rien.",
    ),
    "joker_line": ("What a line of jokers counts.", "Ce que compte une ligne de jokers."),
    "negative_line": (
        "What a line of a rank below nothing counts.",
        "Ce que compte une ligne d’un rang négatif.",
    ),
    "joker_wild_in_lines": (
        "Whether a joker completes a line of others.",
        "Si un joker complète une ligne d’autres cartes.",
    ),
    "block_bonus": ("Points for blocks of equal cards.", "Points pour des blocs de cartes égales."),
    "floor_zero": (
        "Whether a hole counts nothing at least.",
        "Si un trou compte au moins zéro.",
    ),
    "values": ("What each rank counts.", "Ce que compte chaque rang."),
}

# Words with which a range is said.
WORDS: dict[str, tuple[str, str]] = {
    "range": ("{low} to {high}", "{low} à {high}"),
    "shapes": ("with the other: {shapes}", "avec l’autre : {shapes}"),
    "whole": ("a whole number", "un nombre entier"),
    "list": ("a list of {of}", "une liste de {of}"),
    "object": ("an object, see docs/variants.md", "un objet, voir docs/variants.md"),
    "ranks": (
        'the ranks that differ, like {{"K":0,"*":-3}}',
        'les rangs qui diffèrent, comme {{"K":0,"*":-3}}',
    ),
    "above": ("see above", "voir plus haut"),
    "yes_no": ("true, false", "true, false"),
    "signs": ("4 to 64 signs", "4 à 64 signes"),
    "levels": ("levels, like easy,medium", "des niveaux, comme easy,medium"),
    "level": ("a level", "un niveau"),
    "option": ("option", "option"),
    "here": ("here", "ici"),
    "can_be": ("can be", "valeurs"),
    "none": ("none", "aucun"),
    "counts": ("A card counts: {values}.", "Une carte compte : {values}."),
    "decks": ("Decks: {packs}.", "Paquets : {packs}."),
    "packs": ("{packs} players", "{packs} joueurs"),
    "for": ("{decks} for {seats}", "{decks} pour {seats}"),
}


def explained(name: str, language: Language) -> str:
    """What an option is for; empty for one of a newer server.

    >>> explained("size", "fr")
    'Combien de places.'
    """
    english, french = OPTIONS.get(name, ("", ""))
    return french if language == "fr" else english


def word(key: str, language: Language, **fields: object) -> str:
    """A word with which a range is said."""
    english, french = WORDS[key]
    return (french if language == "fr" else english).format(**fields)
