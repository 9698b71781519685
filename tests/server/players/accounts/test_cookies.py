"""The sender of a request, and the page to return to."""

import pytest

from millrace.server.callers.caller import ConnectionInfo
from millrace.server.players.accounts.cookies import local_path, read_connection_info

LOCAL = ["/", "/account", "/match/k7m2p9qa4xzt?ply=3", "/player/Ann-2", "/account?from=start"]
ELSEWHERE = [
    *("", "account", "//evil.example", "///evil.example", "/\\evil.example", "https://evil.example/"),
    *("/ /evil.example", "javascript:alert(1)", "/\t/evil.example", "/account\r\nSet-Cookie: x=1", "/@evil.example"),
    *("/%2f%2fevil.example", "/.//evil.example", "http:/evil.example", "/account#@evil", "\\\\evil.example"),
]


@pytest.mark.parametrize("path", LOCAL)
def test_a_redirect_leads_to_any_page_of_the_server(path: str) -> None:
    assert local_path(path) == path


@pytest.mark.parametrize("path", ELSEWHERE)
def test_a_redirect_never_leads_elsewhere(path: str) -> None:
    assert local_path(path) == "/"


@pytest.mark.parametrize(
    ("headers", "is_behind_proxy", "address"),
    [
        ({}, False, "192.0.2.1"),
        ({"X-Forwarded-For": "198.51.100.7"}, False, "192.0.2.1"),
        ({"X-Forwarded-For": "198.51.100.7"}, True, "198.51.100.7"),
        ({"X-Forwarded-For": "10.0.0.1, 198.51.100.7"}, True, "198.51.100.7"),
        ({}, True, "192.0.2.1"),
    ],
)
def test_the_address_is_the_peers_or_the_one_added_by_our_proxy(
    headers: dict[str, str], is_behind_proxy: bool, address: str
) -> None:
    assert read_connection_info(headers, "192.0.2.1", is_behind_proxy=is_behind_proxy).address == address


def test_a_household_with_ipv6_counts_as_one_and_a_mapped_address_as_itself() -> None:
    addresses = {
        read_connection_info({}, peer, is_behind_proxy=False).address
        for peer in ("2001:db8::1", "2001:db8::ffff", "2001:db8::1%eth0")
    }
    assert addresses == {"2001:db8::/64"}
    assert read_connection_info({}, "::ffff:192.0.2.1", is_behind_proxy=False).address == "192.0.2.1"


@pytest.mark.parametrize(
    ("headers", "connection_info"),
    [
        ({"Authorization": "Bearer api_x"}, ConnectionInfo("a", bearer="api_x")),
        ({"Authorization": "bearer  api_x "}, ConnectionInfo("a", bearer="api_x")),
        ({"Authorization": "Basic YTpi"}, ConnectionInfo("a")),
        ({"Cookie": "theme=dark; millrace_session=s; x"}, ConnectionInfo("a", cookie="s")),
        ({"Cookie": "millrace_sessions=s"}, ConnectionInfo("a")),
        ({"Cookie": "millrace_session=s", "Host": "h:1", "Origin": "http://h:1"}, ConnectionInfo("a", cookie="s")),
        ({"Cookie": "millrace_session=s", "Host": "h:1", "Origin": "http://h:2"}, ConnectionInfo("a")),
        ({"Cookie": "millrace_session=s", "Host": "h:1", "Origin": "null"}, ConnectionInfo("a")),
    ],
)
def test_a_token_and_the_cookie_of_the_servers_page_are_read(
    headers: dict[str, str], connection_info: ConnectionInfo
) -> None:
    assert read_connection_info(headers, "a", is_behind_proxy=False) == connection_info
