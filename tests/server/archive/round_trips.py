"""Exports and imports every match that a test has played to its end: it must lead to the same end.

The servers of `tests/server/conftest.py` do this when a test is over, and those that many tests share at their end, so
that the whole suite is the sample.
"""

from pathlib import Path

import msgspec

from millrace.protocol import MatchId
from millrace.server.app.stores import Stores, open_storage
from millrace.server.archive.archive_query import ArchiveQuery, Cursor
from millrace.server.archive.imports import entries_of
from millrace.server.archive.record import MAX_PLIES
from millrace.server.archive.record_reader import ReadMatch, read_matches
from millrace.server.archive.record_text import format_match
from millrace.server.archive.record_writer import record_of
from millrace.server.journal.entries import Recorded
from millrace.server.matches.fold import replay
from millrace.server.matches.match import Match
from millrace.server.runtime.settings import settings_for
from tests.server.databases import run_beside

PAGE = 100


def check_round_trips_in(data_dir: Path) -> None:
    """Check every match of a server that has ended and kept its data in a folder."""
    check_round_trips_of(settings_for(data_dir).database_url)


def check_round_trips_of(database: str) -> None:
    """Check every match of a database that no server uses any more."""

    async def check() -> None:
        stores = await open_storage(database)
        try:
            await check_round_trips(stores)
        finally:
            await stores.close()

    run_beside(check())


async def check_round_trips(stores: Stores) -> None:
    """Check every match of the archive."""
    cursor = Cursor()
    while found := await stores.archive.search(ArchiveQuery(cursor=cursor), PAGE):
        for each in found:
            check_round_trip(each.match, await stores.archive.load(each.match))
        cursor = found[-1].cursor


def check_round_trip(match_id: MatchId, recorded: tuple[Recorded, ...]) -> None:
    """Check one match."""
    match, record = replay(match_id, recorded), record_of(match_id, recorded)
    if len(record.plies) > MAX_PLIES:
        return  # Weak bots that a test has left alone may play so long; an import refuses it.
    for written in (format_match(record, f"http://x/match/{match_id}"), msgspec.json.encode(record).decode()):
        (reading,) = read_matches(written)
        _expect_same_end(match, reading)


def _expect_same_end(match: Match, reading: ReadMatch) -> None:
    entries = entries_of(reading, 0)
    taken_in = replay(match.id, [Recorded(1 + index, entry) for index, entry in enumerate(entries)])
    assert taken_in.state.move_texts == match.state.move_texts
    assert taken_in.state.position_text == match.state.position_text
    assert taken_in.ended is not None
    assert match.ended is not None
    assert taken_in.ended.ranks == match.ended.ranks
    assert taken_in.ended.reason == match.ended.reason
    names = [player.name for player in match.players if player is not None]
    assert [player.name for player in taken_in.players if player is not None] == names
