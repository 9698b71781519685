"""A match in a game's WebAssembly module, run by wasmtime: what the page's worker does."""

import ctypes
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import wasmtime
from numpy.typing import NDArray

from millrace.engine.search.deepening_kernel import DEPTH, FOUND_VALUE, LENGTH
from millrace.engine.search.tree import NODES
from millrace.engine.state import State
from millrace.engine.wasm.module import Description, describe
from millrace.engine.wasm.rules import GOES_ON

PAGE_BYTES = 1 << 16
LINE_BYTES = 64
ENTRY_BYTES = 16
SLICE_NODES = 30_000
SLICE_POSITIONS = 2_000_000


class WasmMatch:
    """A module in memory of its own."""

    def __init__(self, module: bytes, table_megabytes: int = 1) -> None:
        self.description = describe(module)
        self._store = wasmtime.Store()
        instance = wasmtime.Instance(self._store, wasmtime.Module(self._store.engine, module), [])
        self._exports = cast("Any", instance.exports(self._store))
        self._memory = self._exports["memory"]
        pages = memory_bytes(self.description, table_megabytes) // PAGE_BYTES
        self._memory.grow(self._store, pages - self._memory.size(self._store))
        self.arrays = dict(self._arrays())
        self["table_at"] = _table_at(self.description)
        self["table_entries"] = (table_megabytes << 20) // ENTRY_BYTES
        self["unpacked_at"] = self.description.unpacked_at
        if self.description.unpacked_at:
            self.call("unpack")
        self.call("forget")

    def __setitem__(self, field: str, value: int) -> None:
        self.arrays["fields"][self.description.fields.index(field)] = value

    def __getitem__(self, field: str) -> int:
        return int(self.arrays["fields"][self.description.fields.index(field)])

    def call(self, name: str, *arguments: int) -> int:
        """Call an export."""
        return int(self._exports[name](self._store, *arguments))

    def set_up(self, state: State) -> None:
        """Take up a state with all that led to it."""
        first, *others = (each for each in state.line if each.start is state.start)
        for name, array in first.start.board._asdict().items():
            self.arrays[f"board.{name}"][:] = array
        self.arrays["line"][0], self.arrays["quiet_plies"][0] = first.words, first.quiet_plies
        self["seats"], self["first_seat"] = first.start.seats, first.seat
        self.call("begin")
        for each in others:
            assert self.call("push", each.move) or (each.move == state.game.rules.forced_pass and self.call("skip"))

    @property
    def legal_moves(self) -> list[int]:
        """The legal moves."""
        count = self.call("legal_moves")
        moves: list[int] = self.arrays["moves"][:count].tolist()
        return moves

    @property
    def outcome(self) -> tuple[tuple[int, ...], str] | None:
        """The ranks and the reason of the end of play, or None."""
        reason = self.call("outcome")
        ranks = tuple(self.arrays["ranks"][: self["seats"]].tolist())
        return None if reason == GOES_ON else (ranks, self.description.reasons[reason])

    def perft(self, depth: int) -> int:
        """Count the leaves below the position, at least two plies deep."""
        self.call("begin_perft", depth)
        while not self.call("count", SLICE_POSITIONS):
            pass
        return self["leaves"]

    def analyse(
        self, depth: int = 0, nodes: int = 0, slice_nodes: int = SLICE_NODES, **asked: int
    ) -> tuple[int, int, int, list[int]]:
        """Search the position; return depth, value, nodes and principal variation."""
        self.ask(depth, nodes, **asked)
        self.call("begin_search", int(self["candidates"] > 0))
        while not self.call("search", slice_nodes):
            pass
        facts = self.arrays["run.facts"]
        line = self.arrays["run.variation"][: facts[LENGTH]].tolist()
        return int(facts[DEPTH]), int(facts[FOUND_VALUE]), int(self.arrays["tree.counters"][NODES]), line

    def ask(self, depth: int = 0, nodes: int = 0, **asked: int) -> None:
        """Write what a search is to do."""
        usual = {"noise": 0, "seed": 0, "oversights": 0, "candidates": 0}
        usual["quiescence"] = self.description.values.quiescence
        for name, value in {**usual, **asked}.items():
            self[name] = value
        self["max_depth"], self["max_nodes"] = depth, nodes

    def choose(self, level: int, seed: int) -> int:
        """Return the move that a level plays."""
        terms = self.description.levels[level - 1]
        for name in ("noise", "oversights", "quiescence", "captures"):
            self[name] = getattr(terms, name)
        self["level_depth"], self["level_nodes"], self["seed"] = terms.depth, terms.nodes, seed
        self.call("begin_move")
        while not self.call("choose", SLICE_NODES):
            pass
        return self["chosen"]

    def _arrays(self) -> Iterator[tuple[str, NDArray[Any]]]:
        start = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        for name, place in self.description.arrays.items():
            dtype = np.dtype(place.dtype)
            length = int(np.prod(place.shape)) * dtype.itemsize
            content = (ctypes.c_uint8 * length).from_address(start + place.address)
            yield name, np.frombuffer(memoryview(content), dtype).reshape(place.shape)


def memory_bytes(description: Description, table_megabytes: int) -> int:
    """Return the memory that a module needs with a transposition table of this size: whole pages."""
    return -(-(_table_at(description) + (table_megabytes << 20)) // PAGE_BYTES) * PAGE_BYTES


def _table_at(description: Description) -> int:
    return -(-description.end // LINE_BYTES) * LINE_BYTES
