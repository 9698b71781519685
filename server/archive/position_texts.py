"""Positions by GET, in the notation of the game or of another program."""

import re
from collections.abc import Sequence
from http import HTTPStatus

import structlog

from millrace.engine.game import EngineError
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import MatchId

from ..bots.background_process import BackgroundProcess
from ..bots.search_workers import WorkerError
from ..callers.feature import Feature
from ..callers.resources import ResourceRequest, ResourceResponse, error_response
from ..storage.errors import StorageError
from .archive_store import ArchiveStore, record_in_slices
from .record_reader import MAX_SETUP_LENGTH

log = structlog.get_logger()

_HEADERS = {"Cache-Control": "no-cache", "Access-Control-Allow-Origin": "*"}


class PositionTextHandler(Feature):
    """Answers GETs for positions."""

    def __init__(self, store: ArchiveStore, background: BackgroundProcess) -> None:
        self._store = store
        self._background = background
        of_match, given = r"/match/(?P<match>[!-.0-~]{1,32})/position\.txt", r"/position\.txt"
        self.resources = (re.compile(of_match), self.of_match), (re.compile(given), self.given)

    async def of_match(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer with a match's position after `ply` plies, by default the latest that may be shown."""
        match, ply = MatchId(asked.names["match"]), asked.query.get("ply", "")
        try:
            recorded = await self._store.load(match)
        except StorageError as error:
            log.error("archive not read", error=str(error))
            return error_response(HTTPStatus.SERVICE_UNAVAILABLE, "The server cannot look this up now. Try again.")
        if not recorded:
            return error_response(HTTPStatus.NOT_FOUND, "There is no such match.")
        record = await record_in_slices(match, recorded)
        plies = len(record.plies)
        if ply and (re.fullmatch("[0-9]{1,5}", ply, re.ASCII) is None or int(ply) > plies):
            return error_response(HTTPStatus.BAD_REQUEST, f"ply must be 0 to {plies}.")
        notation = asked.query.get("notation", "")
        moves = [each.move for each in record.plies[: int(ply) if ply else plies]]
        return await self._answer(asked, record.game, record.setup, moves, notation)

    async def given(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer with the position of a set-up text."""
        query = asked.query
        game, setup = query.get("game", ""), query.get("setup", "")
        if len(setup) > MAX_SETUP_LENGTH:
            return error_response(HTTPStatus.BAD_REQUEST, f"setup has at most {MAX_SETUP_LENGTH:,} characters.")
        return await self._answer(asked, game, setup, (), query.get("notation", ""))

    async def _answer(
        self, asked: ResourceRequest, game: str, setup: str, moves: Sequence[str], notation: str
    ) -> ResourceResponse:
        try:
            text = await self._background.run(asked.address, position_text, game, setup, moves, notation)
        except EngineError as error:
            return error_response(HTTPStatus.BAD_REQUEST, str(error))
        except WorkerError as error:
            log.error("position not written", error=str(error))
            return error_response(HTTPStatus.SERVICE_UNAVAILABLE, "The server cannot look this up now. Try again.")
        return ResourceResponse(f"{text}\n".encode(), headers=_HEADERS)


def position_text(game: str, setup: str, moves: Sequence[str], notation: str) -> str:
    """Return the position after some moves in a notation. Raises: EngineError."""
    return State.from_moves(find_game(game), setup, moves).write_position(notation)
