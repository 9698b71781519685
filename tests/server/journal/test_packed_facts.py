"""Packed matches are found like those with rows, on every supported database, though their rows are gone."""

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import delete, insert

from millrace.protocol import BotRecord, CommandId, GameScore, MatchId, Seated, SeatFreed, Voided, encode
from millrace.server.app.stores import Stores
from millrace.server.archive.archive_query import ArchiveQuery, Cursor
from millrace.server.archive.packer import pack_all
from millrace.server.journal.entries import Entry, Origin, Recorded
from millrace.server.journal.journal_store import voiding_steps
from millrace.server.journal.packed_form import EventRow, Packed, pack
from millrace.server.journal.tables import events, packed_matches
from millrace.server.learning.analysis.analysis_store import match_analyses
from millrace.server.matches.built_in_bots import bot_player
from tests.server.archive.filling import ANN, BEN, CAT, DAN, DAY_MS, store_match

LATER_MS = 10 * DAY_MS
PEOPLE = [player.id for player in (ANN, BEN, CAT, DAN)]
MATCHES = [MatchId(f"m{number}") for number in range(1, 8)]
M1, M2 = MATCHES[:2]
QUERIES = [
    ArchiveQuery(player, opponent if player else None, game, result, rated)
    for player in (None, *PEOPLE)
    for opponent in (None, BEN.id)
    for game in (None, "morris", "nothing")
    for result in (None, "decided", "drawn", "none", *(("won", "lost") if player else ()))
    for rated in (None, True)
]


@pytest.fixture
async def filled(stores: Stores) -> Stores:
    journal = stores.journal
    await store_match(journal, "m1", (ANN, BEN), (1, 2), 1)
    await store_match(journal, "m2", (BEN, CAT), (1, 1), 2, rated=True)
    await store_match(journal, "m3", (ANN, BEN, CAT), (2, 1, 1), 3, "battlesheep", (), rated=True)
    await store_match(journal, "m4", (BEN, ANN), None, 3, reason="aborted")
    await store_match(journal, "m5", (DAN, DAN), (2, 1), 4)
    await store_match(journal, "m6", (ANN, BEN), None, 5, moves=(), reason="aborted")
    await store_match(journal, "m7", (CAT, ANN), (3, 4), 6, "mingmang", ("a1-a2",))
    async with stores.archive._database.begin() as connection:
        await connection.execute(insert(match_analyses).values(match=M1, engine="1", body="[]", at_ms=0))
    return stores


async def at_once(rows: Sequence[EventRow]) -> Packed:
    return pack(rows)


async def pack_everything(stores: Stores) -> int:
    return sum([rows async for rows in pack_all(stores.packing, LATER_MS)])


async def rows_left(stores: Stores) -> int:
    counts = "SELECT (SELECT count(*) FROM matches) + (SELECT count(*) FROM match_players)"
    async with stores.archive._database.engine.connect() as connection:
        return int((await connection.exec_driver_sql(counts)).scalar_one())


async def answers(stores: Stores) -> list[object]:
    """Return what the stores say about the matches."""
    journal, archive = stores.journal, stores.archive
    statistics = await stores.overview.statistics(LATER_MS, 12)
    rows_about = stores.overview.rows_about
    return [
        [[found.match for found in await archive.search(query, 3)] for query in QUERIES],
        await archive.search(ArchiveQuery(since_ms=DAY_MS + 1, cursor=Cursor(4 * DAY_MS, "m9")), 2),
        await archive.find([M1, MATCHES[5], M2]),
        [await archive.crosstable(one, other) for one in PEOPLE for other in PEOPLE],
        [await archive.scores_of(player) for player in PEOPLE],
        [await journal.matches_of(player) for player in PEOPLE],
        [sorted(await journal.ended_since(day * DAY_MS)) for day in range(8)],
        [await journal.find_created(Origin("test", CommandId(match))) for match in (*MATCHES, "nothing")],
        [await stores.mistakes.reviewed(player, "morris", 5) for player in PEOPLE],
        [
            [row async for rows in rows_about("match_players", "identity", player, ()) for row in rows]
            for player in PEOPLE
        ],
        (statistics.matches, statistics.rated, statistics.live, statistics.by_day),
        await stores.tournaments.ends_of([*MATCHES, MatchId("nowhere")]),
        sorted(await stores.openings.due(9)),
    ]


async def test_packed_matches_are_found_without_their_rows(filled: Stores) -> None:
    before = await answers(filled)
    await pack_everything(filled)
    assert await rows_left(filled) == 0
    assert await answers(filled) == before


