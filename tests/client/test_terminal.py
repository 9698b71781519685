"""The terminal against a real server: typed commands and printed lines."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from millrace.client import Connection, connect
from millrace.client.terminal import Terminal
from millrace.client.terminal.terminal import WIDTH
from tests.serving import PATIENCE_S, ServerProcess


class Typist:
    """A console for tests."""

    def __init__(self, me: Connection) -> None:
        self.name = me.player.name
        self.said: list[str] = []
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._changed = asyncio.Event()

    def say(self, text: str) -> None:
        self.said.append(text)
        self._changed.set()

    async def read(self) -> str | None:
        return await self._typed.get()

    async def type(self, line: str, pattern: str) -> str:
        """Type a line, and return the first text printed since then that matches."""
        self.said.clear()
        self._typed.put_nowait(line)
        return await self.hear(pattern)

    async def hear(self, pattern: str) -> str:
        """Return the first printed text that matches, once there is one."""
        while True:
            for text in self.said:
                if re.search(pattern, text):
                    return text
            self._changed.clear()
            await self._changed.wait()


@asynccontextmanager
async def seated(server: ServerProcess, token: str = "") -> AsyncIterator[Typist]:
    """Run a terminal for a player."""
    async with asyncio.timeout(PATIENCE_S), connect(server.address, token=token) as me:
        typist = Typist(me)
        running = asyncio.create_task(Terminal(me, typist).run())
        try:
            await typist.hear("You are")
            yield typist
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


async def test_two_at_terminals_meet_play_and_look_back(server: ServerProcess) -> None:
    async with seated(server) as ann, seated(server) as ben:
        await ann.type("find morris 17+4", "Looking for an opponent")
        await ben.type("find morris 17+4", "Looking for an opponent")
        turns = {asyncio.create_task(each.hear("Your move")): each for each in (ann, ben)}
        (told, *_), (waiting, *_) = await asyncio.wait(turns, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        mover, other = turns[told], turns[waiting]
        assert "a7, d7" in await mover.type("moves", "a7")
        await mover.type("d6", r"^1\. d6")
        board = await other.hear("Your move")
        assert "W" in board
        await other.type("say Good luck!", "Good luck!")
        await mover.hear(f"{other.name}: Good luck!")
        await other.type("zz", "not a move")
        assert "The match is over" in await other.type("resign", "The match is over")
        await mover.hear("The match is over")
        match = (await mover.type("archive", "won, 1 plies")).split()[0]
        assert "After ply 0 of 1" in await mover.type(f"replay {match}", "After ply")
        assert "After ply 1 of 1: d6" in await mover.type("next", "After ply")
        assert "After ply 0 of 1" in await mover.type("back", "After ply")
        assert "resigned" in await mover.type("ply 99", "After ply")
        assert "1. d6" in await mover.type(f"export {match}", "d6")


async def test_a_declined_draw_is_printed(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("bot morris dreamer", "Your move")
        first, *_ = (await ann.type("moves", ", ")).split(", ")
        await ann.type(first, "Your move")
        await ann.type("draw", r"^The Dreamer \(bot\) declines the draw")


async def test_players_are_followed_blocked_and_reported(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        assert ben.name in await ann.type("who", ben.name)
        await ann.type(f"follow {ben.name}", "You follow")
        assert "whom you follow" in await ann.type(f"profile {ben.name}", "Followers: 1")
        await ann.type(f"unfollow {ben.name}", "no longer follow")
        await ann.type(f"profile {ben.name}", "Followers: 0")
        await ann.type(f"block {ben.name}", "have blocked")
        await ann.type(f"unblock {ben.name}", "have unblocked")
        await ann.type(f"report {ben.name} rudeness", "The reason must be")
        await ann.type(f"report {ben.name} name It is rude.", "sent to the moderators")


async def test_a_notification_is_printed_and_listed(server: ServerProcess, tokens: tuple[str, str]) -> None:
    async with seated(server, tokens[0]) as ann, seated(server, tokens[1]) as ben:
        await ben.type(f"challenge {ann.name} morris", "open")
        notification = await ann.hear(rf"^\* {ben.name} challenges you to morris")
        match = notification.rpartition("(")[2].rstrip(")")
        await ann.type("notifications", rf"\* {ben.name} challenges")
        await ann.type("seeks", rf"^{match}  morris")
        await ann.type(f"decline {match}", "Declined")
        await ben.hear(r"^\* .* declined")


async def test_a_line_that_cannot_be_run_is_explained(server: ServerProcess) -> None:
    async with seated(server) as ann:
        await ann.type("dance", "no command dance. Type help")
        await ann.type("follow", "Usage: follow NAME")
        await ann.type("follow Nobody-At-All", "Nobody|no account|No account")
        await ann.type("next", "Open a replay first")
        await ann.type("resign", "You have no match open")
        await ann.type("find morris soon", "soon is not a clock")
        await ann.type("find battlesheep for many", "number of players, 2 to 4")
        await ann.type("find battlesheep for 3 rated 10s per move", "need an account")
        await ann.type("find chess", "Looking")
        await ann.hear("chess")
        await ann.type("open nowhere", "no such match|There is no|does not exist")


async def test_the_help_fits_a_terminal(server: ServerProcess) -> None:
    async with seated(server) as ann:
        lines = (await ann.type("help", "quit")).splitlines()
        assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize("last", ["quit", None])
async def test_the_terminal_ends_at_quit_and_at_the_end_of_input(server: ServerProcess, last: str | None) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as me:
        typist = Typist(me)
        typist._typed.put_nowait(last)
        await Terminal(me, typist).run()
