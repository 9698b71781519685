"""What puzzles, endings and mistakes have in common: a position with a task, and the moves from there."""

from abc import abstractmethod
from typing import Generic, Protocol, Self, TypeVar

from msgspec.structs import replace

from millrace.protocol import Explored, Line

from ...connection import Connection
from ..usage import UsageError
from .open_board import Follower, OpenBoard, Picture, seats_without_players
from .study import content_of


class _Posed(Protocol):
    @property
    def line(self) -> Line: ...
    @property
    def seat(self) -> int: ...


Posed = TypeVar("Posed", bound=_Posed)


class OpenTask(OpenBoard, Generic[Posed]):
    """A task, and the moves of both sides so far."""

    kind: str
    """Its name, capitalised."""
    missing = "No puzzle is open. Type puzzle GAME for one."
    without_hints: str
    """Why it has neither hints nor a solution, if that is so."""

    def __init__(self, me: Connection, follower: Follower, posed: Posed, found: Explored) -> None:
        self.posed = posed
        self.is_over = False
        self._me = me
        self._follower = follower
        self._game = next(game for game in me.games if game.name == posed.line.game)
        self._found = found
        self._moves: tuple[str, ...] = ()
        self._status = f"{self.task} You are {self._game.seat_names[posed.seat]}."

    @classmethod
    async def pose(cls, me: Connection, follower: Follower, posed: Posed) -> Self:
        """Return a task with its board. Raises: RefusedError, ConnectionLostError."""
        return cls(me, follower, posed, await me.analysis.explore(posed.line))

    @property
    @abstractmethod
    def task(self) -> str:
        """What is to be done, as a sentence."""

    @property
    @abstractmethod
    def following(self) -> str:
        """The command that poses the next task."""

    @property
    @abstractmethod
    def facts(self) -> str:
        """Ratings and the like."""

    async def hint(self) -> None:
        """Help with the next move. Raises: UsageError, RefusedError, ConnectionLostError."""
        raise UsageError(self.without_hints)

    async def give_up(self) -> None:
        """Show the solution. Raises: UsageError, RefusedError, ConnectionLostError."""
        raise UsageError(self.without_hints)

    @property
    def title(self) -> str:
        """The game."""
        return f"{self.kind} {self._game.title}"

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
            about=f"{self._game.title}, {self.facts}",
        )

    @property
    def line(self) -> Line:
        """The task's line and the moves so far."""
        return replace(self.posed.line, moves=(*self.posed.line.moves, *self._moves))

    @property
    def _go_on(self) -> str:
        return f"Type {self.following} for another one."

    async def _show(self) -> None:
        self._found = await self._me.analysis.explore(self.line)
        self._follower.changed(self, [])
