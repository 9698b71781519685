"""Stored studies: an interface, which `server.storage` implements."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from millrace.protocol import IdentityId, MatchId, StudySummary


class StoredStudy(NamedTuple):
    """A study."""

    id: str
    identity: IdentityId
    """Whose it is."""
    title: str
    game: str
    setup: str
    match: MatchId | None
    text: str
    updated_ms: int


class StudyStore(Protocol):
    """The studies of all players. Every method raises StorageError."""

    async def find(self, study: str) -> StoredStudy | None:
        """Return a study, or None."""

    async def keep(self, study: StoredStudy) -> bool:
        """Store a study, or replace one of the same player. Returns False, with nothing stored, if it is another's."""

    async def delete(self, identity: IdentityId, study: str) -> bool:
        """Delete a study of a player; return whether there was one."""

    async def studies_of(self, identity: IdentityId, most: int) -> Sequence[StudySummary]:
        """Return a player's studies, the latest first, at most `most`."""
