"""What chaos keeps when a promise was broken, and the look at what the store itself has kept."""

from pathlib import Path

from bench.chaos_kept import holes_in, keep, notes_of
from tests.chaos.ledger import Ledger
from tests.simulator.cupboard import Cupboard
from tests.simulator.far_store import FarStore

CODE = "ABCDEFGH"


async def kept(*versions: int) -> FarStore:
    """A store with a table of three notes, of which it has lost all but these."""
    cupboard = Cupboard(lambda: 0.0)
    store = FarStore(cupboard)
    for was in range(3):
        await store.put(f"table:{CODE}", b"", was, note=b'{"lines":["move 1 draw"]}')
    life = cupboard.life(f"table:{CODE}")
    assert life is not None
    life.notes[:] = [note for note in life.notes if note.version in versions]
    return store


async def test_notes_without_a_hole_are_fine_and_so_is_a_table_that_is_gone() -> None:
    assert [] == await holes_in(await kept(1, 2, 3), [CODE, "ABCDEFGJ"])


async def test_a_note_that_is_missing_is_a_broken_promise() -> None:
    assert [f"{CODE} is at version 3, and has notes [1, 3]"] == await holes_in(
        await kept(1, 3), [CODE]
    )


async def test_the_notes_of_the_tables_that_went_wrong_are_kept_beside_the_ledger(
    tmp_path: Path,
) -> None:
    wrong = [f"{CODE} P2: move 1, draw, was acknowledged and is lost"]
    notes = await notes_of(await kept(2), wrong)
    keep(tmp_path / "here", Ledger(), {CODE: ["a record"]}, wrong, notes)

    assert {CODE: {2: {"lines": ["move 1 draw"]}}} == notes
    assert {"ledger.json", "wrong.txt", f"{CODE}-1.txt", f"{CODE}-notes.json"} == {
        file.name for file in (tmp_path / "here").iterdir()
    }
