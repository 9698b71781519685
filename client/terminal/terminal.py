"""What may be typed at the terminal about matches, and the loop that reads it.

What concerns people, notices and the archive is `client.terminal.player_commands`.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from textwrap import wrap
from typing import TypeVar

from millrace.server.protocol import ClockSettings, MatchId

from ..connection import Connection
from ..errors import ClientError, ConnectionLostError, RefusedError, UnreachableError
from ..match_commands import ME, OPEN, bot
from .command import Command, UsageError, help_lines
from .console import Console
from .formatting import live_line, own_line, seek_line
from .open_match import Table
from .player_commands import Others

WIDTH = 80

T = TypeVar("T")


class Terminal:
    """A player's connection, worked by lines that somebody types."""

    def __init__(self, me: Connection, console: Console) -> None:
        self._me = me
        self._say = console.say
        self._console = console
        self._table: Table | None = None
        self._following: asyncio.Task[None] | None = None
        self._search: asyncio.Task[None] | None = None
        self._others = Others(me, console.say)
        own = [
            Command("bot GAME [LEVEL]", "play a bot: 1 to 8, or hunter, warden and so on", self._play_bot),
            Command("find GAME [CLOCK]", "be paired with somebody; a clock is 5+3, say", self._find),
            Command("stop", "wait for nobody any longer", self._stop),
            Command("challenge NAME GAME [CLOCK]", "ask somebody to play, or a bot's account", self._challenge),
            Command("seeks", "challenges to you, and who else waits", self._list_seeks),
            Command("join MATCH", "take a seat in such a match", self._join),
            Command("decline MATCH", "turn a challenge down", self._decline),
            Command("mine", "your matches that go on", self._list_mine),
            Command("live", "matches to watch", self._list_live),
            Command("open MATCH", "play on in a match of yours, or watch another", self._open_typed),
            Command("MOVE", "play it, as d6 or by clicks, as a1 a4", self._explain_moves),
            Command("moves", "what you may play", self._list_moves),
            Command("board", "draw the board again", self._draw),
            Command("draw", "offer a draw, or accept one", self._offer_draw),
            Command("resign", "give the match up", self._resign),
            Command("say [WORDS...]", "say something beside the match", self._talk),
        ]
        end = [Command("help", "this list", self._help), Command("quit", "leave; your matches stay", self._quit)]
        self.commands = [*own, *self._others.commands, *end]
        """What may be typed, in the order in which `help` lists it."""
        self._by_name = {command.name: command for command in self.commands if command.name.islower()}
        self._has_quit = False

    async def run(self) -> None:
        """Obey what is typed until that ends. Raises: ConnectionLostError."""
        self._say(f"You are {self._me.player.name}. Type help for what you may type.")
        telling = asyncio.create_task(self._others.tell_notices())
        try:
            while not self._has_quit and (line := await self._read(telling)) is not None:
                await self.obey(line)
        finally:
            for task in (telling, self._following, self._search):
                if task is not None:
                    task.cancel()

    async def obey(self, line: str) -> None:
        """Do what a line says, or tell why not. Raises: ConnectionLostError."""
        words = line.split()
        if not words:
            return
        command = self._by_name.get(words[0])
        try:
            if command is not None:
                command.check(words[1:])
                await command.obey(words[1:])
            elif self._table is not None:
                await self._table.play(" ".join(words))
            else:
                raise UsageError(f"There is no command {words[0]}; type help.")
        except UsageError as error:
            self._say(str(error))
        except RefusedError as refusal:
            self._say(refusal.message)
        except UnreachableError as error:
            self._say(str(error))

    async def _read(self, telling: asyncio.Task[None]) -> str | None:
        """Return the next line. Raises: ConnectionLostError, as soon as the connection is lost."""
        reading = asyncio.create_task(self._console.read())
        await asyncio.wait((reading, telling), return_when=asyncio.FIRST_COMPLETED)
        if not reading.done():
            reading.cancel()
            telling.result()
        return await reading

    async def _open(self, match: MatchId) -> None:
        if self._following is not None:
            self._following.cancel()
        self._table = Table(self._me, self._console, match)
        self._following = asyncio.create_task(self._follow(self._table))

    async def _follow(self, table: Table) -> None:
        """Tell a match; the boundary of its task."""
        try:
            await table.follow()
        except* RefusedError as refusals:
            if self._table is table:
                self._table = None
            self._say(" ".join(str(getattr(each, "message", each)) for each in refusals.exceptions))
        except* ConnectionLostError:
            # Whoever reads the next line is told.
            pass

    def _seated(self) -> tuple[Table, int]:
        """Return the open match and the seat by which to act. Raises: UsageError."""
        if self._table is None or self._table.seat is None:
            raise UsageError("None of your matches lies open; `mine` lists them, `open` opens one.")
        return self._table, self._table.seat

    async def _play_bot(self, words: list[str]) -> None:
        game, level = [*words, "1"][:2]
        made = await self._me.create(game, [ME, bot(int(level) if level.isdecimal() else level)], shuffle=True)
        await self._open(made.match)

    async def _find(self, words: list[str]) -> None:
        await self._stop([])
        self._search = asyncio.create_task(self._wait_for_match(words[0], parse_clock(words[1:])))
        self._say("Looking for somebody; `stop` ends it.")

    async def _wait_for_match(self, game: str, clock: ClockSettings | None) -> None:
        """Wait to be paired; the boundary of its task."""
        try:
            await self._open(await self._me.lobby.find_match(game, clock=clock))
        except RefusedError as refusal:
            self._say(refusal.message)
        except ClientError as error:
            self._say(str(error))

    async def _stop(self, _: list[str]) -> None:
        if self._search is not None:
            self._search.cancel()
            self._search = None

    async def _challenge(self, words: list[str]) -> None:
        made = await self._me.challenge(words[0], words[1], (ME, OPEN), clock=parse_clock(words[2:]))
        await self._open(made.match)

    async def _list_seeks(self, _: list[str]) -> None:
        seeks = await first_of(self._me.lobby.seeks())
        self._say_all((seek_line(seek) for seek in (*self._me.lobby.waiting_challenges, *seeks)), "Nobody waits.")

    async def _join(self, words: list[str]) -> None:
        await self._open((await self._me.join(MatchId(words[0]))).match)

    async def _decline(self, words: list[str]) -> None:
        await self._me.decline(MatchId(words[0]))
        self._say("Declined.")

    async def _list_mine(self, _: list[str]) -> None:
        matches = await first_of(self._me.lobby.your_matches())
        self._say_all(map(own_line, matches), "You play no match.")

    async def _list_live(self, _: list[str]) -> None:
        matches = await first_of(self._me.lobby.live_matches())
        self._say_all(map(live_line, matches), "No match is being played.")

    async def _open_typed(self, words: list[str]) -> None:
        await self._open(MatchId(words[0]))

    async def _explain_moves(self, _: list[str]) -> None:
        raise UsageError("Type the move itself.")

    async def _list_moves(self, _: list[str]) -> None:
        table, _seat = self._seated()
        self._say_all(wrap(", ".join(table.moves()), WIDTH), "It is not your turn.")

    async def _draw(self, _: list[str]) -> None:
        self._say_all(self._table.lines() if self._table is not None else [], "No match lies open.")

    async def _offer_draw(self, _: list[str]) -> None:
        table, seat = self._seated()
        await self._me.offer(table.match, seat, "draw", table.plies)

    async def _resign(self, _: list[str]) -> None:
        table, seat = self._seated()
        await self._me.resign(table.match, seat)

    async def _talk(self, words: list[str]) -> None:
        if self._table is None:
            raise UsageError("No match lies open.")
        await self._me.chat.say(self._table.match, " ".join(words))

    async def _help(self, _: list[str]) -> None:
        self._say_all([*help_lines(self.commands), f"Games: {', '.join(game.name for game in self._me.games)}"], "")

    async def _quit(self, _: list[str]) -> None:
        self._has_quit = True

    def _say_all(self, lines: Iterable[str], otherwise: str) -> None:
        self._say("\n".join(lines) or otherwise)


async def first_of(lists: AsyncGenerator[T, None]) -> T:
    """Return what a list is now."""
    async with aclosing(lists) as told:
        return await anext(told)


def parse_clock(words: Sequence[str]) -> ClockSettings | None:
    """Return the clock that was typed, none for an untimed match. Raises: UsageError.

    >>> parse_clock(["5+3"])
    ClockSettings(initial_ms=300000, increment_ms=3000, match_limit_ms=None, delay_ms=0, renews=False)
    """
    if not words:
        return None
    minutes, _, seconds = words[0].partition("+")
    try:
        return ClockSettings(round(60_000 * float(minutes)), 1_000 * int(seconds or "0"))
    except (ValueError, OverflowError):
        raise UsageError(f"A clock is minutes and seconds for each move, such as 5+3, not {words[0]}.") from None
