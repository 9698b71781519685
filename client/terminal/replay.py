"""A replay: steps through the plies of a match, finished or live."""

from collections.abc import Sequence

from millrace.server.protocol import Board, MatchId

from ..connection import Connection
from ..match_view import MatchView
from .match_lines import match_lines


class Replay:
    """A match at one of its plies."""

    def __init__(self, me: Connection, match: MatchId, positions: Sequence[tuple[MatchView, Board | None]]) -> None:
        self.match = match
        self._me = me
        self._positions = positions
        self.ply = 0

    @property
    def plies(self) -> int:
        """The number of plies."""
        return len(self._positions) - 1

    def go_to(self, ply: int) -> list[str]:
        """Go to a ply, or the nearest one, and return the match's lines after it."""
        self.ply = min(max(ply, 0), self.plies)
        view, board = self._positions[self.ply]
        move = f": {view.moves[-1]}" if view.moves else ""
        lines = [f"After ply {self.ply} of {self.plies}{move}", *match_lines(self._me.games, view, board)]
        return [*lines, view.result.explanation] if view.result is not None else lines


async def load_replay(me: Connection, match: MatchId) -> Replay:
    """Load a match from its start to its latest event. Raises: RefusedError."""
    async with me.watch(match) as feed:
        await feed.ready()
        positions = [(feed.view, feed.board)]
        updates = feed.updates()
        while feed.view.seq < feed.latest_seq:
            await anext(updates)
            # Events between two plies belong to the position after the first of them.
            positions[len(feed.view.moves) :] = [(feed.view, feed.board)]
    return Replay(me, match, positions)
