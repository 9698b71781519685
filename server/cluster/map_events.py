"""The events between the nodes' `SharedMap`s."""

import msgspec

from .events import SharedEvent


class EntriesChanged(SharedEvent, frozen=True):
    """A node has changed its own entries of a map."""

    map: str
    node: str
    number: int
    """Counts the changes of this node and map, from 1 without gaps."""
    put: dict[str, msgspec.Raw]
    """The new values, by key."""
    removed: tuple[str, ...]
    """The keys of removed entries."""


class EntriesWanted(SharedEvent, frozen=True):
    """A node asks for the entries of others: of every node, or of one."""

    map: str
    node: str
    """The node that asks."""
    number: int
    """The number of its own latest change, so that the others can tell whether they know it."""
    known: dict[str, int]
    """The number of the latest change that it knows from other nodes; missing nodes are unknown."""
    owner: str = ""
    """The node that is asked. Empty for all."""

    @property
    def topic(self) -> str:
        """The node that is asked."""
        return self.owner


class EntriesSent(SharedEvent, frozen=True):
    """A part of all entries of a node, for a node that asked for them."""

    map: str
    node: str
    number: int
    """The number of the latest change included."""
    part: int
    """Counts the parts from 0; they are sent one after another."""
    is_last: bool
    entries: dict[str, msgspec.Raw]
    receiver: str

    @property
    def topic(self) -> str:
        """The node that asked."""
        return self.receiver
