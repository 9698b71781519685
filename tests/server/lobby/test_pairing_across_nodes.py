"""Quick pairing on several nodes: nobody is paired twice, or after stopping, and no search is lost."""

import asyncio
import random
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millrace.protocol import CommandId, IdentityId, Paired, PlayBot, Player, SearchEnded, Searching
from millrace.protocol.refusal import Refusal
from millrace.server.app.stores import Stores, open_storage
from millrace.server.cluster import shared_map
from millrace.server.journal.entries import Origin
from tests.server.lobby.pairing_cluster import REQUESTS, PairingCluster

NODES = 2
PLAYERS = 5


@pytest.fixture(autouse=True)
def quick_gathering(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nodes hear at once who is connected to others."""
    monkeypatch.setattr(shared_map, "GATHER_SECONDS", 0.001)


class Step(NamedTuple):
    """What a player does, or what happens to a node."""

    kind: str
    who: int
    detail: int


_of_players = st.builds(
    Step,
    st.sampled_from(["find", "find", "find", "again", "stop", "play", "bot", "connect", "disconnect"]),
    st.integers(0, PLAYERS - 1),
    st.integers(0, 1),
)
_of_nodes = st.builds(
    Step,
    st.sampled_from(["wave", "wave", "wave", "settle", "cut", "restore", "restart"]),
    st.integers(0, 1),
    st.just(0),
)
_steps = st.lists(st.lists(st.one_of(_of_players, _of_nodes), min_size=1, max_size=8), min_size=1, max_size=10)


@pytest.fixture
async def servers(url: str) -> AsyncIterator[list[Stores]]:
    """The stores of each node: those of one SQLite file for all, or of each node's connection to PostgreSQL."""
    opened = [await open_storage(url) for _ in range(1 if url.startswith("sqlite") else NODES)]
    yield opened if len(opened) == NODES else opened * NODES
    for stores in opened:
        await stores.close()


class Run:
    """Players who search on a cluster, and the expected results of their searches."""

    def __init__(self, servers: list[Stores], seed: int) -> None:
        self.stores = servers[0]
        self.cluster = PairingCluster(servers, random.Random(seed))
        self.name = uuid.uuid4().hex
        self.players = [IdentityId(f"{self.name}-{number}") for number in range(PLAYERS)]
        self.finding: dict[IdentityId, CommandId] = {}
        """The command of each player's latest search that has neither been stopped nor replaced by a match."""
        self.requests: dict[CommandId, int] = {}
        self.ended: set[Origin] = set()
        """Searches that must not lead to a match any more."""
        self._numbers = defaultdict[IdentityId, int](int)
        for number, player in enumerate(self.players):
            self.cluster.connect(player, number)

    async def take(self, steps: list[Step]) -> None:
        """Let some things happen at once: at most one per player."""
        for step in steps:
            self._disturb(step)
        by_player = {self.players[step.who]: step for step in steps}
        acts = [self._act(player, step) for player, step in by_player.items() if player in self.cluster.sessions]
        if any(step.kind == "settle" for step in steps):
            await self.cluster.settle()
        if any(step.kind == "wave" for step in steps):
            acts.append(self.cluster.hold_waves())
        await asyncio.gather(*acts)

    def _disturb(self, step: Step) -> None:
        node = self.cluster.nodes[step.who % NODES]
        match step.kind:
            case "cut":
                self.cluster.network.cut(node.bus)
            case "restore":
                self.cluster.network.restore(node.bus)
            case "restart":
                self.cluster.restart(step.who)
            case "connect":
                self.cluster.connect(self.players[step.who], step.detail)
            case "disconnect":
                self.cluster.disconnect(self.players[step.who])

    async def _act(self, player: IdentityId, step: Step) -> None:
        maker = self.cluster.maker_of(player)
        match step.kind:
            case "find":
                command = self._new_command(player)
                self.requests[command] = step.detail
                before = self.finding.get(player)
                self.finding[player] = command
                await self.cluster.find(player, command, REQUESTS[step.detail])
                await self._note_end(player, before)
            case "again" if player in self.finding:
                command = self.finding[player]
                answer = await self.cluster.find(player, command, REQUESTS[self.requests[command]])
                if isinstance(answer, Paired):
                    assert answer.match == await self.stores.searches.find_paired(Origin(player, command))
            case "stop":
                await self.cluster.stop(player)
                await self._note_end(player, self.finding.pop(player, None))
            case "play":
                before, game = self.finding.get(player), REQUESTS[step.detail].game
                if await maker.pair_at_once(game, Player(player, str(player)), self._new_command(player)):
                    await maker.withdraw(player)
                    self.finding.pop(player, None)
                    await self._note_end(player, before)
            case "bot":
                with suppress(Refusal):
                    await maker.play_bot(PlayBot(self._new_command(player)), player)

    async def _note_end(self, player: IdentityId, command: CommandId | None) -> None:
        if command is not None and await self.stores.searches.find_paired(Origin(player, command)) is None:
            self.ended.add(Origin(player, command))

    def _new_command(self, player: IdentityId) -> CommandId:
        self._numbers[player] += 1
        return CommandId(f"{self._numbers[player]}")

    async def heal(self) -> None:
        """End all faults, and let everything in progress finish."""
        self.cluster.network.heal()
        for number, player in enumerate(self.players):
            if player not in self.cluster.sessions:
                self.cluster.connect(player, number)
        for _ in range(2):
            await self.cluster.hold_waves()
            await self.cluster.settle()

    async def check(self) -> None:
        """Check that each search has come to what it must."""
        searches = self.stores.searches
        for search in self.ended:
            assert await searches.find_paired(search) is None, "paired after the search had ended"
        stored = {search.identity: search.command for search in await self.stores.searches.all()}
        for player, command in self.finding.items():
            match = await searches.find_paired(Origin(player, command))
            assert (match is None) == (stored.get(player) == command), "a search is either stored or has its match"
        for player in self.players:
            assert player in self.finding or player not in stored, "a search goes on that was stopped"
            for session in self.cluster.frames[player]:
                told = self.cluster.matches_told(session)
                assert len(told) == len(set(told)), "a match is told once to each connection"

    async def close(self) -> None:
        for player in self.players:
            await self.stores.searches.remove(player)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=_steps, seed=st.integers(0, 1000))
