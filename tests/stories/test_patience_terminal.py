"""Golf Patience and all its relatives in a terminal, from the lobby and back, with every word of a table.

Real sockets, real pipes.
"""

import re
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from dormie_rules.luck import shuffle
from dormie_rules.patience_board import board_of
from dormie_rules.patience_position import lay_out
from dormie_rules.patience_variants import find_patience
from dormie_rules.values import replace
from dormie_server.table.commands import DealHole
from dormie_server.table.fair import next_deal
from dormie_server.table.state import Table
from tests.serving import serving
from tests.terminals import Sit, Terminal, terminal

RELATIVES = (
    "putt_putt",
    "queen_on_king",
    "dead_king",
    "thieves",
    "double_golf",
    "double_putt",
    "tripeaks",
    "elevator",
    "escalator",
    "black_hole",
    "all_in_a_row",
    "all_in_a_row_ii",
)


async def play_hole(one: Terminal) -> str:
    """Play the first card that fits, else draw, until the hole is over; everything that was shown."""
    shown = []
    while True:
        shown.append(news := await one.next_prompt())
        asked = news.splitlines()[-1]
        if asked.startswith("The match is over"):
            return "\n".join(shown)
        fits = re.match(r"(?:Column|Place) (\d+)", asked)
        one.type(fits[1] if fits else "d" if "draw" in asked else "")


@pytest.mark.parametrize("name", RELATIVES)
async def test_scenario_R69_every_relative_is_played_in_a_terminal(sit: Sit, name: str) -> None:
    ada = await sit(
        "ada", "--game", "patience", "--variant", name, "--name", "Ada", "--option", "holes=1"
    )
    shown = await play_hole(ada)
    ada.type("quit")
    await ada.ended()

    rules = find_patience(name).rules
    last = max(len(line) for line in shown.splitlines())
    assert last <= 115
    assert f"foundation {'empty' if rules.empty_start else ''}" in shown
    assert "no command" not in shown
    assert "That card is not" not in shown, "what is offered can be played"
    assert re.search(r"Hole 1: -?\d+, ", shown)
    if rules.layout in ("peaks", "elevator"):
        assert re.search(r"^ +##(   +##)*$", shown, re.MULTILINE), "the tops are face-down"
        assert "Place " in shown


async def test_scenario_I3_a_host_has_every_word_at_a_table_of_patience(sit: Sit) -> None:
    ada = await sit("ada", "--game", "patience", "--name", "Ada", "--size", "3")
    code = (await ada.sees("dormie play http")).split()[-1]
    ben = await sit("ben", "--name", "Ben", code)
    await ada.sees("Ben")
    await ada.says("lock", "The table is locked")
    await ada.says("unlock", "open again")
    await ada.says("password birdie", "&key=birdie")
    await ada.says("nopassword", "password")
    await ada.says("say a good evening to you", "You say")
    await ben.sees("a good evening to you")
    await ben.says("say and to you", "You say")
    await ada.sees("and to you")
    await ada.says("bot easy", "easy")
    await ada.says("nobot 3", "leaves")
    await ada.says("kick nobody", "Say who")
    await ada.says("ban ben", "Ben")
    await ben.sees("The host has sent you away")
    await ben.ended()
    await ada.says("? host", "kick SEAT")
    await ada.says("swap 4", "That is no command")


async def test_from_the_lobby_to_a_patience_and_back(sit: Sit) -> None:
    ada = await sit("ada", "--name", "Ada", "--lobby")
    await ada.says("new tripeaks size=1 holes=1", "You sit at table", "Enter when you are ready")
    await ada.says("", "28 left; stock 23")
    await ada.says("leave", "Type leave again")
    await ada.says("leave", "In the house")
    await ada.says("new golf_patience_wrap size=1 holes=1", "Enter when you are ready")
    await ada.says("", "Hole 1 of 1")
    await ada.says("new six_card size=2", "stays yours", "You sit at table", "six_card")
    await ada.says("quit", "stays yours")
    await ada.ended()


async def test_a_hole_at_which_nothing_fits_is_shown_and_the_course_goes_on(tmp_path: Path) -> None:
    """Its board would else never have been seen."""
    rules = find_patience("black_hole").rules

    def dead(table: Table) -> DealHole:
        deal = next_deal(table)
        packs = (shuffle(bytes([n]) * 32, rules.pack) for n in range(256))
        return replace(
            deal, pack=next(p for p in packs if board_of(rules, lay_out(rules, p)).ending)
        )

    async with serving({"deal": dead}) as app, AsyncExitStack() as stack:
        wish = ("--game", "patience", "--variant", "black_hole", "--option", "holes=2", "--letters")
        said = (f"http://127.0.0.1:{app.port}", *wish)
        ada = await stack.enter_async_context(terminal("ada", tmp_path, *said))
        await ada.next_prompt()
        ada.type("")
        for hole in (1, 2):
            line = await ada.sees(f"Hole {hole} of 2, par 5.")
            await ada.sees("foundation AS; 51 left")

            assert f"Hole {hole} of 2, par 5." == line, "its score is not told before its end"

            await ada.sees("No card fits any more: 51.")
        await ada.sees("So far 102 (+92).")
