"""The links a host reads out to friends."""

import pytest

from dormie_server import links as links_module
from dormie_server.links import links


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine has one address on the local network."""
    monkeypatch.setattr(links_module, "_own_addresses", lambda: ["192.168.1.7"])


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])  # noqa: S104 - nobody listens
def test_a_house_open_to_the_network_names_this_machine_first(at_home: None, host: str) -> None:
    assert ("http://127.0.0.1:8421/", "http://192.168.1.7:8421/") == links(host, 8421)


def test_a_house_for_this_machine_names_no_other(at_home: None) -> None:
    assert ("http://127.0.0.1:8421/",) == links("127.0.0.1", 8421)


def test_an_address_with_colons_is_written_in_brackets() -> None:
    assert ("http://[::1]:8421/",) == links("::1", 8421)


def test_the_public_address_comes_last_and_once() -> None:
    here, there = links("127.0.0.1", 8421, "https://golf.example/")

    assert ("http://127.0.0.1:8421/", "https://golf.example/") == (here, there)
    assert ("http://127.0.0.1:80/",) == links("127.0.0.1", 80, "http://127.0.0.1:80")


def test_a_machine_without_a_network_has_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(*_: object) -> None:
        raise OSError("network is unreachable")

    monkeypatch.setattr("socket.socket", no_network)

    assert ("http://127.0.0.1:8421/",) == links("0.0.0.0", 8421)  # noqa: S104 - nobody listens
