"""Races: up to ten players solve the same puzzles at the same time.

race = await me.races.open("morris")
await me.races.start(race)
run = await me.races.run(race)
await me.races.play(race, run.puzzles[0], ["d6"])
"""

from collections.abc import AsyncGenerator, Callable, Sequence

from millrace import protocol

from .requests import Requests, new_id
from .subscriptions import FollowingClient


class RaceClient(FollowingClient[str, protocol.RaceView]):
    """Races; `Connection.races` is one. Every method raises RefusedError and ConnectionLostError."""

    receives = (protocol.RaceView,)

    def __init__(self, requests: Requests, post: Callable[[protocol.Message], None]) -> None:
        self._requests = requests
        super().__init__(post)

    async def open(self, game: str = "", after: str = "") -> str:
        """Open a race for a game, or for all, and join it; or the one after a finished race. Return its id."""
        return (await self._requests.ask(protocol.OpenRace(new_id(), game, after), protocol.RaceOpened)).race

    async def join(self, race: str) -> None:
        """Join a race that has not started."""
        await self._requests.ask(protocol.JoinRace(new_id(), race), protocol.Done)

    async def leave(self, race: str) -> None:
        """Leave a race that has not started."""
        await self._requests.ask(protocol.JoinRace(new_id(), race, on=False), protocol.Done)

    async def start(self, race: str) -> None:
        """Start the countdown."""
        await self._requests.ask(protocol.StartRace(new_id(), race), protocol.Done)

    async def run(self, race: str) -> protocol.RaceRun:
        """Return the own puzzles, once the countdown has begun."""
        return await self._requests.ask(protocol.GetRaceRun(new_id(), race), protocol.RaceRun)

    async def play(self, race: str, puzzle: protocol.StormPuzzle, moves: Sequence[str]) -> protocol.RacePlayed:
        """Play the last of some moves of both sides in the present puzzle."""
        command = protocol.PlayRace(new_id(), race, puzzle.number, tuple(moves))
        return await self._requests.ask(command, protocol.RacePlayed)

    def follow(self, race: str) -> AsyncGenerator[protocol.RaceView, None]:
        """Yield a race, now and after each change. A connection follows one race at a time."""
        return self._followed.read(race, protocol.WatchRace(race), protocol.WatchRace(race, on=False))

    # For the connection

    def receive(self, message: protocol.RaceView) -> None:
        """Receive a race."""
        if (views := self._followed.get(message.race)) is not None:
            views.set(message)
