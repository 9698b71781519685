"""A fair queue: by urgency, and within a class by owners in turn.

It knows no time and no workers; `server.bots.schedule` decides when a request is searched. An owner is a player, or a
match between bots. See en.wikipedia.org/wiki/Round-robin_scheduling.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from .requests import Urgency


class Queued(Protocol):
    """An item of the queue."""

    @property
    def urgency(self) -> Urgency:
        """The item's class."""

    @property
    def owner(self) -> str:
        """The owner, whose items share its turns."""


Item = TypeVar("Item", bound=Queued)


class FairQueue(Generic[Item]):
    """A queue of distinct items.

    The *head* of an owner is its oldest item of a class. Heads are taken in the order in which their owners joined.
    Then the owner rejoins at the end with its next item. So every other owner of the class is served once between two
    items of an owner, and a later head never overtakes an earlier one.
    """

    def __init__(self) -> None:
        self._lines: dict[Urgency, OrderedDict[str, deque[Item]]] = {urgency: OrderedDict() for urgency in Urgency}

    def push(self, item: Item) -> None:
        """Add an item."""
        self._lines[item.urgency].setdefault(item.owner, deque()).append(item)

    def pop(self) -> Item:
        """Remove and return the next item. Raises: LookupError if the queue is empty."""
        for lines in self._lines.values():
            for owner, line in lines.items():
                item = line.popleft()
                if line:
                    lines.move_to_end(owner)
                else:
                    del lines[owner]
                return item
        raise LookupError("the queue is empty")

    def remove(self, item: Item) -> None:
        """Remove an item. Raises: ValueError if it is not in the queue."""
        lines = self._lines[item.urgency]
        line = lines.get(item.owner, deque())
        line.remove(item)
        if not line:
            del lines[item.owner]

    def heads(self, urgency: Urgency) -> Iterator[Item]:
        """Yield the heads of a class, in the order in which they will be taken."""
        for line in self._lines[urgency].values():
            yield line[0]

    def count(self, urgency: Urgency) -> int:
        """Return the number of items of a class."""
        return sum(len(line) for line in self._lines[urgency].values())

    def __contains__(self, item: Item) -> bool:
        return item in self._lines[item.urgency].get(item.owner, ())

    def __bool__(self) -> bool:
        return any(self._lines.values())
