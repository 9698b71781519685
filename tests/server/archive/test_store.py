"""Searches of the archive in every database: by players, game, result and date, newest first, page by page."""

import asyncio
import sqlite3
from contextlib import closing
from operator import attrgetter
from pathlib import Path

import pytest

from millrace.protocol import BotRecord, GameScore, MatchId, ResultFilter
from millrace.server.app.stores import Stores, open_storage
from millrace.server.archive.archive_query import ArchiveQuery, Cursor
from millrace.server.archive.archive_search_store import (
    BOT_RECORDS,
    CROSSTABLE,
    conditions_of,
    search_parameters,
    search_statement,
)
from millrace.server.archive.archive_store import LOADED_AT_ONCE
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.storage.migrate import migrate
from tests.server.archive.filling import ANN, BEN, CAT, DAN, DAY_MS, store_match
from tests.server.databases import downgrade, run_statement
from tests.server.query_plans import plan_of


@pytest.fixture
async def filled(stores: Stores) -> Stores:
    """A few matches: `m1` to `m6`, numbered by the days on which they ended."""
    journal = stores.journal
    await store_match(journal, "m1", (ANN, BEN), (1, 2), 1)
    await store_match(journal, "m2", (BEN, ANN), (1, 1), 2, rated=True, reason="agreement")
    await store_match(journal, "m3", (CAT, ANN), (1, 2), 3, "mingmang", ("a1-a2",), rated=True)
    await store_match(journal, "m4", (BEN, CAT), None, 4, reason="aborted")
    await store_match(journal, "m5", (ANN, BEN, CAT), (2, 1, 1), 5, "battlesheep", ())
    await store_match(journal, "m6", (DAN, DAN), (1, 2), 6)
    await store_match(journal, "called-off", (ANN, BEN), None, 7, moves=(), reason="aborted")
    await store_match(journal, "no-show", (ANN, BEN), None, 8, moves=("a7",), reason="no_show")
    return stores


async def names(stores: Stores, wanted: ArchiveQuery, most: int = 50) -> str:
    found = await stores.archive.search(wanted, most)
    assert all(each.events[0] for each in found)
    return " ".join(each.match for each in found)


async def test_newest_matches_come_first_without_those_that_never_started(filled: Stores) -> None:
    assert await names(filled, ArchiveQuery()) == "m6 m5 m4 m3 m2 m1"


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (ArchiveQuery(ANN.id), "m5 m3 m2 m1"),
        (ArchiveQuery(ANN.id, BEN.id), "m5 m2 m1"),
        (ArchiveQuery(BEN.id, ANN.id), "m5 m2 m1"),
        (ArchiveQuery(game="morris"), "m6 m4 m2 m1"),
        (ArchiveQuery(ANN.id, game="morris"), "m2 m1"),
        (ArchiveQuery(rated=True), "m3 m2"),
        (ArchiveQuery(BEN.id, rated=False), "m5 m4 m1"),
        (ArchiveQuery(since_ms=2 * DAY_MS, cursor=Cursor(5 * DAY_MS)), "m4 m3 m2"),
        (ArchiveQuery(CAT.id, DAN.id), ""),
        (ArchiveQuery(DAN.id), "m6"),
    ],
)
async def test_matches_are_found_by_players_game_rating_and_date(
    filled: Stores, wanted: ArchiveQuery, expected: str
) -> None:
    assert await names(filled, wanted) == expected


@pytest.mark.parametrize(
    ("result", "anybodys", "anns"),
    [("drawn", "m2", "m2"), ("decided", "m6 m5 m3 m1", "m5 m3 m1"), ("none", "m4", "")],
)
async def test_matches_are_found_by_how_they_ended(
    filled: Stores, result: ResultFilter, anybodys: str, anns: str
) -> None:
    assert await names(filled, ArchiveQuery(result=result)) == anybodys
    assert await names(filled, ArchiveQuery(ANN.id, result=result)) == anns


async def test_won_and_lost_are_from_the_first_players_view(filled: Stores) -> None:
    assert await names(filled, ArchiveQuery(ANN.id, result="won")) == "m1"
    assert await names(filled, ArchiveQuery(ANN.id, result="lost")) == "m5 m3"
    assert await names(filled, ArchiveQuery(CAT.id, ANN.id, result="won")) == "m5 m3"


