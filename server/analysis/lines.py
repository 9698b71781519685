"""Lines of play as messages name them, made states, with a memory of those that were walked lately.

Keeps nothing of anybody: who steps on from a line that is remembered costs one move.
"""

import asyncio
from collections import OrderedDict
from typing import NamedTuple, TypeAlias

from millrace.engine.game import SetupError, UnknownGameError
from millrace.engine.games import find_game
from millrace.engine.state import State

from ..matches.match import Match
from ..matches.move_text import play_text
from ..protocol import Code, IdentityId, Line
from ..protocol.refusal import Refusal
from ..rooms.rooms import Rooms

LINES_KEPT = 512
PLIES_AT_ONCE = 16
"""After so many plies others have their turn before a long line goes on."""

Key: TypeAlias = tuple[str, str, tuple[str, ...]]
"""Match or game, ply or set-up, moves."""


class Walked(NamedTuple):
    """The end of a line."""

    state: State
    match: Match | None
    """What it begins from, if that is a match."""


class Lines:
    """The lines that are walked in this process."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._ends: OrderedDict[Key, State] = OrderedDict()

    async def walk(self, line: Line, reader: IdentityId) -> Walked:
        """Return the end of a line, as far as somebody may know the match that it begins from. Raises: Refusal."""
        if line.match is not None:
            match = (await self._rooms.find(line.match)).match_for(reader)
            begin: tuple[str, str] = (match.id, f"{line.ply}/{match.seq}")
            return Walked(await self._play_on(begin, _ply_of(match, line.ply), line.moves), match)
        await self._rooms.ready(line.game)
        begin = (line.game, line.setup)
        root = self._ends.get((*begin, ())) or _set_up(line)
        return Walked(await self._play_on(begin, root, line.moves), None)

    async def _play_on(self, begin: tuple[str, str], root: State, moves: tuple[str, ...]) -> State:
        """Return the state after some moves, from the latest that is remembered. Raises: Refusal."""
        known = len(moves)
        while known > 0 and (*begin, moves[:known]) not in self._ends:
            known -= 1
        state = self._ends.get((*begin, moves[:known]), root)
        for ply in range(known, len(moves)):
            if ply % PLIES_AT_ONCE == PLIES_AT_ONCE - 1:
                await asyncio.sleep(0)
            state = play_text(state, moves[ply])
        self._keep((*begin, moves), state)
        return state

    def _keep(self, key: Key, state: State) -> None:
        self._ends[key] = state
        self._ends.move_to_end(key)
        if len(self._ends) > LINES_KEPT:
            self._ends.popitem(last=False)


def _ply_of(match: Match, ply: int) -> State:
    line = match.state.line
    if ply >= len(line):
        raise Refusal(Code.UNKNOWN_PLY, f"The match has come to ply {len(line) - 1}.")
    return line[ply]


def _set_up(line: Line) -> State:
    try:
        return State.of(find_game(line.game), line.setup)
    except UnknownGameError as error:
        raise Refusal(Code.UNKNOWN_GAME, str(error)) from None
    except SetupError as error:
        raise Refusal(Code.BAD_SETUP, str(error)) from None
