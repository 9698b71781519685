"""The line mode: prints what happens on the open boards, and runs the lines that are typed."""

import asyncio
import time
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

from ...connection import Connection
from ...errors import ConnectionLostError
from ..board import Symbols, draw_board
from ..boards import OpenBoard, OpenMatch, Picture
from ..commands import Session, complete, groups_of, is_move, run_line
from ..commands.actions import actions_of
from ..commands.help import help_lines
from ..glyphs import ASCII, Glyphs, colours_of
from ..player_memory import PlayerMemory
from ..seat_lines import seat_line
from ..usage import UsageError
from ..wrapping import wrap_lines
from .ansi import coloured_lines, coloured_piece
from .console import Console

T = TypeVar("T")

PATIENCE_S = 5
"""How long a typed move waits for a board that has not arrived."""
SEAT_INDENT = 5
"""Columns before a seat's player."""
NUMBER_INDENT = 4
"""Columns before the text of an entry."""
AT_ONCE = (["abort"], ["close"], ["premove"], ["quit"], ["resign"], ["stop"])
"""The commands that need no answer of a bot to the player's move."""
MOST_TOLD = 8
"""Maximum news to print; of more, only the last are printed, with the number of the others."""


class LineMode:
    """The user interface in which everything is a line."""

    def __init__(
        self,
        me: Connection,
        console: Console,
        glyphs: Glyphs = ASCII,
        memory: PlayerMemory | None = None,
        *,
        is_local: bool = False,
    ) -> None:
        self.session = Session(me, self, lambda: time.time() * 1000, memory, is_local=is_local)
        self._console = console
        console.complete = partial(complete, self.session)
        self._glyphs = glyphs
        self._printed: object = None
        """The last printed news: a board, its moves and its status; None if the next board must be printed whole."""
        self._news: dict[OpenBoard, list[str]] = {}
        """What has not been printed yet, by board."""
        self._changed = asyncio.Event()
        self._openings = 0
        """The session's when a board was last shown."""
        self._is_interrupted = False
        """Whether a board opened by itself while a line was being typed, which is then not about it."""
        self._arrived = asyncio.Event()
        """Set by every change, also by one that is not printed."""

    async def run(self) -> None:
        """Run the typed lines until the end of input, or `quit`. Raises: ConnectionLostError."""
        session = self.session
        self.say(f"You are {session.me.player.name}. Type help for the list of commands.")
        printing = asyncio.create_task(self._print_changes())
        announcing, *others = map(asyncio.create_task, session.news())
        try:
            while not session.has_quit and (line := await self._or_lost(self._console.read(), announcing)) is not None:
                await self._or_lost(self._until_ready_for(line), announcing)
                if self._is_interrupted:
                    self._is_interrupted = False
                    self.say(f"Another board has opened. Type this again to run it here: {line}")
                else:
                    await run_line(session, line)
            if not session.has_quit:
                await self._or_lost(self._until_ready_for(""), announcing)
        except ConnectionLostError:
            # The server closes the connection of a player who signs out.
            if not session.has_quit:
                raise
        finally:
            for task in (announcing, *others, printing):
                task.cancel()
            session.end()

    # For the session

    def say(self, text: str) -> None:
        """Print lines."""
        self._console.say("\n".join(wrap_lines(text, self._console.width)))
        self._arrived.set()

    def list_entries(self, entries: Sequence[tuple[str, str]], heading: str) -> None:
        """Print a heading and numbered lines."""
        lines = (f"{number:>2}  {line}" for number, (line, _) in enumerate(entries, 1))
        text = "\n".join([*([heading] if heading else []), *lines])
        self._console.say("\n".join(wrap_lines(text, self._console.width, NUMBER_INDENT)))

    def prepare(self, line: str) -> None:
        """Print a command that the player has to type."""
        self.say(f"Type: {line}")

    def show_help(self) -> None:
        """Print the list of commands, and those of the shown board."""
        session = self.session
        games = ", ".join(game.name for game in session.me.games)
        search = "Type help WORD for more, such as help bot, or help clock."
        here = [] if session.shown is None else [action.command for action in actions_of(session.shown)]
        lines = [*help_lines(groups_of(session)), f"Games: {games}", search]
        self.say("\n".join([*lines, *([f"On this board: {', '.join(here)}"] if here else [])]))

    def hand_out(self, text: str) -> None:
        """Print lines as they are: the terminal wraps them, and copies each in one piece."""
        self._console.say(text)

    def show(self, board: OpenBoard) -> None:
        """Print a board, as soon as the server has sent it."""
        if self._openings != self.session.openings:
            self._openings = self.session.openings
            self._is_interrupted = self._console.is_typing
        self._printed = None
        self._news.setdefault(board, [])
        self._changed.set()
        self._arrived.set()

    def changed(self, board: OpenBoard, news: Sequence[str]) -> None:
        """Print news of a board, and the board itself if that is useful."""
        self._arrived.set()
        if news or board in self._news or not isinstance(board, OpenMatch):
            self._news.setdefault(board, []).extend(news)
            self._changed.set()

    def remove(self, board: OpenBoard) -> None:
        """Print the last news of a board."""
        self._print_news()
        self._news.pop(board, None)
        self._arrived.set()

    @property
    def repeats_secrets(self) -> bool:
        """Whether a new password is asked for twice: not in a pipe, whose lines nobody mistypes."""
        return self._console.is_interactive

    async def ask_secret(self, question: str) -> str:
        """Print a question, and return the next typed line, which is not shown."""
        self.say(question)
        return await self._console.read(is_secret=True) or ""

    def draw_with(self, glyphs: Glyphs) -> None:
        """Draw boards with another set of characters. Raises: UsageError."""
        if glyphs is not ASCII and not self._console.has_utf8:
            raise UsageError(f"Your locale has no UTF-8. If your terminal has it, start with --style {glyphs.name}.")
        self._glyphs = glyphs

    # Own

    async def _print_changes(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            # Everything that arrived together has been read by now and is printed at once.
            await asyncio.sleep(0)
            self._print_news()

    def _print_news(self) -> None:
        news, self._news = self._news, {}
        for board, sentences in news.items():
            if board.picture is None:
                # It is printed with its first change.
                self._news[board] = sentences
            else:
                self._print(board, sentences)

    def _print(self, board: OpenBoard, news: Sequence[str]) -> None:
        picture = board.picture
        assert picture is not None
        if board is not self.session.shown:
            if news:
                self.say("\n".join(f"[{board.number}] {each}" for each in _shortened(news)))
            return
        shown = (board, picture.moves, picture.status)
        is_first = self._printed is None
        is_drawn = is_first or not board.is_timed or (self._is_drawn(board) and shown != self._printed)
        self._printed = shown
        width = self._console.width
        explanation = picture.bot_explanation if is_first else ""
        told = (each for each in _shortened(news) if not is_drawn or each not in (picture.status, explanation))
        about = f"{picture.about}, {picture.audience}" if picture.audience else picture.about
        sentences = [about, *told] if is_first else told
        lines = [line for sentence in sentences for line in wrap_lines(sentence, width)]
        if is_drawn:
            status = " ".join(filter(None, (picture.status, explanation, picture.countdown)))
            lines += [*picture_lines(picture, self._glyphs, width), *wrap_lines(status, width)]
        if lines:
            self._console.say("\n".join(lines))

    def _is_drawn(self, board: OpenBoard) -> bool:
        """Return whether to draw a board after a change; a match on the player's turn, at its end and if watched."""
        if not isinstance(board, OpenMatch):
            return True
        return board.needs_attention or not board.feed.my_seats or board.view.to_move is None or not board.plies

    async def _until_ready_for(self, line: str) -> None:
        """Return once a line can be run on what it is about: the shown board, with all that earlier lines did.

        A person's moves wait for a while. In a pipe everything waits: moves also for the player's turn, all lines but
        `stop` for the opponent who is being looked for, and all but `AT_ONCE` for a bot's answer.
        """
        is_piped = not self._console.is_interactive
        with suppress(TimeoutError):
            async with asyncio.timeout(None if is_piped else PATIENCE_S):
                while self._is_ahead_of(line, is_piped=is_piped):
                    self._arrived.clear()
                    await self._arrived.wait()
        if is_piped:
            self._print_news()

    def _is_ahead_of(self, line: str, *, is_piped: bool) -> bool:
        """Return whether a line has to wait."""
        session, shown, command = self.session, self.session.shown, line.split()[:1]
        if is_piped and session.is_searching and command not in (["stop"], []):
            return True
        is_for_turn = is_move(session, line) or command == ["moves"]
        if shown is None or not (is_piped or is_for_turn):
            return False
        if not shown.is_current:
            return True
        is_for_answer = command not in ([], *AT_ONCE)
        return is_piped and ((is_for_turn and shown.waits_for_turn) or (is_for_answer and shown.waits_for_bot))

    async def _or_lost(self, work: Coroutine[None, None, T], announcing: asyncio.Task[None]) -> T:
        """Return the result of some work. Raises: ConnectionLostError as soon as the connection is lost."""
        working = asyncio.create_task(work)
        await asyncio.wait((working, announcing), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            working.cancel()
            announcing.result()
        return await working


def picture_lines(picture: Picture, glyphs: Glyphs, width: int | None) -> list[str]:
    """Return the lines of the seats, wrapped for a width, and of the board."""
    names = picture.game.seat_names
    symbols = Symbols.of(names, glyphs)
    drawn = draw_board(picture.content, symbols, glyphs)
    colours = colours_of(names)
    seats = list[str]()
    for seat, symbol, colour in zip(picture.seats, symbols.pieces, colours, strict=False):
        line = seat_line(seat, symbol)
        lines = wrap_lines(line, width, SEAT_INDENT - len(line) + len(line.lstrip()))
        # Colours have no width.
        seats += [lines[0].replace(symbol, coloured_piece(symbol, colour), 1) if glyphs.has_colours else lines[0]]
        seats += lines[1:]
    return [*seats, *(coloured_lines(drawn, colours) if glyphs.has_colours else drawn.lines)]


def _shortened(news: Sequence[str]) -> list[str]:
    if len(news) <= MOST_TOLD:
        return list(news)
    return [f"... {len(news) - MOST_TOLD} earlier lines", *news[-MOST_TOLD:]]
