"""What a player of Golf Patience is asked, and warned of."""

from collections.abc import Mapping

from dormie_client.patience_view import Sight
from dormie_client.patience_words import Verb
from dormie_client.play_text import text as common
from dormie_protocol.words import sentence
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_moves import Concede, GiveUp, Play, RaceMove, TakeBack

MOVES: Mapping[Verb, RaceMove] = {
    "draw": Draw(),
    "undo": TakeBack(),
    "give_up": GiveUp(),
    "concede": Concede(),
}
TWICE = ("give_up", "concede", "leave", "end")
"""What is done only when it is asked for a second time."""


def prompt(sight: Sight) -> str | None:
    """What may be done now, or None when there is nothing to decide."""
    view, seat = sight.scene.view, sight.scene.seat
    mine = view.seats[seat] if seat is not None else None
    if sight.scene.replaced:
        return common("ask_replaced", sight.screen.language)
    if mine is None:
        return None
    match view.phase:
        case "lobby" if len(view.seats) > 1 and None in view.seats:
            taken = sum(who is not None for who in view.seats)
            return sight.text("ask_lobby", taken=taken, size=len(view.seats))
        case "lobby" | "starting" if not mine.ready:
            return sight.text("ask_ready")
        case "between" if not mine.ready:
            return sight.text("ask_between")
        case "over" if not mine.ready:
            given = sight.scene.about.given
            if given is not None and given.day is not None:
                return sight.text("ask_day_over")
            return sight.text("ask_over")
        case "playing" if sight.scene.moves:
            return _moves(sight)
        case _:
            return None


def warning(sight: Sight, verb: Verb) -> str:
    """What happens to whoever types *verb*, one of TWICE, once more; or why it cannot be done."""
    word = sight.why_not(MOVES[verb]) if verb in MOVES else None
    if word is not None:
        return sentence(word, sight.screen.language)
    if verb in ("leave", "end"):
        return common(f"sure_{verb}", sight.screen.language)
    in_match = sight.match is not None and bool(sight.match.matches)
    if verb == "give_up" and in_match:
        return sight.text("sure_concede_hole")
    return sight.text(f"sure_{verb}", count=sight.board.left if sight.board else 0)


def _moves(sight: Sight) -> str | None:
    """The columns whose card fits, and whether a card may be drawn."""
    moves = sight.scene.moves
    columns = [str(move.column + 1) for move in plays(sight)]
    draw = [sight.text("ask_draw")] if Draw() in moves else []
    if not columns:
        rest = [*draw, sight.text("ask_give_up")] if draw else [sight.text("ask_give_up")]
        return sight.text("ask_nothing", rest=f" {sight.text('or')} ".join(rest))
    key = "ask_place" if sight.places else "ask_play"
    if not sight.marks:
        every = len(sight.board.columns) if sight.board else 0
        columns = [f"1-{every}"]
    shown = sight.text(key, columns=", ".join(columns))
    return f" {sight.text('or')} ".join([shown, *draw])


def plays(sight: Sight) -> list[Play]:
    """The columns that may be played now."""
    return [move for move in sight.scene.moves if isinstance(move, Play)]
