"""A storm: as many puzzles as possible in three minutes."""

from collections.abc import Sequence

from millrace.protocol import Explored, GameInfo, StormBegun, StormPlayed, StormPuzzle

from ...connection import Connection
from .open_board import Follower
from .open_run import OpenRun, first_position, points


class OpenStorm(OpenRun):
    """A storm that has begun."""

    def __init__(self, me: Connection, follower: Follower, game: GameInfo, found: Explored, begun: StormBegun) -> None:
        super().__init__(me, follower, game, found)
        self._begun = begun
        self._you = begun.you

    @classmethod
    async def begin(cls, me: Connection, follower: Follower, game: str) -> "OpenStorm":
        """Start a storm. Raises: UsageError, RefusedError, ConnectionLostError."""
        shown, found = await first_position(me, game)
        return cls(me, follower, shown, found, await me.storms.start(shown.name))

    @property
    def title(self) -> str:
        """The game."""
        return f"Storm {self._game.title}"

    @property
    def about(self) -> str:
        """The game, and the best storms."""
        return f"{self._game.title}, storm. Best today: {self._you.best_today}, best ever: {self._you.best}"

    @property
    def status(self) -> str:
        """What to do before and after it."""
        return f"Time is up. Type storm {self._game.name} for another one." if self.is_over else "Get ready."

    @property
    def score(self) -> str:
        """The puzzles solved, and the moves that were right in a row."""
        row = f", {points(self._you.combo, 'right move')} in a row" if self._you.combo > 1 else ""
        return f"{self._you.score} solved{row}."

    async def judge(self, puzzle: StormPuzzle, moves: Sequence[str]) -> StormPlayed:
        """Ask the server about the last of some moves. Raises: RefusedError, ConnectionLostError."""
        played = await self._me.storms.play(puzzle, moves)
        self._you = played.you
        change = f" {played.change_ms / 1000:+.0f} s." if played.change_ms else ""
        self._news = f"{'Right!' if played.right else 'Wrong.'}{change}"
        return played

    async def follow(self) -> None:
        """Pose puzzles until the time is up. Raises: RefusedError, ConnectionLostError."""
        await self._run(self._begun.puzzles, (), self._begun.left_ms)
