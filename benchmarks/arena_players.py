"""The players of arenas in load tests: they wait to be paired, and play by themselves at the pace of fast people."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import msgspec

from benchmarks.wire import Wire, connect

RESIGNING = 0.03
"""The share of turns at which a player resigns, so that matches end at all times."""


class Row(msgspec.Struct):
    """The part of a `Standing` that is read."""

    player: Mapping[str, object]
    match: str | None = None


class Place(msgspec.Struct):
    """The part of a `YourStanding` that is read."""

    standing: Row


class YourTournament(msgspec.Struct):
    """The part of a `YourTournament` that is read."""

    you: Place | None


class Standings(msgspec.Struct):
    """The part of a `TournamentView` and of a `TournamentUpdate` that is read."""

    standings: tuple[Row, ...] = ()


class Turn(msgspec.Struct):
    """The part of a `Turn` that is read."""

    match: str
    seat: int
    moves: Mapping[str, object]


class Answer(msgspec.Struct):
    """The part of answers that is read."""

    id: str | None = None
    code: str = ""
    match: str = ""
    tournament: str = ""


_places = msgspec.json.Decoder(YourTournament)
_standings = msgspec.json.Decoder(Standings)
_turns = msgspec.json.Decoder(Turn)
_answers = msgspec.json.Decoder(Answer)


@dataclass
class Arena:
    """What all players of an arena measure together, in seconds by `time.perf_counter`."""

    think_s: float
    """The mean time that a player takes for a move."""
    tournament: str = ""
    began_at: float = 0.0
    answered: list[float] = field(default_factory=list)
    """From each join to its answer."""
    waits: list[float] = field(default_factory=list)
    """From each end of a player's match, or the start, until the player knows of the next one."""
    standing_delays: list[float] = field(default_factory=list)
    """From each end of a match, as its player hears of it, until a spectator sees it in the standings."""
    ends: dict[str, float] = field(default_factory=dict)
    """When the players of each match heard of its end."""
    plies: int = 0
    refused: Counter[str] = field(default_factory=Counter)


class ArenaPlayer:
    """A player with an account, on one connection."""

    def __init__(self, arena: Arena, token: str, chance: random.Random) -> None:
        self._arena = arena
        self._token = token
        self._chance = chance
        self._greeted = asyncio.Event()
        self._answer: asyncio.Future[Answer] | None = None
        self._commands = 0
        self._match: str | None = None
        self._free_since = 0.0
        self._wire: Wire

    async def open(self, address: str, source: str) -> None:
        """Connect from an address of this machine, and wait to be greeted."""
        self._wire = await connect(address, self._receive, source)
        self._wire.send(b'{"type":"hello","version":2,"client":"benchmark","token":"%b"}' % self._token.encode())
        await self._greeted.wait()

    async def ask(self, name: str, fields: str) -> Answer:
        """Send a command, and return the answer. One at a time."""
        self._answer = asyncio.get_running_loop().create_future()
        self._command(name, fields)
        return await self._answer

    async def join(self) -> None:
        """Join the arena."""
        sent_at = time.perf_counter()
        answer = await self.ask("join_tournament", f'"tournament":"{self._arena.tournament}"')
        assert not answer.code, answer
        self._arena.answered.append(time.perf_counter() - sent_at)

    def watch(self, page: int = 0) -> None:
        """Follow a page of the arena's standings."""
        self._wire.send(
            b'{"type":"watch_tournament","tournament":"%b","page":%d}' % (self._arena.tournament.encode(), page)
        )

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()

    def _receive(self, frame: bytes) -> None:
        if frame.startswith(b'{"type":"turn"'):
            turn = _turns.decode(frame)
            delay_s = self._chance.uniform(0, 2 * self._arena.think_s)
            asyncio.get_running_loop().call_later(delay_s, partial(self._take_turn, turn))
        elif frame.startswith(b'{"type":"match_event"'):
            if b'"type":"ended"' in frame:
                self._note_end()
        elif frame.startswith(b'{"type":"your_tournament"'):
            self._note_place(_places.decode(frame).you)
        elif frame.startswith(b'{"type":"welcome"'):
            self._greeted.set()
        elif frame.startswith((b'{"type":"done"', b'{"type":"tournament_created"', b'{"type":"refused"')):
            self._note_answer(_answers.decode(frame))

    def _note_answer(self, answer: Answer) -> None:
        if answer.code:
            self._arena.refused[answer.code] += 1
        if self._answer is not None and not self._answer.done() and answer.id == f"c{self._commands}":
            self._answer.set_result(answer)

    def _note_place(self, place: Place | None) -> None:
        match = None if place is None else place.standing.match
        if match is None and self._match not in self._arena.ends:
            self._free_since = time.perf_counter()  # the match was over before it was watched
        if match is None or match == self._match:
            return
        self._match = match
        self._arena.waits.append(time.perf_counter() - max(self._free_since, self._arena.began_at))
        self._wire.send(b'{"type":"watch","match":"%b"}' % match.encode())

    def _note_end(self) -> None:
        assert self._match is not None
        self._free_since = time.perf_counter()
        self._arena.ends.setdefault(self._match, self._free_since)
        self._wire.send(b'{"type":"unwatch","match":"%b"}' % self._match.encode())

    def _take_turn(self, turn: Turn) -> None:
        if turn.match in self._arena.ends:
            return
        fields = f'"match":"{turn.match}","seat":{turn.seat}'
        if self._chance.random() < RESIGNING:
            self._command("resign", fields)
            return
        clicks, tree = list[str](), dict[str, object](turn.moves)
        while tree:
            clicks.append(self._chance.choice(tuple(tree)))
            branch = tree[clicks[-1]]
            tree = branch if isinstance(branch, dict) else {}
        self._arena.plies += 1
        self._command("play", f'{fields},"move":"{" ".join(clicks)}"')

    def _command(self, name: str, fields: str) -> None:
        self._commands += 1
        self._wire.send(f'{{"type":"{name}","id":"c{self._commands}",{fields}}}'.encode())


class Spectator:
    """A guest who follows one page of the standings, with what all spectators have seen of them."""

    def __init__(self, arena: Arena, page: int, playing: dict[object, str]) -> None:
        """`playing` has the match of each player, as a spectator has seen it last."""
        self._arena = arena
        self._page = page
        self._playing = playing
        self._wire: Wire

    async def open(self, address: str, source: str) -> None:
        """Connect, and follow the page."""
        self._wire = await connect(address, self._receive, source)
        self._wire.send(b'{"type":"hello","version":2,"client":"benchmark"}')
        self._wire.send(
            b'{"type":"watch_tournament","tournament":"%b","page":%d}' % (self._arena.tournament.encode(), self._page)
        )

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()

    def _receive(self, frame: bytes) -> None:
        if not frame.startswith((b'{"type":"tournament_view"', b'{"type":"tournament_update"')):
            return
        now = time.perf_counter()
        for row in _standings.decode(frame).standings:
            before = self._playing.pop(row.player["id"], None)
            if before is not None and before != row.match and before in self._arena.ends:
                self._arena.standing_delays.append(now - self._arena.ends[before])
            if row.match is not None:
                self._playing[row.player["id"]] = row.match
