"""Whom a connection is let in as.

Values only.
"""

from dataclasses import dataclass
from typing import Protocol

from ..protocol import Code, Message, Player, Scope
from ..protocol.refusal import Refusal
from .presence import Credential, Present

ALL_SCOPES = frozenset(Scope)


@dataclass(frozen=True, slots=True)
class Visit:
    """What the request that opened a connection says of its sender, before `Hello`."""

    address: str
    """Of the sender's network, for limits."""
    bearer: str = ""
    """The token of an `Authorization` header."""
    cookie: str = ""
    """The session's secret that a browser sends."""


@dataclass(frozen=True, slots=True)
class Admission:
    """Who a connection is, and what it may do."""

    player: Player
    token: str
    """What `Welcome` tells: empty where a cookie keeps the secret."""
    credential: Credential | None = None
    """What let it in; None for a guest."""
    is_api: bool = False
    """Whether an API token let it in."""
    scopes: frozenset[Scope] = ALL_SCOPES


class Caller(Present, Protocol):
    """A session, as the desks see it."""

    @property
    def admission(self) -> Admission:
        """Who it is."""

    @property
    def visit(self) -> Visit:
        """Where it comes from."""

    @property
    def round_trip_ms(self) -> int:
        """The round trip that the server measured by its latest ping; 0 before the first answer."""

    @property
    def has_left(self) -> bool:
        """Whether the connection was closed in good order, as by leaving the page, rather than lost."""

    def expect_moves(self) -> None:
        """Ping this connection often from now on: its player's clock may run."""

    def send(self, message: Message) -> None:
        """Send a message, without waiting."""

    def readmit(self, admission: Admission) -> None:
        """From now on this is who the connection is; the identity stays the same."""


def account_of(caller: Caller) -> Player:
    """Return the caller as the owner of an account. Raises: Refusal for a guest."""
    if not caller.player.registered:
        raise Refusal(Code.ACCOUNT_NEEDED, "You need an account for this; create one or sign in first.")
    return caller.player