async def test_a_search_leads_to_one_match_or_continues_despite_faults(
    servers: list[Stores], steps: list[list[Step]], seed: int
) -> None:
    run = Run(servers, seed)
    try:
        for each in steps:
            await run.take(each)
        await run.heal()
        await run.check()
    finally:
        await run.close()


async def two_searching(servers: list[Stores]) -> tuple[Run, IdentityId, IdentityId]:
    """Return two players on two nodes who search for the same."""
    run = Run(servers, 1)
    for player in run.players[:2]:
        await run.cluster.find(player, CommandId("f"), REQUESTS[0])
    return run, run.players[0], run.players[1]


async def check_both_told(run: Run, *players: IdentityId) -> None:
    match = await run.stores.searches.find_paired(Origin(players[0], CommandId("f")))
    assert match is not None
    assert [run.cluster.matches_told(run.cluster.sessions[each][1]) for each in players] == [[match]] * 2


async def test_players_on_different_nodes_are_paired_and_notified_once(servers: list[Stores]) -> None:
    run, ann, ben = await two_searching(servers)
    await run.cluster.hold_waves()
    await run.cluster.settle()
    await run.cluster.hold_waves()
    await check_both_told(run, ann, ben)


async def test_a_player_learns_of_a_match_even_without_the_bus(servers: list[Stores]) -> None:
    run, ann, ben = await two_searching(servers)
    for node in run.cluster.nodes:
        run.cluster.network.cut(node.bus)
    for _ in range(2):
        await run.cluster.hold_waves()
    await check_both_told(run, ann, ben)


async def test_a_search_continues_after_its_node_was_killed(servers: list[Stores]) -> None:
    run, ann, _ = await two_searching(servers)
    run.cluster.restart(0)
    run.cluster.connect(ann, 1)
    assert isinstance(await run.cluster.find(ann, CommandId("f"), REQUESTS[0]), Searching)
    await run.cluster.hold_waves()
    assert await run.stores.searches.find_paired(Origin(ann, CommandId("f"))) is not None


async def test_a_stopped_search_is_ended_for_every_connection_of_the_player(servers: list[Stores]) -> None:
    run = Run(servers, 1)
    ann = run.players[0]
    await run.cluster.find(ann, CommandId("f"), REQUESTS[0])
    other = run.cluster.sessions[ann][1]
    del run.cluster.sessions[ann]
    run.cluster.connect(ann, 1)
    await run.cluster.hold_waves()
    await run.cluster.stop(ann)
    await run.cluster.hold_waves()
    for session in (other, run.cluster.sessions[ann][1]):
        assert [type(message) for message in run.cluster.messages(session)][-1] is SearchEnded
