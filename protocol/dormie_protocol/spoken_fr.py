"""What is said in French when something happens at the table."""

from collections.abc import Callable, Mapping
from typing import Any

from dormie_protocol import table_view as at_table
from dormie_protocol.grammar_fr import (
    all_of,
    card_at,
    card_name,
    do,
    does,
    name,
    points,
    scores_of,
    the,
)
from dormie_protocol.listener import Listener
from dormie_rules import course_state as course
from dormie_rules import grid_events as grid
from dormie_rules.cards import Card

PLACES = ("première", "deuxième", "troisième", "quatrième", "cinquième", "sixième")
CLOSINGS = {
    "host": "L’hôte a fermé la table.",
    "empty": "La table est fermée : tout le monde est parti.",
    "abandoned": "La table est fermée : personne n’est revenu.",
    "failed": "La table est fermée : quelque chose y échoue sans cesse, et c’est notre erreur.",
    "finished": "La table est fermée.",
    "voted": "La table est fermée : les joueurs l’ont décidé.",
    "house": "Les responsables de la maison ont fermé la table.",
}
RAN_OUT = {
    "closed": "Toutes les cartes d’un joueur sont visibles.",
    "no_progress": "Plus personne ne retourne de carte.",
    "max_laps": "Ce trou a assez duré.",
    "stock_out": "La pioche est épuisée.",
    "abandoned": "Le trou s’arrête ici.",
}


def _opened(event: at_table.Opened, ear: Listener) -> str:
    line = f"La table est ouverte : {event.variant.replace('_', ' ')}."
    return f"{line} {_sealed(event.commitment)}" if ear.detail == "full" else line


def _sealed(commitment: str) -> str:
    return f"Les donnes sont scellées par {commitment[:16]}."


def _joined(event: at_table.Joined, ear: Listener) -> str:
    if event.bot:
        return f"{event.name}, robot ({event.bot}), prend la place {event.seat + 1}."
    if event.seat == ear.seat:
        return f"Vous prenez la place {event.seat + 1}."
    return f"{event.name} prend la place {event.seat + 1}."


def _left_table(event: at_table.LeftTable, ear: Listener) -> str:
    return "Vous quittez la table." if event.seat == ear.seat else f"{event.name} quitte la table."


def _kicked(event: at_table.Kicked, ear: Listener) -> str:
    for_good = " pour de bon" if event.ban else ""
    if event.seat == ear.seat:
        return f"L’hôte vous a renvoyé{for_good}."
    return f"L’hôte a renvoyé {event.name}{for_good}."


def _missing(event: at_table.Missing, ear: Listener) -> str:
    many = len(event.names) > 1
    line = f"{' et '.join(event.names)} {'ne sont' if many else 'n’est'} pas là."
    if ear.detail == "brief":
        return line
    after = (
        "La partie commence sans attendre" if event.went_on else "La partie ne commence pas encore"
    )
    return f"{line} {after}."


def _starting(event: at_table.Starting, ear: Listener) -> str:
    line = f"La partie {event.match} va commencer."
    return f"{line} {_sealed(event.commitment)}" if ear.detail == "full" else line


def _match_began(event: at_table.MatchBegan, ear: Listener) -> str:
    sent = [seat for seat, luck in enumerate(event.contributions) if luck]
    if ear.detail != "full" or not sent:
        return "La partie commence."
    return f"La partie commence. Ont ajouté au hasard : {all_of(ear, sent)}."


def _time_out(event: at_table.TimeOut, ear: Listener) -> str:
    line = does(ear, event.seat, "n’avez plus de temps", "n’a plus de temps")
    return f"{line}." if ear.detail == "brief" else f"{line} ; un coup est joué d’office."


def _hole_began(event: course.HoleBegan, _: Listener) -> str:
    if event.extra:
        return f"Trou supplémentaire : le trou {event.hole} commence."
    return f"Le trou {event.hole} commence."


