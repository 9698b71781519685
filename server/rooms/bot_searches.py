"""The searches that bots make for one match."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import NamedTuple

from millrace.engine.state import State
from millrace.protocol import CommandId

from ..callers.presence import Recipient
from ..matches.match import Match


class Search:
    """A bot's search in the match as it stood when the bot was asked."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.has_returned = False
        """Whether the move has come back and is being stored."""
        self._task: asyncio.Task[None] | None = None

    @property
    def task(self) -> "asyncio.Task[None]":
        """What searches, once it has begun."""
        assert self._task is not None
        return self._task

    def is_current(self, match: Match) -> bool:
        """Return whether the match still waits for the same player's move in the same position."""
        return match.state is self.match.state and match.mover == self.match.mover

    def begin(self, search: Coroutine[None, None, None], ended: Callable[[asyncio.Task[None]], None]) -> None:
        """Begin to search, and call `ended` when that is over."""
        self._task = asyncio.create_task(search)
        self._task.add_done_callback(ended)

    def stop(self) -> None:
        """Stop searching, unless the move has come back already."""
        if self._task is not None and not self.has_returned:
            self._task.cancel()


class FoundMove(NamedTuple):
    """The text of a bot's move."""

    move: str
    page_command: CommandId | None = None
    """The command by which a page has answered; None if the server's bots have found it."""


class PageTurn:
    """A bot's turn for which a page thinks."""

    def __init__(self, page: Recipient, seq: int, state: State, seconds: float) -> None:
        self.page = page
        self.seq = seq
        self.state = state
        self.seconds = seconds
        """How long only the page thinks."""
        self.answer: asyncio.Future[FoundMove | None] = asyncio.get_running_loop().create_future()
        """A legal move; None if the page will not answer."""

    def end(self, found: FoundMove | None = None) -> None:
        """Take the answer, unless there is one."""
        if not self.answer.done():
            self.answer.set_result(found)


class BotSearches:
    """What the bots of one match are doing."""

    def __init__(self) -> None:
        self.move: Search | None = None
        """The search for the next move."""
        self.pondering: Search | None = None
        """The strongest bot's search during its opponent's turn."""
        self.pages: dict[Recipient, None] = {}
        """The connections that offer to think for a bot, the latest last."""
        self.page_turn: PageTurn | None = None
        """The turn of a bot for which a page was last asked to think."""
        self.are_suspended = False
        """Whether no bot is asked because only bots play and nobody watches."""
        self.are_closed = False

    @property
    def under_way(self) -> list[Search]:
        """The searches that have begun."""
        return [search for search in (self.move, self.pondering) if search is not None]

    def stop_outdated(self, match: Match, *, are_asked_here: bool) -> None:
        """Stop the searches in positions that are no longer on the board, or all if another node asks the bots."""
        for search in self.under_way:
            if not (are_asked_here and search.is_current(match)):
                search.stop()
