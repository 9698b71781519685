"""The stored matches that are over, searched by players, game, result and date.

Only reads: the journal stores what searches look for with each match's end.
"""

from collections.abc import AsyncIterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from sqlalchemy import Select

from millrace.protocol import (
    BotRecord,
    Created,
    Ended,
    Event,
    GameScore,
    IdentityId,
    MalformedError,
    MatchId,
    PastMatch,
    Player,
    Rated,
    RatingChange,
    Seated,
    Voided,
    parse_event,
)

from ..journal.entries import Recorded
from ..journal.packed_facts import number_of
from ..journal.packed_form import rest_rows
from ..journal.reading_store import load_events, load_rows, recorded_of
from ..matches.built_in_bots import BUILT_IN_BOTS
from ..runtime.slices import in_slices
from ..storage.database import NONE, Parameters, Store
from ..storage.errors import StorageError
from .archive_query import ArchiveQuery, Cursor
from .archive_search_store import (
    BOT_RECORDS,
    CROSSTABLE,
    SCORES_OF_PLAYER,
    conditions_of,
    found_statement,
    search_parameters,
    search_statement,
)
from .import_store import RecordRow, find_record
from .record import MatchRecord
from .record_writer import RecordFold

_record_decoder = msgspec.json.Decoder(MatchRecord)


class ArchivedMatch(NamedTuple):
    """A match that is over, without its moves."""

    match: MatchId
    ended_ms: int
    plies: int
    events: tuple[Event, ...]
    """All events but the moves, in order."""

    @property
    def cursor(self) -> Cursor:
        """Where a search continues after this match."""
        return Cursor(self.ended_ms, self.match)

    def is_shown_to(self, reader: IdentityId | None) -> bool:
        """Return whether a reader finds it in lists: only its players find a private match."""
        created, *others = self.events
        assert isinstance(created, Created)
        return not created.private or any(isinstance(each, Seated) and each.player.id == reader for each in others)


LOADED_AT_ONCE = 5
"""Matches that one statement loads; each may be long, and many downloads have some in memory."""


class _FoundEvent(NamedTuple):
    match: MatchId
    ended_ms: int
    plies: int
    rest: bytes | None
    """If the match is packed: its events up to some, without the plies."""
    body: str | None
    """None if no event has a row."""


class _Score(NamedTuple):
    game: str
    won: int
    drawn: int
    lost: int


class _BotScore(NamedTuple):
    bot: IdentityId
    won: int
    drawn: int
    lost: int


class ArchiveStore(Store):
    """The matches that are over. Every method raises StorageError."""

    async def search(self, wanted: ArchiveQuery, most: int) -> Sequence[ArchivedMatch]:
        """Return at most `most` matches, the latest first."""
        return await self._found(search_statement(conditions_of(wanted)), search_parameters(wanted, most))

    async def find(self, named: Sequence[MatchId]) -> Sequence[ArchivedMatch]:
        """Return those of some matches that are in the archive, the latest first."""
        return await self._found(found_statement(named))

    async def _found(self, statement: Select[Any], parameters: Parameters = NONE) -> Sequence[ArchivedMatch]:
        stored = await self._database.records(_FoundEvent, statement, parameters)
        found = []
        matches = groupby(stored, attrgetter("match", "ended_ms", "plies", "rest"))
        async for (match, ended_ms, plies, rest), rows in in_slices(matches):
            try:
                bodies = [] if rest is None else [row.body for row in rest_rows(rest)]
                bodies += [row.body for row in rows if row.body is not None]
                found.append(ArchivedMatch(match, ended_ms, plies, tuple(map(parse_event, bodies))))
            except (MalformedError, ValueError) as error:
                raise StorageError(f"an event of match {match} cannot be read: {error}") from error
        return found

    async def crosstable(self, one: IdentityId, other: IdentityId) -> Sequence[GameScore]:
        """Return the results of two players against each other by game, the most played first."""
        numbers = {"one_number": number_of(one), "other_number": number_of(other)}
        return await self._scores(CROSSTABLE, {"one": one, "other": other, **numbers})

    async def bot_records(self, player: IdentityId, game: str) -> Sequence[BotRecord]:
        """Return a player's results in a game against each built-in bot that they have met."""
        parameters = {"player": player, "player_number": number_of(player), "game": game}
        found = await self._database.records(_BotScore, BOT_RECORDS, parameters)
        return [BotRecord(*score) for score in found if score.bot in BUILT_IN_BOTS]

    async def scores_of(self, player: IdentityId) -> Sequence[GameScore]:
        """Return a player's results by game, the most played first."""
        return await self._scores(SCORES_OF_PLAYER, {"player": player, "player_number": number_of(player)})

    async def load(self, match: MatchId) -> tuple[Recorded, ...]:
        """Return a match's events in order, over or not; empty if there is no such match."""
        return await load_events(self._database, match)

    async def load_each(self, matches: Sequence[MatchId]) -> AsyncIterator[tuple[MatchId, tuple[Recorded, ...]]]:
        """Yield the events of those matches that exist, in the given order, a few in memory at a time."""
        for begin in range(0, len(matches), LOADED_AT_ONCE):
            some = matches[begin : begin + LOADED_AT_ONCE]
            stored = await load_rows(self._database, some)
            for match in some:
                if stored[match]:
                    yield match, tuple([recorded_of(match, row) async for row in in_slices(stored[match])])

    async def record(self, match: MatchId, recorded: Sequence[Recorded]) -> MatchRecord:
        """Return the record of a match from its events; if it was imported, as it was read. Raises: StorageError."""
        return await self._as_read(await record_in_slices(match, recorded))

    async def _as_read(self, record: MatchRecord) -> MatchRecord:
        row = await self._database.record(RecordRow, find_record(MatchId(record.id))) if record.imported else None
        if row is None:
            return record
        try:
            read = _record_decoder.decode(row.record)
        except msgspec.DecodeError as error:
            raise StorageError(f"the record of match {record.id} cannot be read: {error}") from error
        return replace(read, id=record.id, imported=True, void=record.void)

    async def _scores(self, statement: Select[Any], parameters: Parameters) -> list[GameScore]:
        return [GameScore(*row) for row in await self._database.records(_Score, statement, parameters)]


async def record_in_slices(match: MatchId, recorded: Sequence[Recorded]) -> MatchRecord:
    """Return the record of a match that may be long, like `record_of`."""
    fold = RecordFold(match, recorded[0])
    async for each in in_slices(recorded):
        fold.add(each)
    return fold.record()


def past_matches(found: Sequence[ArchivedMatch], reader: IdentityId | None = None) -> tuple[PastMatch, ...]:
    """Return the list entries of those matches found in the archive that a reader may see."""
    return tuple(_past_match(each) for each in found if each.is_shown_to(reader))


def _past_match(found: ArchivedMatch) -> PastMatch:
    created = found.events[0]
    assert isinstance(created, Created)
    players: list[Player | None] = [None] * len(created.seats)
    ended: Ended | None = None
    changes: tuple[RatingChange | None, ...] = ()
    is_void = False
    for event in found.events:
        match event:
            case Seated(seat, player):
                players[seat] = player
            case Ended():
                ended = event
            case Rated():
                changes = event.changes
            case Voided():
                is_void = True
            case _:
                pass
    return PastMatch(
        found.match,
        found.ended_ms,
        created.game,
        created.clock,
        created.rated,
        tuple(players),
        None if ended is None else ended.ranks,
        changes,
        "" if ended is None else ended.reason,
        found.plies,
        created.imported,
        is_void,
    )
