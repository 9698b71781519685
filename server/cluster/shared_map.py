"""Maps to which every node contributes its own entries, and sees those of all others.

An entry lives as long as its node. Changes are numbered; a node that finds a gap asks for all entries of the sender.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Generic, TypeVar

import msgspec
import structlog

from millrace.protocol.newer_fields import read_msgpack

from .bus import Bus
from .bus_events import BusRestored, NodeGone, NodeJoined, NodeLeaving
from .map_events import EntriesChanged, EntriesSent, EntriesWanted

V = TypeVar("V")

log = structlog.get_logger()

GATHER_SECONDS = 0.02
"""Delay of a change, to send further ones with it."""
MAX_ENTRIES = 500
"""Maximum entries in one event."""


class SharedMap(Generic[V]):
    """One node's view of a map. On a node alone it costs nothing: there are no other entries."""

    def __init__(self, bus: Bus, name: str, kind: type[V], changed: Callable[[str], None]) -> None:
        """`name` is the same on every node. `changed` is called with the key when another node's entry comes or
        goes.
        """
        self._bus = bus
        self._name = name
        self._decoder = msgspec.msgpack.Decoder(kind)
        self._changed = changed
        self._own: dict[str, V] = {}
        self._unsent: dict[str, None] = {}
        """The keys of own entries put or removed since the last change was sent."""
        self._number = 0
        """The number of the latest change of this node."""
        self._sending: asyncio.TimerHandle | None = None
        self._others: dict[str, _Others[V]] = {}
        """The entries and state of other nodes, by node."""
        self._gone: set[str] = set()
        """The nodes that are gone; messages from them may still arrive. Grows by one entry with each end of a node."""
        self._by_key: dict[str, dict[str, V]] = {}
        """The entries of other nodes, by key and node; oldest first."""
        if not bus.is_alone:
            self._listen()

    def put(self, key: str, value: V) -> None:
        """Add an entry of this node, or replace it. The value must not be changed afterwards."""
        if key not in self._own or self._own[key] != value:
            self._own[key] = value
            self._schedule(key)

    def remove(self, key: str) -> None:
        """Remove an entry of this node, if it exists."""
        if key in self._own:
            del self._own[key]
            self._schedule(key)

    def elsewhere(self, key: str) -> V | None:
        """Return another node's entry: if several nodes have one, the one known longest."""
        entries = self._by_key.get(key)
        return None if entries is None else next(iter(entries.values()))

    def all_elsewhere(self) -> Mapping[str, V]:
        """Return a view of the entries of other nodes, by key, as `elsewhere` returns them."""
        return _FirstOfEach(self._by_key)

    def nodes_with(self, key: str) -> tuple[str, ...]:
        """Return the other nodes with this entry, in the order in which this node learned of it."""
        return tuple(self._by_key.get(key, ()))

    def _listen(self) -> None:
        self._bus.subscribe_elsewhere(EntriesChanged, self._entries_changed)
        self._bus.subscribe_elsewhere(EntriesWanted, self._entries_wanted)
        self._bus.subscribe_elsewhere(EntriesSent, self._entries_sent)
        self._bus.subscribe_elsewhere(NodeLeaving, lambda event: self._forget(event.node))
        self._bus.subscribe(NodeGone, lambda event: self._forget(event.node))
        self._bus.subscribe(NodeJoined, lambda event: self._welcome(event.node))
        self._bus.subscribe(BusRestored, lambda _: self._ask_everyone())
        if self._bus.is_connected:
            self._ask_everyone()

    # The entries of this node

    def _schedule(self, key: str) -> None:
        if not self._bus.is_alone:
            self._unsent[key] = None
            if self._sending is None:
                self._sending = asyncio.get_running_loop().call_later(GATHER_SECONDS, self._send)

    def _send(self) -> None:
        """Send the changes since the last time."""
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None
        keys = iter(self._unsent)
        while some := tuple(islice(keys, MAX_ENTRIES)):
            put = {key: _raw(self._own[key]) for key in some if key in self._own}
            removed = tuple(key for key in some if key not in self._own)
            self._number += 1
            self._bus.publish(EntriesChanged(self._name, self._bus.node, self._number, put, removed))
        self._unsent = {}

    def _entries_wanted(self, event: EntriesWanted) -> None:
        if event.map != self._name:
            return
        self._send()
        if event.known.get(self._bus.node, 0) != self._number:
            self._send_all_to(event.node)
        if event.node not in self._gone and event.number != self._others_of(event.node).number:
            self._ask(event.node)

    def _send_all_to(self, receiver: str) -> None:
        entries = iter(self._own.items())
        rest = len(self._own)
        part = 0
        while part == 0 or rest > 0:
            some = {key: _raw(value) for key, value in islice(entries, MAX_ENTRIES)}
            rest -= len(some)
            node = self._bus.node
            self._bus.publish(EntriesSent(self._name, node, self._number, part, rest == 0, some, receiver))
            part += 1

    # Entries of other nodes

    def _ask_everyone(self) -> None:
        """Ask every node for its entries that this one does not know."""
        self._send()
        for others in self._others.values():
            others.is_asked = False
        known = {node: others.number for node, others in self._others.items()}
        self._bus.publish(EntriesWanted(self._name, self._bus.node, self._number, known))

    def _ask(self, node: str) -> None:
        """Ask a node for all its entries, unless already asked."""
        others = self._others_of(node)
        if not others.is_asked:
            others.is_asked = True
            known = {node: others.number}
            self._bus.publish(EntriesWanted(self._name, self._bus.node, self._number, known, node))

    def _others_of(self, node: str) -> "_Others[V]":
        return self._others.setdefault(node, _Others())

    def _entries_changed(self, event: EntriesChanged) -> None:
        if event.map != self._name or event.node in self._gone:
            return
        others = self._others_of(event.node)
        if event.number == others.number + 1:
            others.number = event.number
            for key, raw in event.put.items():
                self._set(event.node, key, self._decode(raw))
            for key in event.removed:
                self._set(event.node, key, None)
        elif event.number > others.number:
            self._ask(event.node)

    def _entries_sent(self, event: EntriesSent) -> None:
        if event.map != self._name or event.node in self._gone:
            return
        others = self._others_of(event.node)
        if event.part == 0:
            others.parts, others.entries = 0, {}
        if event.part != others.parts:
            return  # another part is missing
        others.parts += 1
        others.entries.update({key: self._decode(raw) for key, raw in event.entries.items()})
        if event.is_last:
            others.is_asked = False
            entries, others.entries = others.entries, {}
            if event.number >= others.number:
                others.number = event.number
                self._replace(event.node, entries)

    def _replace(self, node: str, entries: Mapping[str, V | None]) -> None:
        """Set all entries of another node."""
        for key in [key for key, nodes in self._by_key.items() if node in nodes and key not in entries]:
            self._set(node, key, None)
        for key, value in entries.items():
            self._set(node, key, value)

    def _set(self, node: str, key: str, value: V | None) -> None:
        """Set an entry of another node, or remove it."""
        entries = self._by_key.get(key, {})
        if entries.get(node) == value:
            return
        if value is not None:
            self._by_key.setdefault(key, entries)[node] = value
        else:
            del entries[node]
            if not entries:
                del self._by_key[key]
        self._changed(key)

    def _decode(self, raw: msgspec.Raw) -> V | None:
        """Return a value; None for one that this version does not understand."""
        try:
            return read_msgpack(raw, self._decoder)
        except msgspec.DecodeError as error:
            log.warning("entry of another node not readable", map=self._name, error=str(error))
            return None

    def _forget(self, node: str) -> None:
        """Remove the entries of a node that is gone."""
        self._gone.add(node)
        self._others.pop(node, None)
        self._replace(node, {})

    def _welcome(self, node: str) -> None:
        """Ask a node that has joined, or was considered gone, for its entries."""
        if node != self._bus.node:
            self._gone.discard(node)
            self._ask(node)


class _Others(Generic[V]):
    """This node's knowledge of another one, besides its entries."""

    def __init__(self) -> None:
        self.number = 0
        """The number of the latest known change."""
        self.is_asked = False
        """Whether it has been asked for all its entries and has not answered."""
        self.parts = 0
        """The number of parts of its answer that have arrived."""
        self.entries: dict[str, V | None] = {}
        """The contents of these parts."""


class _FirstOfEach(Mapping[str, V]):
    """A view of the first value of each key."""

    def __init__(self, by_key: Mapping[str, Mapping[str, V]]) -> None:
        self._by_key = by_key

    def __getitem__(self, key: str) -> V:
        return next(iter(self._by_key[key].values()))

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_key)

    def __len__(self) -> int:
        return len(self._by_key)


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.msgpack.encode(value))
