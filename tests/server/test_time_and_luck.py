"""The house's clock and its luck: nobody sets the one, and nobody can foretell the other."""

import ast
import random
import time
from pathlib import Path
from typing import Any

import pytest

from dormie_server.sqlite_store import SqliteStore
from tests.server.guest import guests, play_alone
from tests.serving import serving

ROOT = Path(__file__).parents[2]


async def test_nasty_P15_whoever_sets_the_clock_moves_no_deadline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The time of day is asked for once; from then on only what has passed counts."""
    step = 0.0
    real = time.time

    def wall() -> float:
        return real() + step

    monkeypatch.setattr(time, "time", wall)
    monkeypatch.setitem(SqliteStore.__init__.__kwdefaults__, "clock", wall)  # type: ignore[arg-type]  # it has some
    async with serving() as app:
        for step in (0.0, 3600.0, -3600.0):
            async with guests(app.port, "Ada") as (ada,):
                assert abs(ada.welcome.now - real()) < 5
                code = await ada.create(id=f"c{step:.0f}".replace("-", "m"))
                deadline = ada.last(code).view
                assert deadline is not None
                assert deadline.deadline is not None
                assert abs(deadline.deadline - real() - 1800) < 5


async def test_nasty_X02_no_deal_is_drawn_from_predictable_luck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("luck that can be predicted")

    for name in ("random", "getrandbits", "shuffle", "randrange", "choice", "sample", "randbytes"):
        monkeypatch.setattr(random.Random, name, never)
        monkeypatch.setattr(random, name, never)
    async with serving() as app, guests(app.port, "Ada") as (ada,):
        await play_alone(ada, await ada.create(bots=["random"]))


@pytest.mark.parametrize("package", ["rules/dormie_rules", "server", "clients/python/dormie_bots"])
def test_nasty_X02_nothing_that_deals_imports_random(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    imported = {
        (path.name, alias.name)
        for path in files
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if "random" in (alias.name, getattr(node, "module", None))
    }

    assert files
    assert set() == imported
