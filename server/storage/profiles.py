"""Profiles in a database: implements `server.players.profiles.profile_store.ProfileStore`."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Executable, Select, bindparam, delete, exists, func, literal, or_, select, true
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import IdentityId, PageSettings, Player
from millrace.protocol.newer_fields import read_json

from ..callers.names import skeleton_of
from ..players.accounts.restriction_store import RestrictionKind
from ..players.profiles.profile_store import DirectoryEntry, PlayerWithProfile, StoredProfile
from .database import Database, Step
from .tables import accounts, blocks, follows, profiles, restrictions

_page_settings: msgspec.json.Decoder[PageSettings] = msgspec.json.Decoder(PageSettings)

_PAST_ALL = "{"
"""Sorts behind the last letter that a skeleton may have."""

_IS_BAN = restrictions.c.kind == RestrictionKind.BAN.value
_IS_BANNED = select(restrictions.c.reason).where(restrictions.c.identity == accounts.c.id, _IS_BAN).exists()
_ACCOUNT = (accounts.c.id, accounts.c.name, accounts.c.is_bot)
_PROFILE = (profiles.c.bio, profiles.c.country, profiles.c.is_hidden, profiles.c.seen_ms, _IS_BANNED)
_HAS_PROFILE = profiles.c.identity == accounts.c.id
_PROFILE_OF = (
    select(*_PROFILE)
    .join_from(accounts, profiles, _HAS_PROFILE, isouter=True)
    .where(accounts.c.id == bindparam("identity"), accounts.c.deleted_ms.is_(None))
)


class _Account(NamedTuple):
    id: IdentityId
    name: str
    is_bot: bool

    @property
    def player(self) -> Player:
        return Player(self.id, self.name, registered=True, bot=self.is_bot)


class _ProfileRow(NamedTuple):
    """A row of `profiles`, with nulls for an account that has none."""

    bio: str | None
    country: str | None
    is_hidden: bool | None
    seen_ms: int | None
    is_closed: bool

    @property
    def profile(self) -> StoredProfile:
        return StoredProfile(self.bio or "", self.country, bool(self.is_hidden), self.seen_ms, self.is_closed)


class _PageSettingsRow(NamedTuple):
    page_settings: str | None


class _Follow(NamedTuple):
    by: IdentityId
    whom: IdentityId


class DatabaseProfiles:
    """A `ProfileStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def directory(self) -> tuple[DirectoryEntry, ...]:
        """Return the players who show a country or hide that they are online: the country, and whether they hide.

        Raises: StorageError.
        """
        is_marked = or_(profiles.c.country.is_not(None), profiles.c.is_hidden == true())
        found = select(profiles.c.identity, profiles.c.country, profiles.c.is_hidden).where(is_marked)
        return tuple(await self._database.records(DirectoryEntry, found))

    async def find(self, identity: IdentityId) -> StoredProfile:
        """Return what a player shows; an empty sketch for a player without a profile. Raises: StorageError."""
        stored = await self._database.record(_ProfileRow, _PROFILE_OF, {"identity": identity})
        return StoredProfile() if stored is None else stored.profile

    async def set_profile(self, identity: IdentityId, bio: str, country: str | None) -> None:
        """Replace a player's profile text and country. Raises: StorageError."""
        await self._database.execute(_put(identity, bio=bio, country=country))

    async def set_hidden(self, identity: IdentityId, is_hidden: bool) -> None:
        """Note whether a player hides that they are online. Raises: StorageError."""
        await self._database.execute(_put(identity, is_hidden=is_hidden))

    async def page_settings(self, identity: IdentityId) -> PageSettings | None:
        """Return how a player wants the page to look; None if nothing is stored that this version can read.

        Raises: StorageError.
        """
        found = select(profiles.c.page_settings).where(profiles.c.identity == identity)
        stored = await self._database.record(_PageSettingsRow, found)
        if stored is None or stored.page_settings is None:
            return None
        try:
            return read_json(stored.page_settings, _page_settings)
        except msgspec.ValidationError:
            return None

    async def set_page_settings(self, identity: IdentityId, settings: PageSettings) -> None:
        """Store how a player wants the page to look. Raises: StorageError."""
        await self._database.execute(_put(identity, page_settings=msgspec.json.encode(settings).decode()))

    async def set_last_seen(self, seen_ms: Mapping[IdentityId, int]) -> None:
        """Note when players were last online; those who have no account any more are ignored. Raises: StorageError."""
        await self._database.transact([Step(_note_seen(identity, at_ms)) for identity, at_ms in seen_ms.items()])

    async def find_by_prefix(self, prefix: str, most: int) -> Sequence[PlayerWithProfile]:
        """Return up to `most` accounts whose names begin with a prefix in any case, by name. Raises: StorageError."""
        # In a skeleton, the last letters of the prefix may form one letter with the next.
        least = skeleton_of(prefix.rstrip("rRvV"))
        past = f"{least[:-1]}{chr(ord(least[-1]) + 1)}" if least else _PAST_ALL
        # The index of skeletons finds the few candidates whose names are compared.
        found = (
            _known()
            .join_from(accounts, profiles, _HAS_PROFILE, isouter=True)
            .where(accounts.c.skeleton >= least, accounts.c.skeleton < past)
            .where(func.lower(accounts.c.name).startswith(prefix.lower(), autoescape=True))
            .order_by(accounts.c.skeleton)
            .limit(most)
        )
        return sorted(await self._read(found), key=lambda known: known.player.name.casefold())

    async def followed(self, by: IdentityId) -> Sequence[PlayerWithProfile]:
        """Return the players whom a player follows, by name. Raises: StorageError."""
        return await self._read(
            _known()
            .join_from(follows, accounts, accounts.c.id == follows.c.whom)
            .join(profiles, _HAS_PROFILE, isouter=True)
            .where(follows.c.by == by)
            .order_by(accounts.c.skeleton)
        )

    async def follows(self) -> tuple[tuple[IdentityId, IdentityId], ...]:
        """Return who follows whom. Raises: StorageError."""
        return tuple(await self._database.records(_Follow, select(follows.c.by, follows.c.whom)))

    async def follow(self, by: IdentityId, whom: IdentityId, now_ms: int) -> bool:
        """Note that a player follows another; return whether both have an account, and neither blocks the other.

        Raises: StorageError.
        """
        follower, followed = accounts.alias("follower"), accounts.alias("followed")
        at_ms = literal(now_ms, follows.c.created_ms.type)
        both = select(follower.c.id, followed.c.id, at_ms).join_from(follower, followed, true())
        pair = (by, whom)
        is_blocked = exists().where(blocks.c.by.in_(pair), blocks.c.whom.in_(pair))
        row = both.where(follower.c.id == by, followed.c.id == whom, ~is_blocked)
        # The lock makes a deletion wait, which then deletes the follow too.
        following = insert(follows).from_select(["by", "whom", "created_ms"], row.with_for_update(read=True))
        repeating = following.on_conflict_do_update(index_elements=["by", "whom"], set_={"whom": whom})
        return await self._database.execute(repeating) > 0

    async def unfollow(self, by: IdentityId, whom: IdentityId) -> None:
        """Note that a player does not follow another. Raises: StorageError."""
        await self._database.execute(delete(follows).where(follows.c.by == by, follows.c.whom == whom))

    async def _read(self, statement: Executable) -> list[PlayerWithProfile]:
        pairs = await self._database.pairs(_Account, _ProfileRow, statement)
        return [PlayerWithProfile(account.player, stored.profile) for account, stored in pairs]


def _known() -> Select[Any]:
    return select(*_ACCOUNT, *_PROFILE).where(accounts.c.deleted_ms.is_(None))


def _put(identity: IdentityId, **values: object) -> Executable:
    """Return the statement that sets columns of a player's row, which may not exist yet."""
    put = insert(profiles).values(identity=identity, **values)
    return put.on_conflict_do_update(index_elements=["identity"], set_=values)


def _note_seen(identity: IdentityId, at_ms: int) -> Executable:
    # A player who deletes the account goes offline after that, and must not get a row again.
    seen = select(accounts.c.id, literal(at_ms, profiles.c.seen_ms.type)).where(accounts.c.id == identity)
    put = insert(profiles).from_select(["identity", "seen_ms"], seen)
    # Another node may have seen the player later.
    is_later = or_(profiles.c.seen_ms.is_(None), profiles.c.seen_ms < put.excluded.seen_ms)
    return put.on_conflict_do_update(
        index_elements=["identity"], set_={"seen_ms": put.excluded.seen_ms}, where=is_later
    )
