"""Packing killed at any point loses nothing: each match has its rows or is packed, is found, and packing goes on."""

import random
import subprocess
import sys
from typing import TypeAlias

import pytest
from sqlalchemy import delete, select, union

from millrace.protocol import MatchId
from millrace.server.app.stores import Stores, open_storage
from millrace.server.archive.archive_query import ArchiveQuery
from millrace.server.journal.entries import Recorded
from millrace.server.journal.tables import events, match_players, matches, packed_matches
from tests.processes import child
from tests.server.archive.filling import ANN, BEN, store_match

pytestmark = pytest.mark.usefixtures("processes")

IDS = [MatchId(f"m{number}") for number in range(3)]
Stored: TypeAlias = tuple[dict[MatchId, tuple[Recorded, ...]], list[list[MatchId]]]
"""The events of the matches, and which matches are found, by anyone and by a player."""


async def fill(url: str) -> Stored:
    """Store some finished matches and nothing else; return what is stored."""
    stores = await open_storage(url)
    async with stores.archive._database.begin() as connection:
        for table in (events, match_players, matches, packed_matches):
            await connection.execute(delete(table))
    for number, match in enumerate(IDS):
        await store_match(stores.journal, match, (ANN, BEN), (1, 2), number, moves=("a7", "g1", "d7")[: number + 1])
    stored = await loaded(stores)
    await stores.close()
    return stored


async def loaded(stores: Stores) -> Stored:
    found = [await stores.archive.search(query, 9) for query in (ArchiveQuery(), ArchiveQuery(BEN.id))]
    events = {match: await stores.journal.load(match) for match in IDS}
    return events, [[each.match for each in some] for some in found]


async def after(url: str) -> tuple[Stored, set[MatchId]]:
    """Return what is stored, and which matches are packed and have no other rows."""
    stores = await open_storage(url)
    try:
        rows = union(select(events.c.match), select(matches.c.id), select(match_players.c.match))
        with_rows = await stores.archive._database.values(MatchId, rows)
        return await loaded(stores), {*IDS} - {*with_rows}
    finally:
        await stores.close()


@pytest.mark.parametrize("kills", [8, pytest.param(300, marks=pytest.mark.slow)])
async def test_packing_that_is_killed_at_any_point_loses_nothing(url: str, kills: int) -> None:
    command = [sys.executable, "-m", "tests.server.journal.packing_process", url]
    async with child(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        points_to, passed_by = process.stdin, process.stdout
        assert points_to is not None
        assert passed_by is not None

        async def pack(kill_at: int = 0) -> int:
            points_to.write(f"{kill_at}\n".encode())
            return int(await passed_by.readline())

        stored, chance, seen = await fill(url), random.Random(1), set[int]()
        points = await pack()
        assert await after(url) == (stored, {*IDS})
        for number in range(kills):
            await fill(url)
            await pack(1 + int((number + chance.random()) * points / kills))
            found, packed = await after(url)
            assert found == stored
            seen.add(len(packed))
            if number % 4 == 0:
                await pack()
                assert await after(url) == (stored, {*IDS})
        assert len(seen) > 2, "killed before, between and after the transactions"
        points_to.close()
        assert await process.wait() == 0
