import pytest

from dormie_client import ClosedError
from dormie_client.address import server_name, socket_url


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("ws://localhost:8421/ws", "ws://localhost:8421/ws"),
        ("http://localhost:8421", "ws://localhost:8421/ws"),
        ("http://localhost:8421/", "ws://localhost:8421/ws"),
        ("http://localhost:8421/#PARTEE23", "ws://localhost:8421/ws"),
        ("https://golf.example", "wss://golf.example/ws"),
        ("https://club.example/golf/ws", "wss://club.example/golf/ws"),
        ("ws://club.example/elsewhere", "ws://club.example/elsewhere"),
        ("  localhost:8421\n", "ws://localhost:8421/ws"),
        ("HTTP://LOCALHOST", "ws://LOCALHOST/ws"),
        ("[::1]:8421", "ws://[::1]:8421/ws"),
        ("192.168.1.20", "ws://192.168.1.20/ws"),
    ],
)
def test_what_people_type_is_an_address(typed: str, url: str) -> None:
    assert url == socket_url(typed)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "ws://",
        "gopher://golf",
        "http://:8421",
        "localhost:port",
        "localhost:99999",
        "localhost:0",
        "http://[::1",
        "http://a..b",
        f"http://{'x' * 80}.example",
        "http://golf.example/\x07",
    ],
)
def test_what_is_no_address_is_a_sentence(typed: str) -> None:
    with pytest.raises(ClosedError, match=r"^This is not the address of a server"):
        socket_url(typed)


def test_a_password_in_an_address_is_not_said_aloud() -> None:
    assert "golf.example:443" == server_name("https://ada:secret@golf.example")
