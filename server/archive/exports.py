"""Exports: one or many matches by GET, in any of `server.archive.forms`.

Many matches are sent as they are read, a few at a time, so exporting the whole archive takes no more memory than one
page. An export pauses often, so that players hardly notice.

The last plies of a match in progress are withheld (see `server.archive.record_writer`).
"""

import asyncio
import math
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from time import perf_counter
from typing import cast
from urllib.parse import quote

import structlog

from millrace.protocol import Code, CommandId, IdentityId, MatchId, Player, ResultFilter, SearchMatches
from millrace.protocol.refusal import Refusal

from ..callers.feature import Feature
from ..callers.limits import Hold
from ..callers.resources import ResourceRequest, ResourceResponse, SenderOf, StreamedResponse, error_response
from ..runtime.slices import in_slices
from ..storage.errors import StorageError, UnstorableError
from .archive_handler import QueryBuilder
from .archive_query import ArchiveQuery
from .archive_store import ArchivedMatch, ArchiveStore
from .downloads import TOO_MANY, Downloads
from .forms import FORMS, Form
from .record import MatchRecord, RecordError

log = structlog.get_logger()

PAGE = 200
"""Number of matches per search of an export."""
PART_BYTES = 32_768
"""Matches are sent once they have this length together."""
REST = 4.0
"""Pause of an export, as a multiple of its time in the event loop."""
DAY_MS = 86_400_000
FRESH_SECONDS = 3600
"""Time for which a finished match may be cached; it changes only when a player is renamed."""

_OWN = "private, no-store"
_STATUSES = {
    Code.UNKNOWN_PLAYER: HTTPStatus.NOT_FOUND,
    Code.ACCOUNT_NEEDED: HTTPStatus.FORBIDDEN,
    Code.BAD_TOKEN: HTTPStatus.FORBIDDEN,
}
_RESULTS = ("won", "drawn", "lost", "decided", "none")


