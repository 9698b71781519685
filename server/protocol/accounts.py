"""What a client says and hears about accounts: names, passwords, sessions, API tokens.

Unlike commands of matches these are not remembered by their ids: whether one that lost its answer has had its effect
shows in what follows from it.
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
    """Act in matches in which one has a seat."""
    CHALLENGE = "challenge"
    """Make matches, join them, look for opponents."""
    CHAT = "chat"
    """Write to others."""


class TokenInfo(Part, frozen=True):
    """An API token, without its secret."""

    id: str
    label: str
    scopes: tuple[Scope, ...]
    created_ms: int
    used_ms: int | None
    """When a connection last began with it."""


class Register(Message, frozen=True):
    """Make an account of the guest of this connection, whose matches and seats go over to it."""

    id: CommandIdField
    name: NameField
    password: PasswordField
    browser: bool = False
    """Whether to answer with a ticket for a cookie instead of a token."""


class SignIn(Message, frozen=True):
    """Ask for a session of an account; the connection itself stays whose it is."""

    id: CommandIdField
    name: NameField
    password: PasswordField
    browser: bool = False
    """As in `Register`."""


class SignOut(Message, frozen=True):
    """End the session of this connection, and every connection of that session with it."""

    id: CommandIdField


class ChangePassword(Message, frozen=True):
    """Change the password; every other session ends, API tokens stay."""

    id: CommandIdField
    password: PasswordField
    new_password: PasswordField


class ChooseName(Message, frozen=True):
    """Choose another name in place of the neutral one that moderators have given; see `YourRestrictions`."""

    id: CommandIdField
    name: NameField


class DeleteAccount(Message, frozen=True):
    """Delete the account: its matches are given up, and in all of them its player becomes nobody."""

    id: CommandIdField
    password: PasswordField


class BecomeBot(Message, frozen=True):
    """Make the account that of a bot, for ever: a program plays by it, and everyone sees that. Possible as long as it
    has not had a seat in any match; answered by `Done`."""

    id: CommandIdField


class CreateToken(Message, frozen=True):
    """Ask for an API token, for a bot or a script."""

    id: CommandIdField
    label: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    scopes: Annotated[tuple[Scope, ...], msgspec.Meta(min_length=1, max_length=8)]


class ListTokens(Message, frozen=True):
    """Ask which API tokens the account has."""

    id: CommandIdField


class RevokeToken(Message, frozen=True):
    """Make an API token worthless, and end its connections."""

    id: CommandIdField
    token_id: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class SignedIn(Message, frozen=True):
    """Answers `Register` and `SignIn`."""

    id: CommandId
    player: Player
    token: str
    """Of the new session, for the next `Hello`; empty for browsers."""
    ticket: str
    """For a browser: within a minute `GET /sign-in?ticket=...` turns it into a cookie, once; else empty."""


class TokenCreated(Message, frozen=True):
    """Answers `CreateToken`."""

    id: CommandId
    token: str
    """The secret; it is told this once."""
    info: TokenInfo


class Tokens(Message, frozen=True):
    """Answers `ListTokens`, the oldest first."""

    id: CommandId
    tokens: tuple[TokenInfo, ...]


class Renamed(Message, frozen=True):
    """The player of a seat of a match that you watch goes by another name: a guest has made an account, an account
    was deleted, or its name was removed. The events say so too from now on."""

    match: MatchId
    seat: int
    player: Player


AccountCommand: TypeAlias = (
    Register
    | SignIn
    | SignOut
    | ChangePassword
    | ChooseName
    | DeleteAccount
    | BecomeBot
    | CreateToken
    | ListTokens
    | RevokeToken
)
AccountReply: TypeAlias = SignedIn | TokenCreated | Tokens
