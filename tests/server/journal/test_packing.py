"""Packed matches answer like those with rows, on every supported database, and nothing that changes them is lost."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from sqlalchemy import update
from structlog.testing import capture_logs

from millrace.protocol import Ended, IdentityId, MatchId, Moved, Player, RematchOffered, Seated, Voided
from millrace.server.app.stores import Stores, open_storage
from millrace.server.archive.archive_query import ArchiveQuery
from millrace.server.archive.packer import Packer, pack_all
from millrace.server.cluster.leases import LastingLease
from millrace.server.journal.entries import Entry
from millrace.server.journal.journal_store import voiding_steps
from millrace.server.journal.packed_form import EventRow, Packed, pack
from millrace.server.journal.tables import events
from millrace.server.players.accounts.account_store import Account
from millrace.server.storage.backup import write_backup
from millrace.server.storage.restoring import restore_backup
from tests.server.archive.filling import ANN, BEN, CAT, DAY_MS, store_match

M1, M2 = MatchId("m1"), MatchId("m2")
LATER_MS = 10 * DAY_MS
MOVES = ("a7", "g1", "d7", "g4", "a4xg1")
M1_EVENTS = 5 + len(MOVES)


@pytest.fixture
async def filled(stores: Stores) -> Stores:
    await store_match(stores.journal, M1, (ANN, BEN), (1, 2), 1, moves=MOVES)
    await store_match(stores.journal, M2, (BEN, CAT), (1, 1), 2, rated=True)
    return stores


async def at_once(rows: Sequence[EventRow]) -> Packed:
    return pack(rows)


async def pack_everything(stores: Stores) -> int:
    return sum([rows async for rows in pack_all(stores.packing, LATER_MS)])


async def rows_left(stores: Stores) -> int:
    async with stores.archive._database.engine.connect() as connection:
        return int((await connection.exec_driver_sql("SELECT count(*) FROM events")).scalar_one())


async def answers(stores: Stores) -> list[object]:
    """Return what the stores say about the matches."""
    journal, archive = stores.journal, stores.archive
    return [
        [await journal.load(M1, since) for since in (0, 3, 9, 10, 99)],
        [each async for each in archive.load_each([M2, M1, MatchId("nowhere")])],
        await archive.search(ArchiveQuery(), 9),
        await archive.search(ArchiveQuery(BEN.id, rated=True), 9),
        await archive.find([M2]),
        await journal.last_seqs([M1, M2, MatchId("nowhere")]),
        await archive.record(M1, await archive.load(M1)),
    ]


async def test_packed_matches_give_the_same_answers(filled: Stores) -> None:
    before, stored = await answers(filled), await rows_left(filled)
    assert await pack_everything(filled) == stored
    assert await rows_left(filled) == 0
    assert await answers(filled) == before
    assert await pack_everything(filled) == 0


class Here:
    """Stands for the background process."""

    async def run(self, _address: str, function: Callable[..., Packed], *arguments: object) -> Packed:
        return function(*arguments)


async def test_the_background_packs_some_matches_after_the_others(filled: Stores) -> None:
    before = await answers(filled)
    packer = Packer(filled.packing, Here(), LastingLease("packing"), lambda: LATER_MS, 7)  # type: ignore[arg-type]
    assert await packer.pack_some(2 * DAY_MS)
    assert await rows_left(filled) == len(await filled.journal.load(M2))
    assert await packer.pack_some(LATER_MS)
    assert await rows_left(filled) == 0
    assert await answers(filled) == before


async def test_a_match_that_cannot_be_packed_stays_as_it_is_and_is_named(filled: Stores) -> None:
    async with filled.archive._database.begin() as connection:
        await connection.execute(update(events).where(events.c.match == M1, events.c.seq == 1).values(body="{}"))
    with capture_logs() as logged:
        assert await pack_everything(filled) == len(await filled.journal.load(M2))
    assert [each["match"] for each in logged if each["event"] == "a match stays unpacked"] == [M1]
    assert await rows_left(filled) == M1_EVENTS


async def test_what_ended_lately_keeps_its_rows(filled: Stores) -> None:
    assert sum([rows async for rows in pack_all(filled.packing, 2 * DAY_MS)]) == M1_EVENTS
    assert len(await filled.journal.load(M2)) == await rows_left(filled)


async def test_what_happens_later_follows_a_packed_match_and_is_packed_with_it(filled: Stores) -> None:
    journal = filled.journal
    last = (await journal.load(M1))[-1].seq
    await pack_everything(filled)
    for wrong in (last - 1, last + 1):
        assert not await journal.append(M1, wrong, [Entry(RematchOffered(0), LATER_MS - 2)])
    assert await journal.append(M1, last, [Entry(RematchOffered(0), LATER_MS - 2)])
    assert not await journal.append(M1, last, [Entry(RematchOffered(1), LATER_MS - 2)])
    before = await answers(filled)
    assert [each.seq for each in await journal.load(M1, last)] == [last + 1]
    assert await pack_everything(filled) == 1
    assert await answers(filled) == before
    assert await journal.append(M1, last + 1, [Entry(RematchOffered(1), LATER_MS)])
    assert await pack_everything(filled) == 0, "it happened too lately"


async def test_a_packed_match_is_voided(filled: Stores) -> None:
    await pack_everything(filled)
    last = (await filled.journal.load(M2))[-1].seq
    voiding = voiding_steps(M2, last + 1, Entry(Voided("void"), LATER_MS))
    assert await filled.accounts.carry_out(*voiding)
    assert isinstance((await filled.journal.load(M2))[-1].entry.event, Voided)
    (found, *_) = await filled.archive.search(ArchiveQuery(), 1)
    assert found.events[-1] == Voided("void")


async def test_names_and_deletions_reach_packed_matches(filled: Stores) -> None:
    deleted = Player(IdentityId("deleted-1"), "Deleted player")
    await pack_everything(filled)
    assert await filled.accounts.create(Account(BEN.id, "Benjamin", "hash", 0), "benjamin", 0)
    assert await players(filled, M1) == [ANN, Player(BEN.id, "Benjamin", registered=True)]
    await filled.accounts.delete(BEN.id, deleted, IdentityId("scrubbed-1"), LATER_MS)
    assert (await players(filled, M1), await players(filled, M2)) == ([ANN, deleted], [deleted, CAT])
    assert [each.match for each in await filled.archive.search(ArchiveQuery(deleted.id), 9)] == [M2, M1]
    moves = [each.entry.event for each in await filled.journal.load(M1) if isinstance(each.entry.event, Moved)]
    assert [each.move for each in moves] == [*MOVES]


async def test_a_match_that_changes_while_it_is_packed_keeps_its_rows(filled: Stores) -> None:
    async def meanwhile(rows: Sequence[EventRow]) -> Packed:
        assert await filled.accounts.create(Account(ANN.id, "Annabel", "hash", 0), "annabel", 0)
        return pack(rows)

    assert await filled.packing.pack(M1, LATER_MS, meanwhile) == 0
    assert (await players(filled, M1))[0].name == "Annabel"
    assert await filled.packing.pack(M1, LATER_MS, at_once) == M1_EVENTS
    assert (await players(filled, M1))[0].name == "Annabel"


async def test_a_name_that_was_read_before_packing_is_not_lost(filled: Stores) -> None:
    account = Account(ANN.id, "Annabel", "hash", 0)
    steps = await filled.accounts.deletion_steps(ANN.id, account.player, IdentityId("scrubbed-1"), 0)
    await pack_everything(filled)
    assert not await filled.accounts.carry_out(*steps), "it is to be tried again"


async def test_progress_is_remembered(filled: Stores) -> None:
    (first, second) = await filled.packing.next_matches(await filled.packing.progress(), LATER_MS, 9)
    await filled.packing.note_progress(first)
    await filled.packing.note_progress(second)
    place = await filled.packing.progress()
    assert [each.match for each in await filled.packing.next_matches(place, LATER_MS, 9)] == [M2]


async def test_a_backup_holds_packed_matches(filled: Stores, url: str, tmp_path: Path) -> None:
    await pack_everything(filled)
    expected = await answers(filled)
    file, restored = tmp_path / "file.backup", f"sqlite:///{tmp_path / 'restored.sqlite3'}"
    await write_backup(url, file, 0, lambda: None)
    await restore_backup(restored, file, 0, lambda: None, replaces=False)
    stores = await open_storage(restored)
    try:
        assert await answers(stores) == expected
    finally:
        await stores.close()


async def players(stores: Stores, match: MatchId) -> list[Player]:
    events = [each.entry.event for each in await stores.journal.load(match)]
    assert any(isinstance(event, Ended) for event in events)
    return [event.player for event in events if isinstance(event, Seated)]
