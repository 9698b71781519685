"""The caller of a message: who they are, how they were authenticated, and where they connect from."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from millrace.protocol import Code, Message, Player, Scope
from millrace.protocol.refusal import Refusal

from .presence import Credential, PlayerSession
from .sealing import SealingKey

ALL_SCOPES = frozenset(Scope)

FindPlayer = Callable[[str], Awaitable[Player | None]]
"""Returns the owner of the account with that name, or None. Raises: StorageError."""


@dataclass(frozen=True, slots=True)
class ConnectionInfo:
    """The sender of the request that opened a connection."""

    address: str
    """The sender's network, for rate limits."""
    bearer: str = ""
    """The token of an `Authorization` header."""
    cookie: str = ""
    """A browser's session token."""


@dataclass(frozen=True, slots=True)
class Authentication:
    """The player that a connection is authenticated as, and what it may do."""

    player: Player
    token: str
    """The token for `Welcome`. Empty if the client keeps it in a cookie."""
    credential: Credential | None = None
    """The hash of the token. None for a guest."""
    is_api: bool = False
    """Whether it is an API token."""
    scopes: frozenset[Scope] = ALL_SCOPES
    sealing_keys: tuple[SealingKey, ...] = ()
    """The keys of its tokens, the present one last, for answers with secrets."""


class Caller(PlayerSession, Protocol):
    """The session that sent a message, for handlers."""

    @property
    def authentication(self) -> Authentication:
        """The session's authentication."""

    @property
    def connection_info(self) -> ConnectionInfo:
        """The origin of the session's connection."""

    @property
    def round_trip_ms(self) -> int:
        """The round trip of the server's latest ping; 0 before the first answer."""

    @property
    def has_left(self) -> bool:
        """Whether the client closed the connection properly, as by leaving the page, rather than lost it."""

    def expect_moves(self) -> None:
        """Ping this connection often from now on: its player's clock may run."""

    def send(self, message: Message) -> None:
        """Send a message, without waiting."""

    def authenticate_as(self, authentication: Authentication) -> None:
        """Replace the authentication. The identity stays the same."""


def account_of(caller: Caller) -> Player:
    """Return the caller as the owner of an account. Raises: Refusal for a guest."""
    if not caller.player.registered:
        raise Refusal(Code.ACCOUNT_NEEDED, "You need an account for this; create one or sign in first.")
    return caller.player
