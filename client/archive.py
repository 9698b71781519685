"""Matches that are over: found, fetched as text or JSON, and brought along as text.

`Connection.archive` is one of these. To look at one ply by ply is to `watch` it.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Literal
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import urlopen

from millrace.server.protocol import (
    Code,
    CommandId,
    Crosstable,
    Done,
    FoundMatches,
    GetCrosstable,
    ImportedMatch,
    ImportMatches,
    MatchesImported,
    MatchId,
    PastMatch,
    ResultFilter,
    SearchMatches,
    encode,
)

from .errors import ConnectionLostError, RefusedError, UnreachableError
from .requests import Requests, new_id

PART_CHARACTERS = 7_000
PART_BYTES = 8_000
"""What a part of an import may take of its frame."""
FETCH_TIMEOUT_S = 30.0


class ArchiveClient:
    """What a connection asks of the archive. Every method raises RefusedError and ConnectionLostError."""

    def __init__(self, requests: Requests, site: str) -> None:
        self._requests = requests
        self._site = site

    async def search(
        self,
        *,
        player: str | None = None,
        opponent: str | None = None,
        mine: bool = False,
        game: str | None = None,
        result: ResultFilter | None = None,
        rated: bool | None = None,
        since_ms: int | None = None,
        until_ms: int | None = None,
        imported: bool = False,
    ) -> AsyncIterator[PastMatch]:
        """Yield the matches that fit, the latest first; they are asked for page by page, as far as they are read.

        What each narrows the search to is said in `server.protocol.SearchMatches`.
        """
        narrowed = (player, opponent, mine, game, result, rated, since_ms, until_ms, imported)
        cursor, is_first = "", True
        while cursor or is_first:
            found = await self._requests.ask(SearchMatches(new_id(), *narrowed, cursor), FoundMatches)
            for match in found.matches:
                yield match
            cursor, is_first = found.next, False

    async def crosstable(self, opponent: str, player: str | None = None) -> Crosstable:
        """Return how somebody, or this player, has done against another."""
        return await self._requests.ask(GetCrosstable(new_id(), player, opponent), Crosstable)

    async def export(self, match: MatchId, form: Literal["txt", "json"] = "txt") -> str:
        """Return a match as text in the manner of PGN, or as JSON."""
        return await asyncio.to_thread(_fetch, f"{self._site}/match/{quote(match)}.{form}")

    async def bring(self, text: str, game: str | None = None) -> tuple[ImportedMatch, ...]:
        """Bring matches along as `export` gives them, or as other servers write them; return them in their order.

        `game` is what is played where the text does not say. A text that cannot be read is refused with the reason.
        """
        upload = new_id()
        while True:
            try:
                return await self._bring(upload, tuple(_parts(text)), game)
            except ConnectionLostError:
                # The server forgets the parts with the connection, but what the import has done it does once.
                self._requests.raise_if_ended()

    async def _bring(self, upload: CommandId, parts: tuple[str, ...], game: str | None) -> tuple[ImportedMatch, ...]:
        for number, part in enumerate(parts[:-1]):
            command = ImportMatches(new_id(), upload, number, len(parts), part, game)
            await self._requests.ask(command, Done, is_lasting=False)
        command = ImportMatches(new_id(), upload, len(parts) - 1, len(parts), parts[-1], game)
        return (await self._requests.ask(command, MatchesImported, is_lasting=False)).matches


def _parts(text: str) -> Iterator[str]:
    """Cut a text so that each part fits a frame; an empty one is a part too."""
    start, length = 0, PART_CHARACTERS
    while start < len(text) or start == 0:
        part = text[start : start + length]
        if len(encode(ImportMatches(new_id(), new_id(), 0, 1, part))) > PART_BYTES:
            length //= 2
            continue
        yield part
        start, length = start + max(1, len(part)), PART_CHARACTERS


def _fetch(url: str) -> str:
    """Raises: RefusedError, UnreachableError."""
    try:
        with urlopen(url, timeout=FETCH_TIMEOUT_S) as answer:  # the scheme is that of `socket_url`
            return str(answer.read().decode())
    except HTTPError as error:
        with error:
            words = error.read().decode(errors="replace").strip()
        raise RefusedError(Code.UNKNOWN_MATCH if error.code == 404 else Code.UNAVAILABLE, words) from None
    except (URLError, OSError) as error:
        raise UnreachableError(f"No answer from {url}: {error}") from None
