"""What is stored about accounts: names, password hashes and tokens. An interface only; `server.storage` implements it.

Tokens are stored as hashes.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from millrace.protocol import IdentityId, Player

from ...callers.presence import Credential


class Account(NamedTuple):
    """An account."""

    id: IdentityId
    """The identity of the guest who created the account."""
    name: str
    password_hash: str
    created_ms: int
    is_bot: bool = False
    """Whether a program plays with it. That is declared once and permanent."""

    @property
    def player(self) -> Player:
        """The account's owner, as others see them."""
        return Player(self.id, self.name, registered=True, bot=self.is_bot)


class TokenKind(StrEnum):
    """What a token is for."""

    SESSION = "session"
    """Authenticates a browser or program that has signed in."""
    TICKET = "ticket"
    """Is exchanged for a session, once and within a minute."""
    API = "api"
    """Authenticates a bot or script, with some scopes."""
    RECOVERY = "recovery"
    """A recovery code: lets the owner choose a new password, once."""
    MAILED_RECOVERY = "mailed_recovery"
    """A recovery code that was sent by e-mail, and expires."""
    EMAIL = "email"
    """Confirms the e-mail address that is its label, once."""


class StoredToken(NamedTuple):
    """A token that was issued, by its hash, and what it allows."""

    credential: Credential
    id: str
    """The name by which its owner refers to it. Not secret."""
    identity: IdentityId
    kind: TokenKind
    created_ms: int
    expires_ms: int | None = None
    label: str = ""
    scopes: tuple[str, ...] = ()
    """The scopes of an API token. Sessions allow everything."""
    used_ms: int | None = None
    """When a connection was last authenticated by it. Only noted for API tokens."""


class AccountStore(Protocol):
    """Accounts and their tokens. Every method raises StorageError."""

    async def create(self, account: Account, skeleton: str, reserved_since_ms: int) -> bool:
        """Store a new account, and show its name on every seat that its identity has had.

        Returns False, with nothing stored, if the identity has an account, if another account has the name or one
        that looks like it, or if one that had it was deleted after `reserved_since_ms`.
        """

    async def find(self, identity: IdentityId) -> Account | None:
        """Return the account of an identity."""

    async def find_named(self, skeleton: str) -> Account | None:
        """Return the account whose name has that skeleton (`server.callers.names`)."""

    async def rehash_password(self, identity: IdentityId, password_hash: str) -> None:
        """Store another hash of the same password."""

    async def change_password(self, identity: IdentityId, password_hash: str, but: Credential | None) -> None:
        """Change the password and delete the sessions and tickets except one; API tokens and recovery codes are kept.
        Both or neither."""

    async def replace_recovery_codes(self, identity: IdentityId, codes: Sequence[Credential], now_ms: int) -> None:
        """Store an account's recovery codes in place of those that it had."""

    async def has_recovery_code(self, identity: IdentityId, code: Credential, now_ms: int) -> bool:
        """Return whether a recovery code is an account's, has not been used, and has not expired."""

    async def recover(self, identity: IdentityId, code: Credential, password_hash: str, now_ms: int) -> bool:
        """Use up a recovery code, change the password, and delete all sessions, tickets and mailed codes, or nothing.

        Returns False, with nothing changed, if the account does not have the code any more.
        """

    async def email_of(self, identity: IdentityId) -> str | None:
        """Return the confirmed e-mail address of an account."""

    async def confirm_email(self, identity: IdentityId, code: Credential, now_ms: int) -> bool:
        """Use up a code that confirms an e-mail address, and store the address; mailed recovery codes are deleted.

        Returns False, with nothing changed, if the account does not have the code, or it has expired.
        """

    async def remove_email(self, identity: IdentityId) -> None:
        """Delete the e-mail address of an account, with the codes that were sent there."""

    async def become_bot(self, identity: IdentityId) -> bool:
        """Turn an account into a bot's. Returns False, with nothing changed, if it has had a seat in any match."""

    async def delete(self, identity: IdentityId, replacement: Player, scrubbed: IdentityId, now_ms: int) -> None:
        """Delete an account and all that is stored about its owner, or nothing.

        `replacement` is put on every seat that it has had, in its chat lines and in the reports that name it.

        The name is kept under the identity `scrubbed`, which has no account, so that it stays reserved for a time.
        """

    async def add_token(self, token: StoredToken) -> None:
        """Store a token."""

    async def find_by_token(self, credential: Credential, now_ms: int) -> tuple[Account, StoredToken] | None:
        """Return the account of a token, unless the token has expired, or is a ticket or a recovery code."""

    async def owners_of(self, credentials: Sequence[Credential], now_ms: int) -> Mapping[Credential, Player]:
        """Return the owners of those of some tokens that `find_by_token` would find; at most a thousand at a time."""

    async def players_of(self, identities: Sequence[IdentityId]) -> Mapping[IdentityId, Player]:
        """Return the owners of the accounts that some identities have; at most a thousand at a time."""

    async def redeem(self, ticket: Credential, now_ms: int) -> IdentityId | None:
        """Delete a ticket and return its owner. None if there is no such ticket or it has expired."""

    async def note_use(self, credential: Credential, now_ms: int) -> None:
        """Note that a token has been used."""

    async def api_tokens(self, identity: IdentityId) -> tuple[StoredToken, ...]:
        """Return the API tokens of an account, oldest first."""

    async def revoke(self, credential: Credential) -> None:
        """Delete a token."""

    async def revoke_all(self, identity: IdentityId) -> None:
        """Delete all tokens of an account, including API tokens."""

    async def sweep(self, now_ms: int) -> None:
        """Delete the tokens that have expired."""
