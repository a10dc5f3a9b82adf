import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dormie_client.identity import config_home, forget, recall, remember
from tests.clients.fake_server import TOKEN

SERVER = "ws://localhost:8000/ws"


def files(home: Path) -> list[Path]:
    return [path for path in home.rglob("*") if path.is_file()]


def test_a_token_comes_back(tmp_path: Path) -> None:
    remember(tmp_path, SERVER, TOKEN)

    assert TOKEN == recall(tmp_path, SERVER)


def test_a_server_is_the_same_however_it_is_written(tmp_path: Path) -> None:
    remember(tmp_path, SERVER, TOKEN)

    assert TOKEN == recall(tmp_path, "http://LOCALHOST:8000")
    assert recall(tmp_path, "http://localhost:8001") is None


def test_servers_with_names_alike_have_files_of_their_own(tmp_path: Path) -> None:
    names = ["http://golf.example/a_b", "http://golf.example/a/b", "http://golf.example"]
    for at, name in enumerate(names):
        remember(tmp_path, name, TOKEN[:-1] + str(at))

    assert ["0", "1", "2"] == [(recall(tmp_path, name) or "")[-1] for name in names]


def test_only_the_owner_reads_a_token(tmp_path: Path) -> None:
    home = tmp_path / "new" / "dormie"
    remember(home, SERVER, TOKEN)
    (file,) = files(home)

    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert 0o700 == stat.S_IMODE(file.parent.stat().st_mode)


def test_a_file_that_others_could_read_is_replaced_by_one_they_cannot(tmp_path: Path) -> None:
    remember(tmp_path, SERVER, TOKEN)
    (file,) = files(tmp_path)
    file.chmod(0o644)
    remember(tmp_path, SERVER, TOKEN)

    assert 0o600 == stat.S_IMODE(file.stat().st_mode)


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"null",
        b'{"token": 7}',
        b'{"token": "short"}',
        b"[" * 100_000,
        json.dumps({"token": TOKEN + "\n"}).encode(),
    ],
)
def test_damage_is_as_good_as_nothing(tmp_path: Path, damage: bytes) -> None:
    remember(tmp_path, SERVER, TOKEN)
    (file,) = files(tmp_path)
    file.write_bytes(damage)

    assert recall(tmp_path, SERVER) is None
    remember(tmp_path, SERVER, TOKEN)
    assert TOKEN == recall(tmp_path, SERVER)


def test_a_write_that_fails_leaves_the_old_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    remember(tmp_path, SERVER, TOKEN)
    monkeypatch.setattr("dormie_client.identity.os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        remember(tmp_path, SERVER, "N" * 43)

    assert TOKEN == recall(tmp_path, SERVER)
    assert 1 == len(files(tmp_path))


def test_what_is_forgotten_is_gone(tmp_path: Path) -> None:
    remember(tmp_path, SERVER, TOKEN)
    forget(tmp_path, SERVER)
    forget(tmp_path, SERVER)

    assert recall(tmp_path, SERVER) is None
    assert [] == files(tmp_path)


def test_programs_that_save_at_the_same_time_do_not_lose_each_others(tmp_path: Path) -> None:
    servers = [f"http://golf{n}.example" for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda server: remember(tmp_path, server, TOKEN), servers))

    assert {TOKEN} == {recall(tmp_path, server) for server in servers}


def test_a_home_is_a_place_to_be_found_again() -> None:
    """A relative XDG_CONFIG_HOME is to be ignored, as its specification says."""
    usual = Path.home() / ".config" / "dormie"

    assert usual == config_home({}) == config_home({"XDG_CONFIG_HOME": "here"})
