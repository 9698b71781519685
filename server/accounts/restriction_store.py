"""Roles and restrictions as they are stored: an interface, which `server.storage` implements."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from ..protocol import CommandId, Deed, IdentityId, MatchId, Named, Role


class RestrictionKind(StrEnum):
    """What may hold of somebody."""

    MUTE = "mute"
    CLOSURE = "closure"


class Restriction(NamedTuple):
    """What holds of somebody, and why."""

    words: str
    """The reason as it is told to whom it concerns."""
    until_ms: int | None = None
    """None for good."""

    def holds(self, now_ms: int) -> bool:
        """Return whether it has not run out."""
        return self.until_ms is None or now_ms < self.until_ms


class StoredRestriction(NamedTuple):
    """A measure as it is kept."""

    identity: IdentityId
    kind: RestrictionKind
    measure: Restriction


class ActionRecord(NamedTuple):
    """An entry of the log, but for its number."""

    at_ms: int
    by: IdentityId | None
    """Who did it; None for the command line."""
    by_name: str
    command_id: CommandId
    deed: Deed
    reason: str
    player: Named | None = None
    match: MatchId | None = None
    line: int | None = None
    until_ms: int | None = None
    detail: str = ""


class RestrictionStore(Protocol):
    """Roles and restrictions. Every method raises StorageError."""

    async def roles(self) -> Sequence[tuple[IdentityId, Role]]:
        """Return everybody who has a role."""

    async def measures(self) -> Sequence[StoredRestriction]:
        """Return every measure, even what has run out."""

    async def nameless(self) -> Sequence[IdentityId]:
        """Return whose name was removed and who have not chosen another."""

    async def forget(self, identity: IdentityId) -> None:
        """Forget the measures upon somebody who is no more."""
