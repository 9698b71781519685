"""News between the parts of a server: who publishes on a topic reaches everyone subscribed to it.

`LocalBus` stays within one process; with several nodes the same interface stands before Redis. Nothing rests on news
arriving: the journal is the truth, the bus only saves asking it.
"""

from collections.abc import Callable
from typing import Protocol

Subscriber = Callable[[str], None]
"""Is called with each news of its topic, in the event loop."""


class Bus(Protocol):
    """A place to publish and to subscribe."""

    def publish(self, topic: str, news: str) -> None:
        """Tell every subscriber of the topic."""

    def subscribe(self, topic: str, subscriber: Subscriber) -> Callable[[], None]:
        """Have a function called with each news of the topic; return the function that ends that."""


class LocalBus:
    """A bus within one process: publishing calls the subscribers at once."""

    def __init__(self) -> None:
        self._subscribers: dict[str, list[Subscriber]] = {}

    def publish(self, topic: str, news: str) -> None:
        """Tell every subscriber of the topic."""
        for subscriber in tuple(self._subscribers.get(topic, ())):
            subscriber(news)

    def subscribe(self, topic: str, subscriber: Subscriber) -> Callable[[], None]:
        """Have a function called with each news of the topic; return the function that ends that."""
        self._subscribers.setdefault(topic, []).append(subscriber)

        def unsubscribe() -> None:
            subscribers = self._subscribers[topic]
            subscribers.remove(subscriber)
            if not subscribers:
                del self._subscribers[topic]

        return unsubscribe
