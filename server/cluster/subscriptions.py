"""The subscribers to events on one node; common to all kinds of bus."""

from collections.abc import Callable
from typing import Any, TypeVar

from .events import BusEvent

E = TypeVar("E", bound=BusEvent)

Unsubscribe = Callable[[], None]
"""Ends a subscription; called at most once."""


class Subscriptions:
    """The subscribers of a node by type of event, called in the order of subscription."""

    def __init__(self) -> None:
        self._of_own_events: dict[type[BusEvent], list[Callable[[Any], None]]] = {}
        self._of_others_events: dict[type[BusEvent], list[Callable[[Any], None]]] = {}

    def subscribe(self, kind: type[E], subscriber: Callable[[E], None]) -> Unsubscribe:
        """Call a function with each event of a type, until the returned function is called."""
        lists = [subscribers.setdefault(kind, []) for subscribers in (self._of_own_events, self._of_others_events)]
        for subscribers in lists:
            subscribers.append(subscriber)

        def unsubscribe() -> None:
            for subscribers in lists:
                subscribers.remove(subscriber)

        return unsubscribe

    def subscribe_here(self, kind: type[E], subscriber: Callable[[E], None]) -> Unsubscribe:
        """Call a function with each event of a type published on this node, until the returned function is called."""
        subscribers = self._of_own_events.setdefault(kind, [])
        subscribers.append(subscriber)
        return lambda: subscribers.remove(subscriber)

    def subscribe_elsewhere(self, kind: type[E], subscriber: Callable[[E], None]) -> Unsubscribe:
        """Call a function with each event of a type published on another node, until the returned function is
        called.
        """
        subscribers = self._of_others_events.setdefault(kind, [])
        subscribers.append(subscriber)
        return lambda: subscribers.remove(subscriber)

    @property
    def is_deaf(self) -> bool:
        """Whether this node has lost its connection to the others; never on a bus that needs none."""
        return False

    def note_deaf(self, nodes: frozenset[str]) -> None:
        """Note which other nodes say, in the database, that they are deaf: the bus is then not connected here either.

        `BusInterrupted` and `BusRestored` follow as if this node had lost its own connection.
        """

    def deliver(self, event: BusEvent) -> None:
        """Call the subscribers with an event from this node."""
        for subscriber in tuple(self._of_own_events.get(type(event), ())):
            subscriber(event)

    def deliver_from_elsewhere(self, event: BusEvent) -> None:
        """Call the subscribers with an event from another node."""
        for subscriber in tuple(self._of_others_events.get(type(event), ())):
            subscriber(event)
