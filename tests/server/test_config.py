"""Settings, and which of two places wins."""

from pathlib import Path

import pytest

from dormie_server.cli import main
from dormie_server.config import BadSetting, Settings, read_settings
from dormie_server.limits import Limits


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No `.env` of whoever runs the tests, and none of their variables."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(f"DORMIE_{name.upper()}", raising=False)


def written(path: str, *lines: str) -> Path:
    Path(path).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return Path(path)


def test_without_a_word_friends_on_the_network_can_join() -> None:
    settings = read_settings({})

    assert ("0.0.0.0", 8421) == (settings.host, settings.port)  # noqa: S104 - that is the point
    assert ("dormie-data/dormie.db", "FULL") == (settings.data, settings.synchronous)
    assert ((), (), Limits()) == (
        settings.allowed_origins,
        settings.trusted_proxies,
        settings.limits,
    )


def test_a_flag_wins_over_the_environment_over_the_file_of_lines_over_toml(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = ("turn_seconds", "pause_seconds", "lobby_seconds", "idle_seconds")
    toml = written("dormie.toml", *(f"{name} = 10" for name in names))
    written(".env", *(f"DORMIE_{name.upper()}=20" for name in names[:3]))
    for name in names[:2]:
        monkeypatch.setenv(f"DORMIE_{name.upper()}", "30")
    settings = read_settings({"turn_seconds": "40"}, toml)

    assert [40, 30, 20, 10] == [getattr(settings, name) for name in names]


def test_a_limit_may_be_set_anywhere_and_the_others_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    toml = written("dormie.toml", "[limits]", "strikes = 3", "sockets = 4", "fragments = 5")
    written(".env", "DORMIE_LIMITS__SOCKETS=40")
    monkeypatch.setenv("DORMIE_LIMITS__FRAGMENTS", "50")

    assert Limits(strikes=3, sockets=40, fragments=50) == read_settings({}, toml).limits


def test_lists_are_written_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DORMIE_ALLOWED_ORIGINS", "https://a.example, HTTP://B.example:8080/,")
    settings = read_settings({"trusted_proxies": "10.0.0.0/8,::1"})

    assert ("https://a.example", "http://b.example:8080") == settings.allowed_origins
    assert ["10.0.0.0/8", "::1/128"] == [str(network) for network in settings.trusted_proxies]


def test_an_empty_list_is_none_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DORMIE_METRICS_FOR", "")

    assert () == read_settings({}).metrics_for


def test_lines_for_other_programs_are_theirs() -> None:
    written(".env", "POSTGRES_PASSWORD=x", "port=1", "DORMIE_PORT=9000")

    assert 9000 == read_settings({}).port


def test_a_line_of_another_program_may_be_called_like_a_setting() -> None:
    written(".env", "PORT=1")

    assert 8421 == read_settings({}).port


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        ({"port": "65536"}, "port: Input should be less than or equal to 65535"),
        ({"port": "many"}, "port: Input should be a valid integer"),
        ({"synchronous": "OFF"}, "synchronous: Input should be 'FULL' or 'NORMAL'"),
        ({"public_url": "golf.example"}, "public_url: should be like https://golf.example"),
        ({"public_url": "https://golf.example/a"}, "public_url: should be like"),
        ({"trusted_proxies": "proxy"}, "trusted_proxies.0: value is not a valid"),
        ({"turn_seconds": "4"}, "turn_seconds: Input should be greater than or equal to 5"),
        ({"pause_seconds": "inf"}, "pause_seconds: Input should be a finite number"),
        ({"data": ""}, "data: String should have at least 1 character"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(flags: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadSetting) as bad:
        read_settings(flags)

    assert str(bad.value).startswith(sentence)
    assert "\n" not in str(bad.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("prot = 1", "prot: there is no such setting"),
        ("[limits]\nsocket = 1", "limits.socket: there is no such setting"),
        ("[limits]\nsockets = 0", "limits: sockets must be more than 0"),
        ("port =", "cannot read dormie.toml: "),
    ],
)
def test_a_mistake_in_the_file_is_named(text: str, sentence: str) -> None:
    with pytest.raises(BadSetting) as bad:
        read_settings({}, written("dormie.toml", text))

    assert str(bad.value).startswith(sentence)


def test_a_file_that_is_missing_is_missed() -> None:
    """The library would go on without it."""
    with pytest.raises(BadSetting, match=r"^cannot read nowhere.toml: No such file"):
        read_settings({}, Path("nowhere.toml"))


def test_a_mistake_in_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DORMIE_LIMITS", "a few")

    with pytest.raises(BadSetting, match="limits"):
        read_settings({})


def test_settings_stay_as_they_are() -> None:
    with pytest.raises(ValueError, match="frozen"):
        read_settings({}).port = 1  # type: ignore[misc]  # mypy knows it, too


def test_it_can_be_asked_which_place_each_setting_comes_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    toml = written("dormie.toml", "pause_seconds = 3", "[limits]", "strikes = 3")
    written(".env", "DORMIE_BOT_SECONDS=2")
    monkeypatch.setenv("DORMIE_STORE", "redis://:hush@golf.example/0")
    monkeypatch.setenv("DORMIE_LIMITS__SOCKETS", "40")
    status = main(["config", "--port", "9000", "--config", str(toml)])
    shown = {line.split()[0]: line.split(maxsplit=1)[1] for line in _rows(capsys)}

    assert 0 == status
    assert ["9000", "flag"] == shown["port"].split()
    assert ["3.0", "dormie.toml"] == shown["pause_seconds"].split()
    assert ["2.0", ".env"] == shown["bot_seconds"].split()
    assert ["40", "environment"] == shown["limits.sockets"].split()
    assert ["3", "dormie.toml"] == shown["limits.strikes"].split()
    assert ["60", "default"] == shown["turn_seconds"].split()
    assert shown["store"].endswith("environment")
    assert "hush" not in str(shown)


def _rows(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_settings_that_are_wrong_are_not_shown_but_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert 2 == main(["config", "--port", "x"])
    assert "port" in capsys.readouterr().err
