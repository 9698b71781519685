"""What a node pays for knowing who is online and what is played on the other nodes.

Run `python -m benchmarks.shared_entries`. A node receives entries in their real encoding: players who are online, and
lines of matches in progress. The table shows what each costs it.
"""

import gc
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, NamedTuple

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from millrace.protocol import (
    ClockSettings,
    Created,
    IdentityId,
    MatchId,
    MatchSummary,
    Player,
    SeatPlan,
    Speed,
)
from millrace.server.cluster.map_events import EntriesChanged
from millrace.server.cluster.shared_map import SharedMap
from millrace.server.cluster.wire import decode, encode, open_envelope
from millrace.server.rooms.shared_matches import MatchLine
from tests.server.cluster.loopback import LoopbackNetwork

CLOCK = ClockSettings(180_000, 2_000)


def player(number: int) -> Player:
    """Return a registered player."""
    return Player(IdentityId(f"{number:024x}"), f"Player-{number}")


def line(number: int) -> MatchLine:
    """Return the line of a match of two rated players."""
    players = (player(2 * number), player(2 * number + 1))
    names = tuple(one.name for one in players)
    created = Created("morris", "", (SeatPlan("me"), SeatPlan("open")), CLOCK, rated=True)
    summary = MatchSummary(MatchId(f"{number:012x}"), "morris", names, 17, 0, CLOCK, speed=Speed.BLITZ, rated=True)
    return MatchLine(created, players, (None, None), 1, 1, is_paused=False, summary=summary)


class Cost(NamedTuple):
    """What an entry costs the node that receives it."""

    bus_bytes: float
    cpu_us: float
    memory_bytes: float


def receive(name: str, kind: type[Any], entries: Mapping[str, Any], together: int) -> Cost:
    """Return the cost of entries that arrive `together` at a time."""
    keys = iter(entries)
    messages: list[bytes] = []
    while some := tuple(islice(keys, together)):
        put = {key: msgspec.Raw(msgspec.msgpack.encode(entries[key])) for key in some}
        messages.append(encode(EntriesChanged(name, "sender", len(messages) + 1, put, ()), "sender", 1))
    return Cost(
        sum(map(len, messages)) / len(entries),
        _receive_all(name, kind, messages, time.process_time) / len(entries) * 1e6,
        _receive_all(name, kind, messages, _allocated) / len(entries),
    )


def _receive_all(name: str, kind: type[Any], messages: Sequence[bytes], used: Callable[[], float]) -> float:
    """Return what receiving takes of something that `used` counts."""
    bus = LoopbackNetwork().connect()
    received = SharedMap(bus, name, kind, lambda _: None)
    before = used()
    for message in messages:
        event = open_envelope(decode(message))
        assert event is not None
        bus.deliver_from_elsewhere(event)
    assert received.all_elsewhere()
    return used() - before


def _allocated() -> float:
    if not tracemalloc.is_tracing():
        tracemalloc.start()
    gc.collect()
    return float(tracemalloc.get_traced_memory()[0])


def main(
    entries: Annotated[int, typer.Option(help="Entries of each kind.")] = 50_000,
    together: Annotated[int, typer.Option(help="Entries that arrive in one event.")] = 10,
) -> None:
    """Print the table."""
    table = Table(
        "entry", "bus bytes", "us", "bytes of memory", title=f"An entry of another node, {together} in an event"
    )
    players: dict[str, Any] = {(each := player(number)).id: each for number in range(entries)}
    lines: dict[str, Any] = {f"{number:012x}": line(number) for number in range(entries)}
    for title, name, kind, put in (
        ("a player online", "presence", Player, players),
        ("a match", "matches", MatchLine, lines),
    ):
        cost = receive(name, kind, put, together)
        tracemalloc.stop()
        table.add_row(title, *(f"{figure:.0f}" for figure in cost))
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
