"""The handler of archive messages: searches for finished matches, and the results of two players."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from millrace.protocol import (
    BotRecords,
    Code,
    Crosstable,
    FoundMatches,
    GameScore,
    GetBotRecords,
    GetCrosstable,
    IdentityId,
    Player,
    Scope,
    SearchMatches,
)
from millrace.protocol.refusal import Refusal

from ..callers.caller import Caller, FindPlayer
from ..callers.feature import Feature, Route
from ..journal.unavailable import refusing_failures
from ..matches.built_in_bots import BUILT_IN_BOTS
from ..matches.named_games import require_game
from ..runtime.fair_turns import FairTurns
from .archive_query import MIN_TIME_MS, ArchiveQuery, Cursor
from .archive_store import ArchiveStore, past_matches

SHOWN_MATCHES = 25
"""Maximum number of matches in one answer, which has a cursor for the next."""
CROSSTABLE_MATCHES = 10
READERS = 2
"""Number of questions that read the archive at a time, of addresses in turn; others need the database too."""
REST = 3.0
"""Pause of a reader while questions wait, as a multiple of the time that the last one took."""


class QueryBuilder:
    """Turns search messages into archive queries."""

    def __init__(self, find_player: FindPlayer) -> None:
        self._find_player = find_player

    async def player(self, name: str) -> Player:
        """Return the player with a name: the owner of an account, or a built-in bot by its id or name.

        Raises: Refusal, StorageError.
        """
        for bot in BUILT_IN_BOTS.values():
            if name.casefold() in (bot.id, bot.name.casefold()):
                return bot
        player = await self._find_player(name)
        if player is None:
            raise Refusal(Code.UNKNOWN_PLAYER, "There is no player called {name}.", name=name)
        return player

    async def query(self, command: SearchMatches, own: Player | None) -> ArchiveQuery:
        """Return the query for a player's search, with None for a visitor by GET. Raises: Refusal, StorageError."""
        if command.imported:
            return ArchiveQuery(cursor=_cursor_of(command), imported_by=None if own is None else own.id)
        names = [name for name in (command.player, command.opponent) if name]
        players = [await self.player(name) for name in names]
        if command.mine and own is not None:
            players = [own, *players][:2]
        # Bots have far more matches than people, so starting from the person is faster.
        if len(players) == 2 and command.result is None and players[0].level is not None:
            players.reverse()
        if command.result in ("won", "lost") and not players:
            raise Refusal(Code.UNKNOWN_PLAYER, "Name a player to search for matches won or lost.")
        one, other = [*(player.id for player in players), None, None][:2]
        since_ms = MIN_TIME_MS if command.since_ms is None else command.since_ms
        return ArchiveQuery(one, other, command.game, command.result, command.rated, since_ms, _cursor_of(command))


class ArchiveHandler(Feature):
    """Answers questions about finished matches."""

    def __init__(self, store: ArchiveStore, queries: QueryBuilder) -> None:
        self._store = store
        self._queries = queries
        self._turns = FairTurns(READERS, REST)
        self.routes = (
            Route(SearchMatches, self.search, Scope.READ),
            Route(GetCrosstable, self.crosstable, Scope.READ),
            Route(GetBotRecords, self.bot_records, Scope.READ),
        )

    async def load(self) -> None:
        """Have the largest statement compiled: later, its first use would hold up the players. Raises: StorageError."""
        await self._store.bot_records(IdentityId(""), "")

    async def search(self, command: SearchMatches, caller: Caller) -> None:
        """Answer with the matches found by a search. Raises: Refusal."""
        async with self._reading(caller):
            caller.send(await self._search(command, caller.player))

    async def crosstable(self, command: GetCrosstable, caller: Caller) -> None:
        """Answer with the results of two players against each other. Raises: Refusal."""
        async with self._reading(caller):
            caller.send(await self._crosstable(command, caller.player))

    async def bot_records(self, command: GetBotRecords, caller: Caller) -> None:
        """Answer with the player's results against each built-in bot of a game. Raises: Refusal."""
        require_game(command.game)
        async with self._reading(caller):
            records = await self._store.bot_records(caller.player.id, command.game)
        caller.send(BotRecords(command.id, command.game, tuple(records)))

    @asynccontextmanager
    async def _reading(self, caller: Caller) -> AsyncIterator[None]:
        """Read when it is the turn of the caller's address. Raises: Refusal."""
        with refusing_failures("archive not read", "look this up"):
            async with self._turns.of(caller.connection_info.address, caller.identity):
                yield

    async def _search(self, command: SearchMatches, own: Player) -> FoundMatches:
        wanted = await self._queries.query(command, own)
        found = await self._store.search(wanted, SHOWN_MATCHES + 1)
        shown = found[:SHOWN_MATCHES]
        further = shown[-1].cursor.text if len(found) > SHOWN_MATCHES else ""
        return FoundMatches(command.id, past_matches(shown, own.id), further)

    async def _crosstable(self, command: GetCrosstable, own: Player) -> Crosstable:
        one = own if command.player is None else await self._queries.player(command.player)
        other = await self._queries.player(command.opponent)
        # A person has fewer matches to search than a bot.
        if one.level is not None and other.level is None:
            of_other = await self._store.crosstable(other.id, one.id)
            scores = [GameScore(score.game, score.lost, score.drawn, score.won) for score in of_other]
        else:
            scores = list(await self._store.crosstable(one.id, other.id))
        seldom, often = (other, one) if one.level is not None else (one, other)
        latest = await self._store.search(ArchiveQuery(seldom.id, often.id), CROSSTABLE_MATCHES) if scores else ()
        return Crosstable(command.id, (one, other), tuple(scores), past_matches(latest, own.id))


def _cursor_of(command: SearchMatches) -> Cursor:
    """Return the cursor at which a search starts. Raises: Refusal."""
    until = Cursor() if command.until_ms is None else Cursor(command.until_ms)
    if not command.cursor:
        return until
    try:
        return min(until, Cursor.parse(command.cursor))
    except ValueError as error:
        raise Refusal(Code.MALFORMED, str(error)) from None
