"""What a store has told by its bells and then lost: it died before it had written that down.

Nobody was told that such a move is done. But a server that heard the bell may have shown it, and goes on
showing it to whoever comes, until it notices. From then on nobody there may go on as if nothing had happened.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from dormie_server import documents
from tests.simulator.races import Scan
from tests.simulator.story import Chapter, Json, Story

_OF_A_MOVE = ("move",)


def is_only_a_move(key: str, note: bytes | None) -> bool:
    """Whether a put is a player's move, after which the hole goes on."""
    if not key.startswith("table:") or note is None:
        return False
    lines = documents.read_lines(note)
    return bool(lines) and all(line.split(" ")[0] in _OF_A_MOVE for line in lines)


@dataclass(eq=False)
class Losses:
    """The lost versions of all tables, and who was told of them last."""

    fail: Callable[[str], None]
    lost: dict[str, list[Chapter]] = field(default_factory=dict)
    """For each table its lost versions."""

    def remember(self, story: Story, scan: Scan) -> Callable[[], None]:
        """What is known of a table now; returns how to know it so again, but for the version that came."""
        knowledge = scan.tables[story.code]
        then = deepcopy(knowledge, {id(scan.packs): scan.packs, **_shared(knowledge)})

        def forget() -> None:
            chapter = story.chapters.pop()
            self.lost.setdefault(story.code, []).append(chapter)
            scan.tables[story.code] = then

        return forget

    def forget(self) -> None:
        """Forget every table."""
        self.lost.clear()

    def find(self, seen: Json, story: Story) -> Chapter | None:
        """The lost version that is shown, if it is one."""
        version, chain = seen["version"], seen["chain"]
        again = version <= story.head and story.chain(version) == chain
        if again and _shows(seen, story.at(version)):
            return None
        alike = [
            chapter
            for chapter in self.lost.get(story.code, ())
            if (chapter.table.version, chapter.note.chain) == (version, chain)
        ]
        shown = [chapter for chapter in alike if _shows(seen, chapter)]
        return next(iter(shown or alike), None)

    def check(self, chapter: Chapter, seen: Json, seat: int | None, where: str) -> None:
        """What is shown of a lost version is what it was."""
        if seen["view"] is not None and seen["view"] != chapter.view:
            self.fail(f"{where} shows another table than the lost one")
        if seen["view"] is not None and seen["pocket"] != chapter.pocket(seat):
            self.fail(f"{where} shows another pocket than the lost one")

    def goes_on(self, last: Chapter, seen: Json, story: Story) -> bool:
        """Whether a piece goes on from a lost version as if it were there; the same may have happened again."""
        version = last.table.version
        again = version <= story.head and story.chain(version) == last.note.chain
        return not seen["rolled_back"] and not again

    def first_at(self, story: Story, version: int) -> float:
        """When a version was first kept; a lost move may have been made again."""
        chapter = story.at(version)
        alike = [
            one.at
            for one in self.lost.get(story.code, ())
            if (one.table.version, one.note.chain) == (version, chapter.note.chain)
        ]
        return min([chapter.at, *alike])

    def named(self, code: str, message: Json) -> bool:
        """Whether a request to follow a table names a lost version, or may have been answered with one."""
        chains = {chapter.note.chain for chapter in self.lost.get(code, ())}
        return bool(chains & {message.get("chain"), message.get("told_chain")})

    def versions(self, code: str) -> set[int]:
        """The numbers of the lost versions."""
        return {chapter.table.version for chapter in self.lost.get(code, ())}


def _shows(seen: Json, chapter: Chapter) -> bool:
    """Whether the table that is shown is that of a version, if any is shown."""
    if seen["view"] is None:
        return True
    return (seen["view"], seen["pocket"]) == (chapter.view, chapter.pocket(seen["seat"]))


def _shared(knowledge: Any) -> dict[int, Any]:
    """What is not copied with what is known of a table: who is told that something is wrong."""
    fail = getattr(knowledge, "_fail", None)
    return {id(fail): fail}
