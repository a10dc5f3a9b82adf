"""Taking a move back, as people do it: over the wire, with the client, and with the words of a terminal."""

import asyncio
import dataclasses

import pytest

from dormie_client import Dormie, RefusedError, Table
from dormie_client.scene import Screen
from dormie_client.time_prompts import ask_about_time
from dormie_protocol.clocks import Ask, Clock, fresh
from dormie_protocol.messages import Language
from dormie_protocol.undo_messages import MoveUndone
from dormie_rules.grid_moves import Take
from dormie_server.documents import read_note
from tests.clients.scenes import scene
from tests.serving import serving


async def begin(*tables: Table) -> Table:
    """Be ready, turn first cards up, and return the table of whoever has the first turn."""
    for table in tables:
        await table.ready()
    while True:
        for table in tables:
            await table.until(lambda t: t.view.phase == "playing", within=30)
            play = table.view.match.play if table.view.match else None
            if play is not None and play.stage == "turn" and table.my_turn():
                return table
            if table.my_turn():
                await table.play(table.moves[0])
        await asyncio.sleep(0.01)


async def test_a_move_is_taken_back_over_the_wire_when_the_other_agrees() -> None:
    async with serving() as app:
        url = f"http://127.0.0.1:{app.port}"
        async with (
            await Dormie.connect(url, name="Ada") as ada,
            await Dormie.connect(url, name="Ben") as ben,
            await Dormie.connect(url, name="Eve") as eve,
        ):
            table = await ada.create(size=2, undo=True, options={"holes": 1})
            other = await ben.join(table.code)
            watched = await eve.watch(table.code)
            mover = await begin(table, other)
            asked = other if mover is table else table
            before = mover.view.match
            with pytest.raises(RefusedError) as no:
                await mover.undo()
            assert "nothing_to_undo" == no.value.word
            await mover.play(Take())
            await mover.undo()
            await asked.until(lambda t: t.clocks.ask is not None, within=30)
            await asked.agree()
            await mover.until(lambda t: t.view.match == before, within=30)
            await watched.until(lambda t: t.view.match == before, within=30)
            await mover.play(Take())

            assert mover.about.undo
            told = [
                event.public
                for note in await app.store.notes(f"table:{table.code}")
                for event in read_note(note.body).events
            ]
            assert 1 == sum(isinstance(event, MoveUndone) for event in told)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Ben asks to take the last move back"),
        ("fr", "Ben demande à reprendre le dernier coup"),
    ],
)
def test_whoever_is_asked_for_it_in_a_terminal_can_answer(language: Language, line: str) -> None:
    shown = scene("## ## ## ## ## ##", "## ## ## ## ## ##", screen=Screen(language=language))
    ask = Ask(1, "undo", 0.0, (1,), 5.0, 30.0)
    clocks = dataclasses.replace(fresh(Clock(), len(shown.view.seats)), ask=ask)
    asked = dataclasses.replace(shown, view=dataclasses.replace(shown.view, clocks=clocks))

    assert (line, ["agree", "refuse"]) == ask_about_time(asked)
