"""The table of faults in `docs/cluster.md` holds: each connection of a node falls silent, slows down, or is refused.

`MILLRACE_LINK=Redis pytest -m slow -s --numprocesses=0 tests/chaos/test_links.py` tries the faults of one connection.
"""

import asyncio
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.chaos.chaotic_cluster import Happened
from tests.chaos.linked_nodes import Kind, Link, LinkedNodes, LinkFault, faults_of
from tests.chaos.players import LONG, Players
from tests.chaos.promises import check_promises
from tests.chaos.witness import Wait, Witness, longest_wait
from tests.proxies import Way
from tests.serving import CHECKOUT
from tests.waiting import until

LENGTHS_S = (2, 10, 60)
LONELY_MOST_S = 8.0
"""The longest wait of a player while a node reaches neither PostgreSQL nor Redis."""
ROW = re.compile(r"\| ([\w ]+) \| (silent|slow|refused) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| (\w+), (\w+) \|")


class Promise(NamedTuple):
    """A row of the table."""

    most_s: Mapping[int, float]
    """The longest wait of a player for an answer or the other's ply, by the length of the fault."""
    health: tuple[str, str]
    """What the node and each other one report after ten seconds."""


def promises() -> Iterator[tuple[tuple[Link, Kind], Promise]]:
    """Yield the rows of the table."""
    for link, kind, *most_s, first, second in ROW.findall(Path(CHECKOUT, "docs/cluster.md").read_text()):
        yield (Link(link), Kind(kind)), Promise(dict(zip(LENGTHS_S, map(float, most_s), strict=True)), (first, second))


class Observed(NamedTuple):
    """What a fault led to."""

    longest: Wait
    health: tuple[str, ...]
    """What the nodes reported at its end."""

    def keeps(self, promise: Promise, length_s: int) -> bool:
        """Return whether players waited no longer than promised; a short fault may be over before it is reported."""
        of_node, of_others = promise.health
        expected = (of_node, *[of_others] * (len(self.health) - 1))
        is_known = length_s < LENGTHS_S[1] or self.health == expected
        return is_known and self.longest.length_s <= promise.most_s[length_s]


async def play_through(nodes: LinkedNodes, faults: Sequence[LinkFault], length_s: float, witness: Witness) -> Observed:
    """Play during faults at the same time, and until all is well again."""
    players = Players(nodes.address, 1, witness, clocks=(LONG,))
    playing = [asyncio.create_task(players.pair(("", ""), is_rated=False)) for _ in nodes.nodes]
    if any(fault.link is Link.SCHEDULER for fault in faults):
        playing += [asyncio.create_task(players.bot_player()) for _ in range(2)]

    async def play_on() -> None:
        enough = len(witness.acknowledged) + 10
        await until(lambda: len(witness.acknowledged) >= enough or any(task.done() for task in playing))

    try:
        await play_on()
        began_s = time.monotonic()
        with ExitStack() as stack:
            for fault in faults:
                stack.enter_context(nodes.suffering(fault))
            await asyncio.sleep(length_s)
            health = await asyncio.to_thread(nodes.health)
        await asyncio.to_thread(nodes.wait_until_well)
        ended_s = time.monotonic()
        await play_on()
        players.is_enough.set()
        await asyncio.gather(*playing)
    finally:
        for task in playing:
            task.cancel()
    longest = longest_wait(witness.waits, [Happened("", began_s, ended_s)], [])
    assert longest is not None
    return Observed(longest, health)


async def keep_promises(
    folder: Path, links: Sequence[Link], faults: Sequence[tuple[LinkFault, int]], number: int = 2
) -> None:
    """Play through faults of one of some nodes, one after another, and compare the waits with the table."""
    kept, witness, broken = dict(promises()), Witness(), list[str]()
    nodes = LinkedNodes(folder, links, number)
    await asyncio.to_thread(nodes.__enter__)
    try:
        if Link.SCHEDULER in links:
            await asyncio.to_thread(nodes.wait_for_bots)
        for fault, length_s in faults:
            longest, health = observed = await play_through(nodes, (fault,), length_s, witness)
            line = f"{' '.join(fault)} for {length_s} s: {longest.length_s:.1f} s for {longest.what}; {health}"
            print(line, flush=True)
            if not observed.keeps(kept[fault.link, fault.kind], length_s):
                broken.append(line)
        await check_promises(nodes.url, witness)
    finally:
        await asyncio.to_thread(nodes.__exit__, None, None, None)
    assert not broken, "\n".join(broken)


def test_the_table_has_every_fault_of_every_connection() -> None:
    assert [row for row, _ in promises()] == [(link, kind) for link in Link for kind in Kind]


@pytest.mark.postgres
@pytest.mark.redis
async def test_play_goes_on_while_one_node_is_cut_off(tmp_path: Path) -> None:
    faults = [LinkFault(Link.BUS, Kind.SILENT, Way.THERE), LinkFault(Link.DATABASE, Kind.SILENT, Way.BACK)]
    await keep_promises(tmp_path, (), [(fault, 10) for fault in faults])


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.parametrize("link", [Link.DATABASE, Link.BUS])
async def test_two_nodes_play_on_while_a_third_hears_nothing(tmp_path: Path, link: Link) -> None:
    faults = [(fault, length_s) for length_s in LENGTHS_S[:2] for fault in faults_of(link, Kind.SILENT)]
    await keep_promises(tmp_path, (link,), faults, number=3)


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.redis
async def test_two_nodes_play_on_while_a_third_reaches_nothing(tmp_path: Path) -> None:
    faults, witness = [LinkFault(link, Kind.SILENT) for link in (Link.DATABASE, Link.BUS)], Witness()
    nodes = LinkedNodes(tmp_path, (), number=3)
    await asyncio.to_thread(nodes.__enter__)
    try:
        longest, health = await play_through(nodes, faults, LENGTHS_S[1], witness)
        print(
            f"nothing reached for {LENGTHS_S[1]} s: {longest.length_s:.1f} s for {longest.what}; {health}", flush=True
        )
        await check_promises(nodes.url, witness)
    finally:
        await asyncio.to_thread(nodes.__exit__, None, None, None)
    assert health == ("refused", "ok", "ok")
    assert longest.length_s <= LONELY_MOST_S


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.parametrize("link", [link for link in Link if os.environ.get("MILLRACE_LINK", link) == link])
async def test_players_wait_no_longer_than_the_table_says(tmp_path: Path, link: Link) -> None:
    faults = [fault for kind in Kind for fault in faults_of(link, kind)]
    await keep_promises(tmp_path, (link,), [(fault, length_s) for length_s in LENGTHS_S for fault in faults])
