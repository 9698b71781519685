"""An ending that is being played against the most stubborn defence."""

from msgspec.structs import replace

from millrace.protocol import EndingGoal, EndingPlayed, EndingPosed, Explored, GameInfo, Line

from ...connection import Connection
from ..usage import UsageError
from .open_board import Follower, OpenBoard, Picture, seats_without_players
from .study import content_of

_REACHED = {1: "still wins", 0: "only draws", -1: "loses"}


class OpenEnding(OpenBoard):
    """An ending, and the moves of both sides so far."""

    following = "ending"
    """The command that draws the next one."""

    def __init__(self, me: Connection, follower: Follower, game: GameInfo, posed: EndingPosed, found: Explored) -> None:
        self.posed = posed
        self.is_over = False
        self._me = me
        self._follower = follower
        self._game = game
        self._found = found
        self._moves = posed.line.moves
        self._status = f"{_task_of(posed)} You are {game.seat_names[posed.seat]}."

    @classmethod
    async def pose(cls, me: Connection, follower: Follower, posed: EndingPosed) -> "OpenEnding":
        """Return an ending with its board. Raises: RefusedError, ConnectionLostError."""
        game = next(game for game in me.games if game.name == posed.game)
        return cls(me, follower, game, posed, await me.analysis.explore(posed.line))

    @property
    def title(self) -> str:
        """The game."""
        return f"Ending {self._game.title}"

    @property
    def picture(self) -> Picture:
        """The position."""
        found = self._found
        return Picture(
            self._game,
            content_of(found),
            seats_without_players(self._game, found.seats, found.to_move, found.view.reserves, found.view.tallies),
            self._status,
            self._moves,
            None if self.is_over else found.moves,
            about=f"{self._game.title}, ending rated {self.posed.rating}, you {self.posed.you.rating}",
        )

    @property
    def line(self) -> Line:
        """The moves so far."""
        return replace(self.posed.line, moves=self._moves)

    async def play(self, move: str) -> None:
        """Play a move. Raises: UsageError, RefusedError, ConnectionLostError."""
        if self.is_over:
            raise UsageError("This ending is over. Type ending for another one.")
        played = await self._me.endings.play(self.posed, len(self._moves), move)
        self.is_over = played.solved
        self._status = _news_of(self.posed, played)
        if played.kept:
            self._moves = (*self._moves, played.move, *([played.reply] if played.reply else []))
        self._found = await self._me.analysis.explore(self.line)
        self._follower.changed(self, [])


def _task_of(posed: EndingPosed) -> str:
    if posed.goal is EndingGoal.WIN:
        return f"Win against the most stubborn defence, at best in {posed.moves} moves."
    return f"Hold the draw for {posed.moves} moves against the most stubborn attack."


def _news_of(posed: EndingPosed, played: EndingPlayed) -> str:
    rating = f" Your rating: {played.you.rating} ({played.change:+})." if played.change else ""
    if played.solved:
        return f"Done!{rating} Type ending for another one."
    if not played.kept:
        keeping = " or ".join(played.keeping[:3])
        answer = f" after {played.reply}" if played.reply else ""
        return f"{played.move} {_REACHED[played.reached]}{answer}. Better: {keeping}.{rating} Try again."
    left = "" if played.moves is None else f" {played.moves} to go."
    kept = "Still won." if posed.goal is EndingGoal.WIN else "Still a draw."
    return f"{kept} Your opponent plays {played.reply}.{left}"
