"""A request, checked once: later code finds one value for each header, and a path.

A repeated header is refused if its value decides something; lists, such as `Accept-Encoding`, are joined (RFC 9110,
section 5.3). No sockets here.
"""

from typing import NamedTuple
from urllib.parse import urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request

SINGLE = frozenset({"authorization", "cookie", "host", "origin", "referer", "x-forwarded-host", "x-forwarded-proto"})
"""Headers that may occur only once."""


class BadRequestError(ValueError):
    """A request that cannot be understood; the text says why."""


class CheckedRequest(NamedTuple):
    """A checked request."""

    target: str
    """Path and query, as sent."""
    path: str
    headers: Headers


def check_request(request: Request) -> CheckedRequest:
    """Return a request with one value for each header. Raises: BadRequestError."""
    headers = Headers()
    for name in request.headers:
        values = request.headers.get_all(name)
        if len(values) > 1 and name.lower() in SINGLE:
            raise BadRequestError(f"The header {name.title()} came {len(values)} times.")
        headers[name] = ", ".join(values)
    if "Host" not in headers:
        raise BadRequestError("The header Host is missing.")
    for name in ("Origin", "Referer"):
        if name in headers and not _is_url(headers[name]):
            raise BadRequestError(f"The header {name} is not an address.")
    if not _is_url(request.path):
        raise BadRequestError("The path is not an address.")
    return CheckedRequest(request.path, urlsplit(request.path).path, headers)


def _is_url(text: str) -> bool:
    try:
        urlsplit(text)
    except ValueError:
        return False
    return True
