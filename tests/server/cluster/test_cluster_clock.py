"""The clock of a node, which follows the database's."""

import json
import shutil
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from millrace.server.cluster.cluster_clock import KEPT_READINGS, MOST_DIFFERENCE_MS, STEP_MS, ClusterClock
from millrace.server.cluster.membership import LoneNode
from tests.server.cluster.nodes_in_process import TestedNode
from tests.server.in_process_server import Served
from tests.server.starting import start_server
from tests.server.web.get_requests import get

HOUR_MS = 3_600_000


class Machine:
    """A machine whose clock is an hour ahead of the database's, which counts from 0 together with the machine."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.clock = ClusterClock(lambda: self.now_s, lambda: self.now_s + 3_600)
        self.database_ahead_ms = 0

    def read(self, there_s: float = 0.0, back_s: float = 0.0) -> None:
        """Read the database's clock, which takes a time there and back."""
        began_s = self.now_s
        self.now_s += there_s
        database_ms = round(self.now_s * 1000) + self.database_ahead_ms
        self.now_s += back_s
        self.clock.correct(began_s, self.now_s, database_ms)

    @property
    def ahead_ms(self) -> int:
        """How much the node's clock is ahead of the database's."""
        return self.clock() - round(self.now_s * 1000) - self.database_ahead_ms


def test_before_the_first_reading_the_machines_clock_counts() -> None:
    machine = Machine()
    assert (machine.ahead_ms, machine.clock.difference_ms) == (HOUR_MS, 0)


def test_the_first_reading_sets_the_clock_even_back() -> None:
    machine = Machine()
    assert machine.clock() == HOUR_MS
    machine.read()
    assert (machine.ahead_ms, machine.clock.difference_ms) == (0, 0)


def test_a_slow_reading_changes_nothing_and_a_quick_one_counts_until_forgotten() -> None:
    machine = Machine()
    machine.read(there_s=0.010, back_s=0.010)
    for _ in range(3 * KEPT_READINGS):
        machine.read(there_s=0.500, back_s=0.020)
        machine.read(there_s=0.020, back_s=0.500)
        assert (abs(machine.ahead_ms) <= 1, machine.clock.difference_ms) == (True, 0)
    machine.database_ahead_ms = 20
    machine.read(there_s=0.001, back_s=0.001)
    for _ in range(KEPT_READINGS - 1):
        machine.read(there_s=0.500, back_s=0.020)
    assert abs(machine.ahead_ms) <= 2


def test_the_clock_adjusts_in_small_steps_and_never_runs_backwards() -> None:
    machine = Machine()
    machine.read()
    machine.database_ahead_ms = -500
    latest_ms, readings = machine.clock(), 0
    while abs(machine.ahead_ms) > 1:
        machine.now_s += 0.001
        machine.read()
        before_ms, latest_ms = latest_ms, machine.clock()
        assert before_ms <= latest_ms <= before_ms + 1 + STEP_MS
        readings += 1
    assert readings >= 490 / STEP_MS
    machine.database_ahead_ms = 500
    for _ in range(KEPT_READINGS):
        machine.now_s += 0.001
        machine.read()
    assert machine.clock.difference_ms < -MOST_DIFFERENCE_MS


@pytest.mark.postgres
async def test_nodes_on_machines_that_disagree_by_an_hour_agree_with_the_database(postgres_url: str) -> None:
    clocks = []
    for ahead_s in (0, 3_600, -3_600):
        node = TestedNode(postgres_url, 0, machine_ahead_s=ahead_s)
        await node.membership.join()
        clocks.append(node.clock)
        await node.store.close()
    times_ms = [clock() for clock in clocks]
    assert max(times_ms) - min(times_ms) < HOUR_MS / 2


@pytest.mark.parametrize(("difference_ms", "status"), [(-40.0, "ok"), (140.0, "degraded"), (-140.0, "degraded")])
async def test_health_names_the_nodes_and_is_degraded_while_the_clock_is_wrong(
    tmp_path: Path, migrated_file: Path, difference_ms: float, status: str
) -> None:
    database = shutil.copyfile(migrated_file, tmp_path / "test.sqlite3")
    membership = LoneNode("here")
    membership.members = frozenset({"there", "here"})
    membership.clock_difference_ms = difference_ms
    started = await start_server(f"sqlite:///{database}", membership=membership)
    try:
        code, _, body = await get(Served(started.port, started.bots, AsyncExitStack()), "/health")
    finally:
        await started.close()
    health = json.loads(body)
    assert (code, health["status"], health["clock_difference_ms"]) == (200, status, difference_ms)
    assert [("clock" in text) for text in health["trouble"]] == [True] * (status == "degraded")
    assert (health["node"], health["members"], health["bus"]) == ("here", ["here", "there"], "none")
