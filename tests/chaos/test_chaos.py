"""Chaos: nodes, workers, the scheduler, Redis and PostgreSQL die, freeze and come back while people play.

`MILLRACE_CHAOS_SECONDS=3600 MILLRACE_CHAOS_SEED=7 pytest -m slow -s tests/chaos` sets how long the faults last, and
which ones there are. Without `-m slow` one fault of each kind happens.
"""

import asyncio
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, aclosing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from millrace.client import Connection, connect
from millrace.protocol import Created, Ended, Moved, Rated
from tests.chaos.chaotic_cluster import ChaoticCluster
from tests.chaos.faults import LANES, Fault, plan_faults, plan_one_of_each
from tests.chaos.kept_matches import KeptMatches
from tests.chaos.players import Players
from tests.chaos.promises import Journal, check_promises
from tests.chaos.witness import Wait, Witness, longest_wait
from tests.crash.facts import fetch
from tests.serving import PATIENCE_S

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.usefixtures("processes")]

SECONDS = float(os.environ.get("MILLRACE_CHAOS_SECONDS", "600"))
SEED = int(os.environ.get("MILLRACE_CHAOS_SEED", "0")) or time.time_ns() % 1_000_000
SHORT_SEED = 1
Plan = Callable[[int, Sequence[str]], Iterator[Fault]]
"""Returns the faults of a lane for a seed."""
CALM_S = 5.0
"""Time for which play continues after the last fault."""
PAIRS, BOT_PLAYERS, CROWD = 2, 2, 5
LONGEST = 8
"""How many of the longest waits are printed, each with the time at which it began."""
PASSWORD = "correct horse battery"


async def register(address: str, names: list[str]) -> list[str]:
    """Create accounts, and return their tokens."""
    tokens = []
    for name in names:
        async with connect(address) as guest:
            tokens.append(await guest.account.register(name, PASSWORD))
    return tokens


async def play_during_faults(
    cluster: ChaoticCluster, beside: ThreadPoolExecutor, plan: Plan, seconds: float, seed: int, witness: Witness
) -> None:
    """Play during faults for some seconds at most, and on until every match has ended."""
    players = Players(cluster.address, seed, witness)
    names = [f"Player{number}" for number in range(2 * PAIRS)]
    tokens = await register(cluster.address, names)
    kept = await KeptMatches.begin(cluster.address)
    playing = [
        *(players.pair(tokens[2 * number : 2 * number + 2], is_rated=True) for number in range(PAIRS)),
        *(players.pair(("", ""), is_rated=False) for _ in range(PAIRS)),
        *(players.bot_player() for _ in range(BOT_PLAYERS)),
        *(players.pairing_player() for _ in range(CROWD)),
    ]
    tasks: list[asyncio.Future[Any]] = [asyncio.create_task(each) for each in playing]
    loop = asyncio.get_running_loop()
    faults = (loop.run_in_executor(beside, cluster.disturb, plan(seed, lane)) for lane in LANES)
    lanes: asyncio.Future[Any] = asyncio.gather(*faults)
    try:
        await asyncio.wait((*tasks, lanes), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        cluster.calm()
        await lanes
        for task in tasks:
            if task.done():
                task.result()
        await asyncio.to_thread(cluster.wait_until_well)
        await asyncio.wait(tasks, timeout=CALM_S, return_when=asyncio.FIRST_EXCEPTION)
        players.is_enough.set()
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*tasks)
    finally:
        cluster.calm()
        for task in tasks:
            task.cancel()
    async with asyncio.timeout(PATIENCE_S):
        await kept.go_on([node.address for node in cluster.nodes])
        async with kept.present(cluster.address):
            await nodes_agree(cluster)


async def nodes_agree(cluster: ChaoticCluster) -> None:
    """Return when all nodes list the same live matches: those in progress by the database."""
    async with AsyncExitStack() as stack:
        visitors = [await stack.enter_async_context(connect(node.address)) for node in cluster.nodes]
        while True:
            lists = [await live_matches(visitor) for visitor in visitors]
            unfinished = await fetch(cluster.postgres.url, "SELECT id FROM matches WHERE ended_ms IS NULL")
            if unfinished and all(each == {match for (match,) in unfinished} for each in lists):
                return
            await asyncio.sleep(0.5)


