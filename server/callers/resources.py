"""Resources: a feature's answers to GETs, besides pages, health and metrics. Values only."""

import hashlib
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TypeAlias
from urllib.parse import parse_qs, urlsplit

from millrace.protocol import Player

PLAIN_TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class ResourceRequest:
    """A GET request."""

    target: str
    """Path and query, as sent."""
    names: Mapping[str, str]
    """The named groups of the resource's pattern, as matched in the path."""
    headers: Mapping[str, str]
    address: str = ""
    """The network of the client."""

    @property
    def query(self) -> Mapping[str, str]:
        """The query parameters; for repeated ones, the first."""
        return {name: values[0] for name, values in parse_qs(urlsplit(self.target).query).items()}

    @property
    def site(self) -> str:
        """The server's address in the request; empty if its `Host` header is implausible."""
        host = self.headers.get("Host", "")
        scheme = "https" if self.headers.get("X-Forwarded-Proto") == "https" else "http"
        return f"{scheme}://{host}" if re.fullmatch(r"[A-Za-z0-9.:\[\]-]{1,255}", host) else ""


@dataclass(frozen=True, slots=True)
class ResourceResponse:
    """The answer to a GET."""

    body: bytes
    content_type: str = PLAIN_TEXT
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def tag(self) -> str:
        """Changes exactly when the body changes."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:16]}"'


@dataclass(frozen=True, slots=True)
class StreamedResponse:
    """An answer to a GET that is too long for memory."""

    parts: AsyncGenerator[bytes, None]
    """Each is made after the previous one is sent."""
    content_type: str
    headers: Mapping[str, str]
    at_end: Callable[[], None]
    """Called in any case when no more parts are needed, even if none was made."""


def error_response(status: HTTPStatus, text: str) -> ResourceResponse:
    """Return a response whose body describes an error."""
    return ResourceResponse(f"{text}\n".encode(), status=status)


SenderOf: TypeAlias = Callable[[Mapping[str, str]], Awaitable[Player]]
"""Returns the account that sends a request, by its headers. Raises: Refusal without an account."""

Resource: TypeAlias = Callable[[ResourceRequest], Awaitable[ResourceResponse | StreamedResponse]]
Resources: TypeAlias = Sequence[tuple[re.Pattern[str], Resource]]
"""Each resource with the pattern of its paths."""


def find_resource(resources: Resources, path: str) -> tuple[Resource, Mapping[str, str]] | None:
    """Return the resource of a path, and the named groups of its pattern."""
    for pattern, resource in resources:
        found = pattern.fullmatch(path)
        if found is not None:
            return resource, found.groupdict()
    return None
