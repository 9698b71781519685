"""The needs of ten thousand, a hundred thousand and a million connections, calculated from measured costs.

Run `python -m benchmarks.capacity`. It prints the table of docs/scaling.md. `MEASURED` names the command behind each
cost; everything else is an assumption about people, machines and prices, to be replaced by your own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

CONNECTIONS = (10_000, 100_000, 1_000_000)


@dataclass(frozen=True)
class People:
    """The behaviour of connected people at the busiest time."""

    playing: float = 0.4
    """The share that plays a live match; the others watch, look around or wait."""
    against_bots: float = 0.5
    """The share of players whose opponent is a bot."""
    watching: float = 0.2
    """The share that watches a match."""
    move_s: float = 6.0
    """How long people think about a move."""
    match_s: float = 480.0
    session_s: float = 1_200.0
    """Duration of a connection."""
    strongest: float = 0.2
    """The share of bots' moves that are of level 8, which searches for one second and stays with the server."""
    weaker_s: float = 0.004
    """Processor time of another bot's move, by `benchmarks.page_bots --matches 1` at commit 6a53ff3e."""
    by_pages: float = 0.5
    """The share of the other bots' moves that pages search: mostly those of guests."""


@dataclass(frozen=True)
class Costs:
    """Measured costs; microseconds are processor time."""

    ply_us: float
    """Of the nodes for a ply of opponents on different nodes."""
    database_ply_us: float
    redis_ply_us: float
    statements: float
    """Of PostgreSQL for a ply."""
    wal_bytes: float
    """Of PostgreSQL's log for a ply."""
    redis_bytes: float
    stored_bytes: float = 299.0
    """In PostgreSQL for a ply, with all rows and indexes of its match, until it is packed."""
    packed_ply_bytes: float = 3.9
    packed_match_bytes: float = 455.0
    """What a packed match takes in PostgreSQL without its plies, with the indexes that find it as they have grown."""
    rebuilt_match_bytes: float = 386.0
    """The same after `REINDEX`, which fills their pages again."""
    hello_us: float = 165.0
    connection_bytes: float = 7.8 * 1024
    seen_event_us: float = 11.7
    """Of a node for an event that a spectator is sent."""
    presence_us: float = 3.0
    """Of each node for a person who connects or disconnects."""
    presence_bytes: float = 507.0
    """Of each node's memory for everybody who is connected anywhere."""
    presence_bus_bytes: float = 103.0
    match_us: float = 13.0
    """Of each node for the line of a match that begins, goes on or ends."""
    match_bus_bytes: float = 721.0
    match_bytes: float = 1_962.0
    """Of each node's memory for each match anywhere."""


@dataclass(frozen=True)
class Machines:
    """Of what size machines are, how full they may be, and what they cost."""

    load: float = 0.5
    """How much of a core is used at the busiest time, so that the others can take over from one that fails."""
    node_base_bytes: float = 400e6
    node_bytes: float = 4e9
    """The memory for one node, which uses one core."""
    core_per_month: float = 12.0
    gigabyte_per_month: float = 2.0
    disk_gigabyte_per_month: float = 0.1
    days_kept: int = 365
    days_unpacked: float = 0.5
    busy_hours: float = 8.0
    """A day's plies, in hours of the busiest time."""
    lines_per_s: float = 500.0
    """How many lines of going matches the nodes send at most, all together."""


MEASURED = Costs(
    ply_us=266.0,
    database_ply_us=32.0,
    redis_ply_us=5.0,
    statements=1.3,
    wal_bytes=486.0,
    redis_bytes=762.0,
)
"""By `python -m benchmarks.cluster` (three nodes, opponents on different ones, at full pace; the log of two nodes),
`benchmarks.server`, `benchmarks.spectators`, `benchmarks.packing` (Nine Men's Morris) and (at commit 42e2304)
`benchmarks.shared_entries`, on two cores."""


class Needs(NamedTuple):
    """What a number of connections needs at the busiest time."""

    connections: int
    matches: float
    plies_per_s: float
    nodes: int
    node_memory_gb: float
    """Of each node."""
    database_cores: float
    statements_per_s: float
    wal_mb_per_s: float
    disk_gb: float
    """After a year."""
    packed_disk_gb: float
    """The same, if matches are packed."""
    rebuilt_disk_gb: float
    """The same, once the indexes are rebuilt."""
    redis_cores: float
    redis_mb_per_s: float
    bot_cores: int
    money: float
    """A month."""


