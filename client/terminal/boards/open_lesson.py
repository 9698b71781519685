"""A game's lesson, step by step."""

from msgspec.structs import replace

from millrace.protocol import Explored, GameInfo, Lesson, Line

from ...connection import Connection
from ..usage import UsageError
from .open_board import Follower, OpenBoard, Picture, seats_without_players
from .study import content_of


class OpenLesson(OpenBoard):
    """A lesson at one of its steps."""

    has_steps = True

    def __init__(self, me: Connection, follower: Follower, game: GameInfo, lesson: Lesson, found: Explored) -> None:
        self.index = 0
        """The step that is shown, from 0."""
        self._me = me
        self._follower = follower
        self._game = game
        self._lesson = lesson
        self._found = found
        self._answer = ""
        self._is_done = False

    @classmethod
    async def begin(cls, me: Connection, follower: Follower, game: GameInfo) -> "OpenLesson":
        """Return a game's lesson at its first step. Raises: UsageError, RefusedError, ConnectionLostError."""
        lesson = await me.teaching.lesson(game.name) if game.has_lesson else None
        if lesson is None or not lesson.steps:
            raise UsageError(f"There is no lesson of {game.title}.")
        return cls(me, follower, game, lesson, await me.analysis.explore(lesson.steps[0].line))

    @property
    def title(self) -> str:
        """The game."""
        return f"Lesson {self._game.title}"

    @property
    def picture(self) -> Picture:
        """The step's position."""
        step, found = self._lesson.steps[self.index], self._found
        text = self._answer or step.text
        return Picture(
            self._game,
            content_of(found),
            seats_without_players(self._game, found.seats, found.to_move, found.view.reserves, found.view.tallies),
            f"{self.index + 1} of {len(self._lesson.steps)}: {step.title}. {text}",
            tree=None if self._is_done else found.moves,
            about=f"{self._game.title}, lesson",
        )

    @property
    def line(self) -> Line:
        """The line to the step's position."""
        return self._lesson.steps[self.index].line

    async def play(self, move: str) -> None:
        """Try a move. Raises: UsageError, RefusedError, ConnectionLostError."""
        if self._is_done:
            raise UsageError("Type next for the next step.")
        step = self._lesson.steps[self.index]
        tried = await self._me.analysis.explore(replace(step.line, moves=(*step.line.moves, move)))
        self._is_done = not step.accepted or tried.move in step.accepted
        if self._is_done:
            self._found = tried
            if step.reply:
                line = replace(step.line, moves=(*step.line.moves, move, step.reply))
                self._found = await self._me.analysis.explore(line)
            is_last = self.index + 1 == len(self._lesson.steps)
            self._answer = f"{step.right} {'That was the last step.' if is_last else 'Type next to continue.'}"
        else:
            self._answer = step.wrong
        self._follower.changed(self, [])

    async def step(self, plies: int) -> None:
        """Go to a later or an earlier step."""
        await self.go_to(self.index + plies)

    async def go_to(self, ply: int) -> None:
        """Go to a step, from 0, or the nearest one. Raises: RefusedError, ConnectionLostError."""
        self.index = min(max(ply, 0), len(self._lesson.steps) - 1)
        self._answer, self._is_done = "", False
        self._found = await self._me.analysis.explore(self._lesson.steps[self.index].line)
        self._follower.changed(self, [])
