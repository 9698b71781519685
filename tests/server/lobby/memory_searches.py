"""Stored searches in memory, for tests."""

from collections.abc import Sequence

from millrace.protocol import CommandId, IdentityId
from millrace.server.lobby.search_store import SearchStore, StoredSearch
from millrace.server.storage.errors import StorageError


class MemorySearches(SearchStore):
    """A `SearchStore`."""

    def __init__(self) -> None:
        self.stored: dict[IdentityId, StoredSearch] = {}
        self.is_broken = False

    async def all(self) -> Sequence[StoredSearch]:
        self._require()
        return list(self.stored.values())

    async def find(self, identity: IdentityId) -> StoredSearch | None:
        self._require()
        return self.stored.get(identity)

    async def put(self, search: StoredSearch) -> None:
        self._require()
        self.stored[search.identity] = search

    async def locate(self, identity: IdentityId, node: str) -> None:
        self._require()
        if identity in self.stored:
            self.stored[identity] = self.stored[identity]._replace(node=node)

    async def remove(self, identity: IdentityId, command: CommandId | None = None) -> bool:
        self._require()
        if identity not in self.stored or command not in (None, self.stored[identity].command):
            return False
        del self.stored[identity]
        return True

    def _require(self) -> None:
        if self.is_broken:
            raise StorageError("the database is away")
