"""A cluster of processes that suffer faults: three nodes, PostgreSQL, Redis, a Dask scheduler and two workers."""

import os
import signal
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from tests.chaos.faults import NODES, WORKERS, Fault, Kind
from tests.node_processes import NodeProcesses
from tests.server.bots.cluster_processes import ClusterProcesses
from tests.server.postgres_servers import PostgresProcess
from tests.server.redis_servers import RedisProcess
from tests.serving import GENEROUS, PATIENCE_S, WELCOME, ServerProcess

LIMITS = (
    *GENEROUS,
    *(part for each in ("matches_created", "challenges") for part in ("--limit", f"{each}.account=100000")),
)


class Happened(NamedTuple):
    """A past fault, in seconds of the monotonic clock."""

    name: str
    began_s: float
    ended_s: float
    """When its processes ran again."""


class ChaoticCluster(NodeProcesses):
    """Runs while its context lasts."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, NODES)
        self._is_enough = threading.Event()
        self.happened: list[Happened] = []
        """The faults so far."""
        self.troubles: list[str] = []
        """Errors printed by the nodes."""

    def _start_services(self, stack: ExitStack) -> Sequence[str]:
        self.postgres = stack.enter_context(PostgresProcess())
        self._redis = stack.enter_context(RedisProcess())
        (self._folder / "dask").mkdir()
        self._dask = stack.enter_context(ClusterProcesses(self._folder / "dask"))
        self._dask.start_scheduler()
        for number in range(WORKERS):
            self._dask.start_worker(number)
        shared = ("--database", self.postgres.url, "--bus", self._redis.url, "--bots", self._dask.address)
        return (*shared, "--bot-workers", "1", *LIMITS)

    def calm(self) -> None:
        """Start no more faults."""
        self._is_enough.set()

    def disturb(self, faults: Iterable[Fault]) -> None:
        """Carry out faults one after another, none after `calm`; finally all their processes run."""
        for fault in faults:
            if self._is_enough.wait(fault.calm_s):
                return
            log(f"{fault.part} {fault.numbers} {fault.kind} for {fault.length_s:.1f} s")
            began_s = time.monotonic()
            for number in fault.numbers:
                self._begin(fault, number)
            self._is_enough.wait(fault.length_s)
            for number in fault.numbers:
                self._end(fault, number)
            ended_s = time.monotonic()
            self.happened.append(Happened(fault.name, began_s, ended_s))
            log(f"{fault.part} {fault.numbers} {fault.kind}: over after {ended_s - began_s:.1f} s")

    def _begin(self, fault: Fault, number: int) -> None:
        match fault.part, fault.kind:
            case "node", Kind.PAUSE:
                os.killpg(self.nodes[number].pid, signal.SIGSTOP)
            case "node", kind:
                node = self.nodes[number]
                node.stop() if kind is Kind.RESTART else node.kill()
                self.note_troubles(node)
            case "PostgreSQL", Kind.PAUSE:
                self.postgres.pause()
            case "PostgreSQL", kind:
                self.postgres.stop() if kind is Kind.RESTART else self.postgres.kill()
            case "Redis", kind:
                self._redis.pause() if kind is Kind.PAUSE else self._redis.kill()
            case "scheduler", kind:
                self._dask.signal_scheduler(signal.SIGSTOP if kind is Kind.PAUSE else signal.SIGKILL)
            case "worker", kind:
                self._dask.signal_worker(signal.SIGSTOP if kind is Kind.PAUSE else signal.SIGKILL, number)

    def _end(self, fault: Fault, number: int) -> None:
        is_paused = fault.kind is Kind.PAUSE
        match fault.part:
            case "node" if is_paused:
                os.killpg(self.nodes[number].pid, signal.SIGCONT)
            case "node":
                self._start_node(self.nodes[number])
            case "PostgreSQL":
                self.postgres.resume() if is_paused else self.postgres.start()
            case "Redis":
                self._redis.resume() if is_paused else self._redis.start()
            case "scheduler":
                self._dask.signal_scheduler(signal.SIGCONT) if is_paused else self._dask.start_scheduler()
            case "worker":
                self._dask.signal_worker(signal.SIGCONT, number) if is_paused else self._dask.start_worker(number)

    def _start_node(self, node: ServerProcess) -> None:
        """Start a node, repeatedly, like its supervisor, if it ends because PostgreSQL or Redis is away."""
        give_up_at = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up_at:
            with suppress(AssertionError):
                node.start()
                return
            node.kill()
            self.note_troubles(node)
        raise AssertionError("A node does not start:\n" + "\n".join(node.output))

    def wait_until_well(self) -> None:
        """Return when every node accepts players and reports that it is well."""
        for node in self.nodes:
            node.wait_for(WELCOME)

    def note_troubles(self, node: ServerProcess) -> None:
        """Record errors that a node has printed."""
        output = list(node.output)
        for number, line in enumerate(output):
            if "Traceback" in line:
                self.troubles.append("\n".join(output[max(0, number - 3) : number + 40]))


def log(text: str) -> None:
    """Print a line with the time."""
    print(f"{datetime.now():%X} {text}", flush=True)
