"""The closed list of words with which anything here says no, each with its sentences for people."""

from dormie_rules.grid_legal import WORDS as GRID_WORDS
from dormie_rules.race_legal import RACE_WORDS

REFUSED = "Dormie-Refused"
"""The header in which a server that answers no at its door, over HTTP, says the word for it."""

# The word a program compares -> the sentence a person reads, in English and in French.
SENTENCES: dict[str, tuple[str, str]] = {
    # the wire
    "unreadable": ("This message could not be read.", "Ce message est illisible."),
    "hello_first": ("The first message must be hello.", "Le premier message doit être hello."),
    "already_greeted": ("You have said hello already.", "Vous avez déjà dit hello."),
    "too_fast": ("Too many messages; wait a little.", "Trop de messages ; patientez un peu."),
    "unknown_token": ("This token is not known here.", "Ce jeton est inconnu ici."),
    "bad_name": ("This name cannot be used.", "Ce nom ne peut pas être utilisé."),
    "banned": (
        "Those who run this house do not let you in.",
        "Les responsables de cette maison ne vous laissent pas entrer.",
    ),
    # the house
    "store_unavailable": (
        "Nobody can say whether this was saved; look, and try again.",
        "Impossible de dire si c’est enregistré ; regardez, et réessayez.",
    ),
    "busy": (
        "The house has too much to think about; try again.",
        "La maison a trop à penser ; réessayez.",
    ),
    "stopping": ("The server is restarting.", "Le serveur redémarre."),
    # the table
    "no_table": ("There is no such table, or no seat for you.", "Pas de telle table, ou de place."),
    "bad_option": ("This option cannot be had.", "Cette option n’est pas possible."),
    "too_many_tables": ("You sit at too many tables.", "Vous êtes à trop de tables."),
    "not_seated": ("You have no seat at this table.", "Vous n’avez pas de place à cette table."),
    "not_host": ("Only the host may do that.", "Seul l’hôte peut faire cela."),
    "wrong_time": ("This cannot be done now.", "Ce n’est pas possible maintenant."),
    "seat_taken": ("That seat is taken.", "Cette place est prise."),
    "no_such_seat": ("There is no such seat.", "Cette place n’existe pas."),
    "too_few_players": ("At least two players are needed.", "Il faut au moins deux joueurs."),
    "no_such_bot": ("There is no bot of that level.", "Il n’y a pas de robot de ce niveau."),
    "stale": ("This was overtaken; look again.", "C’est dépassé ; regardez à nouveau."),
    "id_conflict": (
        "This id was used for something else.",
        "Cet identifiant a servi à autre chose.",
    ),
    "replaced": (
        "This seat is played from another connection.",
        "Cette place est jouée depuis une autre connexion.",
    ),
    "wrong_password": ("That is not the password.", "Ce n’est pas le mot de passe."),
    "no_spectators": (
        "Nobody may watch this table.",
        "Personne ne peut regarder cette table.",
    ),
    "players_only": (
        "At this table only players may say that.",
        "À cette table, seuls les joueurs peuvent le dire.",
    ),
    "no_such_line": ("Nothing is kept under this number.", "Rien n’est gardé sous ce numéro."),
    "own_seat": ("That is your own seat.", "C’est votre propre place."),
    "not_a_person": ("No person sits there.", "Personne d’humain n’est assis là."),
    "not_here": ("They are not here just now.", "Cette personne n’est pas là en ce moment."),
    # people
    "bad_text": (
        "This text cannot be shown: one line, at most 280 signs, none of them invisible.",
        "Ce texte ne peut pas être montré : une ligne, 280 signes au plus, aucun invisible.",
    ),
    "repeated": ("You have just said that.", "Vous venez de le dire."),
    "chat_off": ("There is no chat at this table.", "Pas de conversation à cette table."),
    "emotes_only": (
        "At this table only the quick words are said.",
        "À cette table, seuls les mots rapides se disent.",
    ),
    "yourself": ("That is you.", "C’est vous."),
    "too_many_blocked": ("Your list is full.", "Votre liste est pleine."),
    "too_many_reports": (
        "You have reported enough for today.",
        "Vous avez assez signalé pour aujourd’hui.",
    ),
    "no_such_entry": ("There is nobody of that name on your list.", "Personne de tel."),
    "no_such_device": ("You have no such device.", "Vous n’avez pas cet appareil."),
    "last_device": (
        "This is your only device: without it nobody could be you.",
        "C’est votre seul appareil : sans lui, personne ne serait vous.",
    ),
    "too_many_devices": ("You have too many devices.", "Vous avez trop d’appareils."),
    "unknown_claim": (
        "This code is wrong, used or too old.",
        "Ce code est faux, utilisé ou trop vieux.",
    ),
    "wrong_name": ("Say your name as it is.", "Dites votre nom tel qu’il est."),
    "out": ("You are out of this match.", "Vous êtes hors de cette partie."),
    "paused": ("The table has a pause.", "La table fait une pause."),
    "no_undo": (
        "At this table no move is taken back.",
        "À cette table, aucun coup ne se reprend.",
    ),
    "nothing_to_undo": (
        "Only your own move, the last one made, can be taken back, and only if it showed no card.",
        "Seul votre coup, s’il est le dernier et n’a montré aucune carte, peut être repris.",
    ),
    "no_day": ("Nothing is known of this day.", "Rien n’est connu de ce jour."),
    "day_over": ("The day is over.", "Le jour est terminé."),
    "day_played": (
        "You have had your try at this day; practise as often as you like.",
        "Vous avez eu votre essai ce jour ; exercez-vous autant que vous voulez.",
    ),
    "day_full": (
        "So many have played today that no more can be counted.",
        "Trop de gens ont joué aujourd’hui pour en compter d’autres.",
    ),
    "day_table": (
        "At the hole of the day this cannot be asked.",
        "Au trou du jour, cela ne se demande pas.",
    ),
    "no_pause": ("This table has no pause left.", "Cette table n’a plus de pause."),
    "no_vote": ("There is nothing for you to vote on.", "Vous n’avez pas de vote à donner."),
    # the rules of grid Golf
    "not_playing": ("You do not play in this hole.", "Vous ne jouez pas ce trou."),
    "not_your_turn": ("It is not your turn.", "Ce n’est pas votre tour."),
    "hole_over": ("The hole is over.", "Le trou est terminé."),
    "setup_done": (
        "You have turned up all your first cards.",
        "Vous avez déjà retourné vos premières cartes.",
    ),
    "must_flip": ("First turn a face-down card up.", "Retournez d’abord une carte cachée."),
    "flip_or_pass": ("Turn a card up, or pass.", "Retournez une carte, ou passez."),
    "no_such_card": ("There is no card in that place.", "Il n’y a pas de carte à cette place."),
    "already_face_up": ("That card is face-up already.", "Cette carte est déjà visible."),
    "already_drawn": ("You have a card in hand already.", "Vous avez déjà une carte en main."),
    "nothing_drawn": ("First draw or take a card.", "Piochez ou prenez d’abord une carte."),
    "must_swap": (
        "A card taken from the discard pile must be placed.",
        "Une carte prise de la défausse doit être posée.",
    ),
    "swap_or_discard": ("Place the card or discard it.", "Posez la carte ou défaussez-la."),
    "no_stock": ("The stock is empty.", "La pioche est vide."),
    # the rules of Golf Patience
    "no_such_column": ("There is no such column.", "Cette colonne n’existe pas."),
    "empty_column": ("That column is empty.", "Cette colonne est vide."),
    "does_not_fit": (
        "That card is not one above or below the foundation.",
        "Cette carte n’est pas juste au-dessus ou au-dessous de la base.",
    ),
    "covered": ("Another card lies on that one.", "Une autre carte est posée dessus."),
    "must_play": ("First play a card that fits.", "Jouez d’abord une carte qui va."),
    "undo_off": ("At this table nothing is taken back.", "À cette table, rien n’est repris."),
    "undo_reveals": (
        "A card that was turned up stays up.",
        "Une carte retournée reste retournée.",
    ),
    "no_hint": (
        "There are no hints where others play.",
        "Pas de conseils là où d’autres jouent.",
    ),
    "hint_unknown": (
        "No move is known to be the best here: the solver looked for as long as it may.",
        "Aucun coup n’est connu ici pour être le meilleur : le solveur a cherché tant qu’il peut.",
    ),
    "no_match": ("There is no match to concede.", "Il n’y a pas de match à concéder."),
    "other_game": (
        "That is a move of another game than this table plays.",
        "C’est un coup d’un autre jeu que celui de cette table.",
    ),
}

REFUSALS = tuple(SENTENCES)

assert {*GRID_WORDS, *RACE_WORDS} <= set(SENTENCES), "every word of the rules has its sentences"


def sentence(word: str, language: str = "en") -> str:
    """What a person reads for a refusal's *word*.

    >>> sentence("must_swap", "fr")
    'Une carte prise de la défausse doit être posée.'
    """
    english, french = SENTENCES[word]
    return french if language == "fr" else english
