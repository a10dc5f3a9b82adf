"""The line in which a terminal says what may be done now: what is legal, and nothing else."""

from collections.abc import Sequence

from dormie_client.scene import Scene
from dormie_client.terminal_view import short_card
from dormie_client.time_prompts import ask_about_time
from dormie_rules.grid_moves import Discard, Draw, Flip, GridMove, Pass, Swap, Take
from dormie_rules.grid_state import GridPublic

# What may be typed, in English and in French.
WORDS = {
    "draw": ("draw", "pioche"),
    "take": ("take", "prends"),
    "swap": ("swap", "échange"),
    "throw": ("throw", "jette"),
    "flip": ("flip", "retourne"),
    "pass": ("pass", "passe"),
    "enter": ("Enter when you are ready", "Entrée quand c’est bon"),
    "next": ("Enter", "Entrée"),
    "start": ("start", "commence"),
    "bot": ("bot LEVEL", "robot NIVEAU"),
    "rematch": ("rematch", "revanche"),
    "leave": ("leave", "abandonne"),
    "quit": ("quit", "quitte"),
    "back": ("back", "reprends"),
    "agree": ("agree", "accepte"),
    "refuse": ("refuse", "refuse"),
    "resume": ("resume", "continue"),
    "vote_wait": ("vote wait", "vote attends"),
    "vote_bot": ("vote bot", "vote robot"),
    "vote_withdraw": ("vote withdraw", "vote retire"),
    "vote_end": ("vote end", "vote ferme"),
}
MIN_PLAYERS = 2


def prompt(scene: Scene) -> str | None:
    """What the player is asked now, or None when nothing waits for the player.

    "Your turn: draw or take 7♠"
    """
    if scene.seat is None:
        return None
    if scene.replaced:
        return _ask(scene, scene.text("ask_replaced"), ["back", "quit"])
    asked = ask_about_time(scene)
    if asked is not None:
        return _ask(scene, *asked)
    match scene.view.phase:
        case "playing":
            return _ask_for_a_move(scene) if scene.moves else None
        case "lobby":
            return _ask_in_lobby(scene)
        case "between" if not _is_ready(scene):
            return _ask(scene, scene.text("ask_between"), ["next"])
        case "over" if not _is_ready(scene):
            return _ask(scene, scene.text("ask_over"), ["rematch", "leave", "quit"])
        case _:
            return None


def numbers(cards: Sequence[int]) -> str:
    """Places in a grid, counted from 1.

    >>> numbers([0, 1, 2]), numbers([1, 3]), numbers([4])
    ('1-3', '2, 4', '5')
    """
    first, last = cards[0] + 1, cards[-1] + 1
    if last - first == len(cards) - 1 and len(cards) > 2:  # noqa: PLR2004 - "1, 2" is as short as "1-2"
        return f"{first}-{last}"
    return ", ".join(str(at + 1) for at in cards)


def _ask_for_a_move(scene: Scene) -> str:
    hole = scene.hole
    assert hole is not None, "where there are moves there is a hole"
    assert scene.seat is not None, "and somebody to make them"
    choices = _choices(scene)
    match hole.stage:
        case "setup":
            rules = scene.rules
            up = rules.cells - hole.grids[scene.seat].count(None)
            title = scene.text("ask_setup", count=rules.initial_face_up - up)
        case "drawn" | "taken":
            title = scene.text("ask_held", card=short_card(scene.held, scene.screen))
        case _:
            title = _turn(scene, hole)
    return _ask(scene, title, choices)


def _turn(scene: Scene, hole: GridPublic) -> str:
    """Whether it is the last turn, and because of whom."""
    if scene.seat not in hole.last:
        return scene.text("ask_turn")
    if hole.closer is None or hole.closer == scene.seat:
        return scene.text("ask_last_lap")
    return scene.text("ask_last_turn", name=scene.called(hole.closer))


def _choices(scene: Scene) -> list[str]:
    """The legal moves as one types them, those that differ in a number only in one."""
    found: list[str] = []
    for kind in (Draw, Take, Swap, Flip, Discard, Pass):
        moves = [move for move in scene.moves if isinstance(move, kind)]
        if moves:
            found.append(_choice(scene, moves))
    return found


def _choice(scene: Scene, moves: Sequence[GridMove]) -> str:
    places = [move.at for move in moves if isinstance(move, Swap | Flip)]
    match moves[0]:
        case Take():
            top = scene.hole.discard if scene.hole else None
            return f"{_word(scene, 'take')} {short_card(top, scene.screen)}"
        case Discard():
            return _word(scene, "throw")
        case move:
            return f"{_word(scene, move.move)} {numbers(places) if places else ''}".rstrip()


def _ask_in_lobby(scene: Scene) -> str | None:
    seats = scene.view.seats
    taken = sum(seat is not None for seat in seats)
    choices = [] if _is_ready(scene) else ["enter"]
    if scene.seat == scene.view.host and taken < len(seats):
        choices += [*(["start"] if taken >= MIN_PLAYERS else []), "bot"]
    if not choices:
        return None
    full = taken == len(seats)
    title = scene.text("ask_seats" if full else "ask_lobby", taken=taken, size=len(seats))
    return _ask(scene, title, choices)


def _is_ready(scene: Scene) -> bool:
    seat = scene.view.seats[scene.seat] if scene.seat is not None else None
    return seat is not None and seat.ready


def _ask(scene: Scene, title: str, choices: Sequence[str]) -> str:
    """A title and the choices: "Your turn: draw or take 7♠"."""
    colon = " : " if scene.screen.language == "fr" else ": "
    *most, last = [_word(scene, choice) for choice in choices]
    listed = f"{', '.join(most)} {scene.text('or')} {last}" if most else last
    return f"{title}{colon}{listed}"


def _word(scene: Scene, name: str) -> str:
    """What one types for *name*; what is no name of ours is shown as it is."""
    english, french = WORDS.get(name, (name, name))
    return french if scene.screen.language == "fr" else english
