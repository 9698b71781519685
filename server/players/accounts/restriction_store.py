"""Roles and restrictions as they are stored: an interface, which `server.storage` implements."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from millrace.protocol import CommandId, IdentityId, MatchId, ModerationAction, NamedPlayer, Role


class RestrictionKind(StrEnum):
    """What a player cannot do."""

    MUTE = "mute"
    """Write in chats."""
    BAN = "ban"
    """Sign in to the account."""


class Restriction(NamedTuple):
    """A restriction of a player."""

    reason: str
    """Shown to the player."""
    until_ms: int | None = None
    """None if it is permanent."""

    def is_active(self, now_ms: int) -> bool:
        """Return whether it has not expired."""
        return self.until_ms is None or now_ms < self.until_ms


class StoredRestriction(NamedTuple):
    """A restriction with the player that it belongs to."""

    identity: IdentityId
    kind: RestrictionKind
    restriction: Restriction


class ActionRecord(NamedTuple):
    """An entry of the moderation log, without its number."""

    at_ms: int
    by: IdentityId | None
    """The moderator. None for the command line."""
    by_name: str
    command_id: CommandId
    action: ModerationAction
    reason: str
    player: NamedPlayer | None = None
    match: MatchId | None = None
    line: int | None = None
    until_ms: int | None = None
    detail: str = ""


class RestrictionStore(Protocol):
    """Roles and restrictions. Every method raises StorageError."""

    async def roles(self) -> Sequence[tuple[IdentityId, Role]]:
        """Return every player with a role."""

    async def restrictions(self) -> Sequence[StoredRestriction]:
        """Return every restriction, including expired ones."""

    async def removed_names(self) -> Sequence[IdentityId]:
        """Return the players whose name was removed and who have not chosen another."""
