"""What a table has been through, for whoever comes back to it."""

from dormie_server import documents
from dormie_server.documents import Kept
from dormie_server.keeper import Keeper, table_key
from dormie_server.store import Note, Store, StoreUnavailable
from dormie_server.table.refusal import No


class Past:
    """The kept notes of tables, and how they are now. Everything here may raise No."""

    def __init__(self, store: Store, keeper: Keeper) -> None:
        self._store = store
        self._keeper = keeper

    async def notes(self, code: str, after: int) -> list[Note]:
        """The notes of a table numbered above *after*."""
        try:
            return await self._store.notes(table_key(code), after)
        except StoreUnavailable:
            raise No("store_unavailable") from None

    async def table(self, code: str, at_least: int = 0) -> Kept:
        """The table as it was at version *at_least* or later; ``no_table`` when there is none."""
        kept = await self._keeper.table(code, at_least)
        if kept is None:
            raise No("no_table")
        return kept

    async def remembers(self, code: str, version: int, chain: str) -> bool:
        """Whether the past that a client saw, up to *version*, is ours too."""
        notes = await self.notes(code, version - 1)
        if not notes or notes[0].version != version:
            return False
        return documents.read_note(notes[0].body).chain == chain
