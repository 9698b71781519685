"""The stored matches that are over, searched by players, game, result and date.

Only reads: the journal stores what searches look for with each match's end.

A statement has only the conditions of its search, so that each is read along an index that fits it, from where the
search stands: `EXPLAIN` shows neither a sort nor a table scan (`tests/server/archive/test_store.py`).
"""

import re
from collections.abc import AsyncIterator, Sequence
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Integer, Select, and_, bindparam, case, func, select, tuple_

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
    ResultFilter,
    Seated,
    Voided,
    parse_event,
)

from ..journal.entries import Recorded
from ..journal.packed_form import rest_rows
from ..journal.reading_store import load_events, load_rows, recorded_of
from ..journal.tables import events, match_players, matches, packed_matches
from ..matches.built_in_bots import BOT_ID_PREFIX, BUILT_IN_BOTS
from ..runtime.slices import in_slices
from ..storage.database import NONE, Parameters, Store
from ..storage.errors import StorageError
from .import_store import RecordRow, find_record
from .record import MatchRecord
from .record_writer import RecordFold

MIN_TIME_MS = -(2**53)
MAX_TIME_MS = 2**53
_CURSOR_TIME = re.compile(r"-?\d{1,16}", re.ASCII)
"""Imported matches may have ended before 1970."""
_record_decoder = msgspec.json.Decoder(MatchRecord)


class Cursor(NamedTuple):
    """A position in the archive: after a match, or at a time."""

    ended_ms: int = MAX_TIME_MS
    match: str = ""

    @property
    def text(self) -> str:
        """The cursor as text for clients."""
        return f"{self.ended_ms}.{self.match}"

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """Parse the text of a cursor. Raises: ValueError."""
        ended_ms, separator, match = text.partition(".")
        if not separator or _CURSOR_TIME.fullmatch(ended_ms) is None or abs(int(ended_ms)) > MAX_TIME_MS:
            raise ValueError(f"{text!r} is not a cursor of the archive.")
        return cls(int(ended_ms), match)


class ArchiveQuery(NamedTuple):
    """What to search for."""

    player: IdentityId | None = None
    opponent: IdentityId | None = None
    """Only together with a player."""
    game: str | None = None
    result: ResultFilter | None = None
    """`won` and `lost` only with a player."""
    rated: bool | None = None
    since_ms: int = MIN_TIME_MS
    cursor: Cursor = Cursor()
    """Only matches that ended before it; the latest come first."""
    imported_by: IdentityId | None = None
    """Search the imports of this player instead; then only `cursor` narrows the search."""


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


LOADED_AT_ONCE = 20
"""Matches that one statement loads."""


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
        return await self._found(_whole(_named(named)))

    async def _found(self, statement: Select[Any], parameters: Parameters = NONE) -> Sequence[ArchivedMatch]:
        stored = await self._database.records(_FoundEvent, statement, parameters)
        found = []
        for (match, ended_ms, plies, rest), rows in groupby(stored, attrgetter("match", "ended_ms", "plies", "rest")):
            try:
                bodies = [] if rest is None else [row.body for row in rest_rows(rest)]
                bodies += [row.body for row in rows if row.body is not None]
                found.append(ArchivedMatch(match, ended_ms, plies, tuple(map(parse_event, bodies))))
            except (MalformedError, ValueError) as error:
                raise StorageError(f"an event of match {match} cannot be read: {error}") from error
        return found

    async def crosstable(self, one: IdentityId, other: IdentityId) -> Sequence[GameScore]:
        """Return the results of two players against each other by game, the most played first."""
        return await self._scores(CROSSTABLE, {"one": one, "other": other})

    async def bot_records(self, player: IdentityId, game: str) -> Sequence[BotRecord]:
        """Return a player's results in a game against each built-in bot that they have met."""
        found = await self._database.records(_BotScore, BOT_RECORDS, {"player": player, "game": game})
        return [BotRecord(*score) for score in found if score.bot in BUILT_IN_BOTS]

    async def scores_of(self, player: IdentityId) -> Sequence[GameScore]:
        """Return a player's results by game, the most played first."""
        return await self._scores(_SCORES_OF_PLAYER, {"player": player})

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