class ExportHandler(Feature):
    """Answers GETs for matches."""

    def __init__(self, store: ArchiveStore, queries: QueryBuilder, sender_of: SenderOf, downloads: Downloads) -> None:
        self._store = store
        self._queries = queries
        self._sender_of = sender_of
        self._downloads = downloads
        form = rf"\.(?P<form>{'|'.join(FORMS)})"
        one, many = rf"/match/(?P<match>[!-.0-~]{{1,32}}?){form}", rf"/archive{form}"
        self.resources = (re.compile(one), self.one), (re.compile(many), self.many)

    async def one(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer with a match."""
        match, form = MatchId(asked.names["match"]), FORMS[asked.names["form"]]
        try:
            recorded = await self._store.load(match)
            if not recorded:
                return error_response(HTTPStatus.NOT_FOUND, "There is no such match.")
            record = await self._store.record(match, recorded)
        except StorageError as error:
            return _unavailable(error)
        caching = "no-store" if record.ended_ms is None else f"public, max-age={FRESH_SECONDS}"
        try:
            body = await written(record, form, asked.site)
        except RecordError as error:
            return error_response(HTTPStatus.CONFLICT, str(error))
        return ResourceResponse(body, form.content_type, headers=_headers(f"millrace-{match}{form.suffix}", caching))

    async def many(self, asked: ResourceRequest) -> ResourceResponse | StreamedResponse:
        """Answer with all matches found by a search, newest first."""
        hold: Hold | None = None
        answer: ResourceResponse | StreamedResponse | None = None
        try:
            search = _search_of(asked.query)
            own = await self._sender_of(asked.headers) if search.mine or search.imported else None
            hold = self._downloads.begin(asked.address, None if own is None else own.id)
            answer = TOO_MANY if hold is None else await self._many(asked, search, own, hold)
        except Refusal as error:
            answer = error_response(_STATUSES.get(error.code, HTTPStatus.BAD_REQUEST), error.message)
        except StorageError as error:
            answer = _unavailable(error)
        finally:
            if hold is not None and not isinstance(answer, StreamedResponse):
                hold.release()
        return answer

    async def _many(
        self, asked: ResourceRequest, search: SearchMatches, own: Player | None, hold: Hold
    ) -> StreamedResponse:
        """Return the response, which ends by releasing its place among the downloads. Raises: Refusal, StorageError."""
        query, form, reader = asked.query, FORMS[asked.names["form"]], None if own is None else own.id
        wanted, most = await self._queries.query(search, own), _most_of(query)
        first = await self._search(wanted, most, asked.address, reader)
        parts = self._parts(wanted, first, most, form, reader, asked)
        headers = _headers(f"millrace-archive{form.suffix}", "no-cache" if own is None else _OWN)
        return StreamedResponse(parts, form.content_type_of_many, headers, hold.release)

    async def _parts(
        self,
        wanted: ArchiveQuery,
        found: Sequence[ArchivedMatch],
        left: float,
        form: Form,
        reader: IdentityId | None,
        asked: ResourceRequest,
    ) -> AsyncGenerator[bytes, None]:
        """Yield the matches found and all after them, up to `left`, several at a time.

        Matches that the form cannot express are omitted. Raises: StorageError.
        """
        part, site = bytearray(), asked.site
        while found:
            matches = self._store.load_each([each.match for each in found if each.is_shown_to(reader)])
            while True:
                # Reading takes turns too: otherwise everybody else would wait for the database.
                async with self._downloads.turn(asked.address, reader):
                    loaded = await anext(matches, None)
                    if loaded is None:
                        break
                    record = await self._store.record(*loaded)
                    began = perf_counter()
                    with suppress(RecordError):
                        part += await written(record, form, site)
                    # Let the event loop run before the next match, which may be long.
                    await asyncio.sleep(REST * (perf_counter() - began))
                if len(part) >= PART_BYTES:
                    yield bytes(part)
                    part.clear()
            left -= len(found)
            wanted = wanted._replace(cursor=found[-1].cursor)
            found = await self._search(wanted, left, asked.address, reader) if left > 0 else ()
        yield bytes(part)

    async def _search(
        self, wanted: ArchiveQuery, most: float, address: str, reader: IdentityId | None
    ) -> Sequence[ArchivedMatch]:
        async with self._downloads.turn(address, reader):
            return await self._store.search(wanted, int(min(PAGE, most)))


async def written(record: MatchRecord, form: Form, site: str) -> bytes:
    """Return a match in a form, written in slices. Raises: RecordError."""
    link = f"{site}/match/{quote(record.id)}" if site else ""
    return "".join([piece async for piece in in_slices(form.write(record, link))]).encode()


def _search_of(given: Mapping[str, str]) -> SearchMatches:
    """Return the search for the query parameters of a URL. Raises: Refusal."""
    result, rated = given.get("result"), given.get("rated")
    if result is not None and result not in _RESULTS:
        raise Refusal(Code.MALFORMED, "result must be one of {results}.", results=", ".join(_RESULTS))
    if rated not in (None, "yes", "no"):
        raise Refusal(Code.MALFORMED, "rated must be yes or no.")
    since_ms, until_ms = _moment_ms(given.get("since_ms")), _moment_ms(given.get("until_ms"))
    return SearchMatches(
        CommandId("get"),
        player=given.get("player"),
        opponent=given.get("opponent"),
        game=given.get("game"),
        result=cast("ResultFilter | None", result),
        rated=None if rated is None else rated == "yes",
        mine=_is_set(given.get("mine")),
        imported=_is_set(given.get("imported")),
        since_ms=_day_ms(given.get("from"), 0) if since_ms is None else since_ms,
        until_ms=_day_ms(given.get("to"), 1) if until_ms is None else until_ms,
        cursor=given.get("cursor", ""),
    )


def _is_set(text: str | None) -> bool:
    return text in ("1", "yes")


def _moment_ms(text: str | None) -> int | None:
    """Return a time in milliseconds since 1970. Raises: Refusal."""
    if text is None:
        return None
    if re.fullmatch(r"[0-9]{1,15}", text) is None:
        raise Refusal(Code.MALFORMED, "since_ms and until_ms must be times in milliseconds since 1970.")
    return int(text)


def _day_ms(day: str | None, later: int) -> int | None:
    """Return when a day begins, or the day `later` days after it. Raises: Refusal."""
    if day is None:
        return None
    try:
        moment = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise Refusal(Code.MALFORMED, "{day} is not a date; write YYYY-MM-DD.", day=repr(day)) from None
    return max(0, int(moment.timestamp() * 1000) + later * DAY_MS)


def _most_of(query: Mapping[str, str]) -> float:
    """Return the maximum number of matches requested. Raises: Refusal."""
    text = query.get("limit")
    if text is None:
        return math.inf
    if re.fullmatch(r"[0-9]{1,9}", text) is None or int(text) == 0:
        raise Refusal(Code.MALFORMED, "limit must be a number of matches, at least 1.")
    return int(text)


def _headers(name: str, caching: str) -> dict[str, str]:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": caching}
    if caching != _OWN:
        # Pages of other sites may read public content.
        headers["Access-Control-Allow-Origin"] = "*"
    return headers


def _unavailable(error: StorageError) -> ResourceResponse:
    if isinstance(error, UnstorableError):
        return error_response(HTTPStatus.BAD_REQUEST, "This address has characters or numbers that nothing stored has.")
    log.error("archive not read", error=str(error))
    return error_response(HTTPStatus.SERVICE_UNAVAILABLE, "The server cannot look this up now. Please try again.")
