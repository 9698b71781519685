"""What one move costs the server, step by step, in microseconds of processor time.

Run `python -m benchmarks.move_cost`. A whole server without its port, with the durable journal in a new SQLite file,
plays random matches of Nine Men's Morris in this process; its connections end in memory instead of in sockets. Each
step is a few functions whose time is measured without what they call of other steps, so the steps add up to the whole.
The whole is also measured without looking into it. What the sockets add, `python -m benchmarks.server` shows.
"""

import asyncio
import gc
import importlib
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer
import uvloop
from rich.console import Console
from rich.table import Table

from benchmarks.players import Pace, Room, Tally
from benchmarks.wire import Wire
from millrace.engine.games import GAMES
from millrace.engine.warm_up import warm_up_rules
from millrace.server.app.application import Application
from millrace.server.app.garbage_collection import collect_rarely
from millrace.server.app.limit_settings import limits_of
from millrace.server.app.opening import open_storage
from millrace.server.callers.limits import Limits
from millrace.server.runtime.settings import Settings
from millrace.server.runtime.system_clock import steady_clock
from millrace.server.web.web_server import WebServer
from tests.server.in_process_server import FirstMoveBots

STEPS: Final[Mapping[str, Sequence[str]]] = {
    "receive a frame": ("server.web.connection:Connection.data_received",),
    "limit, route, find the room": (
        "server.web.session:Session.receive",
        "server.web.session:Session._handle",
        "server.rooms.match_handler:MatchHandler.command",
    ),
    "decode the message": ("server.web.session:parse_client_message",),
    "decide": (
        "server.rooms.player_commands:PlayerCommands._begin",
        "server.rooms.player_commands:decide",
        "server.matches.referee:is_without_consequences",
    ),
    "decide: read the move, play it": ("server.matches.referee:play_text",),
    "encode for the journal": ("server.journal.journal_store:Journal.append",),
    "hand to the journal and back": (
        "server.rooms.event_writer:EventWriter.begin",
        "server.storage.writer:Writer.append",
        "server.storage.writer:Writer._hand_over",
        "server.storage.writer:Writer._answer",
        "server.storage.sqlite_batches:SqliteBatches._answer",
    ),
    "conclude": (
        "server.rooms.player_commands:PlayerCommands._conclude",
        "server.rooms.event_writer:EventWriter.finish",
    ),
    "fold": ("server.rooms.event_log:apply_event",),
    "encode for players and spectators": ("server.rooms.event_log:EventLog.add",),
    "legal moves": ("server.rooms.audience:encode_turn",),
    "fan out": ("server.rooms.audience:Audience.send_events", "server.web.session:Session.deliver"),
    "send": ("server.web.session:Session._flush",),
    "timers, bots, rematches": ("server.rooms.room:Room.start",),
    "tell lists and notifications": ("server.cluster.bus:LocalBus.publish",),
    "answer, measure": ("server.web.session:Session._answered",),
}
"""The functions of each step."""

PLAYERS = "the players"
COLLECTIONS = "garbage collection"


