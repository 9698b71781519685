"""Stored restrictions: mutes and bans."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Executable, Text, delete, insert, select

from millrace.protocol import IdentityId, Player

from ..storage.database import Step, Store
from ..storage.tables import define_table, optional, required


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


restrictions = define_table(
    "restrictions",
    ["identity", "kind"],
    *required(Text, "identity", "kind", "reason"),
    *optional(BigInteger, "until_ms"),
)
"""Mutes and bans by moderators, with the reason that the player sees."""


class StoredRestriction(NamedTuple):
    """A restriction with the player that it belongs to: a row of `restrictions`."""

    identity: IdentityId
    kind: RestrictionKind
    reason: str
    until_ms: int | None

    @property
    def restriction(self) -> Restriction:
        """The restriction."""
        return Restriction(self.reason, self.until_ms)


class RestrictionStore(Store):
    """The restrictions of all players. Every method raises StorageError."""

    async def all(self) -> Sequence[StoredRestriction]:
        """Return every restriction, including expired ones."""
        return await self._database.records(StoredRestriction, select(*restrictions.c))

    async def of(self, identity: IdentityId) -> Mapping[RestrictionKind, Restriction]:
        """Return the restrictions of a player, including expired ones."""
        found = select(*restrictions.c).where(restrictions.c.identity == identity)
        stored = await self._database.records(StoredRestriction, found)
        return {each.kind: each.restriction for each in stored}


def imposing_steps(identity: IdentityId, kind: RestrictionKind, restriction: Restriction) -> list[Step]:
    """Return the steps that restrict a player; a mute replaces an earlier one, a second ban violates a constraint."""
    row = {"identity": identity, "kind": kind.value, "reason": restriction.reason, "until_ms": restriction.until_ms}
    imposing = Step(insert(restrictions).values(row))
    return [Step(_lift(identity, kind)), imposing] if kind is RestrictionKind.MUTE else [imposing]


def lifting_step(identity: IdentityId, kind: RestrictionKind) -> Step:
    """Return the step that lifts a restriction, which must exist."""
    return Step(_lift(identity, kind), must_change=True)


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete a player's restrictions."""
    return [Step(delete(restrictions).where(restrictions.c.identity == identity))]


def is_banned(identity: ColumnElement[str]) -> ColumnElement[bool]:
    """Return whether a column names a banned player."""
    is_ban = restrictions.c.kind == RestrictionKind.BAN.value
    return select(restrictions.c.reason).where(restrictions.c.identity == identity, is_ban).exists()


def _lift(identity: IdentityId, kind: RestrictionKind) -> Executable:
    return delete(restrictions).where(restrictions.c.identity == identity, restrictions.c.kind == kind.value)
