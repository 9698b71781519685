"""The searches that bots make for one match."""

import asyncio
from collections.abc import Callable, Coroutine

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


class BotSearches:
    """What the bots of one match are doing."""

    def __init__(self) -> None:
        self.move: Search | None = None
        """The search for the next move."""
        self.pondering: Search | None = None
        """The strongest bot's search during its opponent's turn."""
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