async def live_matches(visitor: Connection) -> set[str]:
    """Return the live matches that a node lists on its first page."""
    async with aclosing(visitor.spectating.live()) as pages:
        async for page in pages:
            return {summary.match for summary in page.matches}
    raise AssertionError("no list")


def report(cluster: ChaoticCluster, witness: Witness, journal: Journal) -> str:
    """Return the figures of a run as text."""
    events = sum(map(len, journal.values()))
    plies = sum(isinstance(event, Moved) for each in journal.values() for event in each)
    endings = Counter(event.reason for each in journal.values() for event in each if isinstance(event, Ended))
    rated = sum(isinstance(event, Rated) and event.reason is None for each in journal.values() for event in each)
    lines = [
        f"{len(cluster.happened)} faults; {len(journal)} matches, {rated} of them rated, {events} events,",
        f"{plies} plies, {len(witness.acknowledged)} of them acknowledged to people; {cluster.connections} connections",
        f"refused meanwhile: {dict(witness.refusals)}; endings: {dict(endings)}",
        f"most time charged for a ply of a person: {longest_charge_ms(journal, witness) / 1000:.1f} s",
        "| fault | times | longest wait of a player, s | beside other faults, s |",
        "|---|---|---|---|",
    ]
    for name in sorted({fault.name for fault in cluster.happened}):
        faults = [fault for fault in cluster.happened if fault.name == name]
        others = [fault for fault in cluster.happened if fault.name != name]
        alone, beside = (_format(longest_wait(witness.waits, faults, each)) for each in (others, []))
        lines.append(f"| {name} | {len(faults)} | {alone} | {beside} |")
    now, now_s = datetime.now(), time.monotonic()
    for wait in sorted(witness.waits, key=lambda wait: wait.length_s, reverse=True)[:LONGEST]:
        lines.append(f"{now - timedelta(seconds=now_s - wait.began_s):%X} {_format(wait)}")
    return "\n".join(lines)


def longest_charge_ms(journal: Journal, witness: Witness) -> int:
    """Return the maximum time that a clock lost with a ply, in the matches between people."""
    most = 0
    for match in witness.between_people:
        created = journal[match][0]
        assert isinstance(created, Created)
        assert created.clock is not None
        left = [created.clock.initial_ms] * len(created.seats)
        for event in journal[match]:
            if isinstance(event, Moved) and event.clocks_ms is not None:
                after = event.clocks_ms[event.seat]
                most = max(most, left[event.seat] + created.clock.increment_ms - after)
                left = list(event.clocks_ms)
    return most


def _format(wait: Wait | None) -> str:
    return "" if wait is None else f"{wait.length_s:.1f} for {wait.what}"


async def run_chaos(folder: Path, plan: Plan, seconds: float, seed: int) -> None:
    """Play on a cluster that falls apart and recovers, check every promise, and print the figures."""
    print(f"seed {seed}")
    witness = Witness()
    with ThreadPoolExecutor(1 + len(LANES)) as beside:
        loop = asyncio.get_running_loop()
        cluster = ChaoticCluster(folder)
        await loop.run_in_executor(beside, cluster.__enter__)
        try:
            await asyncio.to_thread(cluster.wait_for_bots)
            await play_during_faults(cluster, beside, plan, seconds, seed, witness)
            journal = await check_promises(cluster.postgres.url, witness)
            print(report(cluster, witness, journal))
        except BaseException:
            for node in cluster.nodes:
                print(f"--- {node.data_dir.name}", *node.output[-40:], sep="\n")
            raise
        finally:
            await loop.run_in_executor(beside, cluster.__exit__, None, None, None)
        for node in cluster.nodes:
            cluster.note_troubles(node)
        assert not cluster.troubles, "\n\n".join(cluster.troubles)


@pytest.mark.slow
async def test_every_promise_holds_while_processes_of_a_cluster_fail_and_restart(tmp_path: Path) -> None:
    await run_chaos(tmp_path, plan_faults, SECONDS, SEED)


async def test_every_promise_holds_when_each_process_of_a_cluster_fails_once_in_every_way(tmp_path: Path) -> None:
    await run_chaos(tmp_path, plan_one_of_each, PATIENCE_S, SHORT_SEED)