def calculate(
    connections: int, people: People = People(), costs: Costs = MEASURED, machines: Machines = Machines()
) -> Needs:
    """Return what a number of connections needs."""
    players = connections * people.playing
    with_bots = players * people.against_bots
    matches = (players - with_bots) / 2 + with_bots
    searches_per_s = with_bots / people.move_s
    plies_per_s = players / people.move_s + searches_per_s
    watched_per_s = connections * people.watching * plies_per_s / matches
    comings_per_s = 2 * connections / people.session_s
    # Each node hears of everybody and of each match, however many nodes there are.
    lines_per_s = 2 * matches / people.match_s + min(machines.lines_per_s, plies_per_s)
    shared_us = comings_per_s * costs.presence_us + lines_per_s * costs.match_us
    own_us = plies_per_s * costs.ply_us + watched_per_s * costs.seen_event_us + comings_per_s / 2 * costs.hello_us
    shared_bytes = machines.node_base_bytes + connections * costs.presence_bytes + matches * costs.match_bytes
    by_processor = own_us / (machines.load * 1e6 - shared_us)
    by_memory = connections * costs.connection_bytes / (machines.node_bytes - shared_bytes)
    nodes = max(2, ceil(by_processor), ceil(by_memory))
    node_memory_gb = (shared_bytes + connections * costs.connection_bytes / nodes) / 1e9
    database_cores = plies_per_s * costs.database_ply_us / 1e6 / machines.load
    # A ply is a message that Redis takes and one that it passes on; what each node hears of is passed on to all.
    messages_per_s = 2 * plies_per_s + (comings_per_s + lines_per_s) * (nodes + 1)
    redis_cores = messages_per_s * costs.redis_ply_us / 2 / 1e6 / machines.load
    shared_bus = comings_per_s * costs.presence_bus_bytes + lines_per_s * costs.match_bus_bytes
    redis_mb_per_s = (plies_per_s * costs.redis_bytes + shared_bus * (nodes + 1)) / 1e6
    search_s = people.strongest + (1 - people.strongest) * (1 - people.by_pages) * people.weaker_s
    bot_cores = max(1, ceil(searches_per_s * search_s / machines.load))
    plies_a_day = plies_per_s * machines.busy_hours * 3_600
    disk_gb = plies_a_day * machines.days_kept * costs.stored_bytes / 1e9
    packed_disk_gb, rebuilt_disk_gb = (
        plies_a_day * (machines.days_kept * packed_bytes + machines.days_unpacked * costs.stored_bytes) / 1e9
        for packed_bytes in (
            costs.packed_ply_bytes + match_bytes * people.move_s / people.match_s
            for match_bytes in (costs.packed_match_bytes, costs.rebuilt_match_bytes)
        )
    )
    cores = nodes + 2 * max(1, ceil(database_cores)) + max(1, ceil(redis_cores)) + bot_cores
    memory_gb = nodes * machines.node_bytes / 1e9 + 2 * 4 * max(1, ceil(database_cores)) + 2 + bot_cores / 2
    money = (
        cores * machines.core_per_month
        + memory_gb * machines.gigabyte_per_month
        + 2 * packed_disk_gb * machines.disk_gigabyte_per_month
    )
    return Needs(
        connections,
        matches,
        plies_per_s,
        nodes,
        node_memory_gb,
        database_cores,
        plies_per_s * costs.statements,
        plies_per_s * costs.wal_bytes / 1e6,
        disk_gb,
        packed_disk_gb,
        rebuilt_disk_gb,
        redis_cores,
        redis_mb_per_s,
        bot_cores,
        money,
    )


ROWS: Sequence[tuple[str, Callable[[Needs], str]]] = (
    ("live matches", lambda needs: f"{needs.matches:,.0f}"),
    ("plies a second", lambda needs: f"{needs.plies_per_s:,.0f}"),
    ("nodes, one core each", lambda needs: f"{needs.nodes:,}"),
    ("memory of each node, GB", lambda needs: f"{needs.node_memory_gb:,.1f}"),
    ("cores for PostgreSQL", lambda needs: _cores(needs.database_cores)),
    ("statements a second", lambda needs: f"{needs.statements_per_s:,.0f}"),
    ("PostgreSQL's log, MB/s", lambda needs: f"{needs.wal_mb_per_s:,.1f}"),
    ("disk after a year, GB", lambda needs: f"{needs.disk_gb:,.0f}"),
    ("the same with `--pack-after 0.5`, GB", lambda needs: f"{needs.packed_disk_gb:,.0f}"),
    ("the same after `REINDEX`, GB", lambda needs: f"{needs.rebuilt_disk_gb:,.0f}"),
    ("cores for Redis", lambda needs: _cores(needs.redis_cores)),
    ("to and from Redis, MB/s", lambda needs: f"{needs.redis_mb_per_s:,.1f}"),
    ("cores for bots", lambda needs: f"{needs.bot_cores:,}"),
    ("euros a month", lambda needs: f"{needs.money:,.0f}"),
)


def _cores(number: float) -> str:
    return f"{number:.2f}" if number < 1 else f"{number:,.1f}"


def table() -> str:
    """Return what the numbers of connections need, as Markdown."""
    every = [calculate(connections) for connections in CONNECTIONS]
    lines = [
        "| connections | " + " | ".join(f"{needs.connections:,}" for needs in every) + " |",
        "|---|" + "---:|" * len(every),
    ]
    lines += [f"| {label} | " + " | ".join(map(text, every)) + " |" for label, text in ROWS]
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
