"""A feature: a part of the server that answers messages and GETs, and does background work.

Each declares its routes: the function that answers a message, its cost, and the scope that an API token needs. Every
message type has exactly one.
"""

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from millrace.protocol import Code, Message, Scope, SwitchableFeature
from millrace.protocol.frames import WireFrame
from millrace.protocol.refusal import Refusal

from .caller import Authentication, Caller
from .resources import Resources

M = TypeVar("M", bound=Message)


class Access(Enum):
    """Who may send a message, if not decided by a token's scope."""

    ANY_TOKEN = "any_token"
    """Everyone, and every API token with any scope."""
    SIGNED_IN = "signed_in"
    """Guests and signed-in players, but no API tokens."""


@dataclass(frozen=True, slots=True)
class Route(Generic[M]):
    """How messages of one type are answered."""

    message: type[M]
    handle: Callable[[M, Caller], Awaitable[Message | None]]
    """Answers a message of a caller who has said hello; a returned message is sent. Raises: Refusal."""
    access: Scope | Access = Scope.PLAY
    """The scope that an API token needs; sessions and guests have every scope."""
    cost: float = 1
    """Its cost in messages of the connection's rate limit."""
    feature: SwitchableFeature | None = None
    """What admins can switch off that it belongs to."""


class Feature:
    """A part of the server. A feature overrides only what it needs; the application runs all in the same way."""

    routes: Sequence[Route[Any]] = ()
    """The messages that it answers."""
    resources: Resources = ()
    """The GETs that it answers."""

    async def load(self) -> None:
        """Load its state before any player is accepted. Raises: StorageError."""

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Return its background work, which runs until cancelled."""
        return ()

    def greet(self, caller: Caller) -> Sequence[WireFrame]:  # noqa: ARG002  # for features that greet
        """Return the messages for a caller who has just said hello, after `Welcome`."""
        return ()

    def disconnect(self, caller: Caller) -> None:
        """Forget a caller whose connection has ended."""

    async def close(self) -> None:
        """Stop current work, and write pending data."""


Routes = Mapping[type[Message], Route[Any]]


def routes_by_message(routes: Iterable[Route[Any]]) -> Routes:
    """Return the route of each message type; each type must have only one."""
    found: dict[type[Message], Route[Any]] = {}
    for route in routes:
        assert route.message not in found, route.message
        found[route.message] = route
    return MappingProxyType(found)


def require_access(access: Scope | Access, authentication: Authentication) -> None:
    """Check that an API token may send a message. Raises: Refusal."""
    if not authentication.is_api or access is Access.ANY_TOKEN:
        return
    if access is Access.SIGNED_IN:
        raise Refusal(Code.SCOPE_NEEDED, "This needs a signed-in session; API tokens cannot be used for it.")
    if access not in authentication.scopes:
        raise Refusal(Code.SCOPE_NEEDED, "This token does not have the scope {access}.", access=access)
