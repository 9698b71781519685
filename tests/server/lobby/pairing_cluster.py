"""Several matchmakers that share a database, connected by a network within the process."""

import asyncio
import random
from collections import defaultdict
from collections.abc import Sequence

from millrace.protocol import (
    Code,
    CommandId,
    FindMatch,
    IdentityId,
    MatchId,
    Paired,
    PairingRequest,
    Player,
    SearchEnded,
    Searching,
    ServerMessage,
    StopSearch,
    parse_server_message,
)
from millrace.protocol.frames import WireFrame
from millrace.protocol.refusal import Refusal
from millrace.server.app.stores import Stores
from millrace.server.callers.presence import Presence
from millrace.server.cluster import shared_map
from millrace.server.cluster.bus_events import NodeGone, NodeJoined
from millrace.server.cluster.membership import LoneNode
from millrace.server.journal.entries import Entry, Origin
from millrace.server.journal.unavailable import refusing_failures
from millrace.server.lobby.matchmaker import Matchmaker
from millrace.server.lobby.search_store import ending_insertions, pairing_insertions
from millrace.server.lobby.searches import PairedMatches
from millrace.server.matches.creation import open_paired
from millrace.server.players.profiles.blocks import Blocks
from millrace.server.storage.fences import Fence
from tests.server.cluster.loopback import LoopbackBus, LoopbackNetwork
from tests.server.in_process_server import FirstMoveBots
from tests.server.lobby.doubles import EqualRatings, FakeSession
from tests.server.players.profiles.memory_blocks import MemoryBlocks

WAVE_MS = 1000
"""Short, so that no search ends within a test because its player was away."""
REQUESTS = (PairingRequest("morris"), PairingRequest("mingmang"))


def payload_of(frame: WireFrame) -> bytes:
    """Return the text of a frame."""
    return frame[2:] if frame[1] < 126 else frame[4:]


class StoredMatches(PairedMatches):
    """Paired matches as `Rooms` stores them."""

    def __init__(self, stores: Stores) -> None:
        self._journal, self._store = stores.journal, stores.searches

    async def open_paired(
        self,
        request: PairingRequest,
        players: Sequence[Player],
        paired: Sequence[Origin],
        searches: Sequence[Origin],
        fence: Fence | None,
    ) -> MatchId:
        match = MatchId(f"{random.getrandbits(60):x}")
        entries = [Entry(event, 0) for event in open_paired(request, players, 0)]
        origin = Origin("pairing", CommandId(match))
        with refusing_failures("not stored"):
            insertions = [*pairing_insertions(paired, match), *ending_insertions(searches)]
            if not await self._journal.append(match, 0, entries, origin, insertions=insertions, fence=fence):
                raise Refusal(Code.UNAVAILABLE, "The match could not be created.")
        return match


class PairingNode:
    """One node."""

    def __init__(self, stores: Stores, bus: LoopbackBus, cluster: "PairingCluster") -> None:
        self.bus = bus
        self.presence = Presence(bus)
        self.membership = LoneNode(bus.node)
        self.maker = Matchmaker(
            StoredMatches(stores),
            stores.searches,
            self.membership,
            self.presence,
            Blocks(MemoryBlocks(), bus),
            EqualRatings(),
            FirstMoveBots(),
            bus,
            lambda: cluster.now_ms,
            cluster.chance,
        )


class PairingCluster:
    """The nodes, each of which believes that it holds the lease: the worst case, in which the lease does not help."""

    def __init__(self, stores: Sequence[Stores], chance: random.Random) -> None:
        self.now_ms = 0
        self.chance = chance
        self.network = LoopbackNetwork(chance)
        self.nodes: list[PairingNode] = []
        self._stores = stores
        for each in stores:
            self.nodes.append(PairingNode(each, self.network.connect(), self))
        self._tell_members()
        self.sessions: dict[IdentityId, tuple[PairingNode, FakeSession]] = {}
        self.frames: dict[IdentityId, list[FakeSession]] = defaultdict(list)

    def _tell_members(self) -> None:
        members = frozenset(node.bus.node for node in self.nodes)
        for node in self.nodes:
            node.membership.members = members

    def connect(self, identity: IdentityId, number: int) -> None:
        """Connect a player to a node, and end an earlier connection."""
        self.disconnect(identity)
        session = FakeSession(identity)
        node = self.nodes[number % len(self.nodes)]
        node.presence.add(session)
        session.deliver(node.maker.greet(identity))
        self.sessions[identity] = node, session
        self.frames[identity].append(session)

    def disconnect(self, identity: IdentityId) -> None:
        if identity in self.sessions:
            node, session = self.sessions.pop(identity)
            node.presence.remove(session)

    def restart(self, number: int) -> None:
        """Kill a node, which disconnects its players, and start another in its place."""
        number %= len(self.nodes)
        for identity in [each for each, (node, _) in self.sessions.items() if node is self.nodes[number]]:
            self.disconnect(identity)
        gone = self.nodes[number].bus
        self.network.disconnect(gone)
        come = self.network.connect()
        self.nodes[number] = PairingNode(self._stores[number], come, self)
        self._tell_members()
        for node in self.nodes:
            if node.bus is not come:
                node.bus.deliver(NodeGone(gone.node, self.now_ms))
                node.bus.deliver(NodeJoined(come.node))

    def maker_of(self, identity: IdentityId) -> Matchmaker:
        return self.sessions[identity][0].maker

    async def find(self, identity: IdentityId, command: CommandId, request: PairingRequest) -> Searching | Paired:
        maker, player = self.maker_of(identity), Player(identity, str(identity))
        asked = FindMatch(command, request)
        return await maker.find_answer(asked, identity) or await maker.search(asked, player)

    async def stop(self, identity: IdentityId) -> SearchEnded:
        return await self.maker_of(identity).stop_search(StopSearch(CommandId("stop")), identity)

    async def settle(self) -> None:
        """Wait until every node knows everything from the others."""
        await self.network.settle(2 * shared_map.GATHER_SECONDS)

    async def hold_waves(self) -> None:
        """Run a wave on all nodes at once."""
        self.now_ms += WAVE_MS
        await asyncio.gather(*(node.maker.hold_wave() for node in self.nodes))

    def matches_told(self, session: FakeSession) -> list[MatchId]:
        """Return the matches of which a player was told, each as often as that happened."""
        return [message.match for message in self.messages(session) if isinstance(message, Paired)]

    def messages(self, session: FakeSession) -> list[ServerMessage]:
        """Return what a player was sent."""
        return [parse_server_message(payload_of(frame)) for frame in session.frames]
