"""Plots of what a server costs against rooms, watchers, connections and stored matches.

Run `python -m benchmarks.plots` (matplotlib is in `pip install '.[bench]'`); it takes some ten minutes on two cores,
of which the server has one, and prints each point. What is measured are the figures of `benchmarks.server`,
`benchmarks.spectators` and `benchmarks.journal`, at more points.
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import matplotlib.pyplot
import typer
import uvloop
from rich.console import Console

from benchmarks import journal, server, spectators
from benchmarks.players import Room

WARM_UP_SECONDS = 5.0
"""Before moves are measured: what happens once in a match, and once in a process, is over then."""
APPENDERS = 200
"""Matches that append at once, where matches are stored."""


class Plot(NamedTuple):
    """A figure of a server against something that it has much of."""

    of: str
    unit: str
    points: Sequence[int]
    measure: Callable[[int, float], float]
    """Return the figure for a number, measured for some seconds."""


def cost_of_move(rooms: int, seconds: float) -> float:
    """Return the server's processor time of a move with a number of rooms, in microseconds."""
    with server.serving("") as process, server.on_core(1):
        playing = server.load(Room, process.address, process.pid, rooms, None, WARM_UP_SECONDS, seconds)
        return uvloop.run(playing)[0].server_us


def cost_of_watched_move(watchers: int, seconds: float) -> float:
    """Return the server's processor time of a move with a number of spectators, in milliseconds."""
    spectators.allow_files(watchers)
    with server.serving("") as process, server.on_core(1):
        return uvloop.run(spectators.measure(process, watchers, min(30, int(5 * seconds)), 0.2)).server_ms


def cost_of_connection(connections: int, _: float) -> float:
    """Return the server's memory of a connection with a number of them, in KiB."""
    spectators.allow_files(connections)
    with server.serving("") as process, server.on_core(1):
        return uvloop.run(server.weigh(process, connections)).kib


def cost_of_append(stored: int, seconds: float) -> float:
    """Return the processor time of a durable append with a number of stored matches, in microseconds."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"{folder}/journal.db"
        uvloop.run(journal.fill(url, stored))
        figures = uvloop.run(journal.measure(url, APPENDERS, seconds, 0))
        return figures.cpu_seconds / figures.appends * 1e6


PLOTS = (
    Plot("rooms", "us of the server for a move", (10, 50, 200, 500, 1_000, 2_000), cost_of_move),
    Plot("watchers", "ms of the server for a move", (1, 10, 100, 1_000, 5_000), cost_of_watched_move),
    Plot("connections", "KiB of the server for each", (100, 1_000, 5_000), cost_of_connection),
    Plot("stored matches", "us for a durable append", (10, 100, 1_000, 10_000, 100_000), cost_of_append),
)


def main(
    file: Annotated[Path, typer.Option(help="Where the picture goes, SVG or PNG.")] = Path("docs/images/costs.svg"),
    seconds: Annotated[float, typer.Option(help="Seconds that each point is measured.")] = 4.0,
    most: Annotated[int, typer.Option(help="Leave out points beyond this number.")] = 100_000,
) -> None:
    """Measure all points, and draw them."""
    console = Console()
    figure, panels = matplotlib.pyplot.subplots(1, len(PLOTS), figsize=(14, 3.2), layout="constrained")
    for plot, panel in zip(PLOTS, panels, strict=True):
        points = [point for point in plot.points if point <= most]
        values = []
        for point in points:
            values.append(plot.measure(point, seconds))
            console.print(f"{point:>9,} {plot.of}: {values[-1]:.1f} {plot.unit}")
        panel.plot(points, values, marker="o")
        panel.set(xscale="log", ylim=(0, 1.15 * max(values)), xlabel=plot.of, ylabel=plot.unit)
        panel.grid(alpha=0.3)
    figure.savefig(file)
    console.print(f"Drawn in {file}.")


if __name__ == "__main__":
    typer.run(main)
