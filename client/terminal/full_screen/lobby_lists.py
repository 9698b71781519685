"""Follows the lists of the lobby: the player's matches, challenges and open matches, live matches."""

from collections.abc import Callable, Coroutine

from millrace.protocol import Seek

from ...connection import Connection
from ..formatting import live_line, own_line, seek_line
from .lobby import Lobby


class LobbyLists:
    """Fills the lists of the lobby, and again whenever they change."""

    def __init__(self, me: Connection, lobby: Lobby, add_names: Callable[[set[str]], None]) -> None:
        self._me = me
        self._lobby = lobby
        self._add_names = add_names
        """Called with the names of players who are listed."""
        self._seeks: tuple[Seek, ...] = ()

    def follow(self) -> tuple[Coroutine[None, None, None], ...]:
        """Return the work of following the lists, to be run at the same time. Each raises: ClientError."""
        return (self._follow_own(), self._follow_seeks(), self._follow_challenges(), self._follow_live())

    async def _follow_own(self) -> None:
        async for matches in self._me.lobby.your_matches():
            entries = [(own_line(each, self._me.games).partition("  ")[2], f"open {each.match}") for each in matches]
            self._lobby.fill("mine", entries, "You are playing no matches.")

    async def _follow_seeks(self) -> None:
        async for seeks in self._me.lobby.seeks():
            self._seeks = seeks
            self._fill_seeks()

    async def _follow_challenges(self) -> None:
        async for _ in self._me.lobby.challenges():
            self._fill_seeks()

    def _fill_seeks(self) -> None:
        waiting = self._me.lobby.waiting_challenges
        self._add_names({seek.by.name for seek in (*waiting, *self._seeks)})
        entries = [
            (kind + seek_line(seek, self._me.games).partition("  ")[2], f"join {seek.match}")
            for kind, seeks in (("Challenge: ", waiting), ("", self._seeks))
            for seek in seeks
        ]
        self._lobby.fill("seeks", entries, "Nobody is waiting. Open a match, or play now.")

    async def _follow_live(self) -> None:
        async for matches in self._me.lobby.live_matches():
            entries = [(live_line(each, self._me.games).partition("  ")[2], f"open {each.match}") for each in matches]
            self._lobby.fill("live", entries, "There are no live matches.")
