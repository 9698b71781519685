"""Whom a connection is let in as.

Values only.
"""

from dataclasses import dataclass
from typing import Protocol

from ..protocol import Message, Player, Scope
from .presence import Credential, PlayerSession

ALL_SCOPES = frozenset(Scope)


@dataclass(frozen=True, slots=True)
class ConnectionInfo:
    """What the request that opened a connection says of its sender, before `Hello`."""

    address: str
    """Of the sender's network, for limits."""
    bearer: str = ""
    """The token of an `Authorization` header."""
    cookie: str = ""
    """The session's secret that a browser sends."""


@dataclass(frozen=True, slots=True)
class Authentication:
    """Who a connection is, and what it may do."""

    player: Player
    token: str
    """What `Welcome` tells: empty where a cookie keeps the secret."""
    credential: Credential | None = None
    """What let it in; None for a guest."""
    is_api: bool = False
    """Whether an API token let it in."""
    scopes: frozenset[Scope] = ALL_SCOPES


class Caller(PlayerSession, Protocol):
    """A session, as the desks see it."""

    @property
    def authentication(self) -> Authentication:
        """Who it is."""

    @property
    def connection_info(self) -> ConnectionInfo:
        """Where it comes from."""

    def send(self, message: Message) -> None:
        """Send a message, without waiting."""

    def authenticate_as(self, authentication: Authentication) -> None:
        """From now on this is who the connection is; the identity stays the same."""
