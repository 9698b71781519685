"""What commits wait for while a large file is written beside them: at once, and as Millrace writes tables and backups.

python -m benchmarks.disk [--megabytes 550]
"""

import argparse
import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from millrace.server.runtime.gentle_files import replacing

PIECE = 8 << 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=550)
    data = os.urandom(PIECE)
    pieces = max(1, (parser.parse_args().megabytes << 20) // PIECE)
    ways: dict[str, Callable[[Path], None]] = {
        "nothing": lambda _: time.sleep(2),
        "at once": lambda path: write_at_once(path, data, pieces),
        "gently": lambda path: write_gently(path, data, pieces),
    }
    print("| written beside | seconds | commits/s | median ms | p99 ms | maximum ms |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for name, write in ways.items():
            os.sync()
            print(f"| {name} | {row(Path(folder), write)} |", flush=True)


def row(folder: Path, write: Callable[[Path], None]) -> str:
    """Return how long it took to write, and what commits took meanwhile."""
    waits: list[float] = []
    done = threading.Event()
    committing = threading.Thread(target=commit, args=(folder / "commits.db", waits, done))
    committing.start()
    began = time.perf_counter()
    write(folder / "large")
    seconds = time.perf_counter() - began
    done.set()
    committing.join()
    waits.sort()
    in_ms = [1_000 * waits[min(int(len(waits) * share), len(waits) - 1)] for share in (0.5, 0.99, 1)]
    return " | ".join([f"{seconds:.1f}", f"{len(waits) / seconds:,.0f}", *(f"{each:.2f}" for each in in_ms)])


def commit(path: Path, waits: list[float], done: threading.Event) -> None:
    """Commit one row after the other, each durably, as the journal does."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS rows (body)")
        while not done.is_set():
            began = time.perf_counter()
            connection.execute("INSERT INTO rows VALUES (1)")
            waits.append(time.perf_counter() - began)


def write_at_once(path: Path, data: bytes, pieces: int) -> None:
    with path.open("wb") as file:
        for _ in range(pieces):
            file.write(data)
        file.flush()
        os.fsync(file.fileno())


def write_gently(path: Path, data: bytes, pieces: int) -> None:
    with replacing(path) as file:
        for _ in range(pieces):
            file.write(data)


if __name__ == "__main__":
    main()
