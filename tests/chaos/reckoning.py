"""The players' ledgers beside the house's records: what was acknowledged must be there, once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from dormie_client.verify import spoken
from dormie_rules.replay import verify
from tests.chaos.ledger import Card, Ledger

Moves = list[tuple[str, str]]
"""Of one player, in order: "move" or "auto", and which move; or "undo", which takes a number, too."""


@dataclass
class Reckoning:
    """What came of it, counted."""

    acknowledged: int = 0
    lost: int = 0
    """Acknowledged, and not in the record under its number."""
    doubled: int = 0
    """In the record once more than it was asked for."""
    ghosts: int = 0
    """In the record and never asked for."""
    taken_back: int = 0
    """Acknowledged, lost by the server, and said so to the client."""
    unheard: int = 0
    """In the record as asked, and its answer never came."""
    foreseen: int = 0
    """Acknowledged, and in the record as the very move that the clock made just before."""
    by_clock: int = 0
    """Moves that the house made because time was up."""
    matches: int = 0
    verified: int = 0
    wrong: list[str] = field(default_factory=list)
    """Everything of the above that must not be, in words."""

    @property
    def good(self) -> bool:
        """Whether every promise was kept."""
        return not self.wrong and self.verified == self.matches > 0


def reckon(ledger: Ledger, records: Mapping[str, Sequence[str]]) -> Reckoning:
    """Compare what the players were told with the records of all matches, in their order."""
    result = Reckoning(wrong=list(ledger.surprises))
    if ledger.refusals.get("not_seated") and not ledger.left_out:
        result.wrong.append("somebody was told to have no seat, and nobody had lost one")
    for code, cards in ledger.cards.items():
        texts = records.get(code, ())
        _verify(code, texts, result)
        moves = _moves_of(texts)
        for who, card in cards.items():
            _compare(f"{code} {who}", card, moves.get(who, []), result)
        result.wrong += _versions(code, cards)
    return result


def _verify(code: str, texts: Sequence[str], result: Reckoning) -> None:
    for number, text in enumerate(texts, 1):
        verdict = verify(text)
        result.matches += 1
        result.verified += verdict.ok
        if not verdict.ok:
            result.wrong.append(spoken(f"{code}-{number}", verdict))


def _moves_of(texts: Sequence[str]) -> dict[str, Moves]:
    """The moves of everybody through all matches; their numbers go on from one match to the next."""
    moves: dict[str, Moves] = {}
    for text in texts:
        names: dict[str, str] = {}
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            seat, _, what = rest.partition(" ")
            if word == "seat":
                names[seat] = what.removeprefix("human ")
            elif word in ("move", "auto", "undo"):
                moves.setdefault(names.get(seat, seat), []).append((word, what))
    return moves


def _compare(whose: str, card: Card, moves: Moves, result: Reckoning) -> None:
    result.acknowledged += len(card.told)
    result.taken_back += card.taken_back
    result.by_clock += sum(word == "auto" for word, _ in moves)
    for count, move in card.told.items():
        made = moves[count - 1] if count <= len(moves) else None
        if made == ("auto", move):
            result.foreseen += 1
        elif made != ("move", move) and count in card.doubtful:
            result.taken_back += 1
        elif made != ("move", move):
            result.lost += 1
            result.wrong.append(f"{whose}: move {count}, {move}, was acknowledged and is lost")
    for count, (word, move) in enumerate(moves, 1):
        if word != "move" or count in card.told:
            continue
        if move in card.asked.get(count, ()):
            result.unheard += 1
        elif move in card.asked.get(count - 1, ()):
            result.doubled += 1
            result.wrong.append(f"{whose}: move {count - 1}, {move}, was made twice")
        else:
            result.ghosts += 1
            result.wrong.append(f"{whose}: move {count}, {move}, was never asked for")


def _versions(code: str, cards: Mapping[str, Card]) -> Iterator[str]:
    """Later moves have later versions, and no two moves share one."""
    used: dict[int, str] = {}
    for who, card in cards.items():
        for one, other in pairwise(sorted(card.versions)):
            if card.versions[one] >= card.versions[other]:
                yield f"{code} {who}: move {other} has not a later version than move {one}"
        for count, version in card.versions.items():
            mine = f"move {count} of {who}"
            if used.setdefault(version, mine) != mine:
                yield f"{code}: {mine} and {used[version]} are both version {version}"
