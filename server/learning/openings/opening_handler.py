"""The handler of openings: statistics about a position, as messages and by GET, and updates of the index."""

import asyncio
import re
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from msgspec.structs import replace

from millrace.engine.book.book import Book
from millrace.engine.state import State
from millrace.protocol import (
    Code,
    CommandId,
    ExploreOpening,
    GetOpenings,
    IdentityId,
    Line,
    OpeningExplored,
    Openings,
    Scope,
)
from millrace.protocol.analysis import MAX_LINE_MOVES
from millrace.protocol.refusal import Refusal

from ...archive.archive_store import ArchiveStore, past_matches
from ...bots.books.book_files import BookLibrary
from ...callers.caller import Caller
from ...callers.feature import Feature, Route
from ...callers.resources import ResourceRequest, ResourceResponse, SenderOf, error_response
from ...cluster.leases import Lease
from ...journal.unavailable import refusing_failures
from ...matches.fair_play import require_fair, require_over
from ...matches.named_games import require_game
from ...rooms.rooms import Rooms
from ...storage.errors import StorageError
from ..analysis.lines import Lines
from .explorer import known_moves, named_openings
from .indexer import OpeningIndexer
from .opening_store import OpeningStore
from .positions import IndexedPosition, find_position, names_by_position, opening_of

log = structlog.get_logger()

LISTED_MATCHES = 5
"""Maximum matches in an answer."""
MAX_SETUP_LENGTH = 2_048

_HEADERS = {"Cache-Control": "public, max-age=60", "Access-Control-Allow-Origin": "*"}
_STATUSES = {Code.UNKNOWN_GAME: HTTPStatus.NOT_FOUND, Code.BEING_PLAYED: HTTPStatus.FORBIDDEN}


@dataclass(eq=False)
class OpeningHandler(Feature):
    """Answers questions about positions."""

    _store: OpeningStore
    _archive: ArchiveStore
    _rooms: Rooms
    _books: BookLibrary
    _sender_of: SenderOf
    _lease: Lease
    """For the node that updates the index."""

    def __post_init__(self) -> None:
        self._lines = Lines(self._rooms)
        self._indexer = OpeningIndexer(self._store, self._archive, self._lease)
        self.routes = (
            Route(ExploreOpening, self.explore, Scope.READ),
            Route(GetOpenings, self.list_openings, Scope.READ),
        )
        self.resources = ((re.compile(r"/openings/(?P<game>[!-.0-~]{1,32})\.json"), self.get),)

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Counting finished matches."""
        return (self._indexer.run(),)

    async def explore(self, command: ExploreOpening, caller: Caller) -> None:
        """Answer with statistics about the end of a line. Raises: Refusal."""
        end = await self._lines.walk(command.line, caller.identity)
        if end.match is not None:
            require_over(end.match)
        require_fair(end.state, caller.identity, await self._rooms.played_by(caller.identity))
        with refusing_failures("openings not read", "look this up"):
            caller.send(await self._explored(command.id, end.state, caller.identity, people=command.people))

    async def list_openings(self, command: GetOpenings, caller: Caller) -> None:
        """Answer with the named openings of a game. Raises: Refusal."""
        caller.send(Openings(command.id, named_openings(require_game(command.game))))

    async def get(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer a GET with statistics about a position."""
        query = asked.query
        moves = tuple(query.get("moves", "").replace(",", " ").split())
        setup = query.get("position", "")
        if len(moves) > MAX_LINE_MOVES or len(setup) > MAX_SETUP_LENGTH or any(len(move) > 64 for move in moves):
            return error_response(HTTPStatus.BAD_REQUEST, "This line is too long.")
        try:
            end = await self._lines.walk(Line(asked.names["game"], setup, moves=moves), IdentityId(""))
            await self._require_fair(end.state, asked.headers)
            people = query.get("people") in ("1", "yes")
            explored = await self._explored(CommandId("get"), end.state, None, people=people)
        except Refusal as error:
            return error_response(_STATUSES.get(error.code, HTTPStatus.BAD_REQUEST), error.message)
        except StorageError as error:
            log.error("openings not read", error=str(error))
            return error_response(HTTPStatus.SERVICE_UNAVAILABLE, "The server cannot look this up now. Try again.")
        return ResourceResponse(
            msgspec.json.encode(_without_id(explored)) + b"\n", "application/json", headers=_HEADERS
        )

    def _find(self, state: State) -> tuple[IndexedPosition | None, Book | None]:
        """Return the position in the index and the book of its game: at the first use, both take long to load."""
        names_by_position(state.game)
        return find_position(state), self._books.book(state.line[0].game.name)

    async def _require_fair(self, state: State, headers: Mapping[str, str]) -> None:
        """Check that answering the sender of a request is fair, if the sender is known. Raises: Refusal."""
        try:
            sender = await self._sender_of(headers)
        except Refusal:
            return
        require_fair(state, sender.id, await self._rooms.played_by(sender.id))

    async def _explored(
        self, command_id: CommandId, state: State, reader: IdentityId | None, *, people: bool
    ) -> OpeningExplored:
        """Return statistics about a position, and those of the latest matches that a reader may see.

        Raises: StorageError.
        """
        position, book = await asyncio.to_thread(self._find, state)
        counts = [] if position is None else await self._store.moves(position.number, people=people)
        moves = known_moves(state, counts, book)
        latest = [move.latest for move in moves[:LISTED_MATCHES] if move.latest is not None]
        found = await self._archive.find(latest) if latest else ()
        matches = past_matches(found, reader)
        hidden = {each.match for each in found} - {each.match for each in matches}
        moves = tuple(replace(move, latest=None) if move.latest in hidden else move for move in moves)
        to_move = None if state.outcome is not None else state.seat
        return OpeningExplored(command_id, to_move, opening_of(state), moves, matches)


def _without_id(explored: OpeningExplored) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(explored)
    del fields["id"], fields["type"]
    return fields
