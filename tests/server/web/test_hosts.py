"""Which names a server answers to, and which requests come from its own machine."""

import pytest

from millrace.server.web.hosts import Hosts, is_from_this_machine

HOME = Hosts((), ("Mill.example.net", "0.0.0.0"))


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:8000", "LOCALHOST:8000", "play.localhost:8000"),
        *("127.0.0.1:8000", "[::1]:8000", "192.168.1.7", "203.0.113.9:80", "[2001:db8::7]"),
        *("mill", "mill:8000", "mill.example.net", "mill.local:8000", "MILL.lan", "mill.local."),
    ],
)
def test_addresses_localhost_and_the_machine_s_own_names_are_allowed(host: str) -> None:
    assert HOME.allow(host)


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "mill.evil.example"),
        *("evil-localhost", "", ":8000", "[evil.example]", "127.1", "0x7f000001", "2130706433", "a b"),
    ],
)
def test_other_names_are_not(host: str) -> None:
    assert not HOME.allow(host)


def test_names_domains_or_everything_can_be_allowed() -> None:
    hosts = Hosts(("Play.example.org", "*.mill.example"))
    allowed = ("play.example.org:443", "a.mill.example", "a.b.mill.example")
    refused = ("example.org", "mill.example", "evilmill.example", "x.play.example.org")
    assert [hosts.allow(host) for host in (*allowed, *refused)] == [True] * 3 + [False] * 4
    assert Hosts(("*",)).allow("evil.example")


def test_a_proxy_chooses_its_names_unless_they_are_given() -> None:
    assert Hosts(is_behind_proxy=True).allow("play.example.org")
    assert not Hosts(("play.example.org",), is_behind_proxy=True).allow("evil.example")


def test_only_a_direct_request_from_a_loopback_address_is_from_this_machine() -> None:
    local = {"Host": "localhost:8000"}
    for peer in ("127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"):
        assert is_from_this_machine(peer, local)
    for peer in ("192.0.2.1", "10.0.0.1", "", "::ffff:192.0.2.1"):
        assert not is_from_this_machine(peer, local)
    for name in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "X-Forwarded-Proto"):
        assert not is_from_this_machine("127.0.0.1", {**local, name: "127.0.0.1"})
    assert not is_from_this_machine("127.0.0.1", {"Host": "play.example.org"})
