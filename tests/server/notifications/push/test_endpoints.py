"""Allowed push endpoints: public addresses, and none in the server's own network."""

import asyncio
import socket
from typing import Any

import pytest

from millrace.server.notifications.push.endpoints import BadEndpointError, is_public, parse_endpoint, resolve


@pytest.mark.parametrize(
    "address",
    [
        "https://fcm.googleapis.com/fcm/send/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/abc?x=1",
        "https://web.push.apple.com:443/abc",
    ],
)
def test_endpoints_of_browsers_are_allowed(address: str) -> None:
    assert parse_endpoint(address).scheme == "https"


@pytest.mark.parametrize(
    "address",
    [
        "http://push.example.org/abc",
        "https://push.example.org:8443/abc",
        "https://localhost/abc",
        "https://intranet/abc",
        "https://127.0.0.1/abc",
        "https://[::1]/abc",
        "https://[::ffff:10.0.0.1]/abc",
        "https://169.254.169.254/latest/meta-data",
        "https://user@push.example.org/abc",
        "https://push.example.org/abc#part",
        "https://push.example.org/a b",
        "https://push.example.org/a\r\nX: y",
        "https://push.example.org:port/",
        "https://[::1",
        "file:///etc/passwd",
        "",
        f"https://push.example.org/{'a' * 1024}",
    ],
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(BadEndpointError):
        parse_endpoint(address)


@pytest.mark.parametrize(
    "address",
    [
        *("10.1.2.3", "127.0.0.1", "100.64.0.1", "192.168.1.1", "0.0.0.0", "224.0.0.1", "255.255.255.255"),
        *("::1", "::", "fe80::1%eth0", "fd00::1", "ff02::1", "::ffff:192.168.0.1", "64:ff9b::a00:1", "2002:a00:1::"),
    ],
)
def test_non_public_addresses_are_not_connected_to(address: str) -> None:
    assert not is_public(address)


async def test_a_name_that_resolves_into_the_servers_network_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look_up(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.7", 443))]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", look_up)
    with pytest.raises(BadEndpointError, match=r"push\.example\.org has no public address"):
        await resolve(parse_endpoint("https://push.example.org/abc"))
