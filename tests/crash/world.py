"""The players and spectators of the scenarios, and what they do in many of them."""

import asyncio
from collections.abc import Awaitable, Callable

from tests.crash.killed_server import Client, KilledServer, Spectator
from tests.server.in_process_server import Frame

ME, OPEN = {"occupant": "me"}, {"occupant": "open"}
CLOCK = {"initial_ms": 300_000, "increment_ms": 3_000}
DAYS = {"initial_ms": 86_400_000, "increment_ms": 0, "renews": True}
MOVES = ("a7", "g1", "d7", "g4")
"""Enough for a result that counts."""
NAMES = ("Annabel", "Benjamin", "Clothilde", "Margaret")
"""The players with accounts; Margaret is a moderator."""
PASSWORD = "correct horse battery"
"""Of all of them."""
NEW_PASSWORD = "an even longer password"


class World:
    """A scenario's players and spectators."""

    def __init__(self, server: KilledServer) -> None:
        self._server = server
        self.ann, self.ben, self.cem, self.meg = (Client(server, token_of(name)) for name in NAMES)
        self.spectators: dict[str, Spectator] = {}
        self._guests: list[Client] = []

    def guest(self, token: str = "") -> Client:
        """Return a new guest, or a new client with a token."""
        self._guests.append(Client(self._server, token))
        return self._guests[-1]

    async def see(self, match: str, type_: str) -> Frame:
        """Return the first event of a type in a match, once a spectator has seen it."""
        spectator = self.spectators.setdefault(match, Spectator(self._server, match))
        return await spectator.see(type_)

    async def see_plies(self, match: str, plies: int) -> None:
        """Wait until a match has this many plies."""
        await self.see(match, "started")
        spectator = self.spectators[match]
        while sum(event["type"] == "moved" for event in spectator.events.values()) < plies:
            await spectator.see_more()

    async def leave(self) -> None:
        """Disconnect everyone."""
        for player in (self.ann, self.ben, self.cem, self.meg, *self._guests):
            await player.leave()
        for spectator in self.spectators.values():
            await spectator.leave()


Scenario = Callable[[World], Awaitable[None]]


def token_of(name: str) -> str:
    """Return the session token of a player with an account."""
    return f"session_{name:_<43}"


async def begin(host: Client, guest: Client, **fields: object) -> str:
    """Create a match with an open seat, which another player takes; return the match."""
    match = await host.accept("create", **{"game": "morris", "seats": [ME, OPEN], **fields})
    return await guest.accept("join", match=match)


async def play(match: str, players: list[Client], moves: tuple[str, ...]) -> None:
    for number, move in enumerate(moves):
        seat = number % len(players)
        await players[seat].accept("play", match=match, seat=seat, move=move)


async def pair(players: list[Client], request: Frame) -> str:
    """Have players search for a quick pairing, and return their common match."""
    command = {"type": "find_match", "id": "pairing", "request": request}
    waiting = (player.say_until(lambda frame: frame["type"] == "paired", command) for player in players)
    paired = await asyncio.gather(*waiting)
    (match,) = {frame["match"] for frame in paired}
    return str(match)
