"""Resources: what a GET is answered with besides pages, health and metrics. The one place where they are registered is
`server.app.application.House.resources`.

Values only.
"""

import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TypeAlias
from urllib.parse import parse_qs, urlsplit

PLAIN_TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a GET asks for."""

    target: str
    """Path and query, as they were sent."""
    names: Mapping[str, str]
    """The named parts of the path, as the resource's pattern has them."""
    headers: Mapping[str, str]

    @property
    def query(self) -> Mapping[str, str]:
        """The parameters of the address, of those that are repeated the first."""
        return {name: values[0] for name, values in parse_qs(urlsplit(self.target).query).items()}

    @property
    def site(self) -> str:
        """Under which address the sender knows this server; empty if it does not say in earnest."""
        host = self.headers.get("Host", "")
        scheme = "https" if self.headers.get("X-Forwarded-Proto") == "https" else "http"
        return f"{scheme}://{host}" if re.fullmatch(r"[A-Za-z0-9.:\[\]-]{1,255}", host) else ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered."""

    body: bytes
    content_type: str = PLAIN_TEXT
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def tag(self) -> str:
        """Changes exactly when the body does."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:16]}"'


def refusal(status: HTTPStatus, words: str) -> Answer:
    """Return an answer that says why there is none."""
    return Answer(f"{words}\n".encode(), status=status)


Resource: TypeAlias = Callable[[Asked], Awaitable[Answer]]
Resources: TypeAlias = Sequence[tuple[re.Pattern[str], Resource]]
"""By what their paths look like."""


def find_resource(resources: Resources, path: str) -> tuple[Resource, Mapping[str, str]] | None:
    """Return what answers a path, and its named parts."""
    for pattern, resource in resources:
        found = pattern.fullmatch(path)
        if found is not None:
            return resource, found.groupdict()
    return None
