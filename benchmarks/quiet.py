"""What a server costs on which nobody is.

Run `python -m benchmarks.quiet`. It waits until all that a start makes in the background is finished and the bots' idle
processes have ended, which takes some minutes, and then measures: the share of a core, the memory of all processes with
what they share counted once (PSS), and how long the first bot then takes to move.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

from benchmarks.start import await_first_bot
from millrace.server.bots.rest import IDLE_SECONDS
from tests.serving import BOTS, ServerProcess

SETTLING_SECONDS = 60
"""Time after the end of idle processes for whatever else ends then."""


def main(seconds: Annotated[int, typer.Option(min=1, help="How long to measure.")] = 120) -> None:
    with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder), "--tablebases") as server:
        server.wait_for(BOTS)
        server.wait_for("tablebases built")
        sleep("Waiting until it is quiet", IDLE_SECONDS + SETTLING_SECONDS)
        before = processor_seconds(server.pid)
        sleep("Measuring", seconds)
        share = (processor_seconds(server.pid) - before) / seconds
        processes = list(family(server.pid))
        memory = sum(map(proportional_bytes, processes)) / 1e6
        print(f"{share:.2%} of a core, {memory:.0f} MB in {len(processes)} processes")
        began = time.perf_counter()
        asyncio.run(await_first_bot(server.address))
        print(f"the first bot moved after {time.perf_counter() - began:.1f} s")


def sleep(what: str, seconds: float) -> None:
    """Wait, and show it."""
    for _ in track(range(round(seconds)), what):
        time.sleep(1)


def family(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from family(int(child))


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and its descendants, the ended ones that were waited for included."""
    times = [Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()[11:15] for each in family(pid)]
    return sum(int(ticks) for each in times for ticks in each) / os.sysconf("SC_CLK_TCK")


def proportional_bytes(pid: int) -> int:
    """Return the memory of a process, with its share of what others share with it."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024


if __name__ == "__main__":
    typer.run(main)
