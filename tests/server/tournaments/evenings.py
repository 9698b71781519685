"""Tournaments on servers with a stepped clock, for tests."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tests.server.in_process_server import Frame, Serve, Served, SteppedClock, Visitor
from tests.server.players.accounts.registered_players import register_all
from tests.server.tournaments.arenas import plan

Found = TypeVar("Found")
LOOK_S = 0.1
"""Pause between two looks, within the limit on messages."""


async def seen(look: Callable[[], Awaitable[Found]], is_so: Callable[[Found], bool]) -> Found:
    """Return what is found, once it is so."""
    async with asyncio.timeout(60):
        while True:
            if is_so(found := await look()):
                return found
            await asyncio.sleep(LOOK_S)


def names_of(table: Frame) -> set[str]:
    """Return the names of the players of a table."""
    return {player["name"] for player in table["players"] if player is not None}


class Evening:
    """A tournament that has players on a server with a stepped clock."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self.clock = SteppedClock()
        self.tournament = ""
        self.players: list[Visitor] = []
        self.seen: list[str] = []
        """The matches so far."""
        self.served: Served

    async def begin(self, *names: str, **more: object) -> "Evening":
        self.served = await self._serve(self.clock)
        self.players = await register_all(self.served, *names)
        created = await self.players[0].ask("create_tournament", plan=plan(self.clock.now_ms, **more))
        assert created["type"] == "tournament_created", created
        self.tournament = created["tournament"]
        for player in self.players:
            assert (await self.ask(player, "join_tournament"))["type"] == "done"
        return self

    async def begin_rounds(self, *names: str, **more: object) -> "Evening":
        """Begin a tournament in rounds, which starts once all have joined."""
        starts_at_ms = self.clock.now_ms + 60_000
        await self.begin(*names, **{"minutes": 0, "starts_at_ms": starts_at_ms, **more})
        self.clock.now_ms = starts_at_ms
        return self

    async def round(self, number: int, after_ms: int = 30_000) -> list[Frame]:
        """Return the tables of a round, after the pause before it, once their matches are created; byes are last."""
        self.clock.now_ms += after_ms

        def is_there(view: Frame) -> bool:
            return view["summary"]["round"] == number and all(
                table["match"] is not None or None in table["players"] for table in view["tables"]
            )

        view = await seen(lambda: self.view(self.players[0]), is_there)
        return [table for table in view["tables"] if table["round"] == number]

    async def win(self, table: Frame, winner: str) -> None:
        """Let the opponent of a player resign at a table, and return once that is counted."""
        (loser,) = (player for player in self.players if player.player["name"] in names_of(table) - {winner})
        await self.lose(loser, table["match"])
        await self.place(loser, match=None)

    async def over(self) -> Frame:
        """Return the tournament once it is over."""
        return await seen(lambda: self.view(self.players[0]), lambda view: view["summary"]["status"] == "over")

    async def ask(self, player: Visitor, type_: str, /, **more: object) -> Frame:
        return await player.ask(type_, tournament=self.tournament, **more)

    async def restart(self) -> None:
        """Start another server on the same database, with the players connected."""
        tokens = [player.token for player in self.players]
        self.served = await self._serve(self.clock)
        self.players = [await self.served.visitor(token) for token in tokens]

    async def view(self, player: Visitor) -> Frame:
        await player.say("watch_tournament", tournament=self.tournament)
        return await player.hear_until("tournament_view")

    async def place(self, player: Visitor, **fields: object) -> Frame:
        """Return the player's own place, once its row has these fields."""

        def is_there(view: Frame) -> bool:
            you = view["you"]
            return you is not None and all(you["standing"].get(name) == value for name, value in fields.items())

        return dict((await seen(lambda: self.view(player), is_there))["you"])

    async def begun(self, player: Visitor) -> None:
        await seen(lambda: self.view(player), lambda view: view["summary"]["status"] != "planned")

    async def paired(self, player: Visitor) -> str:
        """Return the next match of a player."""
        await self.begun(player)
        self.clock.now_ms += 5_000
        past = (None, *self.seen)
        place = await seen(lambda: self.place(player), lambda place: place["standing"].get("match") not in past)
        self.seen.append(place["standing"]["match"])
        return self.seen[-1]

    async def lose(self, player: Visitor, match: str) -> None:
        """Let a player resign."""
        seat = await self.seat(player, match)
        assert (await player.ask("resign", match=match, seat=seat))["type"] == "accepted"

    async def seat(self, player: Visitor, match: str) -> int:
        await player.say("watch", match=match)
        while True:
            event = (await player.hear_event("seated"))["event"]
            if event["player"]["id"] == player.player["id"]:
                await player.say("unwatch", match=match)
                return int(event["seat"])
