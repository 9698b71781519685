"""A race: up to ten players solve the same puzzles for ninety seconds. It is followed by the same players' next one."""

import asyncio
from collections.abc import Sequence

from msgspec.structs import replace

from millrace.protocol import Explored, GameInfo, RacePlayed, Racer, RaceView, StormPuzzle

from ...clock_texts import format_countdown
from ...connection import Connection
from ...errors import RefusedError
from .open_board import Follower, Picture
from .open_run import OpenRun, first_position, points


class OpenRace(OpenRun):
    """A race from its waiting room to its standings, for those who take part or watch."""

    def __init__(self, me: Connection, follower: Follower, game: GameInfo, found: Explored, race: str) -> None:
        super().__init__(me, follower, game, found)
        self.race = race
        self._view: RaceView | None = None
        self._start: asyncio.Timeout | None = None
        """Ends the countdown."""

    @classmethod
    async def show(cls, me: Connection, follower: Follower, race: str) -> "OpenRace":
        """Return a race. Raises: UsageError, RefusedError, ConnectionLostError."""
        return cls(me, follower, *await first_position(me, ""), race)

    @property
    def picture(self) -> Picture | None:
        """The present puzzle, or a position of the game before the first one."""
        return None if self._view is None else super().picture

    @property
    def title(self) -> str:
        """That it is a race."""
        return "Race"

    @property
    def about(self) -> str:
        """The game and the race's code."""
        games = "all games" if self._view is None or not self._view.game else self._game.title
        return f"Race, {games}, {self.race}"

    @property
    def is_waiting(self) -> bool:
        """Whether it can be joined and started."""
        return self._view is not None and self._view.starts_in_ms is None

    @property
    def is_starter(self) -> bool:
        """Whether it is for this player to start it."""
        return self._view is not None and self._view.starter == self._me.player.id

    @property
    def is_joined(self) -> bool:
        """Whether the player takes part."""
        return self._you is not None

    @property
    def status(self) -> str:
        """What to do before and after it."""
        if self.is_over:
            return f"Time is up.{self._place} {self._after}".rstrip()
        if self.is_waiting:
            return (
                "Everyone solves the same puzzles for ninety seconds; right moves in a row score more. "
                f"Others join with race {self.race}, or in a browser at /race/{self.race}. {self._whose_start}"
            )
        return (
            f"Get ready: the race begins{self._begins_in}." if self.is_joined else "The race is on. You are watching."
        )

    @property
    def score(self) -> str:
        """The player's points, and the moves that were right in a row."""
        you = self._you
        if you is None or not (self.is_running or self.is_over):
            return ""
        row = f", {points(you.combo, 'right move')} in a row" if you.combo > 1 and self.is_running else ""
        return f"{points(you.score, 'point')}{row}."

    @property
    def standings(self) -> tuple[str, ...]:
        """The players, best first."""
        ranked = sorted(self._racers, key=lambda racer: -racer.score)
        return tuple(
            f"{self._place_of(racer):>2}. {racer.player.name}{' (you)' if racer is self._you else ''}: {racer.score}"
            for racer in ranked
        )

    async def judge(self, puzzle: StormPuzzle, moves: Sequence[str]) -> RacePlayed:
        """Ask the server about the last of some moves. Raises: RefusedError, ConnectionLostError."""
        try:
            played = await self._me.races.play(self.race, puzzle, moves)
        except RefusedError:
            # Perhaps another terminal of the player has moved on.
            run = await self._me.races.run(self.race)
            self._puzzles, self._moves = run.puzzles, run.moves
            await self._show()
            raise
        bonus = f" {points(played.bonus, 'extra point')}." if played.bonus else ""
        self._news = f"{'Right!' if played.right else 'Wrong.'}{bonus}"
        self._keep(played.you)
        return played

    async def follow(self) -> None:
        """Follow the players, and pose puzzles from the start on. Raises: RefusedError, ConnectionLostError."""
        async with asyncio.TaskGroup() as tasks:
            is_begun = False
            async for view in self._me.races.follow(self.race):
                if self._view is None and view.game:
                    self._game, self._found = await first_position(self._me, view.game)
                self._follower.changed(self, self._take(view))
                if view.starts_in_ms is not None and not is_begun:
                    is_begun = True
                    tasks.create_task(self._take_part(view))

    def _take(self, view: RaceView) -> list[str]:
        """Return the sentences about a change."""
        before, self._view = self._view, view
        if before is None:
            return []
        known = {racer.player.id for racer in before.racers}
        now = {racer.player.id for racer in view.racers}
        news = [f"{racer.player.name} joins the race." for racer in view.racers if racer.player.id not in known]
        news += [f"{racer.player.name} leaves the race." for racer in before.racers if racer.player.id not in now]
        if view.next and not before.next:
            news.append("The next race is open. Type race again to join it.")
        return news

    async def _take_part(self, view: RaceView) -> None:
        """Wait for the start, and then for the end. Raises: RefusedError, ConnectionLostError."""
        run = await self._me.races.run(self.race) if self.is_joined else None
        starts_in_ms = view.starts_in_ms or 0 if run is None else run.starts_in_ms
        left_ms = view.left_ms if run is None else run.left_ms
        try:
            async with asyncio.timeout(max(0, starts_in_ms) / 1000) as self._start:
                self._follower.changed(self, [])
                await asyncio.Event().wait()
        except TimeoutError:
            pass
        left_ms -= max(0, starts_in_ms)
        if run is None:
            await asyncio.sleep(left_ms / 1000)
            self.finish()
        else:
            await self._run(run.puzzles, run.moves, left_ms)

    def finish(self) -> None:
        """End the race, and report the standings."""
        super().finish()
        self._follower.changed(self, self.standings)

    def _keep(self, you: Racer) -> None:
        """Show the own score before the others see it."""
        if self._view is not None:
            racers = tuple(you if racer.player.id == you.player.id else racer for racer in self._view.racers)
            self._view = replace(self._view, racers=racers)

    @property
    def _racers(self) -> tuple[Racer, ...]:
        return () if self._view is None else self._view.racers

    @property
    def _you(self) -> Racer | None:
        return next((racer for racer in self._racers if racer.player.id == self._me.player.id), None)

    def _place_of(self, racer: Racer) -> int:
        return 1 + sum(other.score > racer.score for other in self._racers)

    @property
    def _place(self) -> str:
        return "" if self._you is None else f" You are number {self._place_of(self._you)} of {len(self._racers)}."

    @property
    def _after(self) -> str:
        return "Type race again for the next one." if self.is_joined else "Type race to open one."

    @property
    def _whose_start(self) -> str:
        if self.is_starter:
            return "Type race start to begin."
        starter = next((racer for racer in self._racers if self._view and racer.player.id == self._view.starter), None)
        return "" if starter is None else f"{starter.player.name} starts it."

    @property
    def _begins_in(self) -> str:
        if self._start is None or (when := self._start.when()) is None:
            return " soon"
        return f" in {format_countdown((when - asyncio.get_running_loop().time()) * 1000)}"