class Conditions(NamedTuple):
    """Which conditions a search has, without their values."""

    has_importer: bool
    has_player: bool
    has_opponent: bool
    has_game: bool
    result: ResultFilter | None
    rated: bool | None


def conditions_of(wanted: ArchiveQuery) -> Conditions:
    """Return the conditions of a search."""
    return Conditions(
        wanted.imported_by is not None,
        wanted.player is not None,
        wanted.opponent is not None,
        wanted.game is not None,
        wanted.result,
        wanted.rated,
    )


def search_parameters(wanted: ArchiveQuery, most: int) -> Parameters:
    """Return the parameters of a search's statement."""
    before_ms, before_match = wanted.cursor
    return {
        "importer": wanted.imported_by,
        "player": wanted.player,
        "opponent": wanted.opponent,
        "game": wanted.game,
        "since_ms": wanted.since_ms,
        "before_ms": before_ms,
        "before_match": before_match,
        "most": most,
    }


@cache
def search_statement(conditions: Conditions) -> Select[Any]:
    """Return the search: `(match, ended_ms, plies, rest, body)`, a row for each event except the plies and notes.

    It is built once for all searches with the same conditions: that takes a millisecond of the event loop.
    """
    if conditions.has_importer:
        latest = _by_importer()
    elif conditions.has_player:
        latest = _by_player(conditions)
    else:
        latest = _by_time(conditions)
    return _whole(latest.limit(bindparam("most", type_=Integer)))


def _named(named: Sequence[MatchId]) -> Select[str, int]:
    columns = matches.c
    found = select(columns.id.label("match"), columns.archived_ms.label("archived_ms"))
    return found.where(columns.id.in_(named), columns.archived_ms.is_not(None))


def _whole(latest: Select[str, int]) -> Select[Any]:
    """Return `(match, ended_ms, plies, rest, body)` of some matches, a row for each event except the plies and notes.

    A packed match has one row, unless more happened to it later.
    """
    found = latest.subquery("found")
    is_shown = (~events.c.body.like('{"type":"moved"%'), ~events.c.body.like('{"type":"annotated"%'))
    return (
        select(found.c.match, found.c.archived_ms, matches.c.plies, packed_matches.c.rest, events.c.body)
        .join_from(found, matches, matches.c.id == found.c.match)
        .join(packed_matches, packed_matches.c.match == found.c.match, isouter=True)
        .join(events, and_(events.c.match == found.c.match, *is_shown), isouter=True)
        .order_by(found.c.archived_ms.desc(), found.c.match.desc(), events.c.seq)
    )


def _crosstable() -> Select[Any]:
    """Return `(game, won, drawn, lost)` of the matches of two players, from the first one's view."""
    first, second = match_players.alias("one"), match_players.alias("other")
    is_pair = (first.c.identity == bindparam("one"), second.c.identity == bindparam("other"))
    # Both have the moment of the match, by which the index finds the other. Only a player's first seat has a rank.
    is_same = (second.c.archived_ms == first.c.archived_ms, first.c.rank.is_not(None), second.c.rank.is_not(None))
    ranks = (first.c.rank < second.c.rank, first.c.rank == second.c.rank, first.c.rank > second.c.rank)
    return (
        select(first.c.game, *map(_count, ranks))
        .join_from(first, second, first.c.match == second.c.match)
        .where(*is_pair, *is_same)
        .group_by(first.c.game)
        .order_by(func.count().desc(), first.c.game)
    )


