"""The stored searches for a quick pairing: the interface. `server.storage.searches` implements it.

A match is stored together with the end of its players' searches (`server.journal.journal.Journal.append`), so a search
leads to one match at most, and to none once it has been withdrawn, whatever nodes take part.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from millrace.protocol import CommandId, IdentityId, PairingRequest, Player


class SearchDetails(msgspec.Struct, frozen=True):
    """What is searched for, and by whom."""

    player: Player
    request: PairingRequest
    takes_fewer: bool
    """Whether the player accepts a match with fewer seats after a while."""
    ratings: Mapping[int, int]
    """The player's ratings, by number of seats."""


class StoredSearch(NamedTuple):
    """A player's search; each player has one at most."""

    identity: IdentityId
    command: CommandId
    """The id of the `FindMatch` that began it."""
    since_ms: int
    node: str
    """The node to which the player is connected, as far as is known; empty if to none."""
    details: SearchDetails


class SearchStore(Protocol):
    """The stored searches. Every method raises StorageError."""

    async def all(self) -> Sequence[StoredSearch]:
        """Return all searches."""

    async def find(self, identity: IdentityId) -> StoredSearch | None:
        """Return a player's search."""

    async def put(self, search: StoredSearch) -> None:
        """Store a search, in place of another one of the player."""

    async def locate(self, identity: IdentityId, node: str) -> None:
        """Store to which node a player who searches is connected."""

    async def remove(self, identity: IdentityId, command: CommandId | None = None) -> bool:
        """Delete a player's search, if it began by this command; return whether it was stored."""
