"""The handler of messages about push subscriptions, and the feature that sends push messages."""

from collections.abc import Coroutine, Sequence

from millrace.protocol import Code, Done, GetPushKey, PushKey, SubscribeToPush, UnsubscribeFromPush
from millrace.protocol.refusal import Refusal

from ...callers.caller import Caller
from ...callers.feature import Access, Feature, Route
from ...callers.limit import HOUR_MS, Limit
from ...callers.limits import Limits
from ...journal.unavailable import refusing_failures
from ...runtime.system_clock import NowMs
from .delivery import PushDelivery
from .encryption import BadKeyError, read_browser_keys
from .endpoints import BadEndpointError, parse_endpoint
from .push_store import PushStore, PushSubscription
from .sender import PushSender
from .server_keys import ServerKey, new_private_key, read_private_key

MOST_SUBSCRIPTIONS = 10
"""Maximum number of browsers per player; a further one replaces the oldest."""
PUSH_SUBSCRIPTIONS = Limit(
    name="push_subscriptions",
    counts="subscriptions to push messages",
    refusal="You have subscribed to notifications too often.",
    window_ms=HOUR_MS,
    account=60,
    guest=30,
    address=600,
)


class PushHandler(Feature):
    """The subscriptions, and the sending of push messages."""

    def __init__(
        self,
        store: PushStore,
        sender: PushSender,
        now_ms: NowMs,
        limits: Limits,
        contact: str,
        is_local_allowed: bool,
    ) -> None:
        self._store, self._sender, self._now_ms, self._limits = store, sender, now_ms, limits
        self._contact, self._is_local_allowed = contact, is_local_allowed
        self._key: ServerKey
        self.routes = (
            Route(GetPushKey, self.get_key, Access.SIGNED_IN),
            Route(SubscribeToPush, self.subscribe, Access.SIGNED_IN),
            Route(UnsubscribeFromPush, self.unsubscribe, Access.SIGNED_IN),
        )

    async def load(self) -> None:
        """Read the server's key, created at the first start. Raises: StorageError."""
        stored = await self._store.server_key(new_private_key())
        self._key = ServerKey(read_private_key(stored), self._contact)
        await self._store.delete_ended(self._now_ms())
        self._sender.open(PushDelivery(self._key, is_local_allowed=self._is_local_allowed))

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Send due messages."""
        return (self._sender.run(),)

    async def get_key(self, message: GetPushKey, caller: Caller) -> None:
        """Answer with the key for subscribing."""
        caller.send(PushKey(message.id, self._key.public_text))

    async def subscribe(self, message: SubscribeToPush, caller: Caller) -> None:
        """Store a browser's subscription. Raises: Refusal."""
        try:
            parse_endpoint(message.endpoint, is_local_allowed=self._is_local_allowed)
            read_browser_keys(message.key, message.secret)
        except (BadEndpointError, BadKeyError) as error:
            raise Refusal(Code.MALFORMED, f"This subscription cannot be used: {error}") from None
        self._limits.use(PUSH_SUBSCRIPTIONS, caller)
        place = message.endpoint, caller.identity, caller.credential
        subscription = PushSubscription(*place, message.key, message.secret, self._now_ms())
        with refusing_failures("push subscription not stored"):
            is_stored = await self._store.subscribe(subscription, MOST_SUBSCRIPTIONS)
        if not is_stored:
            raise Refusal(
                Code.SUBSCRIPTION_ENDED, "The push service has ended this subscription. Please subscribe again."
            )
        caller.send(Done(message.id))

    async def unsubscribe(self, message: UnsubscribeFromPush, caller: Caller) -> None:
        """Forget a browser's subscription; only that browser knows its endpoint. Raises: Refusal."""
        with refusing_failures("push subscription not deleted"):
            await self._store.unsubscribe(message.endpoint)
        caller.send(Done(message.id))
