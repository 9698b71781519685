"""Cookies: a browser exchanges a sign-in ticket for a session cookie, and loses the cookie when it signs out.

Also reads the sender from the headers of a request.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from urllib.parse import parse_qs, urlsplit

from ...callers.caller import ConnectionInfo
from ...callers.credentials import credential_of, new_token
from ...runtime.system_clock import NowMs
from ...storage.errors import StorageError
from .account_store import AccountStore
from .stored_tokens import StoredToken, TokenKind

COOKIE = "millrace_session"
SESSION_MS = 180 * 24 * 3_600_000
"""Validity of a session."""

_LOCAL_PATH = re.compile(r"/(?:[A-Za-z0-9][A-Za-z0-9._~/-]*)?(?:\?[A-Za-z0-9._~=&%-]*)?")


@dataclass(frozen=True, slots=True)
class CookieResponse:
    """The response to a browser that signs in or out."""

    status: HTTPStatus
    text: str = ""
    location: str = ""
    cookie: str = ""


class CookieLogin:
    """Sets and clears the session cookies of browsers."""

    def __init__(self, store: AccountStore, now_ms: NowMs) -> None:
        self._store = store
        self._now_ms = now_ms

    async def sign_in(self, target: str, headers: Mapping[str, str]) -> CookieResponse:
        """Redeem the ticket of a request, set the cookie of a new session, and redirect to the page given by `next`."""
        if not _is_from_own_page(headers):
            return CookieResponse(HTTPStatus.FORBIDDEN, "Please sign in on this server's own page.")
        query = parse_qs(urlsplit(target).query)
        back = local_path(_first(query, "next"))
        token = new_token("session")
        try:
            now_ms = self._now_ms()
            identity = await self._store.redeem(credential_of(_first(query, "ticket")), now_ms)
            if identity is None:
                return CookieResponse(HTTPStatus.GONE, "This ticket was used or has expired; please sign in again.")
            credential = credential_of(token)
            stored = StoredToken(credential, credential[:16], identity, TokenKind.SESSION, now_ms, now_ms + SESSION_MS)
            await self._store.add_token(stored)
        except StorageError:
            return CookieResponse(HTTPStatus.SERVICE_UNAVAILABLE, "The server cannot sign you in; please try again.")
        return CookieResponse(HTTPStatus.SEE_OTHER, location=back, cookie=_cookie(token, SESSION_MS // 1000, headers))

    async def sign_out(self, target: str, headers: Mapping[str, str]) -> CookieResponse:
        """Clear the cookie of a session that has ended. A mere link cannot end a session."""
        back = local_path(_first(parse_qs(urlsplit(target).query), "next"))
        cookie = cookie_of(headers)
        try:
            session = self._store.find_by_token(credential_of(cookie), self._now_ms(), even_banned=True)
            is_over = await session is None
        except StorageError:
            is_over = False
        return CookieResponse(HTTPStatus.SEE_OTHER, location=back, cookie=_cookie("", 0, headers) if is_over else "")


def read_connection_info(headers: Mapping[str, str], peer: str, *, is_behind_proxy: bool) -> ConnectionInfo:
    """Return the sender of a request; `peer` is the address at the other end of the connection.

    A cookie counts only for the server's own pages: a script on another site may open a socket, but not in the user's
    name.
    """
    scheme, _, bearer = headers.get("Authorization", "").partition(" ")
    origin = headers.get("Origin")
    is_own = origin is None or urlsplit(origin).netloc == headers.get("Host")
    return ConnectionInfo(
        address=sender_network(headers, peer, is_behind_proxy=is_behind_proxy),
        bearer=bearer.strip() if scheme.lower() == "bearer" else "",
        cookie=cookie_of(headers) if is_own else "",
    )


def sender_network(headers: Mapping[str, str], peer: str, *, is_behind_proxy: bool) -> str:
    """Return the network of the sender of a request, for limits.

    `X-Forwarded-For` counts only behind our own proxy, and only the entry added by the proxy itself.
    """
    forwarded = headers.get("X-Forwarded-For", "").rpartition(",")[2].strip() if is_behind_proxy else ""
    return network_of(forwarded or peer)


def network_of(address: str) -> str:
    """Return the network of an address, for limits: an IPv4 address, or the /64 network of an IPv6 address.

    Some proxies add the port.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3::4")
    ('192.0.2.7', '2001:db8:1:2::/64')
    >>> network_of("192.0.2.7:4711"), network_of("[2001:db8::1]:4711")
    ('192.0.2.7', '2001:db8::/64')
    """
    if address.startswith("["):
        address = address[1:].partition("]")[0]
    elif address.count(":") == 1:
        address = address.partition(":")[0]
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped) if mapped is not None else str(ip_network((parsed, 64), strict=False))
    return str(parsed)


def local_path(path: str) -> str:
    """Return the path if it is on this server, otherwise the path of the start page.

    >>> local_path("/match/m1?ply=3"), local_path("//evil.example"), local_path("https://evil.example/")
    ('/match/m1?ply=3', '/', '/')
    """
    return path if _LOCAL_PATH.fullmatch(path) else "/"


def cookie_of(headers: Mapping[str, str]) -> str:
    """Return the session token in a browser's cookie, or an empty text."""
    for part in headers.get("Cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return ""


def _is_from_own_page(headers: Mapping[str, str]) -> bool:
    """Return whether this server's own page sent the request: other sites must not sign their visitors in here."""
    site = headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    return urlsplit(headers.get("Referer", "")).netloc == headers.get("Host")


def _cookie(token: str, seconds: int, headers: Mapping[str, str]) -> str:
    secure = "; Secure" if headers.get("X-Forwarded-Proto") == "https" else ""
    return f"{COOKIE}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def _first(query: Mapping[str, list[str]], name: str) -> str:
    return query.get(name, [""])[0]