async def test_packed_matches_are_found_among_those_with_rows(filled: Stores) -> None:
    for number, query in enumerate([ArchiveQuery(), ArchiveQuery(BEN.id), ArchiveQuery(BEN.id, ANN.id)]):
        before = await answers(filled)
        everything = [found.match for found in await filled.archive.search(query, 9)]
        await filled.packing.pack(MATCHES[2 * number], LATER_MS, at_once)
        read, cursor = list[MatchId](), Cursor()
        while found := await filled.archive.search(query._replace(cursor=cursor), 2):
            read += [each.match for each in found]
            cursor = found[-1].cursor
        assert read == everything
        assert await answers(filled) == before


async def test_a_match_that_is_void_has_no_result_when_packed_before_or_after(filled: Stores) -> None:
    await filled.packing.pack(M1, LATER_MS, at_once)
    for match in (M1, M2):
        last = (await filled.journal.load(match))[-1].seq
        assert await filled.accounts.carry_out(*voiding_steps(match, last + 1, Entry(Voided("void"), 9 * DAY_MS)))
        without_result = await filled.archive.search(ArchiveQuery(BEN.id, result="none"), 9)
        assert match in [each.match for each in without_result]
    assert await filled.archive.crosstable(ANN.id, BEN.id) == [GameScore("battlesheep", 0, 0, 1)]
    before = await answers(filled)
    await pack_everything(filled)
    assert await answers(filled) == before


async def test_openings_that_count_a_match_are_due_again_when_it_is_void_and_packed(filled: Stores) -> None:
    await pack_everything(filled)
    due = await filled.openings.due(9)
    assert await filled.openings.add(due, ())
    assert (await filled.openings.due(9), await filled.openings.add(due[:1], ())) == ([], False)
    last = (await filled.journal.load(M1))[-1].seq
    assert await filled.accounts.carry_out(*voiding_steps(M1, last + 1, Entry(Voided("void"), 9 * DAY_MS)))
    assert await filled.openings.due(9) == [(M1, -1)]


async def test_a_command_that_created_a_packed_match_creates_no_other(filled: Stores) -> None:
    await pack_everything(filled)
    entries = [each.entry for each in (await filled.journal.load(M1))[:1]]
    assert not await filled.journal.append(MatchId("again"), 0, entries, Origin("test", CommandId(M1)))
    assert await filled.journal.append(MatchId("again"), 0, entries, Origin("test", CommandId("again")))


async def test_a_creation_that_is_repeated_while_its_match_is_packed_creates_no_other(filled: Stores) -> None:
    again = [each.entry for each in (await filled.journal.load(M1))[:1]]

    async def repeat(number: int) -> bool:
        return await filled.journal.append(MatchId(f"again-{number}"), 0, again, Origin("test", CommandId(M1)))

    *stored, packed = await asyncio.gather(*map(repeat, range(20)), filled.packing.pack(M1, LATER_MS, at_once))
    assert (any(stored), packed > 0) == (False, True)
    assert await filled.journal.find_created(Origin("test", CommandId(M1))) == M1


async def test_a_player_who_left_before_the_start_is_still_found(filled: Stores) -> None:
    left = MatchId("left")
    recorded = await filled.journal.load(M1)
    entries = [recorded[0].entry, Entry(Seated(0, DAN), DAY_MS), Entry(SeatFreed(0, DAN), DAY_MS)]
    entries += [each.entry for each in recorded[1:-1]]
    assert await filled.journal.append(left, 0, entries, Origin("test", CommandId(left)))
    assert await filled.journal.append(left, len(entries), [recorded[-1].entry])
    before = await filled.journal.matches_of(DAN.id)
    await pack_everything(filled)
    assert left in before
    assert await filled.journal.matches_of(DAN.id) == before


async def test_matches_that_an_earlier_version_packed_lose_their_rows_too(filled: Stores) -> None:
    before = await answers(filled)
    whole = [_row_of(each) for each in await filled.journal.load(M1)]
    async with filled.archive._database.begin() as connection:
        await connection.execute(delete(events).where(events.c.match == M1))
        await connection.execute(insert(packed_matches).values(match=M1, **pack(whole)._asdict()))
    assert await answers(filled) == before
    await pack_everything(filled)
    assert await rows_left(filled) == 0
    assert await answers(filled) == before


def _row_of(each: Recorded) -> EventRow:
    seq, (event, at_ms, seat, command_id) = each
    return EventRow(seq, at_ms, seat, command_id, encode(event).decode())


async def test_records_against_bots_count_packed_matches(filled: Stores) -> None:
    three = bot_player(3)
    await store_match(filled.journal, "b1", (ANN, three), (1, 2), 6)
    await store_match(filled.journal, "b2", (three, ANN), (1, 2), 7)
    await store_match(filled.journal, "b3", (three, ANN), (1, 1), 8)
    await filled.packing.pack(MatchId("b1"), LATER_MS, at_once)
    assert await filled.archive.bot_records(ANN.id, "morris") == [BotRecord(three.id, 1, 1, 1)]
    await pack_everything(filled)
    assert await filled.archive.bot_records(ANN.id, "morris") == [BotRecord(three.id, 1, 1, 1)]