def _hole_scored(event: course.HoleScored, ear: Listener) -> str:
    played = [(seat, score) for seat, score in enumerate(event.charged) if score is not None]
    line = f"Trou {event.hole}. {scores_of(ear, played)}."
    closer = event.closer
    if closer is not None and (raw := event.raw[closer]) != event.charged[closer]:
        assert raw is not None, "who is charged has a grid that was counted"
        line += f" {does(ear, closer, 'avez', 'a')} fermé avec {points(raw)} et"
        line += f" {'payez' if closer == ear.seat else 'paie'} pour cela."
    return line if ear.detail == "brief" else f"{line} Totaux. {_totals(ear, event.totals)}."


def _totals(ear: Listener, totals: tuple[int, ...]) -> str:
    return scores_of(ear, enumerate(totals))


def _went_out(event: course.WentOut, ear: Listener) -> str:
    return f"{do(ear, event.seats, 'êtes', 'est', 'sont')} hors de la partie."


def _play_off(event: course.PlayOff, ear: Listener) -> str:
    line = do(ear, event.seats, "êtes", "est", "sont")
    plays = do(ear, event.seats, "jouez", "joue", "jouent").rsplit(" ", 1)[-1]
    return f"{line} à égalité et {plays} un trou supplémentaire."


def _match_over(event: course.MatchOver, ear: Listener) -> str:
    if len(event.places) == 1:
        return f"C’était le dernier trou : {points(event.totals[0])}."
    first = [seat for seat, place in enumerate(event.places) if place == 1]
    winners = do(ear, first, "gagnez", "gagne", "gagnent")
    line = f"La partie est terminée. {winners}{' ensemble' if len(first) > 1 else ''} !"
    if ear.detail == "brief":
        return line
    order = sorted(range(len(event.places)), key=event.places.__getitem__)
    ranks = [
        f"{PLACES[event.places[seat] - 1]}, {name(ear, seat)} avec {points(event.totals[seat])}"
        for seat in order
    ]
    return f"{line} Places : {' ; '.join(ranks)}."


def _dealt(event: grid.Dealt, ear: Listener) -> str:
    if ear.detail == "brief":
        return f"Sur la défausse : {card_name(event.discard)}."
    first = "vous jouez" if event.first == ear.seat else f"{name(ear, event.first)} joue"
    line = f"{does(ear, event.dealer, 'donnez', 'donne')} ; {first} en premier."
    return f"{line} La défausse commence par {the(event.discard)}."


def _flipped(event: grid.Flipped, ear: Listener) -> str:
    if ear.detail == "brief":
        who = name(ear, event.seat, begins=True)
        return f"{who}, {event.at + 1} : {card_name(event.card)}."
    line = f"{does(ear, event.seat, 'retournez', 'retourne')} {card_at(ear, event.at)}"
    return f"{line} : {card_name(event.card)}."


def _drew(event: grid.Drew, ear: Listener) -> str:
    if ear.drawn is not None:
        return f"Vous piochez une carte : {card_name(ear.drawn)}."
    return (
        "" if ear.detail == "brief" else f"{does(ear, event.seat, 'piochez', 'pioche')} une carte."
    )


def _took(event: grid.Took, ear: Listener) -> str:
    line = f"{does(ear, event.seat, 'prenez', 'prend')} {the(event.card)}"
    return f"{line}." if ear.detail == "brief" else f"{line} à la défausse."


def _swapped(event: grid.Swapped, ear: Listener) -> str:
    if ear.detail == "brief":
        who = name(ear, event.seat, begins=True)
        return f"{who}, {event.at + 1} : {card_name(event.card)} ; sort : {card_name(event.out)}."
    line = f"{does(ear, event.seat, 'échangez', 'échange')} {card_at(ear, event.at)}"
    return f"{line} contre {the(event.card)} ; {the(event.out)} part à la défausse."


def _discarded(event: grid.Discarded, ear: Listener) -> str:
    return f"{does(ear, event.seat, 'jetez', 'jette')} {the(event.card)}."


