"""A request: read by h11 from what arrives, and checked once, so later code finds one value for each header and a path.

A repeated header is refused if its value decides something; lists, such as `Accept-Encoding`, are joined (RFC 9110,
section 5.3). No sockets here.
"""

from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

import h11
from websockets.datastructures import Headers
from websockets.exceptions import InvalidHeader
from websockets.http11 import Request

MAX_HEAD_BYTES = 16_384
"""Maximum length of a request line and its headers."""
METHODS = ("GET", "HEAD")
"""What pages and resources are asked with; all else changes something, and that goes over the socket."""
HEAD_START = b"HEAD "
HEALTH_PATH = "/health"
LIVENESS_PATH = "/health/live"
"""Answered as long as the process works, also while nobody can play."""

SINGLE = frozenset({"authorization", "cookie", "host", "origin", "referer", "x-forwarded-host", "x-forwarded-proto"})
"""Headers that may occur only once."""


class BadRequestError(ValueError):
    """A request that is refused; the text says why."""

    def __init__(self, text: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(text)
        self.status = status


class RequestReader:
    """Reads the one request of a connection, since every answer closes it."""

    __slots__ = ("_parser", "_start", "rest")

    def __init__(self) -> None:
        self._parser: h11.Connection | None = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)
        """None once the request has been read, or cannot be."""
        self._start: bytes | None = None
        """The first bytes of the request; None before anything has arrived."""
        self.rest = b""
        """What arrived together with the request, after its headers."""

    @property
    def is_done(self) -> bool:
        """Whether the request has been read, or cannot be."""
        return self._parser is None

    @property
    def is_head(self) -> bool:
        """Whether the request, valid or not, asks for headers only."""
        return self._start == HEAD_START

    def receive(self, data: bytes) -> Request | None:
        """Return the request once its headers have arrived. Raises: BadRequestError."""
        if self._parser is None:
            return None
        if not self._start:
            data = data.lstrip(b"\r\n")  # empty lines before the request do not count (RFC 9112, section 2.2)
        self._start = ((self._start or b"") + data)[: len(HEAD_START)]
        if not data:
            return None
        try:
            self._parser.receive_data(data)
            event = self._parser.next_event()
        except h11.RemoteProtocolError as error:
            self._parser = None
            raise BadRequestError(_reason_of(error), HTTPStatus(error.error_status_hint)) from None
        if not isinstance(event, h11.Request):
            return None
        self.rest, self._parser = self._parser.trailing_data[0], None
        try:
            headers = Headers((name.decode(), value.decode("latin-1")) for name, value in event.headers.raw_items())
        except InvalidHeader as error:
            raise BadRequestError(f"The value of the header {error.name} is not valid.") from None
        return Request(event.target.decode(), headers, event.method.decode(), f"HTTP/{event.http_version.decode()}")

    def stop(self) -> bool:
        """Read no more; return whether a part of the request has arrived."""
        self._parser = None
        return self._start is not None


class CheckedRequest(NamedTuple):
    """A checked request."""

    method: str
    target: str
    """Path and query, as sent."""
    path: str
    headers: Headers
    protocol: str = "HTTP/1.1"

    def has(self, tag: str) -> bool:
        """Return whether the client has the version with an entity tag (RFC 9110, section 13.1.2)."""
        known = {each.strip().removeprefix("W/") for each in self.headers.get("If-None-Match", "").split(",")}
        return "*" in known or tag.removeprefix("W/") in known


def require_answerable(request: CheckedRequest) -> None:
    """Refuse methods and bodies, which nothing here takes. Raises: BadRequestError."""
    if request.method not in METHODS:
        text = f"Only {' and '.join(METHODS)} are answered here; commands go over the socket."
        raise BadRequestError(text, HTTPStatus.METHOD_NOT_ALLOWED)
    lengths = request.headers.get_all("Content-Length")
    if "Transfer-Encoding" in request.headers or any(length.strip("0 ") for length in lengths):
        raise BadRequestError("A request has no body here.", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def check_request(request: Request) -> CheckedRequest:
    """Return a request with one value for each header. Raises: BadRequestError."""
    # A later minor version is read like the latest one that is known (RFC 9110, section 2.5).
    if not request.protocol.startswith("HTTP/1."):
        raise BadRequestError(
            f"This server speaks HTTP/1.1, not {request.protocol}.", HTTPStatus.HTTP_VERSION_NOT_SUPPORTED
        )
    headers = Headers()
    for name in request.headers:
        values = request.headers.get_all(name)
        if len(values) > 1 and name.lower() in SINGLE:
            raise BadRequestError(f"The header {name.title()} came {len(values)} times.")
        headers[name] = ", ".join(values)
    for name in ("Origin", "Referer"):
        if name in headers and not _is_url(headers[name]):
            raise BadRequestError(f"The header {name} is not an address.")
    if not _is_url(request.path):
        raise BadRequestError("The path is not an address.")
    target, parts = request.path, urlsplit(request.path)
    if parts.scheme in ("http", "https"):
        # As proxies are asked; the host of the address is the one that counts (RFC 9112, section 3.2.2).
        if "Host" in headers:
            del headers["Host"]
        headers["Host"], target = parts.netloc, urlunsplit(("", "", parts.path or "/", parts.query, ""))
    if "Host" not in headers:
        if request.protocol != "HTTP/1.0" or (parts.path != HEALTH_PATH and request.method != "OPTIONS"):
            raise BadRequestError("The header Host is missing.")
        # How HAProxy checks servers, unless its configuration says otherwise: OPTIONS / or the path that is set.
        return CheckedRequest("GET", HEALTH_PATH, HEALTH_PATH, headers, request.protocol)
    return CheckedRequest(request.method, target, urlsplit(target).path, headers, request.protocol)


def _reason_of(error: h11.RemoteProtocolError) -> str:
    """Return why h11 cannot read a request, without the bytes that it quotes as Python does."""
    if error.error_status_hint == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE:
        return f"The request line and its headers have more than {MAX_HEAD_BYTES} bytes."
    return f"This is not valid HTTP: {str(error).partition(': bytearray')[0]}."


def _is_url(text: str) -> bool:
    try:
        urlsplit(text)
    except ValueError:
        return False
    return True
