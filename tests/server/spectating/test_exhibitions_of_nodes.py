"""Exhibitions on several nodes: the holder of the lease plays them for the viewers of all."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

from millrace.protocol import MatchId, Player
from millrace.server.cluster.shared_map import GATHER_SECONDS
from millrace.server.spectating.exhibitions import Exhibitions
from millrace.server.storage.fences import Fence
from tests.server.cluster.loopback import LoopbackNetwork


class Rooms:
    """Counts the exhibitions that are begun."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, Fence]] = []
        self.ended: list[MatchId] = []
        self.new = self
        """Creates them."""

    async def open_exhibition(self, game: str, bots: Sequence[Player], fence: Fence) -> MatchId:
        self.begun.append((game, fence))
        return MatchId(f"exhibition-{len(self.begun)}")

    def peek(self, match: MatchId) -> Any:
        return SimpleNamespace(phase=None, created=SimpleNamespace(exhibition=match.startswith("exhibition")))

    async def call_off(self, match: MatchId, explanation: str) -> None:
        self.ended.append(match)


class Nodes:
    """Two nodes, of which one holds the lease."""

    def __init__(self) -> None:
        self.network, self.rooms, self.now_ms = LoopbackNetwork(), Rooms(), 0
        self.leases = [SimpleNamespace(fence=Fence("exhibitions", 1)), SimpleNamespace(fence=None)]
        self.exhibitions = [self._start(lease) for lease in self.leases]

    def _start(self, lease: Any) -> Exhibitions:
        membership = cast(Any, SimpleNamespace(lease=lambda _: lease))
        bots = cast(Any, SimpleNamespace(is_ready=True, is_busy=False))
        rooms, bus = cast(Any, self.rooms), self.network.connect()
        return Exhibitions(rooms, bots, bus, membership, lambda: self.now_ms, lambda _: 0)

    async def update(self, *wanted: bool, featured: str | None = None) -> None:
        match = None if featured is None else MatchId(featured)
        for _ in range(2):
            for exhibitions, is_wanted in zip(self.exhibitions, wanted, strict=True):
                exhibitions.update("morris", is_wanted=is_wanted, featured=match if is_wanted else None)
            await self.network.settle(2 * GATHER_SECONDS)
            await asyncio.sleep(0)


async def test_one_exhibition_starts_for_viewers_on_all_nodes() -> None:
    nodes = Nodes()
    await nodes.update(True, True)
    assert nodes.rooms.begun == [("morris", Fence("exhibitions", 1))]


async def test_the_holder_starts_one_for_viewers_on_another_node_unless_they_have_a_match() -> None:
    nodes = Nodes()
    await nodes.update(False, True, featured="match")
    assert nodes.rooms.begun == []
    assert nodes.exhibitions[0].are_on, "the wish is known"
    await nodes.update(False, True)
    assert nodes.rooms.begun == [("morris", Fence("exhibitions", 1))]


async def test_the_next_holder_runs_the_exhibition() -> None:
    nodes = Nodes()
    await nodes.update(False, True)
    nodes.leases[0].fence, nodes.leases[1].fence = None, Fence("exhibitions", 2)
    await nodes.update(False, True, featured="exhibition-1")
    assert len(nodes.rooms.begun) == 1
    await nodes.update(False, False)
    nodes.now_ms += 60_000
    await nodes.update(False, False)
    assert nodes.rooms.ended == ["exhibition-1"]
