"""What is typed and read about time at a table, in English and in French."""

from typing import Literal, TypeAlias

from dormie_protocol.messages import Language

TimeVerb: TypeAlias = Literal["clock", "pause", "resume", "agree", "refuse", "vote", "undo"]

TYPED: dict[str, str] = {
    "clock": "clock time temps horloge",
    "pause": "pause",
    "resume": "resume continue continuer",
    "agree": "agree yes accepte accepter oui",
    "refuse": "refuse no refuser non",
    "vote": "vote voter",
    "undo": "undo annule annuler",
}

CHOICES: dict[str, str] = {
    "wait": "wait attends attendre",
    "bot": "bot robot",
    "withdraw": "withdraw retire retirer",
    "end": "end ferme fermer",
}
"""What can be voted for, and what one types for it, without accents."""

TEXTS: dict[str, tuple[str, str]] = {
    "no_clock": ("No clock is running.", "Aucune pendule ne tourne."),
    "clock_turn": ("Time to think: {time}.", "Temps de réflexion : {time}."),
    "clock_away": (
        "The line is down; of that allowance are left: {time}.",
        "La ligne est coupée ; il reste de cette marge : {time}.",
    ),
    "clock_vote": ("The vote ends in {time}.", "Le vote finit dans {time}."),
    "clock_wait": ("The others wait for {time} at most.", "Les autres attendent {time} au plus."),
    "clock_pause": ("The pause ends in {time}.", "La pause finit dans {time}."),
    "clock_phase": ("The table goes on in {time}.", "La table continue dans {time}."),
    "clock_seat": (
        "{name}: {bank} in the bank, {away} for a broken line.",
        "{name} : {bank} en réserve, {away} pour une ligne coupée.",
    ),
    "clock_seat_away": (
        "{name}: {away} for a broken line.",
        "{name} : {away} pour une ligne coupée.",
    ),
    "clock_pauses": (
        "Pauses left: {count}, {time} in all.",
        "Pauses restantes : {count}, {time} en tout.",
    ),
    "clock_policy": ("When time is over: {what}.", "Le temps écoulé : {what}."),
    "policy_default": ("the usual move is made", "le coup habituel est joué"),
    "policy_bot": (
        "a bot ({bot}) sits in until the player is back",
        "un robot ({bot}) joue jusqu’au retour",
    ),
    "policy_vote": ("the others vote", "les autres votent"),
    "policy_withdraw": (
        "the player is out of the match",
        "le joueur sort de la partie",
    ),
    "policy_wait": ("the others wait on", "les autres attendent"),
    "time_seconds": ("{count} s", "{count} s"),
    "time_minutes": ("{count} min", "{count} min"),
    "time_hours": ("{count} h", "{count} h"),
    "time_days": ("{count} d", "{count} j"),
    "which_pause": (
        "Say how many minutes, or nothing: pause 5.",
        "Dites combien de minutes, ou rien : pause 5.",
    ),
    "which_choice": (
        "Say what: vote wait, vote bot, vote withdraw or vote end.",
        "Dites quoi : vote attends, vote robot, vote retire ou vote ferme.",
    ),
    "ask_pause": (
        "{name} asks for a pause of {time}",
        "{name} demande une pause de {time}",
    ),
    "ask_undo": (
        "{name} asks to take the last move back",
        "{name} demande à reprendre le dernier coup",
    ),
    "ask_resume": ("{name} asks to go on", "{name} demande de continuer"),
    "ask_vote": ("The time of {name} is over", "Le temps est écoulé pour {name}"),
    "ask_paused": ("The table has a pause", "La table fait une pause"),
    "ask_sat_in": ("A bot plays for you", "Un robot joue pour vous"),
}

HELP: dict[Language, str] = {
    "en": """\
clock: time left, banks, allowances for a broken line, pauses.
pause, pause 5: ask the others for a pause (of 5 minutes).
agree, refuse: answer what somebody asks of all.
resume: go on, ask to go on, or take your seat back from a bot.
vote wait, vote bot, vote withdraw, vote end: about a player whose time is over.
undo: ask to take your last move back, where the table allows it and no card was shown.""",
    "fr": """\
temps : temps restant, réserves, marges pour une ligne coupée, pauses.
pause, pause 5 : demander une pause (de 5 minutes) aux autres.
accepte, refuse : répondre à ce qui est demandé à tous.
continue : reprendre le jeu, le demander, ou reprendre sa place au robot.
vote attends, vote robot, vote retire, vote ferme : pour qui n’a plus de temps.
annule : demander de reprendre son dernier coup, si la table le permet et s’il n’a rien montré.""",
}
