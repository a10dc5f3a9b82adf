"""What those who run a house do from the command line."""

import asyncio
from pathlib import Path

import pytest

from dormie_server import cli
from dormie_server.reports import Reports
from tests.redis_server import RedisServer
from tests.server.guest import Guest, guests
from tests.serving import serving


async def evening(data: Path) -> tuple[str, str]:
    """Ada reports Bob; returns their ids."""
    async with serving(data=str(data)) as app, guests(app.port, "Ada", "Bobadil") as (ada, bob):
        code = await ada.create()
        await bob.join(code)
        await bob.do("say", table=code, text="you cheat")
        await ada.do("report", table=code, seat=1, reason="abuse", text="rude")
        (filed,) = await Reports(app.store).waiting()
        other = await Guest.come(app.port, "Twin")
        twin = await Guest.come(app.port, "Twin")
        await other.leave()
        await twin.leave()
        assert 0 == await asyncio.to_thread(cli.main, ["reports", "--data", str(data)])
        assert 2 == await asyncio.to_thread(cli.main, ["erase", "Bobadil", "--data", str(data)])
        return filed.id, bob.player


def test_a_report_is_listed_read_and_closed_beside_a_server_or_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "dormie.db"
    name, _ = asyncio.run(evening(data))
    beside = capsys.readouterr()
    assert f"{name}  " in beside.out
    assert "abuse  about Bobadil" in beside.out
    assert "in use" in beside.err
    assert 0 == cli.main(["report", name.lower(), "--data", str(data)])
    shown = capsys.readouterr().out
    assert "Bobadil: you cheat" in shown
    assert "text    rude" in shown
    assert "Bobadil takes" in shown or "Bobadil" in shown

    assert 0 == cli.main(["report", name, "--close", "--data", str(data)])
    assert 0 == cli.main(["reports", "--data", str(data)])
    assert f"report {name} is closed\nno report waits\n" == capsys.readouterr().out
    assert 1 == cli.main(["report", "NQSVCHTE", "--data", str(data)])


@pytest.mark.parametrize("by", ["name", "id"])
def test_nasty_S17_whoever_runs_the_house_can_erase_a_player(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], by: str
) -> None:
    data = tmp_path / "dormie.db"
    _, player = asyncio.run(evening(data))
    before = data.read_bytes()
    assert 0 == cli.main(["erase", "Bobadil" if by == "name" else player, "--data", str(data)])
    kept = b"".join(one.read_bytes() for one in tmp_path.iterdir())

    assert b"Bobadil" in before
    assert [0, 0, 0] == [kept.count(x) for x in (b"Bobadil", player.encode(), b"you cheat")]
    assert 1 == cli.main(["erase", player, "--data", str(data)])
    assert "nothing is known" in capsys.readouterr().out


def test_of_two_players_of_one_name_none_is_erased_by_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "dormie.db"
    asyncio.run(evening(data))
    capsys.readouterr()

    assert 1 == cli.main(["erase", "Twin", "--data", str(data)])
    assert 3 == len(capsys.readouterr().out.splitlines())


@pytest.mark.parametrize("argv", [["reports"], ["report", "X"], ["erase", "X"]])
def test_without_a_file_there_is_nothing_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], argv: list[str]
) -> None:
    assert 2 == cli.main([*argv, "--data", str(tmp_path / "none.db")])
    assert "there is no file" in capsys.readouterr().err


async def test_on_a_redis_the_same_is_asked_beside_running_servers(
    redis: RedisServer, capsys: pytest.CaptureFixture[str]
) -> None:
    async with (
        serving(store=redis.url) as here,
        serving(store=redis.url) as there,
        guests(here.port, "Ada") as (ada,),
        guests(there.port, "Bobadil") as (bob,),
    ):
        code = await ada.create()
        await bob.join(code)
        await bob.do("say", table=code, text="you cheat")
        await ada.do("report", table=code, seat=1, reason="abuse", text="rude")
        assert 0 == await asyncio.to_thread(cli.main, ["reports", "--store", redis.url])
        assert "about Bobadil" in capsys.readouterr().out
        erase = ["erase", "Bobadil", "--store", redis.url]
        assert 0 == await asyncio.to_thread(cli.main, erase)
        assert 1 == await asyncio.to_thread(cli.main, erase)
        names = [
            await there.store.get(f"player:{bob.player}"),
            await here.store.get(f"table:{code}"),
        ]

    assert names[0] is None
    assert names[1] is not None
    assert b"Bobadil" not in names[1].body