def _reshuffled(event: grid.Reshuffled, _: Listener) -> str:
    return f"La défausse est mélangée et redevient la pioche : {event.stock} cartes."


def _final_lap(event: grid.FinalLap, ear: Listener) -> str:
    if event.closer is None:
        return f"{RAN_OUT[event.why]} Un dernier tour pour {all_of(ear, event.seats)}."
    closed = does(ear, event.closer, "fermez", "ferme")
    return f"{closed} le trou ! Un dernier tour pour {all_of(ear, event.seats)}."


def _withdrew(event: grid.Withdrew, ear: Listener) -> str:
    line = f"{does(ear, event.seat, 'quittez', 'quitte')} le trou"
    if event.discarded is None:
        return f"{line}."
    return f"{line} ; {the(event.discarded)} part à la défausse."


def _revealed(event: grid.Revealed, ear: Listener) -> str:
    line = "Le trou est terminé ; toutes les cartes sont retournées."
    if ear.detail != "full":
        return line
    seats = [seat for seat, cards in enumerate(event.grids) if cards]
    return " ".join([line, *(_all_cards(ear, seat, event.grids[seat]) for seat in seats)])


def _all_cards(ear: Listener, seat: int, cards: tuple[Card | None, ...]) -> str:
    words = [card_name(card) for card in cards if card is not None]
    step = ear.cols or len(words)
    rows = [", ".join(words[at : at + step]) for at in range(0, len(words), step)]
    return f"{does(ear, seat, 'avez', 'a')} {' ; '.join(rows)}."


LINES: Mapping[type, Callable[[Any, Listener], str]] = {  # each takes the event it stands beside
    at_table.Opened: _opened,
    at_table.Joined: _joined,
    at_table.LeftTable: _left_table,
    at_table.BecameReady: lambda e, ear: f"C’est bon pour {name(ear, e.seat)}.",
    at_table.Dropped: lambda e, ear: f"{does(ear, e.seat, 'avez', 'a')} perdu la connexion.",
    at_table.Returned: lambda e, ear: f"{does(ear, e.seat, 'êtes', 'est')} de retour.",
    at_table.NewHost: lambda e, ear: f"{does(ear, e.seat, 'êtes', 'est')} maintenant l’hôte.",
    at_table.Starting: _starting,
    at_table.MatchBegan: _match_began,
    at_table.LinkShown: lambda e, _: f"Le sceau du trou {e.hole} est ouvert : {e.link[:16]}.",
    at_table.TimeOut: _time_out,
    at_table.Closed: lambda e, _: f"{CLOSINGS[e.why]} {e.said or ''}".rstrip(),
    at_table.Kicked: _kicked,
    at_table.Missing: _missing,
    at_table.LockTurned: lambda e, _: (
        "La table est verrouillée : personne d’autre ne peut s’asseoir."
        if e.locked
        else "La table est de nouveau ouverte."
    ),
    at_table.PasswordChanged: lambda e, _: (
        "La table a un nouveau mot de passe."
        if e.password
        else "La table n’a plus de mot de passe."
    ),
    course.HoleBegan: _hole_began,
    course.HoleScored: _hole_scored,
    course.WentOut: _went_out,
    course.LeftMatch: lambda e, ear: f"{does(ear, e.seat, 'quittez', 'quitte')} la partie.",
    course.PlayOff: _play_off,
    course.MatchOver: _match_over,
    grid.Dealt: _dealt,
    grid.PlayBegan: lambda e, ear: f"{does(ear, e.seat, 'jouez', 'joue')} en premier.",
    grid.Flipped: _flipped,
    grid.Drew: _drew,
    grid.Took: _took,
    grid.Swapped: _swapped,
    grid.Discarded: _discarded,
    grid.Passed: lambda e, ear: f"{does(ear, e.seat, 'ne retournez', 'ne retourne')} rien.",
    grid.Reshuffled: _reshuffled,
    grid.FinalLap: _final_lap,
    grid.Withdrew: _withdrew,
    grid.Revealed: _revealed,
}