class Stopwatch:
    """Measures functions, each without the measured functions that it calls."""

    def __init__(self) -> None:
        self.spent_ns: dict[str, int] = defaultdict(int)
        self._inner_ns = [0]
        self._collection_began_ns = 0
        self._patched: list[tuple[Any, str, Any]] = []

    def measure(self, step: str, path: str) -> None:
        """Measure a function, named as `module:Class.function`, as part of a step."""
        module, _, names = path.partition(":")
        holder = importlib.import_module(f"millrace.{module}")
        *owners, name = names.split(".")
        for owner in owners:
            holder = getattr(holder, owner)
        self._patched.append((holder, name, getattr(holder, name)))
        setattr(holder, name, self.measured(step, getattr(holder, name)))

    def measured(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function, measured."""
        spent_ns, inner_ns, now_ns = self.spent_ns, self._inner_ns, time.perf_counter_ns

        def call(*arguments: Any, **options: Any) -> Any:
            outer_ns = inner_ns[0]
            inner_ns[0] = 0
            began_ns = now_ns()
            try:
                return function(*arguments, **options)
            finally:
                took_ns = now_ns() - began_ns
                spent_ns[step] += took_ns - inner_ns[0]
                inner_ns[0] = outer_ns + took_ns

        return call

    def note_collection(self, phase: str, _: Mapping[str, int]) -> None:
        """Measure a garbage collection, of which the interpreter tells the beginning and the end."""
        if phase == "start":
            self._collection_began_ns = time.perf_counter_ns()
        else:
            took_ns = time.perf_counter_ns() - self._collection_began_ns
            self.spent_ns[COLLECTIONS] += took_ns
            self._inner_ns[0] += took_ns

    def remove(self) -> None:
        """Leave the functions as they were."""
        if self.note_collection in gc.callbacks:
            gc.callbacks.remove(self.note_collection)
        for holder, name, function in reversed(self._patched):
            setattr(holder, name, function)


class Pipe(asyncio.Transport):
    """One end of a connection in memory: what is written arrives at the other end in the next pass of the loop."""

    def __init__(self, deliver: Callable[[bytes], None]) -> None:
        super().__init__({"peername": ("127.0.0.1", 1)})
        self._deliver = deliver
        self._loop = asyncio.get_running_loop()
        self._is_closing = False

    def write(self, data: Any) -> None:
        """Write."""
        if not self._is_closing:
            self._loop.call_soon(self._deliver, bytes(data))

    def writelines(self, pieces: Any) -> None:
        """Write pieces, as one."""
        self.write(b"".join(pieces))

    def abort(self) -> None:
        """Write no more."""
        self._is_closing = True

    close = abort

    def is_closing(self) -> bool:
        """Return whether nothing more is written."""
        return self._is_closing

    def is_reading(self) -> bool:
        """Return True: nothing is held back."""
        return True

    def get_write_buffer_size(self) -> int:
        """Return 0: everything is taken at once."""
        return 0


class Server:
    """A server without its port."""

    def __init__(self, settings: Settings, limits: Limits, application: Application, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._web_server = WebServer(settings, limits)
        self._web_server.serve_sessions(application.open_session)

    async def connect(self, receive: Callable[[bytes], None]) -> Wire:
        """Open a connection in memory."""
        wire = Wire("localhost", receive)
        connection = self._web_server.accept()
        connection.connection_made(Pipe(self._stopwatch.measured(PLAYERS, wire.data_received)))
        wire.connection_made(Pipe(connection.data_received))
        await wire.is_upgraded
        return wire


async def play(folder: Path, rooms: int, seconds: float, *, is_measured: bool) -> tuple[float, Mapping[str, float]]:
    """Play in all rooms at once; return the microseconds of processor time of a move, in all and by step."""
    stopwatch = Stopwatch()
    if is_measured:
        for step, functions in STEPS.items():
            for function in functions:
                stopwatch.measure(step, function)
        gc.callbacks.append(stopwatch.note_collection)
    settings = Settings(data_dir=folder, limits={"messages.connection": 4e6}, address_factor=1e6)
    now_ms = steady_clock()
    limits = limits_of(settings, now_ms)
    application = Application(settings, await open_storage(settings.database_url), FirstMoveBots(), now_ms, limits)
    await application.open()
    server, tally = Server(settings, limits, application, stopwatch), Tally()
    tables = [Room(tally, Pace(), random.Random(seed)) for seed in range(rooms)]
    for table in tables:
        await table.open(server.connect)
    for table in tables:
        table.begin()
    await asyncio.sleep(seconds / 4)
    tally.empty()
    stopwatch.spent_ns.clear()
    loop_cpu_s, cpu_s = time.thread_time(), time.process_time()
    await asyncio.sleep(seconds)
    loop_cpu_s, cpu_s = time.thread_time() - loop_cpu_s, time.process_time() - cpu_s
    moves, spent_ns = tally.accepted, dict(stopwatch.spent_ns)
    stopwatch.remove()
    for table in tables:
        table.close()
    await application.close()
    steps = {step: spent_ns.get(step, 0) / moves / 1e3 for step in (*STEPS, COLLECTIONS)}
    players_us = spent_ns[PLAYERS] / moves / 1e3
    steps["event loop"] = loop_cpu_s / moves * 1e6 - players_us - sum(steps.values())
    steps["store (the journal's thread)"] = (cpu_s - loop_cpu_s) / moves * 1e6
    return cpu_s / moves * 1e6 - players_us, steps


def main(
    rooms: Annotated[int, typer.Option(help="Matches at once.")] = 200,
    seconds: Annotated[float, typer.Option(help="Seconds of each of the two runs.")] = 8.0,
) -> None:
    """Measure, and print the table."""
    warm_up_rules(GAMES["morris"])
    collect_rarely()
    wholes = []
    for is_measured in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            whole_us, steps = uvloop.run(play(Path(folder), rooms, seconds, is_measured=is_measured))
            wholes.append(whole_us)
    table = Table("step", "us", title=f"A move in one of {rooms} rooms, without sockets")
    for step, us in steps.items():
        table.add_row(step, f"{us:.1f}")
    table.add_row("sum", f"{sum(steps.values()):.1f}")
    table.add_row("the whole, without looking into it", f"{wholes[0]:.1f}")
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
