"""Stored profiles, who follows and blocks whom, and the leaders."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Executable,
    Index,
    Select,
    Text,
    bindparam,
    delete,
    exists,
    false,
    func,
    literal,
    null,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import IdentityId, PageSettings, Player, RatingKind
from millrace.protocol.newer_fields import read_json

from ...callers.names import skeleton_of
from ...callers.restriction_store import is_banned
from ...ratings.rating import Rating
from ...ratings.rating_store import is_kind, ratings
from ...storage.database import Step, Store
from ...storage.tables import define_table, optional, required
from ..accounts.account_store import OWNER, Owner, accounts

blocks = define_table(
    "blocks",
    ["by", "whom"],
    *required(Text, "by", "whom"),
    *required(BigInteger, "created_ms"),
)
"""Who blocks whom."""

profiles = define_table(
    "profiles",
    ["identity"],
    *required(Text, "identity"),
    *optional(Text, "bio", "country"),
    Column("is_hidden", Boolean, nullable=False, server_default=false()),
    *optional(BigInteger, "seen_ms"),
    *optional(Text, "toggled_notifications", "page_settings"),
)
"""Profile texts and countries of accounts, whether they hide that they are online, and when they last were.

`toggled_notifications` holds the kinds of notifications, separated by spaces, whose usual setting the player has
changed. `page_settings` is how the player wants the page to look, as the JSON of `PageSettings`."""

follows = define_table(
    "follows",
    ["by", "whom"],
    *required(Text, "by", "whom"),
    *required(BigInteger, "created_ms"),
)
"""Who follows whom."""

Index("follows_whom", follows.c.whom)


class StoredProfile(NamedTuple):
    """What is stored about a player besides the account."""

    bio: str = ""
    country: str | None = None
    is_hidden: bool = False
    """Whether the player hides when they are online."""
    seen_ms: int | None = None
    """When the player was last online."""
    is_closed: bool = False
    """Whether moderators have closed the account."""


class PlayerWithProfile(NamedTuple):
    """A player with an account, and the profile without its bio."""

    player: Player
    profile: StoredProfile


class DirectoryEntry(NamedTuple):
    """What player lists need of a profile."""

    identity: IdentityId
    country: str | None
    is_hidden: bool


class RatedPlayer(NamedTuple):
    """A rating of the owner of an account."""

    player: Player
    rating: Rating


_page_settings: msgspec.json.Decoder[PageSettings] = msgspec.json.Decoder(PageSettings)

_PAST_ALL = "{"
"""Sorts behind the last letter that a skeleton may have."""

_PROFILE = (profiles.c.bio, profiles.c.country, profiles.c.is_hidden, profiles.c.seen_ms, is_banned(accounts.c.id))
_HAS_PROFILE = profiles.c.identity == accounts.c.id
_PROFILE_OF = (
    select(*_PROFILE)
    .join_from(accounts, profiles, _HAS_PROFILE, isouter=True)
    .where(accounts.c.id == bindparam("identity"), accounts.c.deleted_ms.is_(None))
)


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


class _Pair(NamedTuple):
    by: IdentityId
    whom: IdentityId


class ProfileStore(Store):
    """Profiles, and who follows whom. Every method raises StorageError."""

    async def directory(self) -> tuple[DirectoryEntry, ...]:
        """Return the entries of all players who show a country or hide when they are online."""
        is_marked = or_(profiles.c.country.is_not(None), profiles.c.is_hidden == true())
        found = select(profiles.c.identity, profiles.c.country, profiles.c.is_hidden).where(is_marked)
        return tuple(await self._database.records(DirectoryEntry, found))

    async def find(self, identity: IdentityId) -> StoredProfile:
        """Return a player's profile; an empty one if nothing is stored."""
        stored = await self._database.record(_ProfileRow, _PROFILE_OF, {"identity": identity})
        return StoredProfile() if stored is None else stored.profile

    async def set_profile(self, identity: IdentityId, bio: str, country: str | None) -> None:
        """Replace a player's bio and country."""
        await self._database.execute(_put(identity, bio=bio, country=country))

    async def set_hidden(self, identity: IdentityId, is_hidden: bool) -> None:
        """Store whether a player hides when they are online."""
        await self._database.execute(_put(identity, is_hidden=is_hidden))

    async def page_settings(self, identity: IdentityId) -> PageSettings | None:
        """Return how a player wants the page to look; None if nothing is stored that this version can read."""
        found = select(profiles.c.page_settings).where(profiles.c.identity == identity)
        stored = await self._database.record(_PageSettingsRow, found)
        if stored is None or stored.page_settings is None:
            return None
        try:
            return read_json(stored.page_settings, _page_settings)
        except msgspec.ValidationError:
            return None

    async def set_page_settings(self, identity: IdentityId, settings: PageSettings) -> None:
        """Store how a player wants the page to look."""
        await self._database.execute(_put(identity, page_settings=msgspec.json.encode(settings).decode()))

    async def set_last_seen(self, seen_ms: Mapping[IdentityId, int]) -> None:
        """Store when players were last online; deleted accounts are ignored."""
        seen = [{"who": identity, "at_ms": at_ms} for identity, at_ms in seen_ms.items()]
        await self._database.execute_for_each(_NOTE_SEEN, seen)

    async def find_by_prefix(self, prefix: str, most: int) -> Sequence[PlayerWithProfile]:
        """Return up to `most` accounts whose names begin with a prefix, ignoring case, ordered by name."""
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
        """Return the players whom a player follows, ordered by name."""
        return await self._read(
            _known()
            .join_from(follows, accounts, accounts.c.id == follows.c.whom)
            .join(profiles, _HAS_PROFILE, isouter=True)
            .where(follows.c.by == by)
            .order_by(accounts.c.skeleton)
        )

    async def follows(self) -> tuple[tuple[IdentityId, IdentityId], ...]:
        """Return all pairs of follower and followed player."""
        return tuple(await self._database.records(_Pair, select(follows.c.by, follows.c.whom)))

    async def follow(self, by: IdentityId, whom: IdentityId, now_ms: int) -> bool:
        """Store that a player follows another, if both have an account and neither blocks the other.

        Returns whether that is so.
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
        """Store that a player does not follow another."""
        await self._database.execute(delete(follows).where(follows.c.by == by, follows.c.whom == whom))

    async def leaders(
        self, kind: RatingKind, *, bots: bool, most_sigma: float, least_matches: int, most: int
    ) -> Sequence[RatedPlayer]:
        """Return the best people, or the best bots, that have an account and a certain rating, best first."""
        is_wanted = (accounts.c.deleted_ms.is_(None), ~is_banned(accounts.c.id), accounts.c.is_bot == bots)
        is_certain = (ratings.c.sigma <= most_sigma, ratings.c.matches >= least_matches)
        found = (
            select(*OWNER, ratings.c.mu, ratings.c.sigma, ratings.c.matches)
            .join_from(ratings, accounts, accounts.c.id == ratings.c.identity)
            .where(is_kind(kind), *is_wanted, *is_certain)
            .order_by(ratings.c.mu.desc(), ratings.c.identity)
            .limit(most)
        )
        pairs = await self._database.pairs(Owner, Rating, found)
        return [RatedPlayer(owner.player, rating) for owner, rating in pairs]

    async def _read(self, statement: Executable) -> list[PlayerWithProfile]:
        pairs = await self._database.pairs(Owner, _ProfileRow, statement)
        return [PlayerWithProfile(account.player, stored.profile) for account, stored in pairs]


class BlockStore(Store):
    """The stored blocks. Every method raises StorageError."""

    async def all(self) -> Sequence[tuple[IdentityId, IdentityId]]:
        """Return all pairs of a blocking and a blocked player."""
        return await self._database.records(_Pair, select(blocks.c.by, blocks.c.whom))

    async def add(self, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        """Store a block, and end following between the two; repeating it changes nothing."""
        blocking = insert(blocks).values(by=by, whom=whom, created_ms=now_ms).on_conflict_do_nothing()
        pair = (by, whom)
        is_between = (follows.c.by.in_(pair), follows.c.whom.in_(pair))
        await self._database.transact([Step(blocking), Step(delete(follows).where(*is_between))])

    async def remove(self, by: IdentityId, whom: IdentityId) -> None:
        """Delete a block, if there is one."""
        await self._database.execute(delete(blocks).where(blocks.c.by == by, blocks.c.whom == whom))


def _known() -> Select[Any]:
    return select(*OWNER, *_PROFILE).where(accounts.c.deleted_ms.is_(None))


def _put(identity: IdentityId, **values: object) -> Executable:
    """Return the statement that sets columns of a player's row, which may not exist yet."""
    put = insert(profiles).values(identity=identity, **values)
    return put.on_conflict_do_update(index_elements=["identity"], set_=values)