def _count(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


def _scores_of_player() -> Select[Any]:
    """Return `(game, won, drawn, lost)` of the matches of a player."""
    columns = match_players.c
    won, drawn, lost = (_count(columns.result == result) for result in ("won", "drawn", "lost"))
    found = select(columns.game, won, drawn, lost)
    found = found.where(columns.identity == bindparam("player"), columns.archived_ms.is_not(None))
    return found.group_by(columns.game).order_by(func.count().desc(), columns.game)


def _bot_records() -> Select[Any]:
    """Return `(bot, won, drawn, lost)` of a player's matches in a game, by the bots of the server in them."""
    own, bot = match_players.alias("own"), match_players.alias("bot")
    ranks = (own.c.rank < bot.c.rank, own.c.rank == bot.c.rank, own.c.rank > bot.c.rank)
    return (
        select(bot.c.identity, *map(_count, ranks))
        .join_from(own, bot, own.c.match == bot.c.match)
        .where(own.c.identity == bindparam("player"), own.c.game == bindparam("game"))
        .where(own.c.archived_ms.is_not(None), own.c.rank.is_not(None), bot.c.rank.is_not(None))
        .where(func.substr(bot.c.identity, 1, len(BOT_ID_PREFIX)) == BOT_ID_PREFIX)
        .group_by(bot.c.identity)
    )


CROSSTABLE = _crosstable()
BOT_RECORDS = _bot_records()
_SCORES_OF_PLAYER = _scores_of_player()


def _by_time(conditions: Conditions) -> Select[str, int]:
    columns = matches.c
    filters = _filters(conditions, _results(conditions), columns.game, columns.rated, columns.result)
    return _latest(columns.archived_ms, columns.id).where(*filters)


def _by_importer() -> Select[str, int]:
    columns = matches.c
    is_import = (columns.origin_by == bindparam("importer"), columns.imported.is_(True))
    return _latest(columns.ended_ms, columns.id).where(*is_import)


def _by_player(conditions: Conditions) -> Select[str, int]:
    one, other = match_players.alias("one"), match_players.alias("other")
    results: Sequence[str] = ("won", "lost") if conditions.result == "decided" else _results(conditions)
    filters = _filters(conditions, results, one.c.game, one.c.rated, one.c.result)
    found = _latest(one.c.archived_ms, one.c.match)
    found = found.where(one.c.identity == bindparam("player"), *filters)
    if not conditions.has_opponent:
        return found
    is_other = (other.c.match == one.c.match, other.c.identity == bindparam("opponent"), other.c.seat != one.c.seat)
    return found.where(select(other.c.seat).where(*is_other).correlate(one).exists())


def _latest(ended_ms: ColumnElement[int], match: ColumnElement[str]) -> Select[str, int]:
    """Return the matches after a cursor, the latest first."""
    found = select(match.label("match"), ended_ms.label("archived_ms"))
    cursor = (bindparam("before_ms", type_=ended_ms.type), bindparam("before_match", type_=match.type))
    is_after = tuple_(ended_ms, match) < tuple_(*cursor, types=(ended_ms.type, match.type))
    since = ended_ms >= bindparam("since_ms")
    return found.where(is_after, since).order_by(ended_ms.desc(), match.desc())


def _results(conditions: Conditions) -> Sequence[str]:
    return () if conditions.result is None else (conditions.result,)


def _filters(
    conditions: Conditions,
    results: Sequence[str],
    game: ColumnElement[str],
    rated: ColumnElement[bool],
    result: ColumnElement[str],
) -> list[ColumnElement[bool]]:
    filters: list[ColumnElement[bool]] = []
    if conditions.has_game:
        filters.append(game == bindparam("game"))
    if results:
        filters.append(result.in_(results))
    if conditions.rated is not None:
        filters.append(rated == conditions.rated)
    return filters


def past_matches(found: Sequence[ArchivedMatch]) -> tuple[PastMatch, ...]:
    """Return the list entries of matches found in the archive."""
    return tuple(map(_past_match, found))


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
