"""People in a database: what `server.profiles.store.PeopleStore` promises.

No SQL here.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from ..identity.names import skeleton_of
from ..journal.store import StorageError
from ..profiles.store import DirectoryEntry, PlayerWithProfile, StoredProfile
from ..protocol import IdentityId, Player
from .profile_statements import compile_people_statements
from .writer import Database, Step

_PAST_ALL = "{"
"""Follows the last letter that a skeleton may have."""


class DatabaseProfiles:
    """A `ProfileStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._statements = compile_people_statements(database.dialect)

    async def directory(self) -> tuple[DirectoryEntry, ...]:
        """Return the entries of all players who show a country or hide when they are online. Raises: StorageError."""
        rows = await self._database.fetch(self._statements.marks)
        found = cast("Sequence[tuple[IdentityId, str | None, bool]]", rows)
        return tuple(DirectoryEntry(identity, country, bool(is_hidden)) for identity, country, is_hidden in found)

    async def find(self, identity: IdentityId) -> StoredProfile:
        """Return what somebody shows; the empty sketch of whoever has said nothing. Raises: StorageError."""
        rows = await self._database.fetch(self._statements.find, identity)
        return _stored_profile(rows[0]) if rows else StoredProfile()

    async def set_profile(self, identity: IdentityId, bio: str, country: str | None) -> None:
        """Replace what somebody says of themselves. Raises: StorageError."""
        await self._database.execute(self._statements.set_about, identity, bio, country)

    async def set_hidden(self, identity: IdentityId, is_hidden: bool) -> None:
        """Note whether somebody hides that they are online. Raises: StorageError."""
        await self._database.execute(self._statements.set_hidden, identity, is_hidden)

    async def set_last_seen(self, seen_ms: Mapping[IdentityId, int]) -> None:
        """Note when some people were last online, of those who have an account still. Raises: StorageError."""
        await self._database.transact(
            [Step(self._statements.note_seen, (at_ms, identity)) for identity, at_ms in seen_ms.items()]
        )

    async def find_by_prefix(self, prefix: str, most: int) -> Sequence[PlayerWithProfile]:
        """Return the accounts whose names begin so, whatever the case, by name. Raises: StorageError."""
        # Of a name's last letters another may follow that makes one letter of both in its skeleton.
        least = skeleton_of(prefix.rstrip("rRvV"))
        past = f"{least[:-1]}{chr(ord(least[-1]) + 1)}" if least else _PAST_ALL
        pattern = f"{prefix.lower().replace('_', '!_')}%"
        rows = await self._database.fetch(self._statements.begin_with, least, past, pattern, most)
        return sorted((_known(row) for row in rows), key=lambda known: known.player.name.casefold())

    async def followed(self, by: IdentityId) -> Sequence[PlayerWithProfile]:
        """Return whom somebody follows, by name. Raises: StorageError."""
        return [_known(row) for row in await self._database.fetch(self._statements.followed, by)]

    async def follows(self) -> tuple[tuple[IdentityId, IdentityId], ...]:
        """Return who follows whom. Raises: StorageError."""
        rows = await self._database.fetch(self._statements.follows)
        return tuple((cast(IdentityId, by), cast(IdentityId, whom)) for by, whom in rows)

    async def follow(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Note that somebody follows another; who does so already goes on. Raises: StorageError."""
        await self._database.execute(self._statements.follow, by, whom, now_ms)

    async def unfollow(self, by: IdentityId, whom: IdentityId) -> None:
        """Note that somebody does not follow another. Raises: StorageError."""
        await self._database.execute(self._statements.unfollow, by, whom)

    async def forget(self, identity: IdentityId) -> None:
        """Forget all that somebody has said, and whom they follow and who follows them. Raises: StorageError."""
        steps = [
            Step(self._statements.forget_said, (identity,)),
            Step(self._statements.forget_follows, (identity, identity)),
        ]
        if not await self._database.transact(steps):
            raise StorageError("what somebody has said of themselves cannot be forgotten now")


def _known(row: Sequence[object]) -> PlayerWithProfile:
    identity, name, is_bot = cast("tuple[IdentityId, str, bool]", tuple(row[:3]))
    return PlayerWithProfile(Player(identity, name, registered=True, bot=bool(is_bot)), _stored_profile(row[3:]))


def _stored_profile(row: Sequence[object]) -> StoredProfile:
    bio, country, is_hidden, seen_ms, is_closed = cast(
        "tuple[str | None, str | None, bool | None, int | None, bool]", tuple(row)
    )
    return StoredProfile(bio or "", country, bool(is_hidden), seen_ms, bool(is_closed))
