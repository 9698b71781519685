"""Runs the soak, prints a table, and fails if the server's needs grow, it has printed a warning, or a ply is missing.

The server packs matches a minute and a half after their end, and deletes what need not be kept. Afterwards each ply
that it has acknowledged must be stored.
"""

import argparse
import asyncio
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.request import urlopen

from millrace.protocol import Moved
from millrace.server.app.stores import open_existing_storage
from millrace.server.journal.packing_store import START
from tests.processes import children_of
from tests.serving import GENEROUS, ServerProcess
from tests.soak.players import Crowd

OPTIONS = ("--pack-after", "0.001", "--keep-exhibitions", "0.001", "--keep-unfinished", "0.001")
LAST_MS = 2**53
PAIRS = 12
SPECTATORS = 12
SAMPLES_PER_MINUTE = 6
MOST_GROWTH = 1.05
"""Maximum growth factor of a figure from the middle third to the last, besides a few units."""

A_FEW = {"MB": 8.0, "worker MB": 8.0, "files": 8.0, "tasks": 12.0, "threads": 2.0, "log MB": 40.0}
WARNING = re.compile(r"\[(warning|error|critical) *\]|Traceback|Warning:")


@dataclass
class Sample:
    """What a server needs at one moment."""

    minutes: float
    values: dict[str, float]
    plies: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="", help="an empty one of PostgreSQL; by default SQLite")
    arguments = parser.parse_args()
    options = (*OPTIONS, *(("--database", arguments.database) if arguments.database else ()))
    with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder), *GENEROUS, *options) as server:
        server.wait_for_bots()
        crowd = Crowd(server.address, arguments.seed)
        samples = asyncio.run(soak(server, crowd, arguments.minutes))
        code = server.stop()
        faults = [f"the server ended with {code}"] if code else []
        faults += [f"it said: {line}" for line in server.output if WARNING.search(line)]
        database = arguments.database or f"sqlite:///{server.data_dir}/millrace.sqlite3"
        with_rows, missing = asyncio.run(missing_plies(database, crowd))
    faults += [f"{missing:,} acknowledged plies are missing"] if missing else []
    faults += growth(samples)
    print(f"{crowd.matches:,} matches, {crowd.plies:,} plies; {with_rows:,} finished matches are not packed yet")
    print("\n".join(faults) or "Flat, no warnings, and every acknowledged ply is stored.")
    sys.exit(bool(faults))


async def soak(server: ServerProcess, crowd: Crowd, minutes: float) -> list[Sample]:
    """Have the crowd play for some minutes, and return what the server needed meanwhile."""
    samples: list[Sample] = []
    playing = [asyncio.create_task(crowd.pair()) for _ in range(PAIRS)]
    playing += [asyncio.create_task(crowd.spectator()) for _ in range(SPECTATORS)]
    began = time.monotonic()
    while (passed := time.monotonic() - began) < 60 * minutes:
        done, _ = await asyncio.wait(playing, timeout=60 / SAMPLES_PER_MINUTE, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        sample = Sample(passed / 60, await asyncio.to_thread(measure, server), crowd.plies)
        if not samples:
            print("| minutes | plies | " + " | ".join(sample.values) + " |\n|" + "---|" * (len(sample.values) + 2))
        samples.append(sample)
        print(
            f"| {sample.minutes:.1f} | {sample.plies:,} | " + " | ".join(map(_format, sample.values.values())) + " |",
            flush=True,
        )
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return samples


async def missing_plies(database: str, crowd: Crowd) -> tuple[int, int]:
    """Return how many matches still have rows, and how many acknowledged plies are not stored."""
    stores = await open_existing_storage(database)
    missing, with_rows = dict(crowd.acknowledged), len(await stores.packing.next_matches(START, LAST_MS, 10**9))
    async for match, recorded in stores.archive.load_each([*missing]):
        stored = {(seq, entry.event.seat) for seq, entry in recorded if isinstance(entry.event, Moved)}
        missing[match] = [ply for ply in missing[match] if ply not in stored]
    await stores.close()
    return with_rows, sum(map(len, missing.values()))


def measure(server: ServerProcess) -> dict[str, float]:
    """Return what the server and its processes need now."""
    with urlopen(f"{server.url}/metrics") as answer:
        text = answer.read().decode()
    metrics = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    log = server.data_dir / "millrace.sqlite3-wal"
    return {
        "MB": resident_mb(server.pid),
        "worker MB": sum(map(resident_mb, descendants(server.pid))),
        "files": float(len(list(Path(f"/proc/{server.pid}/fd").iterdir()))),
        "threads": float(len(list(Path(f"/proc/{server.pid}/task").iterdir()))),
        "tasks": float(metrics["millrace_tasks"]),
        "rooms": float(metrics["millrace_rooms"]),
        "connections": float(metrics["millrace_connections"]),
        "log MB": log.stat().st_size / 1e6 if log.exists() else 0.0,
    }


def growth(samples: list[Sample]) -> list[str]:
    """Return what has grown from the middle third to the last."""
    third = max(1, len(samples) // 3)
    middle, last = samples[-2 * third : -third] or samples, samples[-third:]
    faults = []
    for name, few in A_FEW.items():
        before, after = (median(sample.values[name] for sample in some) for some in (middle, last))
        if after > before * MOST_GROWTH + few:
            faults.append(f"{name} grew from {before:.1f} to {after:.1f}")
    return faults


def descendants(process: int) -> list[int]:
    children = children_of(process)
    return children + [each for child in children for each in descendants(child)]


def resident_mb(process: int) -> float:
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def _format(value: float) -> str:
    return f"{value:,.1f}" if value % 1 else f"{value:,.0f}"


if __name__ == "__main__":
    main()
