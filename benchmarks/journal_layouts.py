"""What storing an event costs in SQLite, by the layout of the tables: SQL alone, without a server.

Run `python -m benchmarks.journal_layouts`; `--help` shows the options. 200 matches are played at once and end after 60
plies. Each batch holds a move of each. Checkpoints are counted with the batches. The layouts that append to a tail also
move the events of matches that are over from there to where they stay, and that is counted separately.
"""

import os
import random
import sqlite3
import tempfile
import time
import uuid
import zlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, NamedTuple, TypeAlias

import msgspec
import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

Row: TypeAlias = tuple[str, int, int, int, str, str]
"""Match, number, time, seat, command id and body."""

LIVE = 200
PLIES = 60
MOVED_AT_ONCE = 4
"""Matches that one transaction moves out of the tail."""
EVENTS_BETWEEN = 8_000
"""Events between two checkpoints."""

COLUMNS = """match TEXT NOT NULL, seq INTEGER NOT NULL, at_ms INTEGER NOT NULL, seat INTEGER NOT NULL, command_id TEXT,
body TEXT NOT NULL"""
EVENTS = f"CREATE TABLE events ({COLUMNS}, PRIMARY KEY (match, seq))"
TAIL = f"CREATE TABLE tail (id INTEGER PRIMARY KEY, {COLUMNS})"
COMPRESSED = "CREATE TABLE compressed (match TEXT NOT NULL PRIMARY KEY, events BLOB NOT NULL)"
COMMANDS = "CREATE UNIQUE INDEX commands ON events (match, seat, command_id)"

INSERT_CHECKED = """
INSERT INTO events SELECT match, CASE WHEN coalesce((SELECT max(seq) FROM events WHERE events.match = row.match), 0)
= seq - 1 THEN seq END, at_ms, seat, command_id, body
FROM (SELECT ? AS match, ? AS seq, ? AS at_ms, ? AS seat, ? AS command_id, ? AS body) AS row
"""
INSERT_JSON = """
INSERT INTO {} (match, seq, at_ms, seat, command_id, body) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3,
value ->> 4, value ->> 5 FROM json_each(?)
"""
OF_TAIL = "FROM tail WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"


class Layout(NamedTuple):
    """Tables and how they are written."""

    name: str
    by_row: bool = False
    """Whether a statement inserts one row, and checks the number before it; otherwise one inserts the whole batch."""
    has_command_index: bool = False
    has_rowid: bool = True
    has_tail: bool = False
    is_compressed: bool = False
    page_bytes: int = 1024
    checkpoints_within: bool = False
    """Whether a commit makes the checkpoint."""


LAYOUTS = (
    Layout("a statement for each row, an index of commands", by_row=True, has_command_index=True),
    Layout("one statement, an index of commands", has_command_index=True),
    Layout("one statement (as the server)"),
    Layout("the same, checkpoints within commits", checkpoints_within=True),
    Layout("the same, pages of 4096 bytes", page_bytes=4096),
    Layout("the same, the key as the table", has_rowid=False),
    Layout("a tail, moved to rows", has_tail=True, page_bytes=4096),
    Layout("a tail, moved to compressed rows", has_tail=True, is_compressed=True, page_bytes=4096),
)


class Figures(NamedTuple):
    """The result of a run; times in microseconds of CPU for each event."""

    storing: float
    moving: float
    p50_ms: float
    p99_ms: float
    bytes_per_match: float


@dataclass
class LiveMatch:
    """A match that is being played."""

    plies_left: int = PLIES
    name: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    seq: int = 0


