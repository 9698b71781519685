"""The handler of imports: texts that players upload in parts are read, replayed by the rules, and stored.

`server.archive.record_reader` reads the text and `server.archive.imports` turns matches into events, both in the
background process.
"""

import pickle
import secrets
from collections.abc import Sequence

from millrace.protocol import (
    Code,
    Done,
    ImportedMatch,
    ImportMatches,
    MatchesImported,
    MatchId,
    Message,
    Scope,
    SwitchableFeature,
)
from millrace.protocol.refusal import Refusal

from ..bots.background_process import BackgroundProcess
from ..callers.answers import Answers, Memory
from ..callers.caller import Caller
from ..callers.feature import Feature, Route
from ..callers.limit import DAY_MS, HOUR_MS, Limit
from ..callers.limits import Limits
from ..callers.uploads import Uploads
from ..journal.journal_store import Journal
from ..journal.unavailable import refusing_failures
from ..matches.match_ids import ID_BITS, match_id_of
from ..runtime.system_clock import NowMs
from ..storage.errors import StorageError
from .background_reading import read_in_background
from .import_store import record_insertion
from .imports import Import, prepare_imports
from .record import RecordError

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


class ImportHandler(Feature):
    """Imports matches sent by players as text."""

    def __init__(
        self, journal: Journal, now_ms: NowMs, limits: Limits, answers: Answers, background: BackgroundProcess
    ) -> None:
        self._journal = journal
        self._now_ms = now_ms
        self._uploads = Uploads()
        self._limits = limits
        self._background = background
        self.routes = (
            Route(ImportMatches, answers.once(self.take), Scope.CHALLENGE, feature=SwitchableFeature.IMPORTS),
        )

    async def take(self, command: ImportMatches, caller: Caller, memory: Memory) -> Message:
        """Receive a part of a text; with the last part, import its matches. Raises: Refusal."""
        text = self._uploads.add(command, caller)
        if text is None:
            return Done(command.id)
        if len(text) > MAX_CHARACTERS:
            raise Refusal(Code.BAD_RECORD, f"The text is too long: at most {MAX_CHARACTERS:,} characters are allowed.")
        now_ms = self._now_ms()
        self._limits.use(IMPORTED_TEXTS, caller)
        texts = await self._read(text, command.game or "", caller, now_ms)
        imported: list[ImportedMatch] = []
        for pickled in texts:
            read: Import = pickle.loads(pickled)
            try:
                self._limits.check(IMPORTS, caller)
            except Refusal as refusal:
                raise Refusal(refusal.code, refusal.message + _stored_text(imported)) from None
            with refusing_failures("import not stored", advice="please upload it again." + _stored_text(imported)):
                match, is_new = await self._store(read)
            if is_new:
                self._limits.use(IMPORTS, caller)
            imported.append(ImportedMatch(match, read.game, read.names, read.plies, read.changes))
        answer = MatchesImported(command.id, tuple(imported))
        with refusing_failures("import not stored", advice="please upload it again." + _stored_text(imported)):
            await memory.keep(answer)
        return answer

    def disconnect(self, caller: Caller) -> None:
        """Forget an unfinished upload."""
        self._uploads.forget(caller)

    async def _read(self, text: str, game: str, caller: Caller, now_ms: int) -> list[bytes]:
        """Return the matches of a text, as `prepare_imports` does. Raises: Refusal."""
        address, player, most = caller.connection_info.address, caller.identity, MAX_MATCHES + 1
        reading = self._background.run(address, prepare_imports, text, game, player, most, now_ms, player=player)
        try:
            found = await read_in_background(reading)
        except RecordError as error:
            raise Refusal(Code.BAD_RECORD, str(error)) from None
        if not found:
            raise Refusal(Code.BAD_RECORD, "There are no matches in this text.")
        if len(found) > MAX_MATCHES:
            raise Refusal(
                Code.BAD_RECORD,
                "There are more than {most} matches in this text. Please upload them in parts.",
                most=MAX_MATCHES,
            )
        return found

    async def _store(self, read: Import) -> tuple[MatchId, bool]:
        """Store a match unless the same player has imported it before; return its id, and whether it is new.

        Raises: StorageError.
        """
        match = match_id_of(secrets.randbits(ID_BITS))
        insertions = (record_insertion(match, read.record),)
        if await self._journal.append(match, 0, read.entries, read.origin, finish=read.finish, insertions=insertions):
            return match, True
        known = await self._journal.find_created(read.origin)
        if known is None:
            raise StorageError(f"the import {match} conflicts with nothing that is stored")
        return known, False


def _stored_text(imported: Sequence[ImportedMatch]) -> str:
    """Return a sentence about the stored matches of an interrupted import."""
    if not imported:
        return ""
    stored = "match is" if len(imported) == 1 else f"{len(imported)} matches are"
    return f" The first {stored} stored; importing the text again does no harm."
