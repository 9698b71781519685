"""The handler of imports: texts that players upload in parts are read, replayed by the rules, and stored.

`server.archive.record_reader` reads the text, `server.archive.imports` turns matches into events.
"""

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from millrace.protocol import Code, CommandId, Done, ImportedMatch, ImportMatches, MatchesImported, MatchId, Scope
from millrace.protocol.refusal import Refusal

from ..callers.caller import Caller
from ..callers.feature import Feature, Route
from ..callers.limit import DAY_MS, HOUR_MS, Limit
from ..callers.limits import Limits
from ..journal.entries import Origin
from ..journal.journal_store import Journal
from ..journal.unavailable import refusing_failures
from ..matches.finish import finish_from
from ..matches.match_ids import ID_BITS, match_id_of
from ..runtime.system_clock import NowMs
from ..storage.errors import StorageError
from .imports import entries_of, origin_of
from .record import RecordError
from .record_reader import ReadMatch, read_matches

MAX_CHARACTERS = 262_144
"""Maximum length of a text; a match of 100 plies with clocks has about 4,000 characters."""
MAX_MATCHES = 20
"""Maximum matches in a text."""
IMPORTS = Limit(
    name="imports",
    counts="matches imported",
    refusal="You have imported enough matches for today. Please import the rest tomorrow.",
    window_ms=DAY_MS,
    account=200,
    guests=20,
    address=1_000,
)
IMPORTED_TEXTS = Limit(
    name="imported_texts",
    counts="texts uploaded for import, including refused ones",
    refusal="You have uploaded many texts.",
    window_ms=HOUR_MS,
    account=60,
    guests=60,
    address=300,
)
"""A long text occupies the processor for a while."""


@dataclass(slots=True)
class _Upload:
    """A text that is being uploaded."""

    name: CommandId
    parts: int
    texts: list[str] = field(default_factory=list)


class ImportHandler(Feature):
    """Imports matches sent by players as text."""

    def __init__(self, journal: Journal, now_ms: NowMs, limits: Limits) -> None:
        self._journal = journal
        self._now_ms = now_ms
        self._uploads: dict[Caller, _Upload] = {}
        self._limits = limits
        self._turn = asyncio.Lock()
        self.routes = (Route(ImportMatches, self.take, Scope.CHALLENGE),)

    async def take(self, command: ImportMatches, caller: Caller) -> None:
        """Receive a part of a text; with the last part, import its matches. Raises: Refusal."""
        text = self._gather(command, caller)
        if text is None:
            caller.send(Done(command.id))
            return
        now_ms = self._now_ms()
        self._limits.use(IMPORTED_TEXTS, caller)
        readings = await self._read(text, command.game or "")
        imported: list[ImportedMatch] = []
        for reading in readings:
            try:
                self._limits.check(IMPORTS, caller)
            except Refusal as refusal:
                raise Refusal(refusal.code, refusal.message + _stored_text(imported)) from None
            with refusing_failures("import not stored", advice="please upload it again." + _stored_text(imported)):
                match, is_new = await self._store(reading, origin_of(reading, caller.identity), now_ms)
            if is_new:
                self._limits.use(IMPORTS, caller)
            record = reading.record
            names = tuple(seat.name for seat in record.seats)
            imported.append(ImportedMatch(match, record.game, names, len(record.plies)))
        caller.send(MatchesImported(command.id, tuple(imported)))

    def disconnect(self, caller: Caller) -> None:
        """Forget an unfinished upload."""
        self._uploads.pop(caller, None)

    def _gather(self, command: ImportMatches, caller: Caller) -> str | None:
        """Return the text after its last part, None before. Raises: Refusal."""
        if command.part == 0:
            self._uploads[caller] = _Upload(command.upload, command.parts)
        upload = self._uploads.get(caller)
        follows = upload is not None and (upload.name, upload.parts, len(upload.texts)) == (
            command.upload,
            command.parts,
            command.part,
        )
        if upload is None or not follows or command.part >= command.parts:
            raise Refusal(Code.BAD_RECORD, "The parts of this text did not arrive in order. Please upload it again.")
        upload.texts.append(command.text)
        if sum(map(len, upload.texts)) > MAX_CHARACTERS:
            del self._uploads[caller]
            raise Refusal(Code.BAD_RECORD, f"The text is too long: at most {MAX_CHARACTERS:,} characters are allowed.")
        if command.part + 1 < command.parts:
            return None
        del self._uploads[caller]
        return "".join(upload.texts)

    async def _read(self, text: str, game: str) -> list[ReadMatch]:
        """Return the matches of a text, read in a thread, one text at a time. Raises: Refusal."""
        try:
            async with self._turn:
                readings = await asyncio.to_thread(_read_some, text, game)
        except RecordError as error:
            raise Refusal(Code.BAD_RECORD, str(error)) from None
        if not readings:
            raise Refusal(Code.BAD_RECORD, "There are no matches in this text.")
        if len(readings) > MAX_MATCHES:
            raise Refusal(
                Code.BAD_RECORD,
                "There are more than {most} matches in this text. Please upload them in parts.",
                most=MAX_MATCHES,
            )
        return readings

    async def _store(self, reading: ReadMatch, origin: Origin, now_ms: int) -> tuple[MatchId, bool]:
        """Store a match unless the same player has imported it before; return its id, and whether it is new.

        Raises: StorageError.
        """
        match, entries = match_id_of(secrets.randbits(ID_BITS)), entries_of(reading, now_ms)
        finish = finish_from(match, entries)
        assert finish is not None
        # The public archive does not contain imports.
        hidden = finish._replace(archived_ms=None)
        if await self._journal.append(match, 0, entries, origin, finish=hidden):
            return match, True
        known = await self._journal.find_created(origin)
        if known is None:
            raise StorageError(f"the import {match} conflicts with nothing that is stored")
        return known, False


def _read_some(text: str, game: str) -> list[ReadMatch]:
    """Return the matches of a text, at most one more than allowed."""
    readings: list[ReadMatch] = []
    for reading in read_matches(text, game):
        readings.append(reading)
        if len(readings) > MAX_MATCHES:
            break
    return readings


def _stored_text(imported: Sequence[ImportedMatch]) -> str:
    """Return a sentence about the stored matches of an interrupted import."""
    if not imported:
        return ""
    stored = "match is" if len(imported) == 1 else f"{len(imported)} matches are"
    return f" The first {stored} stored; importing the text again does no harm."
