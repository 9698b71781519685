"""The archive: searching, exporting and importing finished matches. To go through a match's events, `watch` it."""

import asyncio
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Callable, Mapping
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from typing import Literal, TypeAlias
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from millrace import protocol

from .errors import ConnectionLostError, RefusedError, UnreachableError
from .requests import Requests, new_id
from .text_parts import split_text

PART_CHARACTERS = 7_000
"""Maximum length of a part of an import."""
FETCH_TIMEOUT_S = 30.0
READ_BYTES = 65_536
_CODES: Mapping[int, protocol.Code] = {
    HTTPStatus.FORBIDDEN: protocol.Code.ACCOUNT_NEEDED,
    HTTPStatus.NOT_FOUND: protocol.Code.UNKNOWN_MATCH,
    HTTPStatus.TOO_MANY_REQUESTS: protocol.Code.TOO_MANY,
}
"""The codes of refused requests by their status; of the rest, `unavailable` only if the server is at fault."""

Form: TypeAlias = Literal["txt", "json", "sgf", "playok"]
"""PGN-like text, JSON, SGF, or text with PlayOK's numbers for points."""


class ArchiveClient:
    """Requests to the archive; `Connection.archive` is one.

    Every method raises RefusedError and ConnectionLostError.
    """

    def __init__(self, requests: Requests, site: str, token_of: Callable[[], str] | None = None) -> None:
        self._requests = requests
        self._site = site
        self._token_of = token_of

    async def search(
        self,
        *,
        player: str | None = None,
        opponent: str | None = None,
        mine: bool = False,
        game: str | None = None,
        result: protocol.ResultFilter | None = None,
        rated: bool | None = None,
        since_ms: int | None = None,
        until_ms: int | None = None,
        imported: bool = False,
    ) -> AsyncIterator[protocol.PastMatch]:
        """Yield the matching matches, the latest first. Further pages are requested as they are read.

        The protocol's `SearchMatches` explains the filters.
        """
        filters = (player, opponent, mine, game, result, rated, since_ms, until_ms, imported)
        cursor, is_first = "", True
        while cursor or is_first:
            found = await self._requests.ask(protocol.SearchMatches(new_id(), *filters, cursor), protocol.FoundMatches)
            for match in found.matches:
                yield match
            cursor, is_first = found.next, False

    async def crosstable(self, opponent: str, player: str | None = None) -> protocol.Crosstable:
        """Return the score of a player, by default this one, against an opponent."""
        return await self._requests.ask(protocol.GetCrosstable(new_id(), player, opponent), protocol.Crosstable)

    async def bot_records(self, game: str) -> tuple[protocol.BotRecord, ...]:
        """Return this player's results in a game against each of the server's bots that they have met."""
        return (await self._requests.ask(protocol.GetBotRecords(new_id(), game), protocol.BotRecords)).records

    async def export(self, match: protocol.MatchId, form: Form = "txt") -> str:
        """Return a match in a form."""
        return await asyncio.to_thread(_fetch, f"{self._site}/match/{quote(match)}.{form}")

    async def export_all(
        self,
        form: Form = "txt",
        *,
        player: str | None = None,
        opponent: str | None = None,
        mine: bool = False,
        game: str | None = None,
        result: protocol.ResultFilter | None = None,
        rated: bool | None = None,
        since_ms: int | None = None,
        until_ms: int | None = None,
        imported: bool = False,
        limit: int | None = None,
    ) -> AsyncIterator[str]:
        """Yield the text of all matching matches in a form, the latest first, as it arrives, in parts of any length.

        The filters are those of `search`. Matches that the form cannot express are left out.
        """
        chosen = {
            **{"player": player, "opponent": opponent, "game": game, "result": result, "limit": limit},
            **{
                "since_ms": since_ms,
                "until_ms": until_ms,
                "mine": int(mine) or None,
                "imported": int(imported) or None,
            },
            "rated": None if rated is None else "yes" if rated else "no",
        }
        query = urlencode({name: value for name, value in chosen.items() if value is not None})
        token = self._token_of() if (mine or imported) and self._token_of is not None else None
        answer = await asyncio.to_thread(_open, f"{self._site}/archive.{form}?{query}", token)
        decoder = getincrementaldecoder("utf-8")()
        with answer:
            while part := await asyncio.to_thread(_read_some, answer):
                yield decoder.decode(part)

    async def import_text(self, text: str, game: str | None = None) -> tuple[protocol.ImportedMatch, ...]:
        """Import matches from text, as written by `export` or by other servers; return them in order.

        `game` is the game of matches whose text names none. The server refuses a text that it cannot read.
        """
        upload = new_id()
        whole = protocol.ImportMatches(new_id(), upload, 0, 1, "", game)
        parts = tuple(split_text(text, PART_CHARACTERS, whole))
        while True:
            try:
                return await self._import(upload, parts, game)
            except ConnectionLostError:
                # The server drops the parts with the connection; repeating a whole import takes effect only once.
                self._requests.raise_if_ended()

    async def _import(
        self, upload: protocol.CommandId, parts: tuple[str, ...], game: str | None
    ) -> tuple[protocol.ImportedMatch, ...]:
        for number, part in enumerate(parts[:-1]):
            command = protocol.ImportMatches(new_id(), upload, number, len(parts), part, game)
            await self._requests.ask(command, protocol.Done, is_repeated=False)
        command = protocol.ImportMatches(new_id(), upload, len(parts) - 1, len(parts), parts[-1], game)
        return (await self._requests.ask(command, protocol.MatchesImported, is_repeated=False)).matches


def _fetch(url: str) -> str:
    """Return the text at a URL. Raises: RefusedError, UnreachableError."""
    with _open(url, None) as answer:
        try:
            return answer.read().decode()
        except (OSError, HTTPException) as error:
            raise UnreachableError(f"Could not read {url}: {error}.") from None


def _read_some(answer: HTTPResponse) -> bytes:
    """Return the next bytes of an answer, none at its end. Raises: UnreachableError."""
    try:
        return answer.read1(READ_BYTES)
    except (OSError, HTTPException) as error:
        raise UnreachableError(f"The export was interrupted: {error}.") from None


def _open(url: str, token: str | None) -> HTTPResponse:
    """Return the answer to a GET. Raises: RefusedError, UnreachableError."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    try:
        # The scheme is that of `socket_url`.
        answer: HTTPResponse = urlopen(Request(url, headers=headers), timeout=FETCH_TIMEOUT_S)
        return answer
    except HTTPError as error:
        with error:
            message = error.read().decode(errors="replace").strip()
        is_faulty = error.code >= HTTPStatus.INTERNAL_SERVER_ERROR
        code = protocol.Code.UNAVAILABLE if is_faulty else _CODES.get(error.code, protocol.Code.MALFORMED)
        raise RefusedError(code, message) from None
    except (URLError, OSError) as error:
        reason = getattr(error, "reason", error)
        raise UnreachableError(f"Could not read {url}: {getattr(reason, 'strerror', None) or reason}.") from None
