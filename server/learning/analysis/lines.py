"""Lines of play: turns the line in a message into a state, with a cache of recent lines.

Extending a cached line costs one move.
"""

import asyncio
from collections import OrderedDict
from typing import NamedTuple, TypeAlias

from millrace.engine.state import State
from millrace.protocol import Code, IdentityId, Line
from millrace.protocol.refusal import Refusal

from ...matches.match import Match
from ...matches.named_games import require_start
from ...matches.referee import play_text
from ...rooms.rooms import Rooms
from ...runtime.slices import in_slices

CACHED_LINES = 512

Key: TypeAlias = tuple[str, str, tuple[str, ...]]
"""Match or game, ply or set-up, moves."""


class LineEnd(NamedTuple):
    """The end of a line."""

    state: State
    match: Match | None
    """The match that it starts from, if any."""


class Lines:
    """The cache of lines."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._ends: OrderedDict[Key, State] = OrderedDict()

    async def walk(self, line: Line, reader: IdentityId) -> LineEnd:
        """Return the end of a line, if the reader may see the match that it starts from. Raises: Refusal."""
        if line.match is not None:
            match = (await self._rooms.find(line.match)).log.match_for(reader)
            begin: tuple[str, str] = (match.id, f"{line.ply}/{match.seq}")
            return LineEnd(await self._play_on(begin, _ply_of(match, line.ply), line.moves), match)
        begin = (line.game, line.setup)
        root = self._ends.get((*begin, ()))
        if root is None:
            root = require_start(line.game, line.setup)
            self._keep((*begin, ()), root)
            await asyncio.sleep(0)  # reading a set-up takes about as long as answering
        return LineEnd(await self._play_on(begin, root, line.moves), None)

    async def _play_on(self, begin: tuple[str, str], root: State, moves: tuple[str, ...]) -> State:
        """Return the state after some moves, starting from the longest cached part. Raises: Refusal."""
        known = len(moves)
        while known > 0 and (*begin, moves[:known]) not in self._ends:
            known -= 1
        state = self._ends.get((*begin, moves[:known]), root)
        async for text in in_slices(moves[known:]):
            state = play_text(state, text)
        self._keep((*begin, moves), state)
        return state

    def _keep(self, key: Key, state: State) -> None:
        self._ends[key] = state
        self._ends.move_to_end(key)
        if len(self._ends) > CACHED_LINES:
            self._ends.popitem(last=False)


def _ply_of(match: Match, ply: int) -> State:
    line = match.state.line
    if ply >= len(line):
        raise Refusal(Code.UNKNOWN_PLY, "The match has only {plies} plies so far.", plies=len(line) - 1)
    return line[ply]
