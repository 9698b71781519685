"""Messages about accounts: names, passwords, sessions and API tokens.

A repeated command gets the same answer. After `Register`, `SignOut` and `DeleteAccount` the token is no longer valid: a
client that lost the answer finds out what happened by connecting again or signing in.
"""

from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec

from .fields import CommandId, CommandIdField, MatchId, Message, Part
from .values import Player

NameField = Annotated[str, msgspec.Meta(max_length=64)]
PasswordField = Annotated[str, msgspec.Meta(max_length=512)]


class Scope(StrEnum):
    """What an API token may do."""

    READ = "read"
    """Watch matches and lists, and preview positions."""
    PLAY = "play"
    """Act in matches in which the player has a seat."""
    CHALLENGE = "challenge"
    """Create matches, join them, look for opponents."""
    CHAT = "chat"
    """Write in chats, mute and report players."""


class TokenInfo(Part, frozen=True):
    """An API token, without its secret."""

    id: str
    label: str
    scopes: tuple[Scope, ...]
    created_ms: int
    used_ms: int | None
    """The last time it was used to connect."""


class Register(Message, frozen=True):
    """Turn the guest of this connection into an account, which keeps the guest's matches and seats."""

    id: CommandIdField
    name: NameField
    password: PasswordField
    browser: bool = False
    """Whether to answer with a ticket for a cookie instead of a token."""


class SignIn(Message, frozen=True):
    """Open a session of an account. The player of this connection stays the same."""

    id: CommandIdField
    name: NameField
    password: PasswordField
    browser: bool = False
    """As in `Register`."""


class SignOut(Message, frozen=True):
    """End the session of this connection, and all its connections."""

    id: CommandIdField


class ChangePassword(Message, frozen=True):
    """Change the password. Every other session ends."""

    id: CommandIdField
    password: PasswordField
    new_password: PasswordField
    revoke_tokens: bool = False
    """Whether to revoke the account's API tokens too; otherwise they stay valid."""


class Recover(Message, frozen=True):
    """Choose a new password with a recovery code, which is used up, and open a session. Every other session ends.

    Answered by `SignedIn`.
    """

    id: CommandIdField
    name: NameField
    code: Annotated[str, msgspec.Meta(max_length=64)]
    """Capitals, hyphens and spaces do not matter."""
    new_password: PasswordField
    browser: bool = False
    """As in `Register`."""
    revoke_tokens: bool = False
    """As in `ChangePassword`."""


class RenewRecoveryCodes(Message, frozen=True):
    """Replace the recovery codes of the account."""

    id: CommandIdField
    password: PasswordField


class ChooseName(Message, frozen=True):
    """Choose a name to replace the neutral one that moderators gave you; see `YourRestrictions`."""

    id: CommandIdField
    name: NameField


class DeleteAccount(Message, frozen=True):
    """Delete the account. Its matches in progress are resigned, and the player becomes anonymous in all matches."""

    id: CommandIdField
    password: PasswordField


class BecomeBot(Message, frozen=True):
    """Turn the account into a bot account, permanently. Possible only before its first seat in a match. Answered by
    `Done`."""

    id: CommandIdField


class CreateToken(Message, frozen=True):
    """Create an API token, for a bot or a script."""

    id: CommandIdField
    label: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    scopes: Annotated[tuple[Scope, ...], msgspec.Meta(min_length=1, max_length=8)]


class ListTokens(Message, frozen=True):
    """List the API tokens of the account."""

    id: CommandIdField


class RevokeToken(Message, frozen=True):
    """Revoke an API token, and close its connections."""

    id: CommandIdField
    token_id: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class SignedIn(Message, frozen=True):
    """Answers `Register`, `SignIn` and `Recover`."""

    id: CommandId
    player: Player
    token: str
    """The token of the new session, for the next `Hello`; empty for browsers."""
    ticket: str
    """For a browser: `GET /sign-in?ticket=...` exchanges it for a cookie, once within a minute. Else empty."""
    recovery_codes: tuple[str, ...] = ()
    """The recovery codes of a new account, shown only once; else none."""


class RecoveryCodes(Message, frozen=True):
    """Answers `RenewRecoveryCodes`."""

    id: CommandId
    codes: tuple[str, ...]
    """The new codes, shown only once."""


class TokenCreated(Message, frozen=True):
    """Answers `CreateToken`."""

    id: CommandId
    token: str
    """The secret, shown only once."""
    info: TokenInfo


class Tokens(Message, frozen=True):
    """Answers `ListTokens`: the API tokens, oldest first."""

    id: CommandId
    tokens: tuple[TokenInfo, ...]


class Renamed(Message, frozen=True):
    """A player of a match that you watch has a new name: a guest created an account, an account was deleted, or
    moderators removed the name. From now on the events contain the new name as well."""

    match: MatchId
    seat: int
    player: Player


AccountCommand: TypeAlias = (
    Register
    | SignIn
    | SignOut
    | ChangePassword
    | Recover
    | RenewRecoveryCodes
    | ChooseName
    | DeleteAccount
    | BecomeBot
    | CreateToken
    | ListTokens
    | RevokeToken
)
AccountReply: TypeAlias = SignedIn | TokenCreated | Tokens | RecoveryCodes
