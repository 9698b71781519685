"""The terminal: reads and runs commands, of which those about matches are here.

The commands about players, notifications and the archive are in `client.terminal.player_commands`.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from textwrap import wrap
from typing import TypeVar

from millrace.server.protocol import ClockSettings, MatchId, PairingRequest

from ..clock_texts import parse_clock
from ..connection import Connection
from ..errors import ClientError, ConnectionLostError, RefusedError, UnreachableError
from ..match_commands import ME, OPEN, bot
from .command import Command, UsageError, help_lines
from .console import Console
from .formatting import live_line, own_line, seek_line
from .open_match import OpenMatch
from .player_commands import PlayerCommands

WIDTH = 80

T = TypeVar("T")


class Terminal:
    """Runs the commands that a player types."""

    def __init__(self, me: Connection, console: Console) -> None:
        self._me = me
        self._say = console.say
        self._console = console
        self._open_match: OpenMatch | None = None
        self._following: asyncio.Task[None] | None = None
        self._search: asyncio.Task[None] | None = None
        self._player_commands = PlayerCommands(me, console.say)
        own = [
            Command("bot GAME [LEVEL]", "play a bot: a level, its name or a personality", self._play_bot),
            Command("find GAME [OPTION...]", "find opponents: for 3, rated, 5+3 or 5m + 3x10s", self._find),
            Command("stop", "stop looking for an opponent", self._stop),
            Command("challenge NAME GAME [CLOCK]", "challenge a player or a bot", self._challenge),
            Command("seeks", "list challenges to you, and open matches", self._list_seeks),
            Command("join MATCH", "accept a challenge or join an open match", self._join),
            Command("decline MATCH", "decline a challenge", self._decline),
            Command("mine", "list the matches that you are playing", self._list_mine),
            Command("live", "list matches to watch", self._list_live),
            Command("open MATCH", "continue one of your matches, or watch another", self._open_typed),
            Command("MOVE", "play a move: its text (d6) or its clicks (a1 a4)", self._explain_moves),
            Command("moves", "list your legal moves", self._list_moves),
            Command("board", "draw the board again", self._draw),
            Command("draw", "offer a draw, or accept one", self._offer_draw),
            Command("resign", "resign the match", self._resign),
            Command("say [TEXT...]", "write in the chat of the match", self._chat),
        ]
        end = [
            Command("help", "list the commands", self._help),
            Command("quit", "quit; your matches continue", self._quit),
        ]
        self.commands = [*own, *self._player_commands.commands, *end]
        """All commands, in the order of `help`."""
        self._by_name = {command.name: command for command in self.commands if command.name.islower()}
        self._has_quit = False

    async def run(self) -> None:
        """Run the typed commands until the end of input, or `quit`. Raises: ConnectionLostError."""
        self._say(f"You are {self._me.player.name}. Type help for the list of commands.")
        announcing = asyncio.create_task(self._player_commands.announce_notifications())
        try:
            while not self._has_quit and (line := await self._read(announcing)) is not None:
                await self.run_command(line)
        finally:
            for task in (announcing, self._following, self._search):
                if task is not None:
                    task.cancel()

    async def run_command(self, line: str) -> None:
        """Run a typed line, or print why it cannot be run. Raises: ConnectionLostError."""
        words = line.split()
        if not words:
            return
        command = self._by_name.get(words[0])
        try:
            if command is not None:
                command.check(words[1:])
                await command.run(words[1:])
            elif self._open_match is not None:
                await self._open_match.play(" ".join(words))
            else:
                raise UsageError(f"There is no command {words[0]}. Type help for the list of commands.")
        except UsageError as error:
            self._say(str(error))
        except RefusedError as refusal:
            self._say(refusal.message)
        except UnreachableError as error:
            self._say(str(error))

    async def _read(self, announcing: asyncio.Task[None]) -> str | None:
        """Return the next typed line. Raises: ConnectionLostError as soon as the connection is lost."""
        reading = asyncio.create_task(self._console.read())
        await asyncio.wait((reading, announcing), return_when=asyncio.FIRST_COMPLETED)
        if not reading.done():
            reading.cancel()
            announcing.result()
        return await reading

    async def _open(self, match: MatchId) -> None:
        if self._following is not None:
            self._following.cancel()
        self._open_match = OpenMatch(self._me, self._console, match)
        self._following = asyncio.create_task(self._follow(self._open_match))

    async def _follow(self, match: OpenMatch) -> None:
        """Show a match; the boundary of its task."""
        try:
            await match.follow()
        except* RefusedError as refusals:
            if self._open_match is match:
                self._open_match = None
            self._say(" ".join(str(getattr(each, "message", each)) for each in refusals.exceptions))
        except* ConnectionLostError:
            # Reading the next line raises it too.
            pass

    def _seated(self) -> tuple[OpenMatch, int]:
        """Return the open match and the player's seat in it. Raises: UsageError."""
        if self._open_match is None or self._open_match.seat is None:
            raise UsageError("You have no match open. Type mine to list your matches, and open MATCH to open one.")
        return self._open_match, self._open_match.seat

    async def _play_bot(self, words: list[str]) -> None:
        game, level = [*words, "1"][:2]
        made = await self._me.create(game, [ME, bot(int(level) if level.isdecimal() else level)], shuffle=True)
        await self._open(made.match)

    async def _find(self, words: list[str]) -> None:
        await self._stop([])
        request = parse_search(words)
        self._search = asyncio.create_task(self._wait_for_match(request))
        self._say("Looking for an opponent. Type stop to cancel.")

    async def _wait_for_match(self, request: PairingRequest) -> None:
        """Wait for opponents; the boundary of its task."""
        game, seats, clock, rated = request.game, request.seats, request.clock, request.rated
        try:
            await self._open(await self._me.lobby.find_match(game, seats=seats, clock=clock, rated=rated))
        except RefusedError as refusal:
            self._say(refusal.message)
        except ClientError as error:
            self._say(str(error))

    async def _stop(self, _: list[str]) -> None:
        if self._search is not None:
            self._search.cancel()
            self._search = None

    async def _challenge(self, words: list[str]) -> None:
        made = await self._me.challenge(words[0], words[1], (ME, OPEN), clock=clock_of(words[2:]))
        await self._open(made.match)

    async def _list_seeks(self, _: list[str]) -> None:
        seeks = await first_of(self._me.lobby.seeks())
        self._say_all(
            (seek_line(seek) for seek in (*self._me.lobby.waiting_challenges, *seeks)),
            "There are no challenges and no open matches.",
        )

    async def _join(self, words: list[str]) -> None:
        await self._open((await self._me.join(MatchId(words[0]))).match)

    async def _decline(self, words: list[str]) -> None:
        await self._me.decline(MatchId(words[0]))
        self._say("Declined.")

    async def _list_mine(self, _: list[str]) -> None:
        matches = await first_of(self._me.lobby.your_matches())
        self._say_all(map(own_line, matches), "You are playing no matches.")

    async def _list_live(self, _: list[str]) -> None:
        matches = await first_of(self._me.lobby.live_matches())
        self._say_all(map(live_line, matches), "There are no live matches.")

    async def _open_typed(self, words: list[str]) -> None:
        await self._open(MatchId(words[0]))

    async def _explain_moves(self, _: list[str]) -> None:
        raise UsageError("Type the move itself, such as d6.")

    async def _list_moves(self, _: list[str]) -> None:
        match, _seat = self._seated()
        self._say_all(wrap(", ".join(match.moves()), WIDTH), "It is not your turn.")

    async def _draw(self, _: list[str]) -> None:
        self._say_all(
            self._open_match.lines() if self._open_match is not None else [],
            "No match is open. Type open MATCH to open one.",
        )

    async def _offer_draw(self, _: list[str]) -> None:
        match, seat = self._seated()
        await self._me.offer(match.match, seat, "draw", match.plies)

    async def _resign(self, _: list[str]) -> None:
        match, seat = self._seated()
        await self._me.resign(match.match, seat)

    async def _chat(self, words: list[str]) -> None:
        if self._open_match is None:
            raise UsageError("No match is open. Type open MATCH to open one.")
        await self._me.chat.say(self._open_match.match, " ".join(words))

    async def _help(self, _: list[str]) -> None:
        self._say_all([*help_lines(self.commands), f"Games: {', '.join(game.name for game in self._me.games)}"], "")

    async def _quit(self, _: list[str]) -> None:
        self._has_quit = True

    def _say_all(self, lines: Iterable[str], otherwise: str) -> None:
        self._say("\n".join(lines) or otherwise)


async def first_of(lists: AsyncGenerator[T, None]) -> T:
    """Return the current version of a list."""
    async with aclosing(lists) as versions:
        return await anext(versions)


def parse_search(words: Sequence[str]) -> PairingRequest:
    """Return the kind of match that a player typed: a game, then optionally the seats, `rated` and a clock.

    Raises: UsageError.

    >>> parse_search(["battlesheep", "for", "3", "rated", "5+3"]).seats
    3
    """
    game, *options = words
    seats = 2
    if options[:1] == ["for"]:
        if options[1:2] not in (["2"], ["3"], ["4"]):
            raise UsageError("Type the number of players, 2 to 4, after for, such as: for 3.")
        seats, options = int(options[1]), options[2:]
    rated = options[:1] == ["rated"]
    return PairingRequest(game, seats, clock_of(options[1:] if rated else options), rated)


def clock_of(words: Sequence[str]) -> ClockSettings | None:
    """Return the clock that a player typed, such as `5+3`; None, for an untimed match, if there are no words.

    Raises: UsageError.
    """
    try:
        return parse_clock(" ".join(words)) if words else None
    except ValueError as error:
        raise UsageError(str(error)) from None