class Matches:
    """Matches that are played at once."""

    def __init__(self) -> None:
        self.over: list[str] = []
        self._live = [LiveMatch(1 + number * PLIES // LIVE) for number in range(LIVE)]

    def next_batch(self) -> list[Row]:
        """Return a move of each match; those that are over are replaced by new ones."""
        rows = []
        for index, match in enumerate(self._live):
            match.seq += 1
            match.plies_left -= 1
            rows.append(move(match.name, match.seq))
            if match.plies_left == 0:
                self.over.append(match.name)
                self._live[index] = LiveMatch()
        return rows


def move(match: str, seq: int) -> Row:
    """Return a row as the journal has it."""
    body = f'{{"type":"moved","seat":{seq % 2},"move":"a4-a7xd6","clocks_ms":[{random.randrange(300_000)},300000]}}'
    return (match, seq, 1_800_000_000_000 + seq, seq % 2, uuid.uuid4().hex, body)


class Store:
    """A file with a layout."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self.layout = layout
        self._path = path
        self._connection = sqlite3.connect(path, isolation_level=None)
        within = EVENTS_BETWEEN * 2048 // layout.page_bytes if layout.checkpoints_within else 0
        for pragma in (f"page_size = {layout.page_bytes}", "journal_mode = WAL", f"wal_autocheckpoint = {within}"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute(EVENTS if layout.has_rowid else f"{EVENTS} WITHOUT ROWID")
        for statement in (TAIL, COMPRESSED, *([COMMANDS] if layout.has_command_index else [])):
            self._connection.execute(statement)
        self._ids: dict[str, list[int]] = defaultdict(list)
        self._next_id = 1
        self._deleted_to = 0

    def fill(self, matches: int) -> None:
        """Store this many matches as matches that are over."""
        self._connection.execute("BEGIN")
        for _ in range(matches):
            name = uuid.uuid4().hex[:12]
            rows = [move(name, ply + 1) for ply in range(PLIES)]
            if self.layout.is_compressed:
                self._compress(name, [row[1:] for row in rows])
            else:
                self._connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", rows)
        self._connection.execute("COMMIT")
        self.checkpoint()

    def store(self, rows: Sequence[Row], text: str) -> None:
        """Store a batch durably; `text` is the same as JSON."""
        if self.layout.by_row:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(INSERT_CHECKED, rows)
            self._connection.execute("COMMIT")
        else:
            self._connection.execute(INSERT_JSON.format("tail" if self.layout.has_tail else "events"), (text,))

    def note(self, rows: Sequence[Row]) -> None:
        """Remember where in the tail the events of a batch are."""
        for row in rows:
            self._ids[row[0]].append(self._next_id)
            self._next_id += 1

    def move(self, over: list[str]) -> None:
        """Move matches out of the tail, or delete its oldest part, which holds only what has been moved."""
        moved, over[:] = over[:MOVED_AT_ONCE], over[MOVED_AT_ONCE:]
        self._connection.execute("BEGIN IMMEDIATE")
        for match in moved:
            ids = (msgspec.json.encode(self._ids.pop(match)).decode(),)
            if self.layout.is_compressed:
                found = self._connection.execute(f"SELECT seq, at_ms, seat, command_id, body {OF_TAIL}", ids)
                self._compress(match, found.fetchall())
            else:
                columns = "match, seq, at_ms, seat, command_id, body"
                self._connection.execute(f"INSERT INTO events SELECT {columns} {OF_TAIL}", ids)
        oldest = min((ids[0] for ids in self._ids.values()), default=self._next_id)
        if oldest > self._deleted_to + 1000:
            self._connection.execute("DELETE FROM tail WHERE id < ?", (oldest,))
            self._deleted_to = oldest
        self._connection.execute("COMMIT")

    def checkpoint(self) -> None:
        """Copy the write-ahead log into the file."""
        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> int:
        """Close the file and return its size in bytes."""
        self._connection.close()
        return os.path.getsize(self._path)

    def _compress(self, match: str, rows: Sequence[tuple[object, ...]]) -> None:
        packed = zlib.compress(msgspec.json.encode(rows), 1)
        self._connection.execute("INSERT INTO compressed VALUES (?, ?)", (match, packed))


class Stopwatch:
    """CPU and wall time of some calls."""

    def __init__(self) -> None:
        self.cpu_s = 0.0
        self.times_s: list[float] = []

    def run(self, call: Callable[[], None]) -> None:
        """Time a call."""
        began_s, began_cpu_s = time.perf_counter(), time.process_time()
        call()
        self.cpu_s += time.process_time() - began_cpu_s
        self.times_s.append(time.perf_counter() - began_s)

    def milliseconds(self, share: float) -> float:
        """Return the time that this share of calls does not exceed."""
        return sorted(self.times_s)[int(share * (len(self.times_s) - 1))] * 1e3


def measure(layout: Layout, stored: int, batches: int) -> Figures:
    """Store batches in a new file that holds `stored` matches."""
    with tempfile.TemporaryDirectory() as folder:
        store, matches = Store(Path(folder) / "layout.db", layout), Matches()
        store.fill(stored)
        storing, moving, checkpoints = Stopwatch(), Stopwatch(), Stopwatch()
        for number in range(1, batches + 1):
            rows = matches.next_batch()
            text = msgspec.json.encode(rows).decode()
            storing.run(lambda rows=rows, text=text: store.store(rows, text))  # type: ignore[misc]
            if layout.has_tail:
                store.note(rows)
                if matches.over:
                    moving.run(lambda: store.move(matches.over))
            if not layout.checkpoints_within and number * LIVE % EVENTS_BETWEEN == 0:
                checkpoints.run(store.checkpoint)
        size = store.close()
    events = batches * LIVE
    cost = (storing.cpu_s + checkpoints.cpu_s) / events * 1e6
    per_match = size / (stored + events / PLIES)
    return Figures(cost, moving.cpu_s / events * 1e6, storing.milliseconds(0.5), storing.milliseconds(0.99), per_match)


def syncs_per_second(folder: str, writes: int = 300) -> float:
    """Return how often the file system makes 4 KiB durable, one after the other, in a file that does not grow."""
    descriptor = os.open(f"{folder}/syncs", os.O_CREAT | os.O_RDWR)
    os.write(descriptor, bytes(4096 * writes))
    os.fsync(descriptor)
    os.lseek(descriptor, 0, os.SEEK_SET)
    began_s = time.perf_counter()
    for _ in range(writes):
        os.write(descriptor, bytes(4096))
        os.fdatasync(descriptor)
    rate = writes / (time.perf_counter() - began_s)
    os.close(descriptor)
    return rate


def main(
    stored: Annotated[str, typer.Option(help="Matches of 60 plies stored before; comma-separated.")] = "0,10000",
    batches: Annotated[int, typer.Option(help="Batches of 200 moves that are stored.")] = 200,
) -> None:
    """Measure what an event costs in each layout."""
    for number in map(int, stored.split(",")):
        headings = ("layout", "us", "us to move", "batch p50 ms", "p99 ms", "KiB/match")
        table = Table(*headings, title=f"CPU of each event, {number:,} matches stored")
        for layout in track(LAYOUTS, "measuring", transient=True):
            found = measure(layout, number, batches)
            times = (f"{found.storing:.1f}", f"{found.moving:.1f}", f"{found.p50_ms:.2f}", f"{found.p99_ms:.2f}")
            table.add_row(layout.name, *times, f"{found.bytes_per_match / 1024:.1f}")
        Console(width=110).print(table)
    with tempfile.TemporaryDirectory() as folder:
        print(f"the file system makes {syncs_per_second(folder):,.0f} writes of 4 KiB a second durable")


if __name__ == "__main__":
    typer.run(main)
