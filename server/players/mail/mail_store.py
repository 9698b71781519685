"""The stored mails that are to be sent, without their texts: codes in mails are made when a mail is written."""

import secrets
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import BigInteger, Index, Text, delete, insert, select, update

from millrace.protocol import IdentityId, Player

from ...storage.database import Step, Store
from ...storage.tables import define_table, required


class MailKind(StrEnum):
    """What a mail is about."""

    CONFIRMATION = "confirmation"
    """Asks to confirm an address."""
    RECOVERY = "recovery"
    """Has a recovery code."""
    CHANGED = "changed"
    """Tells an address that the account no longer has it."""


class StoredMail(NamedTuple):
    """A mail that is to be sent."""

    id: str
    kind: MailKind
    identity: IdentityId
    """Of the account that it is about. Empty if a recovery code was requested for an account that does not exist."""
    address: str
    """Empty for a recovery code, which is sent to the present address of the account."""
    created_ms: int
    next_ms: int
    """When it is to be sent, or tried again."""


mails = define_table(
    "mails",
    ["id"],
    *required(Text, "id", "kind", "identity", "address"),
    *required(BigInteger, "created_ms", "next_ms"),
)
"""Mails that are to be sent, and when next."""

Index("mails_next", mails.c.next_ms)


class MailStore(Store):
    """The mails to be sent. Every method raises StorageError."""

    async def due(self, now_ms: int, most: int) -> Sequence[StoredMail]:
        """Return mails that are due, the longest due first."""
        found = select(*mails.c).where(mails.c.next_ms <= now_ms).order_by(mails.c.next_ms).limit(most)
        return await self._database.records(StoredMail, found)

    async def claim(self, mail: StoredMail, next_ms: int) -> bool:
        """Put off the next attempt to send a mail; return whether nobody else has done so since it was read."""
        is_unclaimed = (mails.c.id == mail.id, mails.c.next_ms == mail.next_ms)
        return await self._database.execute(update(mails).where(*is_unclaimed).values(next_ms=next_ms)) == 1

    async def remove(self, mail: StoredMail) -> None:
        """Delete a mail."""
        await self._database.execute(delete(mails).where(mails.c.id == mail.id))


def mailing_step(kind: MailKind, identity: IdentityId, address: str, now_ms: int) -> Step:
    """Return the step that stores a mail to be sent at once."""
    mail = StoredMail(secrets.token_hex(12), kind, identity, address, now_ms, now_ms)
    return Step(insert(mails).values({**mail._asdict(), "kind": kind.value}))


def withdrawing_step(identity: IdentityId) -> Step:
    """Return the step that withdraws the mails with codes for an account."""
    return Step(delete(mails).where(mails.c.identity == identity, mails.c.kind != MailKind.CHANGED.value))


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete the mails about an account."""
    return [Step(delete(mails).where(mails.c.identity == identity))]
