"""Sends due notifications to the browsers of players without an open page, in the background.

The notifications in the database are the queue: a restart loses none, and play never waits. A few are sent at a time,
so that a slow push service delays messages but not the server. Of several nodes, one sends them all.
"""

import asyncio

import structlog

from millrace.protocol import IdentityId

from ...callers.presence import Presence
from ...cluster.leases import Lease
from ...runtime import metrics
from ...runtime.fair_turns import FairTurns
from ...runtime.system_clock import NowMs
from ...storage.errors import StorageError
from .delivery import Outcome, PushDelivery
from .encryption import BadKeyError, read_browser_keys
from .push_messages import push_message
from .push_store import DueNotification, PushStore, PushSubscription

log = structlog.get_logger()

KEPT_MS = 24 * 3_600_000
"""Age at which a notification is no longer pushed."""
BATCH = 100
"""Maximum number of notifications read at once."""
MOST_OF_ROUND = 5_000
"""Maximum number of notifications in a round that wait for another attempt."""
AT_ONCE = 32
"""Maximum number of concurrent messages."""
MOST_FAILURES = 12
"""Number of failures in a row after which an endpoint is given up: about six hours."""
POLL_SECONDS = 15.0
"""Interval of rounds while nothing new arrives."""
ROUND_SECONDS = 1.0
"""Minimum interval of rounds."""
LINGER_MS = 60_000
"""Time for a player with an open page to read a notification; the page may be closed, or a device asleep."""
FIRST_DELAY_MS, MOST_DELAY_MS = 30_000, 3_600_000
"""The time before the second attempt at an endpoint, which then doubles, and its maximum."""
MOST_FAILING = 10_000
"""Maximum number of endpoints whose failures are remembered; the earliest are forgotten first."""


class PushSender:
    """Sends notifications as push messages."""

    def __init__(self, store: PushStore, presence: Presence, lease: Lease, now_ms: NowMs) -> None:
        self._store = store
        self._lease = lease
        self._presence = presence
        self._now_ms = now_ms
        self._delivery: PushDelivery | None = None
        self._has_news = asyncio.Event()
        self._turns = FairTurns(AT_ONCE)
        self._failures: dict[str, tuple[int, int]] = {}
        """By endpoint, its failures in a row, and the time of the next attempt, in milliseconds."""
        self._delivered: set[tuple[IdentityId, str, int, str]] = set()
        """Notifications delivered to one endpoint while another is still waiting."""

    def open(self, delivery: PushDelivery) -> None:
        """Use a delivery from now on."""
        self._delivery = delivery

    def wake(self) -> None:
        """Look for due notifications soon, without waiting."""
        self._has_news.set()

    async def run(self) -> None:
        """Send due notifications until cancelled."""
        while True:
            try:
                await self.send_due()
            except StorageError as error:
                log.warning("push messages not read", error=str(error))
            await asyncio.sleep(ROUND_SECONDS)
            await self._wait()

    async def send_due(self) -> None:
        """Send due notifications, unless another node does. Raises: StorageError."""
        now_ms, left = self._now_ms(), 0
        while left < MOST_OF_ROUND and self._lease.fence is not None:
            due = await self._store.due(now_ms - KEPT_MS, BATCH, left)
            are_settled = await asyncio.gather(*(self._handle(each, now_ms) for each in due))
            settled = [each for each, is_settled in zip(due, are_settled, strict=True) if is_settled]
            if settled:
                await self._store.settle(settled)
            done = set(map(_key_of, settled))
            self._delivered = {each for each in self._delivered if each[:3] not in done}
            left += len(due) - len(settled)
            if len(due) < BATCH:
                return

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(POLL_SECONDS):
                await self._has_news.wait()
        except TimeoutError:
            return
        self._has_news.clear()

    async def _handle(self, due: DueNotification, now_ms: int) -> bool:
        """Push a notification; return whether it is finished, or need not be sent. Raises: StorageError."""
        if self._presence.is_online(due.recipient):
            return now_ms - due.notification.at_ms > LINGER_MS
        subscriptions = await self._store.subscriptions_of(due.recipient, now_ms)
        waiting = [each for each in subscriptions if (*_key_of(due), each.endpoint) not in self._delivered]
        outcomes = [await self._send(each, due, now_ms) for each in waiting]
        return Outcome.LATER not in outcomes

    async def _send(self, to: PushSubscription, due: DueNotification, now_ms: int) -> Outcome:
        """Send a notification to one browser, unless its push service needs a pause. Raises: StorageError."""
        failures, next_ms = self._failures.get(to.endpoint, (0, 0))
        if now_ms < next_ms or self._delivery is None:
            return Outcome.LATER
        async with self._turns.of(due.recipient):
            outcome = await self._try(self._delivery, to, due, now_ms)
        if outcome is Outcome.LATER and failures + 1 >= MOST_FAILURES:
            outcome = Outcome.GONE
        metrics.PUSH_MESSAGES.labels(outcome.value).inc()
        self._failures.pop(to.endpoint, None)
        if outcome is Outcome.LATER:
            self._note_failure(to.endpoint, failures, now_ms)
        else:
            self._delivered.add((*_key_of(due), to.endpoint))
        if outcome is Outcome.GONE:
            await self._store.end(to.endpoint, now_ms)
        return outcome

    async def _try(self, delivery: PushDelivery, to: PushSubscription, due: DueNotification, now_ms: int) -> Outcome:
        try:
            keys = read_browser_keys(to.key, to.secret)
        except BadKeyError:
            return Outcome.GONE
        return await delivery.deliver(to.endpoint, keys, push_message(due.notification), now_ms)

    def _note_failure(self, endpoint: str, earlier: int, now_ms: int) -> None:
        if len(self._failures) >= MOST_FAILING:
            del self._failures[next(iter(self._failures))]
        self._failures[endpoint] = earlier + 1, now_ms + min(FIRST_DELAY_MS << earlier, MOST_DELAY_MS)


def _key_of(due: DueNotification) -> tuple[IdentityId, str, int]:
    notification = due.notification
    return due.recipient, f"{notification.kind} {notification.subject}", notification.at_ms
