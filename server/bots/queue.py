"""Who comes next: a queue by urgency, and among equals by owners in turn.

It knows no time and no worker; when somebody is served, and with how much time, is `server.bots.schedule`, which
imports this. An owner is whoever's requests take turns as one: a person, or a match of bots. See
en.wikipedia.org/wiki/Round-robin_scheduling.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from .requests import Urgency


class Queued(Protocol):
    """What can wait here."""

    @property
    def urgency(self) -> Urgency:
        """The class within which it waits."""

    @property
    def owner(self) -> str:
        """With whose other requests it shares its turns."""


Item = TypeVar("Item", bound=Queued)


class FairQueue(Generic[Item]):
    """Items that wait, each once.

    The *head* of an owner is the item that has waited longest of its own in a class. Heads are taken in the order in
    which their owners came to wait, and an owner whose head was taken joins the end with its next one. So between two
    items of an owner every other owner of that class is served once, and a head is never overtaken by one that came to
    be a head after it.
    """

    def __init__(self) -> None:
        self._lines: dict[Urgency, OrderedDict[str, deque[Item]]] = {urgency: OrderedDict() for urgency in Urgency}

    def push(self, item: Item) -> None:
        """Let an item wait."""
        self._lines[item.urgency].setdefault(item.owner, deque()).append(item)

    def pop(self) -> Item:
        """Take the next item out. Raises: LookupError if none waits."""
        for lines in self._lines.values():
            for owner, line in lines.items():
                item = line.popleft()
                if line:
                    lines.move_to_end(owner)
                else:
                    del lines[owner]
                return item
        raise LookupError("nothing waits")

    def remove(self, item: Item) -> None:
        """Take an item out, wherever it stands. Raises: ValueError if it does not wait."""
        lines = self._lines[item.urgency]
        line = lines.get(item.owner, deque())
        line.remove(item)
        if not line:
            del lines[item.owner]

    def heads(self, urgency: Urgency) -> Iterator[Item]:
        """Yield the heads of a class, the next to be taken first."""
        for line in self._lines[urgency].values():
            yield line[0]

    def count(self, urgency: Urgency) -> int:
        """Return how many items of a class wait."""
        return sum(len(line) for line in self._lines[urgency].values())

    def __contains__(self, item: Item) -> bool:
        return item in self._lines[item.urgency].get(item.owner, ())

    def __bool__(self) -> bool:
        return any(self._lines.values())
