"""The bus between the features of a server: typed events, delivered to every subscriber of their type.

`LocalBus` stays within one process. Nothing depends on an event arriving: the journal holds the truth, an event only
saves asking it.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from .events import BusEvent

E = TypeVar("E", bound=BusEvent)

Unsubscribe = Callable[[], None]
"""Ends a subscription; called at most once."""


class Bus(Protocol):
    """Where events are published and subscribed to."""

    def publish(self, event: BusEvent) -> None:
        """Deliver an event to the subscribers of its type."""

    def subscribe(self, kind: type[E], subscriber: Callable[[E], None]) -> Unsubscribe:
        """Call a function in the event loop with each event of a type, until the returned function is called."""


class LocalBus:
    """A bus within one process: publishing calls the subscribers at once, in the order of their subscriptions."""

    def __init__(self) -> None:
        self._subscribers: dict[type[BusEvent], list[Callable[[Any], None]]] = {}

    def publish(self, event: BusEvent) -> None:
        """Deliver an event to the subscribers of its type."""
        for subscriber in tuple(self._subscribers.get(type(event), ())):
            subscriber(event)

    def subscribe(self, kind: type[E], subscriber: Callable[[E], None]) -> Unsubscribe:
        """Call a function with each event of a type, until the returned function is called."""
        subscribers = self._subscribers.setdefault(kind, [])
        subscribers.append(subscriber)
        return lambda: subscribers.remove(subscriber)
