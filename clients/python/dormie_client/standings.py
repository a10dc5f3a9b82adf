"""How the matches of a table stand, whatever is played there: pure functions from a scene to text."""

from dormie_client.scene import Scene
from dormie_protocol.listener import Listener
from dormie_protocol.spoken_race_en import standing as standing_en
from dormie_protocol.spoken_race_fr import standing as standing_fr
from dormie_rules.match_play import Terms, after


def standings(scene: Scene) -> list[str]:
    """How every match stands once a hole is over, the player's own before those of others."""
    match = scene.view.match
    if match is None or not match.card:
        return []
    seat, speak = scene.seat, {"en": standing_en, "fr": standing_fr}[scene.screen.language]
    ear = Listener(scene.names(), seat)
    own_first = sorted(match.matches, key=lambda pair: seat not in (pair.one, pair.two))
    return [speak(pair, ear) for pair in own_first]


def leads(scene: Scene) -> list[str] | None:
    """By how many holes the player leads after each hole of a match of two, or the first seat does for others.

    There is one text for every hole on the card, and None where no two play a match alone.
    """
    match = scene.view.match
    if match is None or len(match.matches) != 1:
        return None
    (pair,) = match.matches
    side = -1 if scene.seat == pair.two else 1
    terms = Terms(scene.about.rules.holes or 0, scene.about.rules.tied_match)
    ups = [side * after(terms, pair.holes[: at + 1]).up for at in range(len(pair.holes))]
    shown = [f"{up:+d}" if up else "=" for up in ups]
    return [*shown, *[""] * (len(match.card) - len(shown))]
