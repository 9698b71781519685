"""Parsing addresses of buses, and the messages about invalid ones."""

import sys

import pytest

from millrace.server.cluster.bus import LocalBus
from millrace.server.cluster.opening import open_bus
from millrace.server.cluster.redis_address import BusAddressError, parse_address
from millrace.server.cluster.redis_bus import RedisBus


def test_without_an_address_a_server_is_alone() -> None:
    bus = open_bus(None, "0000000a")
    assert isinstance(bus, LocalBus)
    assert bus.node == "0000000a"


def test_with_an_address_it_is_one_of_several() -> None:
    bus = open_bus("redis://127.0.0.1:6379/0", "0000000a")
    assert isinstance(bus, RedisBus)
    assert bus.node == "0000000a"


@pytest.mark.parametrize(
    ("text", "url", "prefix", "shown"),
    [
        ("redis://host", "redis://host/0", "millrace:0:", "redis://host/0"),
        ("redis://host:7000/3", "redis://host:7000/3", "millrace:3:", "redis://host:7000/3"),
        ("redis://me:secret@host/1", "redis://me:secret@host/1", "millrace:1:", "redis://host/1"),
        ("rediss://:a%40b@host?prefix=club", "rediss://:a%40b@host/0", "club:0:", "rediss://host/0"),
        (
            "rediss://host?ssl_ca_certs=/etc/ca.pem&prefix=club",
            "rediss://host/0?ssl_ca_certs=%2Fetc%2Fca.pem",
            "club:0:",
            "rediss://host/0",
        ),
        ("redis://[::1]:6380", "redis://[::1]:6380/0", "millrace:0:", "redis://[::1]:6380/0"),
    ],
)
def test_an_address_names_the_server_and_the_channels(text: str, url: str, prefix: str, shown: str) -> None:
    assert parse_address(text) == (url, prefix, shown)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "does not begin with redis://"),
        ("localhost:6379", "does not begin with redis://"),
        ("http://host", "does not begin with redis://"),
        ("redis://", "names no host"),
        ("redis://:6379", "names no host"),
        ("redis://host:port", "cannot be read"),
        ("redis://host:99999", "cannot be read"),
        ("redis://host/first", "'first' in the address of the bus is no database number"),
        ("redis://host/0/1", "'0/1' in the address of the bus is no database number"),
        ("redis://host?prefix=a:b", "The prefix in the address of the bus is 'a:b'"),
        ("redis://host?prefix=", "The prefix in the address of the bus is ''"),
        ("redis://host?timeout=3", "unknown option: timeout"),
        ("redis://host?ssl_ca_certs=/etc/ca.pem", "unknown option: ssl_ca_certs"),
    ],
)
def test_a_wrong_address_is_refused_with_a_reason(text: str, problem: str) -> None:
    with pytest.raises(BusAddressError, match="address of the bus") as caught:
        open_bus(text)
    assert problem in str(caught.value)


def test_a_password_is_not_shown() -> None:
    with pytest.raises(BusAddressError) as caught:
        open_bus("redis://me:secret@host/first")
    assert "secret" not in str(caught.value)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "millrace.server.cluster.redis_bus", None)
    with pytest.raises(BusAddressError, match=r"pip install 'millrace\[cluster\]'"):
        open_bus("redis://host")
