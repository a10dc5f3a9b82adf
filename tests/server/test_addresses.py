"""Addresses: which count as one, and whom a proxy speaks for."""

from ipaddress import IPv4Network, IPv6Network

import pytest

from dormie_server.addresses import LOOPBACK, Network, among, behind, shared_by

PROXIES: tuple[Network, ...] = (IPv4Network("10.0.0.0/8"), IPv6Network("fd00::/8"))


def test_nasty_S20_whoever_changes_address_within_a_64_stays_one() -> None:
    names = {shared_by(f"2001:db8:1:2:{part:x}::{part:x}") for part in range(200)}

    assert {"2001:db8:1:2::/64"} == names


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("192.0.2.1", "::ffff:c000:201", True),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("", "", True),
    ],
)
def test_limits_count_addresses(one: str, other: str, same: bool) -> None:  # noqa: FBT001
    assert same == (shared_by(one) == shared_by(other))


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_this_machine_has_several_names(address: str) -> None:
    assert among(address, LOOPBACK)


@pytest.mark.parametrize("address", ["", "localhost", "128.0.0.1", "::2", "/run/dormie.sock"])
def test_others_are_not_this_machine(address: str) -> None:
    assert not among(address, LOOPBACK)


@pytest.mark.parametrize(
    ("peer", "forwarded", "really"),
    [
        ("192.0.2.9", ["1.2.3.4"], "192.0.2.9"),  # no proxy of ours
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        ("10.0.0.1", ["1.2.3.4, 192.0.2.7"], "192.0.2.7"),  # the client wrote 1.2.3.4
        ("10.0.0.1", ["1.2.3.4", "192.0.2.7"], "192.0.2.7"),
        ("10.0.0.1", ["192.0.2.7, 10.0.0.2"], "192.0.2.7"),  # two proxies of ours
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["1.2.3.4, unknown"], "10.0.0.1"),
        ("10.0.0.1", ["192.0.2.7:4711"], "192.0.2.7"),
        ("fd00::1", ["[2001:db8::7]:4711"], "2001:db8::7"),
        ("::ffff:10.0.0.1", ["::ffff:192.0.2.7"], "192.0.2.7"),
    ],
)
def test_only_a_trusted_proxy_is_believed(peer: str, forwarded: list[str], really: str) -> None:
    assert really == behind(peer, forwarded, PROXIES)
