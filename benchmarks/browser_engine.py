"""The search native, in wasmtime and in Chromium, side by side: nodes a second, and the time to a depth.

    python -m benchmarks.browser_engine [--game NAME] [--nodes N] [--rounds N]

All three must search the same nodes. Without Chromium its column is empty.
"""

import base64
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from playwright.sync_api import Page, sync_playwright

from benchmarks.search import TARGETS, positions_of
from millrace.engine.game import Game
from millrace.engine.games import SHIPPED, find_game
from millrace.engine.search import NODES, Limits, analyse, no_clock
from millrace.engine.state import State
from millrace.engine.transposition_table import new_table
from millrace.engine.wasm.module_files import find_module
from tests.browser.chromium import CHROMIUM_NAMES, CHROMIUM_OPTIONS
from tests.engine.wasm.wasm_host import WasmMatch, memory_bytes

TABLE_MEGABYTES = 16
COUNTER_BYTES = 8
POSITIONS = 5

SCRIPT = """
async ([module, pages, searches]) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const { exports } = (await WebAssembly.instantiate(bytes(module))).instance;
  exports.memory.grow(pages - exports.memory.buffer.byteLength / 65536);
  const memory = new Uint8Array(exports.memory.buffer);
  const found = [];
  let isUnpacked = false;
  for (const { writes, nodes_at } of searches) {
    for (const [address, content] of writes) memory.set(bytes(content), address);
    if (!isUnpacked) exports.unpack?.();
    isUnpacked = true;
    exports.begin();
    exports.forget();
    const began = performance.now();
    exports.begin_search(0);
    while (!exports.search(30000));
    const elapsed = performance.now() - began;
    found.push([Number(new BigInt64Array(exports.memory.buffer)[nodes_at / 8]), elapsed / 1000]);
  }
  return found;
}
"""
"""Searches from prepared memory in the page, and returns the nodes and the seconds of each search."""


class Asked(NamedTuple):
    """A search to measure."""

    state: State
    depth: int
    nodes: int


class Searched(NamedTuple):
    """A search that was measured."""

    nodes: int
    seconds: float


Search = Callable[[Asked], Searched]


def main(
    game: Annotated[list[str] | None, typer.Option(help="Games to measure; all by default.")] = None,
    nodes: Annotated[int, typer.Option(help="Nodes of each search.")] = 300_000,
    rounds: Annotated[int, typer.Option(help="Rounds, of which the fastest counts.")] = 3,
) -> None:
    """Print a table for each game."""
    with chromium() as page:
        for name in game or [each.name for each in SHIPPED]:
            measure(find_game(name), nodes, rounds, page)


def measure(game: Game, nodes: int, rounds: int, page: Page | None) -> None:
    """Print the table of a game."""
    module = module_of(game)
    gzipped = len(zlib.compress(module, 9))
    print(f"{game.name}: a module of {len(module):,} bytes, {gzipped:,} gzipped")
    engines = {"native": native_search, "wasmtime": in_wasmtime(module)}
    if page is not None:
        engines["Chromium"] = in_chromium(module, page)
    asked = [Asked(State.of(game, position), 0, nodes) for position in positions_of(game.name)[:POSITIONS]]
    target = TARGETS[game.name]
    to_depth = Asked(State.of(game, target.position), target.depth, 0)
    fastest = {name: list[Searched]() for name in engines}
    native_search(Asked(asked[0].state, 2, 0))  # compiles
    for _ in range(rounds):
        for name, search in engines.items():
            found = [search(each) for each in (*asked, to_depth)]
            known = fastest[name] or found
            fastest[name] = [min(pair, key=lambda each: each.seconds) for pair in zip(found, known, strict=True)]
    report(fastest, target.depth)


def report(fastest: dict[str, list[Searched]], depth: int) -> None:
    """Print the figures of each engine, and compare them with the native ones."""
    native = fastest["native"]
    print(f"{'':>10} {'M nodes/s':>10} {'of native':>10}   ms to depth {depth}")
    for name, found in fastest.items():
        assert [each.nodes for each in found] == [each.nodes for each in native], "they do not search the same nodes"
        speed, native_speed = (
            sum(each.nodes for each in column[:-1]) / sum(each.seconds for each in column[:-1])
            for column in (found, native)
        )
        print(f"{name:>10} {speed / 1e6:>10.2f} {speed / native_speed:>10.2f} {found[-1].seconds * 1000:>13.0f}")


def module_of(game: Game) -> bytes:
    """Return the module of a game, which is made if it is not in the kernel cache."""
    start = State.of(game).start
    if find_module(game, start) is None:
        subprocess.run([sys.executable, "-m", "millrace.server.bots.module_process"], check=True)
    module = find_module(game, start)
    assert module is not None
    return module


def native_search(asked: Asked) -> Searched:
    """Search in this process."""
    table = new_table(TABLE_MEGABYTES)
    table.clear()
    began = perf_counter()
    limits = Limits(depth=asked.depth or None, nodes=asked.nodes or None)
    found = analyse(asked.state, limits, no_clock, table=table)
    return Searched(found.nodes, perf_counter() - began)


def in_wasmtime(module: bytes) -> Search:
    """Return the search in wasmtime."""
    match = WasmMatch(module, TABLE_MEGABYTES)

    def search(asked: Asked) -> Searched:
        match.set_up(asked.state)
        match.call("forget")
        began = perf_counter()
        _depth, _value, nodes, _line = match.analyse(asked.depth, asked.nodes)
        return Searched(nodes, perf_counter() - began)

    return search


def in_chromium(module: bytes, page: Page) -> Search:
    """Return the search in a page."""
    match = WasmMatch(module, TABLE_MEGABYTES)
    pages = memory_bytes(match.description, TABLE_MEGABYTES) // (1 << 16)
    arrays = match.description.arrays

    def search(asked: Asked) -> Searched:
        match.set_up(asked.state)
        match.ask(asked.depth, asked.nodes)
        names = [name for name in arrays if name.startswith("board.")] + ["line", "quiet_plies", "fields"]
        writes = [(arrays[name].address, written(match.arrays[name][:1_000])) for name in names]
        asked_for = {"writes": writes, "nodes_at": arrays["tree.counters"].address + COUNTER_BYTES * NODES}
        # The first search of a page is not yet optimised: search twice.
        _, (nodes, seconds) = page.evaluate(SCRIPT, [base64.b64encode(module).decode(), pages, [asked_for, asked_for]])
        return Searched(nodes, seconds)

    return search


def written(array: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


@contextmanager
def chromium() -> Iterator[Page | None]:
    """Open a page, if there is a Chromium."""
    program = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if program is None:
        yield None
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(CHROMIUM_OPTIONS))
        yield browser.new_page()
        browser.close()


if __name__ == "__main__":
    typer.run(main)
