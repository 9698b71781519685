"""The players of load tests: two to a room, with what they count.

`Room` plays Nine Men's Morris on Millrace; `BaselineRoom` fills boards on `benchmarks.baseline_server`.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import msgspec

from benchmarks.baseline_server import CELLS
from benchmarks.wire import Wire

Connect = Callable[[Callable[[bytes], None]], Awaitable[Wire]]
"""Returns a connection that has been upgraded, and calls the function with each frame."""


class Turn(msgspec.Struct):
    """The part of a `Turn` that is read."""

    seat: int
    moves: Mapping[str, object]


class Accepted(msgspec.Struct):
    """The part of an `Accepted` that is read."""

    id: str
    match: str


_turns = msgspec.json.Decoder(Turn)
_answers = msgspec.json.Decoder(Accepted)


@dataclass
class Tally:
    """Counts since the last reset."""

    accepted: int = 0
    delays_s: list[float] = field(default_factory=list)
    """Time from sending a move to the opponent's receipt of its event."""

    def empty(self) -> None:
        """Reset the counts."""
        self.accepted = 0
        self.delays_s.clear()

    def delay_ms(self, share: float) -> float:
        """Return the delay that this share of moves does not exceed."""
        return sorted(self.delays_s)[int(share * (len(self.delays_s) - 1))] * 1000


@dataclass
class Pace:
    """Time that players wait before they move."""

    longest_s: float = 0.0


class Room:
    """Two players who play one match after another."""

    def __init__(self, tally: Tally, pace: Pace, chance: random.Random) -> None:
        self.greeted = asyncio.Semaphore(0)
        self._tally = tally
        self._pace = pace
        self._chance = chance
        self._wires: list[Wire] = []
        self._commands = 0
        self._match = ""
        self._mover = 0
        self._sent_at = 0.0

    async def open(self, connect: Connect, connect_opponent: Connect | None = None) -> None:
        """Connect both players, the second one perhaps to another server, and wait until they are greeted."""
        for player, connect_player in enumerate((connect, connect_opponent or connect)):
            wire = await connect_player(partial(self._receive, player))
            self._wires.append(wire)
            wire.send(b'{"type":"hello","version":2,"client":"benchmark"}')
            await self.greeted.acquire()

    def begin(self) -> None:
        """Create a match."""
        self._command(0, "create", '"game":"morris","seats":[{"occupant":"me"},{"occupant":"open"}]')

    def close(self) -> None:
        """Close the connections."""
        for wire in self._wires:
            wire.close()

    def _receive(self, player: int, frame: bytes) -> None:
        if frame.startswith(b'{"type":"match_event"'):
            self._note_event(player, frame)
        elif frame.startswith(b'{"type":"accepted"'):
            self._note_answer(_answers.decode(frame))
        elif frame.startswith(b'{"type":"turn"'):
            self._take_turn(player, _turns.decode(frame))
        elif frame.startswith(b'{"type":"welcome"'):
            self.greeted.release()
        elif frame.startswith(b'{"type":"refused"'):
            raise RuntimeError(f"refused: {frame!r}")

    def _note_event(self, player: int, frame: bytes) -> None:
        if self._sent_at and player != self._mover:
            self._tally.delays_s.append(time.perf_counter() - self._sent_at)
            self._sent_at = 0.0
        if b'"type":"ended"' in frame:
            self._wires[player].send(b'{"type":"unwatch","match":"%b"}' % self._match.encode())
            if player == 0:
                self.begin()

    def _note_answer(self, accepted: Accepted) -> None:
        if accepted.id.startswith("play"):
            self._tally.accepted += 1
        elif accepted.id.startswith("create"):
            self._match = accepted.match
            self._command(1, "join", f'"match":"{self._match}"')
        else:
            for wire in self._wires:
                wire.send(b'{"type":"watch","match":"%b"}' % self._match.encode())

    def _take_turn(self, player: int, turn: Turn) -> None:
        tree: object = turn.moves
        clicks = []
        while isinstance(tree, dict):
            clicks.append(self._chance.choice(tuple(tree)))
            tree = tree[clicks[-1]]
        fields = f'"match":"{self._match}","seat":{turn.seat},"move":"{" ".join(clicks)}"'
        if self._pace.longest_s:
            delay_s = self._chance.uniform(0, self._pace.longest_s)
            asyncio.get_running_loop().call_later(delay_s, self._play, player, fields)
        else:
            self._play(player, fields)

    def _play(self, player: int, fields: str) -> None:
        self._mover, self._sent_at = player, time.perf_counter()
        self._command(player, "play", fields)

    def _command(self, player: int, name: str, fields: str) -> None:
        self._commands += 1
        self._wires[player].send(f'{{"type":"{name}","id":"{name}{self._commands}",{fields}}}'.encode())


class Played(msgspec.Struct):
    """A move that the baseline's server sends to both players."""

    seq: int
    player: int


_played = msgspec.json.Decoder(Played)


class BaselineRoom:
    """Two players who fill one board after another."""

    def __init__(self, tally: Tally, pace: Pace, chance: random.Random) -> None:
        self._tally = tally
        self._pace = pace
        self._chance = chance
        self._wires: list[Wire] = []
        self._sent_at = 0.0

    async def open(self, connect: Connect) -> None:
        """Connect both players."""
        self._wires = [await connect(partial(self._receive, player)) for player in range(2)]

    def begin(self) -> None:
        """Make the first move."""
        self._play(0)

    def close(self) -> None:
        """Close the connections."""
        for wire in self._wires:
            wire.close()

    def _receive(self, player: int, frame: bytes) -> None:
        played = _played.decode(frame)
        if played.player == player:
            self._tally.accepted += 1
            return
        self._tally.delays_s.append(time.perf_counter() - self._sent_at)
        if self._pace.longest_s:
            delay_s = self._chance.uniform(0, self._pace.longest_s)
            asyncio.get_running_loop().call_later(delay_s, self._play, played.seq)
        else:
            self._play(played.seq)

    def _play(self, seq: int) -> None:
        self._sent_at = time.perf_counter()
        self._wires[seq % 2].send(b'{"cell":%d}' % (seq % CELLS))
