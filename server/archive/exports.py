"""Exports: one or many matches by GET, as PGN-like text or as JSON.

The last plies of a match in progress are withheld, as in `server.archive.record_writer`.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import accumulate
from typing import TypeAlias, cast
from urllib.parse import quote, urlencode

import msgspec
import structlog

from ..journal.store import StorageError
from ..protocol import Code, CommandId, MatchId, Player, ResultFilter, SearchMatches
from ..protocol.refusal import Refusal
from ..routing.feature import Feature
from ..routing.resources import PLAIN_TEXT, ResourceRequest, ResourceResponse, Resources, error_response
from .handler import QueryBuilder
from .record import MatchRecord
from .record_text import format_match
from .record_writer import record_of
from .store import ArchivedMatch, ArchiveStore

log = structlog.get_logger()

MAX_EXPORTED = 200
MAX_EXPORT_PLIES = 50_000
"""Maximum matches and plies in one response; its header `Link` leads to the rest."""
MAX_CONCURRENT = 2
"""Maximum responses with many matches that are built at a time."""
DAY_MS = 86_400_000
FRESH_SECONDS = 3600
"""How long a match that is over may be cached; it changes only when a player is renamed."""

SenderOf: TypeAlias = Callable[[Mapping[str, str]], Awaitable[Player]]
"""Returns the account that sends a request, by its headers. Raises: Refusal if there is none."""

_OWN = "private, no-store"
_STATUSES = {
    Code.UNKNOWN_PLAYER: HTTPStatus.NOT_FOUND,
    Code.ACCOUNT_NEEDED: HTTPStatus.FORBIDDEN,
    Code.BAD_TOKEN: HTTPStatus.FORBIDDEN,
}
_JSON, _LINES = "application/json", "application/x-ndjson"
_RESULTS = ("won", "drawn", "lost", "decided", "none")


class ExportHandler(Feature):
    """Answers GETs for matches."""

    def __init__(self, store: ArchiveStore, queries: QueryBuilder, sender_of: SenderOf) -> None:
        self._store = store
        self._queries = queries
        self._sender_of = sender_of
        self._running = 0

    @property
    def resources(self) -> Resources:
        """One match, and the matches that a search finds."""
        one, many = r"/match/(?P<match>[!-.0-~]{1,32}?)\.(?P<form>txt|json)", r"/archive\.(?P<form>txt|json)"
        return (re.compile(one), self.one), (re.compile(many), self.many)

    async def one(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer with a match."""
        match, form = MatchId(asked.names["match"]), asked.names["form"]
        try:
            recorded = await self._store.load(match)
        except StorageError as error:
            return _unavailable(error)
        if not recorded:
            return error_response(HTTPStatus.NOT_FOUND, "There is no such match.")
        record = record_of(match, recorded)
        caching = "no-store" if record.ended_ms is None else f"public, max-age={FRESH_SECONDS}"
        body = _json_of(record) if form == "json" else _text_of(record, asked.site)
        kind = _JSON if form == "json" else PLAIN_TEXT
        return ResourceResponse(body, kind, headers=_headers(f"millrace-{match}.{form}", caching))

    async def many(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer with the matches that a search finds, latest first."""
        if self._running >= MAX_CONCURRENT:
            return error_response(HTTPStatus.SERVICE_UNAVAILABLE, "Too many exports are running. Please try again.")
        self._running += 1
        try:
            return await self._many(asked)
        except Refusal as error:
            return error_response(_STATUSES.get(error.code, HTTPStatus.BAD_REQUEST), error.message)
        except StorageError as error:
            return _unavailable(error)
        finally:
            self._running -= 1

    async def _many(self, asked: ResourceRequest) -> ResourceResponse:
        query, form = asked.query, asked.names["form"]
        search = _search_of(query)
        own = await self._sender_of(asked.headers) if search.mine or search.imported else None
        wanted = await self._queries.query(search, own)
        most = _most_of(query)
        found = await self._store.search(wanted, most + 1)
        shown = found[: _fitting(found[:most])]
        written = []
        async for match, recorded in self._store.load_each([each.match for each in shown]):
            record = record_of(match, recorded)
            written.append(_json_of(record) if form == "json" else _text_of(record, asked.site))
            # Let the event loop run before the next match, which may be long.
            await asyncio.sleep(0)
        headers = _headers(f"millrace-archive.{form}", "no-cache" if own is None else _OWN)
        if len(found) > len(shown):
            following = urlencode({**query, "cursor": shown[-1].cursor.text})
            headers["Link"] = f'</archive.{form}?{following}>; rel="next"'
        return ResourceResponse(b"".join(written), _LINES if form == "json" else PLAIN_TEXT, headers=headers)


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


def _fitting(found: Sequence[ArchivedMatch]) -> int:
    """Return how many matches fit into one response, at least one."""
    plies = accumulate(each.plies for each in found)
    return max(1, sum(count <= MAX_EXPORT_PLIES for count in plies))


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


def _most_of(query: Mapping[str, str]) -> int:
    text = query.get("limit", str(MAX_EXPORTED))
    if not text.isdecimal() or not 1 <= int(text[:9]) <= MAX_EXPORTED:
        raise Refusal(Code.MALFORMED, "limit must be 1 to {most}.", most=MAX_EXPORTED)
    return int(text)


def _text_of(record: MatchRecord, site: str) -> bytes:
    return format_match(record, f"{site}/match/{quote(record.id)}" if site else "").encode()


def _json_of(record: MatchRecord) -> bytes:
    return msgspec.json.encode(record) + b"\n"


def _headers(name: str, caching: str) -> dict[str, str]:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": caching}
    if caching != _OWN:
        # Pages of other sites may read what anyone may see.
        headers["Access-Control-Allow-Origin"] = "*"
    return headers


def _unavailable(error: StorageError) -> ResourceResponse:
    log.error("archive not read", error=str(error))
    return error_response(HTTPStatus.SERVICE_UNAVAILABLE, "The server cannot look this up now. Please try again.")