async def test_pages_have_no_gaps_or_repetitions(stores: Stores) -> None:
    for number in range(20):
        await store_match(stores.journal, f"m{number:02}", (ANN, BEN), (1, 2), 1 + number // 7)
    for wanted in (ArchiveQuery(), ArchiveQuery(ANN.id), ArchiveQuery(ANN.id, BEN.id, "morris", "won", False)):
        read: list[str] = []
        cursor = Cursor()
        while found := await stores.archive.search(wanted._replace(cursor=cursor), 3):
            read += [each.match for each in found]
            cursor = Cursor.parse(found[-1].cursor.text)
        assert read == [f"m{number:02}" for number in range(19, -1, -1)]


async def test_a_found_match_has_everything_except_its_moves(filled: Stores) -> None:
    (found,) = await filled.archive.search(ArchiveQuery(game="mingmang"), 5)
    assert (found.match, found.plies, found.ended_ms) == ("m3", 1, 3 * DAY_MS)
    kinds = [type(event).__name__ for event in found.events]
    assert kinds == ["Created", "Seated", "Seated", "Started", "Ended"]


async def test_matches_are_loaded_in_the_requested_order(stores: Stores) -> None:
    names = [MatchId(f"m{number}") for number in range(LOADED_AT_ONCE + 3)]
    for name in names:
        await store_match(stores.journal, name, (ANN, BEN), (1, 2), 1)
    asked = [*reversed(names), MatchId("nowhere")]
    loaded = [each async for each in stores.archive.load_each(asked)]
    assert loaded == [(name, await stores.archive.load(name)) for name in reversed(names)]
    assert [each async for each in stores.archive.load_each([])] == []


async def test_a_crosstable_counts_results_by_game(filled: Stores) -> None:
    assert await filled.archive.crosstable(ANN.id, BEN.id) == [
        GameScore("morris", 1, 1, 0),
        GameScore("battlesheep", 0, 0, 1),
    ]
    assert await filled.archive.crosstable(BEN.id, CAT.id) == [GameScore("battlesheep", 0, 1, 0)]
    assert await filled.archive.crosstable(ANN.id, DAN.id) == []


async def test_results_against_bots_are_counted_by_bot_and_game(filled: Stores) -> None:
    three, hunter = bot_player(3), bot_player("hunter")
    await store_match(filled.journal, "b1", (ANN, three), (1, 2), 9)
    await store_match(filled.journal, "b2", (three, ANN), (1, 2), 10)
    await store_match(filled.journal, "b3", (hunter, ANN), (1, 1), 11)
    await store_match(filled.journal, "b4", (hunter, ANN), (1, 2), 12, "mingmang", ("a1-a2",))
    await store_match(filled.journal, "b5", (three, ANN), None, 13, reason="aborted")
    await store_match(filled.journal, "b6", (three, hunter), (1, 2), 14)
    records = await filled.archive.bot_records(ANN.id, "morris")
    assert sorted(records, key=attrgetter("bot")) == [BotRecord(three.id, 1, 0, 1), BotRecord(hunter.id, 0, 1, 0)]
    assert await filled.archive.bot_records(BEN.id, "morris") == []


@pytest.mark.parametrize("text", ["", "x", "12", f"{2**60}.m", "1e3.m"])
def test_an_invalid_cursor_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a cursor"):
        Cursor.parse(text)


SEARCHES = [
    ArchiveQuery(player, opponent if player else None, game, result, rated)
    for player in (None, ANN.id)
    for opponent in (None, BEN.id)
    for game in (None, "morris")
    for result in (None, "drawn")
    for rated in (None, True)
]


SCANS = tuple(f"SCAN {name}" for name in ("matches", "match_players", "packed_matches", "events", "one", "other"))


async def test_every_search_uses_an_index_without_a_full_scan(tmp_path: Path) -> None:
    # PostgreSQL plans by what is stored: `benchmarks.archive` at commit 42e2304 shows it with many matches.
    await migrate(str(tmp_path / "test.sqlite3"))
    with closing(sqlite3.connect(tmp_path / "test.sqlite3")) as connection:
        for wanted in SEARCHES:
            plan = plan_of(connection, search_statement(conditions_of(wanted)).params(search_parameters(wanted, 50)))
            inner = "one" if wanted.player else "matches"
            index = "match_players_archive" if wanted.player else "matches_archive"
            assert any(line.startswith(f"SEARCH {inner} USING") and index in line for line in plan), plan
            packed = [line for line in plan if line.startswith("SEARCH packed_matches") and "(match=?)" not in line]
            packed_index = "packed_matches_seat_" if wanted.player else "packed_matches_archive"
            assert packed, plan
            assert all(
                (packed_index in line and "(game>?)" in line) or "=? AND ended_ms>" in line for line in packed
            ), plan
            assert not any(line.startswith(SCANS) for line in plan), plan
            met = "SEARCH other USING COVERING INDEX match_players_identity (identity=? AND match=?)"
            assert (met in plan) == (wanted.opponent is not None), plan
        plan = plan_of(connection, BOT_RECORDS.params(player=ANN.id, player_number=1, game="morris"))
        assert any(line.startswith("SEARCH own USING") and "match_players_archive" in line for line in plan), plan
        assert any(line.startswith("SEARCH bot USING") and "(match=?)" in line for line in plan), plan
        assert not any(line.startswith(SCANS) for line in plan), plan
        numbers = {"one_number": 1, "other_number": 2}
        plan = plan_of(connection, CROSSTABLE.params(one=ANN.id, other=BEN.id, **numbers))
        assert any(line.startswith("SEARCH one USING") and "match_players_archive" in line for line in plan), plan
        met = "SEARCH other USING COVERING INDEX match_players_archive (identity=? AND archived_ms=? AND match=?)"
        assert met in plan, plan
        assert not any(line.startswith(SCANS) for line in plan), plan


async def test_an_upgrade_hides_matches_that_never_started(empty_url: str) -> None:
    stores = await open_storage(empty_url)
    await store_match(stores.journal, "played", (ANN, BEN), None, 1, reason="aborted")
    await store_match(stores.journal, "called-off", (ANN, BEN), None, 2, moves=("a7",), reason="aborted")
    await stores.close()
    await asyncio.to_thread(downgrade, empty_url, "0015")
    for table, condition in (("matches", "id"), ("match_players", "match")):
        shown = f"UPDATE {table} SET archived_ms = {2 * DAY_MS} WHERE {condition} = 'called-off'"
        await asyncio.to_thread(run_statement, empty_url, shown)
    await migrate(empty_url)
    stores = await open_storage(empty_url)
    assert await names(stores, ArchiveQuery()) == "played"
    assert await names(stores, ArchiveQuery(ANN.id)) == "played"
    await stores.close()
