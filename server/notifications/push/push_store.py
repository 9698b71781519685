"""What is stored for push messages."""

import base64
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Index, delete, exists, false, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.types import BigInteger, Text

from millrace.protocol import IdentityId, Notification, Player

from ...callers.presence import Credential
from ...callers.restriction_store import is_banned
from ...players.accounts.account_store import is_registered
from ...players.accounts.stored_tokens import is_session
from ...storage.database import Step, Store
from ...storage.tables import define_table, optional, required
from ..notification_store import StoredNotification, notifications


class PushSubscription(NamedTuple):
    """A browser that wants push messages."""

    endpoint: str
    identity: IdentityId
    credential: Credential | None
    """The session of its player, with which the subscription ends; None for a guest."""
    key: str
    secret: str
    """The browser's keys, in base64."""
    created_ms: int
    ended_ms: int | None = None
    """When the push service said that the browser is no longer subscribed."""


class DueNotification(NamedTuple):
    """A notification that has not been pushed."""

    recipient: IdentityId
    notification: Notification


push_subscriptions = define_table(
    "push_subscriptions",
    ["endpoint"],
    *required(Text, "endpoint", "identity"),
    *optional(Text, "credential"),
    *required(Text, "key", "secret"),
    *required(BigInteger, "created_ms"),
    *optional(BigInteger, "ended_ms"),
)
"""The browsers that want push messages, with their keys. `credential` is the session, null for a guest. One whose push
service has ended the subscription, at `ended_ms`, is kept so that it learns of that at its next visit."""

Index("push_subscriptions_identity", push_subscriptions.c.identity, push_subscriptions.c.created_ms)

server_keys = define_table(
    "server_keys",
    ["name"],
    *required(Text, "name", "content"),
)
"""Private keys of the server, in base64."""


MOST_ENDED = 100
"""Subscriptions of a player that push services have ended and that are remembered."""

_KEY_NAME = "push"


class PushStore(Store):
    """Subscriptions, and which notifications are to be pushed. Every method raises StorageError."""

    async def server_key(self, new: bytes) -> bytes:
        """Return the stored private key of the server; store `new` if there is none yet."""
        storing = insert(server_keys).values(name=_KEY_NAME, content=base64.b64encode(new).decode())
        found = select(server_keys.c.content).where(server_keys.c.name == _KEY_NAME)
        stored = await self._database.value(str, found)
        if stored is None:
            await self._database.execute(storing.on_conflict_do_nothing())
            stored = await self._database.value(str, found)
        assert stored is not None
        return base64.b64decode(stored)

    async def subscribe(self, subscription: PushSubscription, most: int) -> bool:
        """Store a browser's subscription in place of an earlier one; of a player's, keep the newest `most`.

        Return False if the push service has ended it. Ended ones do not count; the latest `MOST_ENDED` are remembered.
        """
        values = subscription._asdict()
        # A browser that repeats its subscription at each visit still gets what has come since the first one.
        kept = {name: value for name, value in values.items() if name not in ("endpoint", "created_ms", "ended_ms")}
        storing = insert(push_subscriptions).values(values)
        columns = push_subscriptions.c
        is_valid = _is_valid(subscription.created_ms)
        await self._database.transact(
            [
                Step(storing.on_conflict_do_update(index_elements=["endpoint"], set_=kept)),
                _delete_surplus(subscription, columns.ended_ms.is_(None), most, ~is_valid, columns.created_ms.desc()),
                _delete_surplus(subscription, columns.ended_ms.is_not(None), MOST_ENDED, columns.ended_ms.desc()),
            ]
        )
        has_ended = (columns.endpoint == subscription.endpoint, columns.ended_ms.is_not(None))
        return await self._database.value(int, select(columns.ended_ms).where(*has_ended)) is None

    async def end(self, endpoint: str, now_ms: int) -> None:
        """Note that the push service has ended the subscription of an endpoint."""
        columns = push_subscriptions.c
        await self._database.execute(
            update(push_subscriptions).where(columns.endpoint == endpoint).values(ended_ms=now_ms)
        )

    async def unsubscribe(self, endpoint: str) -> None:
        """Delete the subscription of an endpoint."""
        await self._database.execute(delete(push_subscriptions).where(push_subscriptions.c.endpoint == endpoint))

    async def subscriptions_of(self, identity: IdentityId, now_ms: int) -> Sequence[PushSubscription]:
        """Return a player's subscriptions, except those that have ended, or whose session has."""
        columns = push_subscriptions.c
        are_valid = (columns.identity == identity, columns.ended_ms.is_(None), _is_valid(now_ms))
        found = select(*columns).where(*are_valid).order_by(columns.created_ms)
        return await self._database.records(PushSubscription, found)

    async def due(self, since_ms: int, most: int, skipped: int) -> Sequence[DueNotification]:
        """Return unread notifications since a time that were not pushed, the oldest first: `most` after `skipped`.

        Only those of players who have subscribed, and since they have.
        """
        columns = notifications.c
        is_wanted = ~is_banned(columns.identity) & exists().where(
            push_subscriptions.c.identity == columns.identity,
            push_subscriptions.c.created_ms <= columns.at_ms,
            push_subscriptions.c.ended_ms.is_(None),
        )
        is_due = (columns.at_ms >= since_ms, columns.is_pushed == false(), columns.is_read == false(), is_wanted)
        in_order = select(*columns).where(*is_due).order_by(columns.at_ms, columns.identity, columns.kind)
        found = in_order.limit(most).offset(skipped)
        stored = await self._database.records(StoredNotification, found)
        return [DueNotification(row.identity, row.notification) for row in stored]

    async def settle(self, pushed: Sequence[DueNotification]) -> None:
        """Note that notifications were pushed, or need not be."""
        columns = notifications.c
        await self._database.transact(
            [
                Step(
                    update(notifications)
                    .where(columns.identity == recipient, columns.kind == notification.kind.value)
                    .where(columns.subject == notification.subject, columns.at_ms == notification.at_ms)
                    .values(is_pushed=True)
                )
                for recipient, notification in pushed
            ]
        )

    async def delete_ended(self, now_ms: int) -> None:
        """Delete the subscriptions whose session has ended."""
        await self._database.execute(delete(push_subscriptions).where(~_is_valid(now_ms)))


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete a player's subscriptions."""
    return [Step(delete(push_subscriptions).where(push_subscriptions.c.identity == identity))]


def _delete_surplus(
    latest: PushSubscription, is_counted: ColumnElement[bool], most: int, *order: ColumnElement[Any]
) -> Step:
    """Return the step that deletes a player's subscriptions except `latest` and the first others; `most` stay."""
    columns = push_subscriptions.c
    counted = columns.identity == latest.identity, is_counted
    kept = select(columns.endpoint).where(*counted).order_by(columns.endpoint != latest.endpoint, *order).limit(most)
    return Step(delete(push_subscriptions).where(*counted, columns.endpoint.not_in(kept)))


def _is_valid(now_ms: int) -> ColumnElement[bool]:
    """Return whether the session of a subscription lasts, or its player is a guest still."""
    columns = push_subscriptions.c
    is_of_guest = columns.credential.is_(None) & ~is_registered(columns.identity)
    return or_(is_session(columns.credential, now_ms), is_of_guest)