def _note_seen() -> Executable:
    # A player who deletes the account goes offline after that, and must not get a row again.
    at_ms = bindparam("at_ms", type_=profiles.c.seen_ms.type)
    seen = select(accounts.c.id, at_ms).where(accounts.c.id == bindparam("who"))
    put = insert(profiles).from_select(["identity", "seen_ms"], seen)
    # Another node may have seen the player later.
    is_later = or_(profiles.c.seen_ms.is_(None), profiles.c.seen_ms < put.excluded.seen_ms)
    return put.on_conflict_do_update(
        index_elements=["identity"], set_={"seen_ms": put.excluded.seen_ms}, where=is_later
    )


_NOTE_SEEN = _note_seen()


def bio_clearing_step(identity: IdentityId) -> Step:
    """Return the step that deletes a player's bio, if there is one."""
    has_bio = (profiles.c.identity == identity, profiles.c.bio.is_not(None))
    return Step(update(profiles).where(*has_bio).values(bio=null()), must_change=True)


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete a player's profile, and who follows or blocks whom."""
    pairs = [
        Step(delete(table).where(or_(table.c.by == identity, table.c.whom == identity))) for table in (follows, blocks)
    ]
    return [Step(delete(profiles).where(profiles.c.identity == identity)), *pairs]
