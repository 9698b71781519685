"""What a server loses while tables of Nine Men's Morris are built, or verified, on the same machine and disk.

    python -m benchmarks.beside_tables [--niceness 10] [--verify DATA_FOLDER] [--rounds N]

A server plays as in `benchmarks.server`, at full pace and then at a steady rate. `millrace tablebase build` runs beside
it with as many threads as there are cores, or `verify` does with the tables of a folder. It stands still in every other
row, so that each ratio is of two rows in succession; the line below the table has the medians of the ratios.
`--niceness` is that of the work, and of its session where Linux shares the processors among sessions.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
import uvloop
from rich.console import Console
from rich.table import Table

from benchmarks.players import Pace, Room, Tally
from benchmarks.server import HEADINGS, Figures, give_up_on_errors, measure, on_core, open_all, serving

WARM_UP_S = 2.0
ENDLESS = "9-9"
"""More tables than can be built while the benchmark runs."""


@contextmanager
def working_on_tables(verified: Path | None, niceness: int) -> Iterator[subprocess.Popen[bytes]]:
    """Give a process that builds tables in a new folder, or verifies those of a data folder."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["build", "--up-to", ENDLESS, "--data-dir", folder]
        if verified is not None:
            arguments = ["verify", "--data-dir", str(verified)]
        millrace = [sys.executable, "-m", "millrace.server.app.cli"]
        command = ["nice", "-n", str(niceness), *millrace, "tablebase", *arguments]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        session = Path(f"/proc/{process.pid}/autogroup")
        if session.exists():
            session.write_text(str(niceness))
        try:
            yield process
            if process.poll() is not None:
                raise RuntimeError(f"The work on tables ended early, with the code {process.returncode}.")
        finally:
            process.kill()
            process.wait()


async def compare(
    address: str, pid: int, work: subprocess.Popen[bytes], rooms: int, rounds: int, seconds: float, steady_rate: float
) -> dict[str, list[tuple[Figures, Figures]]]:
    """Return the figures beside the work and alone, by pace."""
    give_up_on_errors()
    tally, pace = Tally(), Pace()
    players = [Room(tally, pace, random.Random(seed)) for seed in range(rooms)]
    await open_all(players, address)
    for room in players:
        room.begin()
    figures: dict[str, list[tuple[Figures, Figures]]] = {}
    for name, longest_s in (("full", 0.0), ("steady", 2 * rooms / steady_rate)):
        pace.longest_s = longest_s
        figures[name] = []
        for _ in range(rounds):
            work.send_signal(signal.SIGCONT)
            beside = await measure(tally, pid, WARM_UP_S + longest_s, seconds)
            work.send_signal(signal.SIGSTOP)
            figures[name].append((beside, await measure(tally, pid, WARM_UP_S + longest_s, seconds)))
    for room in players:
        room.close()
    return figures


def main(
    verify: Annotated[Path | None, typer.Option(help="A data folder, whose tables are verified instead.")] = None,
    niceness: Annotated[int, typer.Option(min=0, max=19, help="What the work leaves to others; 0 for nothing.")] = 0,
    rooms: Annotated[int, typer.Option(help="Matches at once.")] = 200,
    rounds: Annotated[int, typer.Option(min=1, help="Pairs of rows of each pace.")] = 3,
    seconds: Annotated[float, typer.Option(help="Seconds that each row is measured.")] = 10.0,
    steady_rate: Annotated[float, typer.Option(help="Moves per second in the steady rows.")] = 400.0,
) -> None:
    """Measure, and print the table."""
    kind = "building" if verify is None else "verifying"
    table = Table("pace", "beside it", *HEADINGS, title=f"A server, and {kind} tables on {os.cpu_count()} cores")
    with serving("") as server, working_on_tables(verify, niceness) as work, on_core(1):
        figures = uvloop.run(compare(server.address, server.pid, work, rooms, rounds, seconds, steady_rate))
    lines = []
    for pace, pairs in figures.items():
        for beside, alone in pairs:
            table.add_row(pace, kind, *beside.cells)
            table.add_row(pace, "nothing", *alone.cells)
        speed = median(beside.moves_per_s / alone.moves_per_s for beside, alone in pairs)
        half, most = (
            median(getattr(beside, name) / getattr(alone, name) for beside, alone in pairs)
            for name in ("p50_ms", "p99_ms")
        )
        lines.append(f"{pace}: moves/s x {speed:.2f}, p50 x {half:.2f}, p99 x {most:.2f} (medians of {len(pairs)})")
    Console().print(table, *lines, sep="\n")


if __name__ == "__main__":
    typer.run(main)
