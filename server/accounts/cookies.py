"""The cookie_login for browsers: turns a ticket into a cookie, and takes the cookie of a session that is over back.

It decides, and writes headers; the door (`server.http.web_server`) reads requests and answers them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from urllib.parse import parse_qs, urlsplit

from ..identity.caller import ConnectionInfo
from ..identity.credentials import credential_of, new_token
from ..journal.store import StorageError
from ..system_clock import NowMs
from .store import AccountStore, Grant, Kind

COOKIE = "millrace_session"
SESSION_MS = 180 * 24 * 3_600_000
"""A session ends by itself after so long."""

_LOCAL_PATH = re.compile(r"/(?:[A-Za-z0-9][A-Za-z0-9._~/-]*)?(?:\?[A-Za-z0-9._~=&%-]*)?")


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered to a browser."""

    status: HTTPStatus
    words: str = ""
    location: str = ""
    cookie: str = ""


class CookieLogin:
    """Gives browsers their cookies."""

    def __init__(self, store: AccountStore, now_ms: NowMs) -> None:
        self._store = store
        self._now_ms = now_ms

    async def sign_in(self, target: str, headers: Mapping[str, str]) -> Answer:
        """Redeem the ticket of a request and return to the page that it names, with the cookie of a new session."""
        if not _is_from_own_page(headers):
            return Answer(HTTPStatus.FORBIDDEN, "Please sign in on the page of this server.")
        query = parse_qs(urlsplit(target).query)
        back = local_path(_first(query, "next"))
        secret = new_token("session")
        try:
            now_ms = self._now_ms()
            identity = await self._store.redeem(credential_of(_first(query, "ticket")), now_ms)
            if identity is None:
                return Answer(HTTPStatus.GONE, "This ticket has been used or is too old; please sign in again.")
            credential = credential_of(secret)
            grant = Grant(credential, credential[:16], identity, Kind.SESSION, now_ms, now_ms + SESSION_MS)
            await self._store.add_grant(grant)
        except StorageError:
            return Answer(HTTPStatus.SERVICE_UNAVAILABLE, "The server cannot sign you in now; please try again.")
        return Answer(HTTPStatus.SEE_OTHER, location=back, cookie=_cookie(secret, SESSION_MS // 1000, headers))

    async def sign_out(self, target: str, headers: Mapping[str, str]) -> Answer:
        """Take back the cookie of a session that is over; one that goes on is not ended by a mere link."""
        back = local_path(_first(parse_qs(urlsplit(target).query), "next"))
        cookie = cookie_of(headers)
        try:
            is_over = not cookie or await self._store.admit(credential_of(cookie), self._now_ms()) is None
        except StorageError:
            is_over = False
        return Answer(HTTPStatus.SEE_OTHER, location=back, cookie=_cookie("", 0, headers) if is_over else "")


def read_connection_info(headers: Mapping[str, str], peer: str, *, is_behind_proxy: bool) -> ConnectionInfo:
    """Return what a request says of its sender; `peer` is the address at the other end of the connection.

    A cookie counts only for the server's own pages: a script of another site may hold a socket, but not in the
    reader's name. `X-Forwarded-For` is believed only of a proxy of ours, and there only what it has added itself.
    """
    forwarded = headers.get("X-Forwarded-For", "").rpartition(",")[2].strip() if is_behind_proxy else ""
    scheme, _, bearer = headers.get("Authorization", "").partition(" ")
    origin = headers.get("Origin")
    is_own = origin is None or urlsplit(origin).netloc == headers.get("Host")
    return ConnectionInfo(
        address=network_of(forwarded or peer),
        bearer=bearer.strip() if scheme.lower() == "bearer" else "",
        cookie=cookie_of(headers) if is_own else "",
    )


def network_of(address: str) -> str:
    """Return what counts as one sender: an IPv4 address, or the 64 bits of IPv6 that one household has.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3::4")
    ('192.0.2.7', '2001:db8:1:2::/64')
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped) if mapped is not None else str(ip_network((parsed, 64), strict=False))
    return str(parsed)


def local_path(path: str) -> str:
    """Return a path of this server's pages, the start page in place of anything else.

    >>> local_path("/match/m1?ply=3"), local_path("//evil.example"), local_path("https://evil.example/")
    ('/match/m1?ply=3', '/', '/')
    """
    return path if _LOCAL_PATH.fullmatch(path) else "/"


def cookie_of(headers: Mapping[str, str]) -> str:
    """Return the session's secret that a browser sends, empty if it sends none."""
    for part in headers.get("Cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return ""


def _is_from_own_page(headers: Mapping[str, str]) -> bool:
    """Return whether a page of ours sends this: another site must not sign its visitors in as somebody else."""
    site = headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    return urlsplit(headers.get("Referer", "")).netloc == headers.get("Host")


def _cookie(secret: str, seconds: int, headers: Mapping[str, str]) -> str:
    secure = "; Secure" if headers.get("X-Forwarded-Proto") == "https" else ""
    return f"{COOKIE}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def _first(query: Mapping[str, list[str]], name: str) -> str:
    return query.get(name, [""])[0]
