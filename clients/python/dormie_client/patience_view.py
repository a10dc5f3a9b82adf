"""What a terminal shows of a table of Golf Patience: pure functions from what is seen to lines of text.

Nothing depends on colour: a card that fits has a star behind it, where the player wants that.
"""

from dataclasses import dataclass

from dormie_client.patience_drawing import draw_columns, draw_places, free_places, tell_places
from dormie_client.patience_text import text
from dormie_client.scene import Scene, Screen
from dormie_client.standings import standings
from dormie_client.terminal_view import short_card
from dormie_protocol.messages import Language
from dormie_rules.drawers import View
from dormie_rules.grid_moves import Draw
from dormie_rules.patience_board import playable
from dormie_rules.patience_moves import PatienceMove, Play, RaceMove
from dormie_rules.patience_rules import PatienceRules
from dormie_rules.patience_score import against
from dormie_rules.patience_state import Board
from dormie_rules.race import RaceCourse
from dormie_rules.race_state import RacePocket, RacePublic

_GAP = "  "


@dataclass(frozen=True, slots=True)
class Sight:
    """A table of Golf Patience as one pair of eyes sees it."""

    scene: Scene
    """Names, seats and the screen, as at any table."""
    marks: bool = True
    """Whether cards that fit are marked."""

    @property
    def screen(self) -> Screen:
        """How the terminal writes."""
        return self.scene.screen

    @property
    def rules(self) -> PatienceRules:
        """The numbers of the game."""
        assert isinstance(self.scene.about.rules, PatienceRules), "the table plays Golf Patience"
        return self.scene.about.rules

    @property
    def match(self) -> RacePublic | None:
        """The match that is on, or was."""
        match = self.scene.view.match
        return match if isinstance(match, RacePublic) else None

    @property
    def board(self) -> Board | None:
        """The player's own board."""
        pocket = self.scene.pocket
        return pocket.board if isinstance(pocket, RacePocket) else None

    @property
    def places(self) -> bool:
        """Whether cards lie across each other, in peaks or a pyramid, and not in columns."""
        return self.rules.layout != "columns"

    @property
    def fit(self) -> tuple[int, ...]:
        """The columns or places whose card is marked, because it fits."""
        board = self.board
        shown = self.marks and board is not None and board.ending is None
        return playable(self.rules, board) if board and shown else ()

    def text(self, key: str, **fields: object) -> str:
        """What this screen says for *key*."""
        return text(key, self.screen.language, **fields)

    def why_not(self, move: RaceMove) -> str | None:
        """Why the player may not make *move* now, as one of the protocol's words."""
        pocket = self.scene.pocket
        if self.match is None or self.scene.view.phase not in ("playing", "between"):
            return "wrong_time"
        course = RaceCourse(self.rules, len(self.scene.view.seats))
        own = pocket if isinstance(pocket, RacePocket) else None
        return course.why_not(View(self.scene.seat, self.match, own), move)


def draw_board(sight: Sight) -> list[str]:
    """The columns, the foundation, the stock, and how far the others are."""
    board = sight.board
    if board is None:
        return [sight.text("no_board"), *others(sight)]
    if sight.places:
        draw = tell_places if sight.screen.listed else draw_places
        rows = draw(board, sight.rules.layout, sight.screen, sight.fit)
        return [*rows, piles(sight, board), *others(sight)]
    if sight.screen.listed:
        columns = [column_line(sight, board, at) for at in range(len(board.columns))]
        return [*columns, piles(sight, board), *others(sight)]
    columns = draw_columns(board, sight.screen, sight.fit)
    return [*columns, piles(sight, board), *others(sight)]


def column_line(sight: Sight, board: Board, at: int) -> str:
    """A column from its first card to the free one: ``column 3: 7, K, 2``."""
    cards = [short_card(card, sight.screen) for card in board.columns[at]]
    if at in sight.fit:
        cards[-1] += "*"
    return sight.text("column", number=at + 1, cards=", ".join(cards) or sight.text("empty"))


def piles(sight: Sight, board: Board) -> str:
    """The foundation, what is left, and the stock: ``foundation 8; 12 left; stock 4``."""
    top = short_card(board.foundation, sight.screen) if board.foundation else sight.text("empty")
    parts = [
        sight.text("foundation", card=top),
        sight.text("left", count=board.left),
        sight.text("stock", count=board.stock),
    ]
    return sight.text("piles").join(parts)


def brief(sight: Sight, column: int | None) -> str:
    """What a move has changed: its column, if it was played from one, or the free cards, and the piles."""
    board = sight.board
    assert board is not None, "whoever moves has a board"
    if sight.places:
        lines = [free_places(board, sight.rules.layout, sight.screen, sight.fit)]
    else:
        lines = [] if column is None else [column_line(sight, board, column)]
    return sight.text("piles").join([*lines, piles(sight, board)])


def others(sight: Sight) -> list[str]:
    """How far everybody else is in this hole, in one line."""
    play = sight.match.play if sight.match else None
    if play is None or play.stage == "over":
        return []
    names = []
    for seat, progress in enumerate(play.progress):
        if seat == sight.scene.seat or progress.state == "away":
            continue
        key = {"playing": "progress", "finished": "finished_with"}[progress.state]
        if progress.left is None:
            key = progress.state
        names.append(sight.text(key, name=sight.scene.called(seat), count=progress.left))
    return [sight.text("others", names=", ".join(names))] if names else []


def title(sight: Sight, *, standing: bool = True) -> str:
    """Which hole it is, and with *standing* how the player stands."""
    match = sight.match
    if match is None or not match.pars:
        return ""
    holes = sight.rules.holes
    key = "hole_of" if match.hole <= holes else "extra_hole"
    line = sight.text(key, hole=match.hole, holes=holes, par=match.pars[-1])
    if not standing:
        return line
    seat = sight.scene.seat
    if match.matches:
        return " ".join([line, *standings(sight.scene)]) if len(match.matches) == 1 else line
    if seat is None or not match.card:
        return line
    par = sum(match.pars[: len(match.card)])
    total = match.totals[seat]
    return f"{line} {sight.text('so_far', total=total, against=against(total, par))}"


def say_move(move: PatienceMove, language: Language) -> str:
    """A move as it is typed.

    >>> say_move(Play(2), "en"), say_move(Draw(), "fr")
    ('Column 3.', 'Pioche.')
    """
    if isinstance(move, Play):
        said = text("ask_play", language, columns=move.column + 1)
    else:
        said = text("say_draw" if isinstance(move, Draw) else "say_give_up", language)
    return f"{said}."
