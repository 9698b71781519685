"""A player's session: the connection, the open boards, and the search for opponents."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Sequence
from contextlib import aclosing
from typing import NamedTuple, TypeVar

from millrace.protocol import GameInfo, MatchId, Notification, TournamentId

from ...connection import Connection
from ...errors import ClientError, ConnectionLostError, RefusedError
from ..boards import Face, OpenBoard, OpenMatch
from ..formatting import notification_line
from ..player_memory import PlayerMemory
from ..usage import UsageError

T = TypeVar("T")

B = TypeVar("B", bound=OpenBoard)

PROFILE = "profile"
COMPLETED = " ..."
"""Ends a command of an entry that the player completes or confirms."""


class Entry(NamedTuple):
    """An entry of a list."""

    line: str
    name: str
    """The id of a match, the name of a player, or what else commands call it."""
    command: str
    """What picking it runs."""


class Session:
    """A player's session. Commands work on the board that is shown."""

    def __init__(
        self,
        me: Connection,
        face: Face,
        now_ms: Callable[[], float],
        memory: PlayerMemory | None = None,
        *,
        is_local: bool = False,
    ) -> None:
        self.me = me
        self.is_local = is_local
        """Whether the server is for this player alone."""
        self.face = face
        self.memory = memory or PlayerMemory("", None)
        """What is remembered of the player for the next time."""
        self.boards: list[OpenBoard] = []
        """The open boards, in the order of their numbers."""
        self.shown: OpenBoard | None = None
        """The board that is shown, and that typed moves are played on."""
        self.listed: tuple[Entry, ...] = ()
        """The entries of the latest list, which can be named by their numbers in it."""
        self.names: set[str] = set()
        """The names of players that were shown."""
        self.tournaments: set[str] = set()
        """The ids of tournaments that were shown."""
        self.tournament: TournamentId | None = None
        """The tournament that the player joined last, or plays in."""
        self.notifications: tuple[Notification, ...] = ()
        self.openings = 0
        """How many times another board was shown without a command, such as the match of a pairing. What the player
        began to type before is not about it."""
        self.has_quit = False
        self._now_ms = now_ms
        self._search: asyncio.Task[None] | None = None
        self._tasks: dict[OpenBoard, asyncio.Task[None]] = {}
        self._rematches = set[MatchId]()

    # What commands work on

    @property
    def board(self) -> OpenBoard:
        """The board that is shown. Raises: UsageError."""
        if self.shown is None:
            raise UsageError("No board is open. Type bot GAME to play, or help for the list of commands.")
        return self.shown

    @property
    def match(self) -> OpenMatch:
        """The match that is shown. Raises: UsageError."""
        return self.shown_as(OpenMatch)

    @property
    def seated(self) -> tuple[MatchId, int]:
        """The match that is shown and the player's seat in it. Raises: UsageError."""
        return self.match.match, self.match.my_seat

    def shown_as(self, kind: type[B]) -> B:
        """Return the board that is shown, of a kind that a command needs. Raises: UsageError, saying where that is."""
        if isinstance(self.shown, kind):
            return self.shown
        of_kind = [board for board in self.boards if isinstance(board, kind)]
        if of_kind:
            raise UsageError(f"Not on this board. Type tab {of_kind[-1].number} to go to {of_kind[-1].title}.")
        raise UsageError(kind.missing)

    def game(self, name: str) -> GameInfo:
        """Return the game of a name, or of the only one that begins so. Raises: UsageError."""
        games = [game for game in self.me.games if game.name.startswith(name.lower())]
        exact = [game for game in games if game.name == name.lower()]
        if len(exact or games) != 1:
            raise UsageError(f"There is no game {name}. There are: {', '.join(game.name for game in self.me.games)}.")
        return (exact or games)[0]

    def game_of(self, words: Sequence[str]) -> str:
        """Return the name of the typed game, without one of that on the shown board. Raises: UsageError."""
        if words:
            return self.game(words[0]).name
        picture = self.board.picture
        if picture is None:
            raise UsageError("The board has not arrived yet.")
        return picture.game.name

    def match_of(self, words: Sequence[str]) -> MatchId:
        """Return the match of an id, or of a number in the latest list; without words that of the shown board, also of
        a replay. Raises: UsageError.
        """
        if words:
            word = words[0]
            return MatchId(word if not word.isdecimal() or len(word) > 3 else self.entry(word).name)
        shown = self.shown
        return self.match.match if shown is None or shown.line.match is None else shown.line.match

    def name_of(self, word: str) -> str:
        """Return what a number of the latest list stands for; other words as they are."""
        is_number = word.isdecimal() and 1 <= int(word) <= len(self.listed)
        return self.listed[int(word) - 1].name if is_number else word

    def player_of(self, word: str) -> str:
        """Return the player of a name, or of a number in the latest list if that is one of players."""
        name = self.name_of(word)
        return name if name in self.names else word

    def entry(self, word: str) -> "Entry":
        """Return the entry of a number in the latest list. Raises: UsageError."""
        if not word.isdecimal() or not 1 <= int(word) <= len(self.listed):
            raise UsageError(f"The latest list has no number {word}. Type live, mine, archive or who for a list.")
        return self.listed[int(word) - 1]

    def opened(self, match: MatchId) -> OpenMatch | None:
        """Return the open board of a match, if there is one."""
        return next((board for board in self.boards if isinstance(board, OpenMatch) and board.match == match), None)

    # What commands do

    def say(self, lines: Iterable[str], otherwise: str = "") -> None:
        """Show lines, or another text if there are none."""
        self.face.say("\n".join(lines) or otherwise)

    async def ask_secret(self, question: str) -> str:
        """Return the answer to a question, which is not shown. Raises: UsageError if it is empty or cancelled."""
        answer = await self.face.ask_secret(question)
        if not answer:
            raise UsageError("Nothing was changed.")
        return answer

    async def ask_new_password(self, question: str, repeated: str, otherwise: str) -> str:
        """Return a new password, which a person types twice. Raises: UsageError, with a text if the two differ."""
        password = await self.ask_secret(question)
        if self.face.repeats_secrets and password != await self.ask_secret(repeated):
            raise UsageError(otherwise)
        return password

    def list_entries(self, entries: Iterable["Entry"], heading: str) -> None:
        """Show a heading and numbered lines; a line can be picked or named by its number."""
        listed = tuple(entries)
        if not listed:
            self.face.say(heading)
            return
        self.listed = listed
        self.face.list_entries([(entry.line, entry.command) for entry in listed], heading)

    def list_matches(self, matches: Iterable[tuple[MatchId, str]], verb: str, heading: str, otherwise: str) -> None:
        """Show lines about matches; picking one runs a command about it, such as `open`."""
        listed = [Entry(line, match, f"{verb} {match}") for match, line in matches]
        self.list_entries(listed, heading if listed else otherwise)

    def list_players(self, players: Iterable[tuple[str, str]], heading: str) -> None:
        """Show lines about players, given with their names; picking one shows the profile."""
        listed = [Entry(line, name, f"{PROFILE} {name}") for name, line in players]
        self.names.update(entry.name for entry in listed)
        self.list_entries(listed, heading)

    def open_match(self, match: MatchId) -> OpenMatch:
        """Show a match, which may be open already."""
        if (found := self.opened(match)) is not None:
            self.show(found)
            return found
        opened = OpenMatch(self.me, match, self, self._now_ms)
        self.open(opened)
        return opened

    def open_unasked(self, match: MatchId) -> None:
        """Show a match that begins without a command of the player."""
        self.openings += 1
        self.open_match(match)

    def open(self, board: OpenBoard) -> None:
        """Show a new board. It replaces those of its kind, except matches that go on."""
        replaced = [each for each in self.boards if type(each) is type(board) and each.is_replaceable]
        for each in replaced:
            self._drop(each)
        board.number = next(number for number in range(1, 1000) if number not in {each.number for each in self.boards})
        self.boards = sorted([*self.boards, board], key=lambda each: each.number)
        self.show(board)
        self._tasks[board] = asyncio.create_task(self._follow(board))
        for each in replaced:
            self.face.remove(each)

    def show(self, board: OpenBoard) -> None:
        """Show a board that is open."""
        self.shown = board
        self.face.show(board)

    def close(self, board: OpenBoard) -> None:
        """Close a board; its match continues."""
        if board not in self.boards:
            return
        self._drop(board)
        if self.shown is board:
            self.shown = None
            if self.boards:
                self.show(self.boards[-1])
        self.face.remove(board)

    def _drop(self, board: OpenBoard) -> None:
        self.boards.remove(board)
        board.close()
        if (task := self._tasks.pop(board, None)) is not None:
            task.cancel()

    @property
    def is_searching(self) -> bool:
        """Whether a search for opponents is on."""
        return self._search is not None and not self._search.done()

    def search(self, waiting: Coroutine[None, None, MatchId]) -> None:
        """Search for opponents and open the match; this replaces an earlier search."""
        self.stop_search()
        self._search = asyncio.create_task(self._wait_for_match(waiting))

    def stop_search(self) -> None:
        """End the search for opponents."""
        if self._search is not None:
            self._search.cancel()
            self._search = None

    def news(self) -> tuple[Coroutine[None, None, None], ...]:
        """Return what shows the player what happens without their commands. Each raises ConnectionLostError."""
        return (
            self.announce_notifications(),
            self.announce_bots(),
            self.show_announcements(),
            self.show_interruptions(),
            self.open_tournament_matches(),
        )

    async def announce_notifications(self) -> None:
        """Show each new notification; of earlier ones, show the latest and their number. Raises:
        ConnectionLostError.

        Those about the shown match are left out: it reports the same.
        """
        known: set[Notification] | None = None
        async for notifications in self.me.notifications.follow():
            self.notifications = notifications
            unread = [each for each in notifications if not each.read]
            if known is None:
                if len(unread) > 1:
                    self.face.say(f"You have {len(unread)} new notifications; type notifications to read them.")
                known = set(unread[1:])
            for each in reversed(unread):
                is_shown = isinstance(self.shown, OpenMatch) and each.match == self.shown.match
                if each not in known and not is_shown:
                    self.face.say(f"* {notification_line(each, self.me.games)}")
            known = set(unread)

    async def open_tournament_matches(self) -> None:
        """Open each match of a tournament when the player is paired. Raises: ConnectionLostError."""
        opened: str | None = None
        async for place in self.me.tournaments.places():
            you = None if place.by_correspondence else place.you
            if you is not None and you.opponent is not None and you.standing.match not in (None, opened):
                opened, self.tournament = you.standing.match, place.tournament
                assert opened is not None
                self.face.say(f"* {place.name}: you play {you.opponent.name}, table {you.table}.")
                self.open_unasked(opened)

    async def show_announcements(self) -> None:
        """Say what the operators of the site announce, once. Raises: ConnectionLostError."""
        said = ""
        async for announcement in self.me.announcement.follow():
            if announcement.text not in ("", said):
                said = announcement.text
                self.face.say(f"* {said}")

    async def show_interruptions(self) -> None:
        """Say when all time stands still, because the server can store nothing, and when it goes on. Raises:
        ConnectionLostError.
        """
        said = ""
        async for interruption in self.me.interruption.follow():
            if interruption.explanation not in ("", said):
                said = interruption.explanation
                self.face.say(f"* {said}")

    async def announce_bots(self) -> None:
        """Say in the shown match when its bot cannot move yet, and when it can. Raises: ConnectionLostError."""
        async for _ in self.me.bot_availability.follow():
            if isinstance(self.shown, OpenMatch) and self.shown.picture is not None:
                self.face.changed(self.shown, self.shown.bot_news())

    def end(self) -> None:
        """Close everything."""
        self.stop_search()
        for task in self._tasks.values():
            task.cancel()

    # For the open boards

    def changed(self, board: OpenBoard, news: Sequence[str]) -> None:
        """Show a change of a board. A rematch is opened in place of its match."""
        self.face.changed(board, news)
        if isinstance(board, OpenMatch) and board in self.boards:
            self.names.update(player.name for player in board.view.players if player is not None)
            rematch = board.view.rematch
            is_new = board.view.seq > board.feed.latest_seq
            if rematch is not None and board.feed.my_seats and is_new and rematch not in self._rematches:
                self._rematches.add(rematch)
                self.open_unasked(rematch)

    async def _follow(self, board: OpenBoard) -> None:
        """Follow a board; the boundary of its task."""
        try:
            await board.follow()
        except* RefusedError as refusals:
            self.openings += board is self.shown
            self.close(board)
            self.face.say(" ".join(each.message for each in refusals.exceptions if isinstance(each, RefusedError)))
        except* ConnectionLostError:
            # Whatever the player types next raises it too.
            pass

    async def _wait_for_match(self, waiting: Coroutine[None, None, MatchId]) -> None:
        """Wait for opponents; the boundary of its task."""
        try:
            match = await waiting
        except ClientError as error:
            self._search = None
            self.face.say(error.message if isinstance(error, RefusedError) else str(error))
        else:
            self._search = None
            self.open_unasked(match)


async def first_of(lists: AsyncGenerator[T, None]) -> T:
    """Return the current version of a list."""
    async with aclosing(lists) as versions:
        return await anext(versions)
