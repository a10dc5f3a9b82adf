"""The players' ledgers beside the house's records: what was acknowledged must be there, once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from dormie_client.verify import spoken
from dormie_rules.replay import verify
from tests.chaos.ledger import Card, Ledger

SOMEBODY = "Somebody"
"""What a record calls a player who was erased."""
SEATS_LOST = ("sent away by the host", "people erased", "left a table")
"""After these somebody may be told, in the middle of things, that they have no seat."""
CLOCKS_DIFFER = 0.05
"""So many seconds the clocks of a spectator and of the house may gain on each other."""

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
    by_bots: int = 0
    """Moves of bots that sat in; the record has them as the seat's own."""
    glimpses: int = 0
    """Moves that a spectator was to see later, and whose time is known."""
    erased: int = 0
    """People whom the house was asked to forget."""
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
    result = Reckoning(wrong=list(ledger.surprises), erased=len(ledger.erased))
    gone = ledger.left_out or sum(map(ledger.deeds.get, SEATS_LOST, (0,) * len(SEATS_LOST)))
    if ledger.refusals.get("not_seated") and not gone:
        result.wrong.append("somebody was told to have no seat, and nobody had lost one")
    for code, cards in ledger.cards.items():
        texts = records.get(code, ())
        _verify(code, texts, result)
        moves = _moves_of(texts, {SOMEBODY: ledger.erased.get(code, SOMEBODY)})
        result.wrong += _too_early(code, ledger, moves, result)
        result.wrong += _still_named(code, ledger, texts)
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


def _moves_of(texts: Sequence[str], aliases: Mapping[str, str]) -> dict[str, Moves]:
    """The moves of everybody through all matches; their numbers go on from one match to the next.

    *aliases* says who it was that a record calls otherwise.
    """
    moves: dict[str, Moves] = {}
    for text in texts:
        names: dict[str, str] = {}
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            seat, _, what = rest.partition(" ")
            if word == "seat":
                name = what.removeprefix("human ")
                names[seat] = aliases.get(name, name)
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
        elif count in card.maybe_bot - card.own:
            result.by_bots += 1
        elif move in card.asked.get(count - 1, ()):
            result.doubled += 1
            result.wrong.append(f"{whose}: move {count - 1}, {move}, was made twice")
        else:
            result.ghosts += 1
            result.wrong.append(f"{whose}: move {count}, {move}, was never asked for")


def _too_early(
    code: str, ledger: Ledger, moves: Mapping[str, Moves], result: Reckoning
) -> Iterator[str]:
    """A move that somebody made themselves was made after they asked for it, and is shown later still."""
    for seen in ledger.glimpses.get(code, ()):
        card, made = ledger.cards[code].get(seen.who), moves.get(seen.who, [])
        if card is None or seen.count > len(made) or made[seen.count - 1][0] != "move":
            continue
        asked = card.when(seen.count)
        if asked is None:
            continue
        result.glimpses += 1
        if seen.at - asked < seen.delay - CLOCKS_DIFFER:
            yield f"{code}: a spectator saw move {seen.count} of {seen.who} {seen.at - asked:.2f} s later"


def _still_named(code: str, ledger: Ledger, texts: Sequence[str]) -> Iterator[str]:
    name = ledger.erased.get(code)
    for number, text in enumerate(texts, 1):
        if name is not None and name in text:
            yield f"{code}-{number}: {name} was erased, and the record names them"


def found_in(data: Path, traces: Iterable[str]) -> list[str]:
    """What must be nowhere, and is in the file of a house or in one beside it, in words."""
    files = sorted(data.parent.glob(f"{data.name}*"))
    contents = [(file.name, file.read_bytes()) for file in files]
    return [
        f"{trace} was erased, and is in {name}"
        for trace in traces
        for name, content in contents
        if trace.encode() in content
    ]


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
