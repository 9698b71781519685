"""What is kept of accounts, as the rest of the server sees it: names, password hashes, and what lets somebody in.

An interface only; `server.storage` keeps it in a database. Secrets are known here by their hashes alone.
"""

from enum import StrEnum
from typing import NamedTuple, Protocol

from ..identity.presence import Credential
from ..protocol import IdentityId, Player


class Account(NamedTuple):
    """Somebody with a name of their own."""

    id: IdentityId
    """That of the guest from whom the account was made."""
    name: str
    password_hash: str
    created_ms: int
    is_bot: bool = False
    """Whether a program plays by it, which its owner has declared for ever."""

    @property
    def player(self) -> Player:
        """Return the account's owner as others see it."""
        return Player(self.id, self.name, registered=True, bot=self.is_bot)


class Kind(StrEnum):
    """What a secret is for."""

    SESSION = "session"
    """Of a browser or program that has signed in."""
    TICKET = "ticket"
    """Is exchanged for a session, once and soon."""
    API = "api"
    """Of a bot or script, with some scopes."""


class Grant(NamedTuple):
    """A secret that was given out, by its hash, and what it allows."""

    credential: Credential
    id: str
    """By which its owner may name it; no secret."""
    identity: IdentityId
    kind: Kind
    created_ms: int
    expires_ms: int | None = None
    label: str = ""
    scopes: tuple[str, ...] = ()
    """Of an API token; the others allow everything."""
    used_ms: int | None = None
    """When an API token last began a connection."""


class AccountStore(Protocol):
    """Accounts and what lets their owners in. Every method raises StorageError."""

    async def create(self, account: Account, skeleton: str, reserved_since_ms: int) -> bool:
        """Store a new account, and put its name to every seat that its identity has had.

        Returns False, with nothing stored, if another has that name or one that looks like it, or had it and was
        deleted after `reserved_since_ms`, or if the identity has an account.
        """

    async def find(self, identity: IdentityId) -> Account | None:
        """Return somebody's account."""

    async def find_named(self, skeleton: str) -> Account | None:
        """Return the account whose name has that skeleton (`server.names`)."""

    async def set_password(self, identity: IdentityId, password_hash: str) -> None:
        """Change the password."""

    async def become_bot(self, identity: IdentityId) -> bool:
        """Make an account that of a bot; False, with nothing changed, if it has had a seat in any match."""

    async def delete(self, identity: IdentityId, nobody: Player, scrubbed: IdentityId, now_ms: int) -> None:
        """Forget an account and all that lets its owner in; put `nobody` to every seat that it has had.

        Its name alone is kept, by an identity `scrubbed` that leads nowhere, so that nobody else takes it at once.
        """

    async def add_grant(self, grant: Grant) -> None:
        """Store what lets somebody in."""

    async def admit(self, credential: Credential, now_ms: int) -> tuple[Account, Grant] | None:
        """Return the account that a secret lets in, unless the secret has expired or is only a ticket."""

    async def redeem(self, ticket: Credential, now_ms: int) -> IdentityId | None:
        """Take a ticket back and return whose it was; None if there is no such ticket or it has expired."""

    async def note_use(self, credential: Credential, now_ms: int) -> None:
        """Note that a secret has been used."""

    async def api_tokens(self, identity: IdentityId) -> tuple[Grant, ...]:
        """Return somebody's API tokens, the oldest first."""

    async def revoke(self, credential: Credential) -> None:
        """Make a secret worthless."""

    async def revoke_sessions(self, identity: IdentityId, but: Credential | None) -> None:
        """Make somebody's sessions and tickets worthless, but for one; API tokens stay."""

    async def revoke_all(self, identity: IdentityId) -> None:
        """Make all that lets somebody in worthless, API tokens too."""

    async def sweep(self, now_ms: int) -> None:
        """Forget what has expired."""
