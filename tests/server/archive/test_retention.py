"""What need not be kept is deleted some time after its end, on every supported database, and nothing else."""

from collections.abc import Sequence

import pytest
from sqlalchemy import func, insert, select

from millrace.protocol import (
    ClockSettings,
    CommandId,
    Created,
    Ended,
    Event,
    MatchId,
    Moved,
    Player,
    Seated,
    SeatFreed,
    SeatPlan,
    Started,
)
from millrace.server.app.stores import Stores
from millrace.server.app.tables import metadata
from millrace.server.archive.packer import pack_all
from millrace.server.archive.retention import WINDOW_MS, Retention
from millrace.server.archive.retention_store import FOLLOWING, HOLDING, OTHERS
from millrace.server.callers.credentials import identify, new_token
from millrace.server.chat.chat_store import chat_lines
from millrace.server.cluster.leases import LastingLease
from millrace.server.journal.entries import Entry, Origin
from millrace.server.learning.analysis.analysis_store import match_analyses
from millrace.server.learning.studies.study_store import studies
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.matches.finish import finish_from
from millrace.server.moderation.report_store import reports
from tests.server.archive.filling import ANN, BEN, DAY_MS, store_match

GUEST, OTHER = (identify(new_token("guest")) for _ in range(2))
BOTS = bot_player(1), bot_player(2)
AT_MS = 5 * DAY_MS
OLD_MS = AT_MS + 31 * DAY_MS
CLOCK = ClockSettings(300_000, 2_000)
OF_MATCHES = ("events", "matches", "match_players", "packed_matches")


async def store(
    stores: Stores,
    name: str,
    players: Sequence[Player],
    ranks: tuple[int, ...] | None,
    *,
    exhibition: bool = False,
    left: Player | None = None,
    at_ms: int = AT_MS,
) -> None:
    created = Created("morris", "", (SeatPlan("open"), SeatPlan("open")), CLOCK, exhibition=exhibition)
    events: list[Event] = [created]
    events += [] if left is None else [Seated(0, left), SeatFreed(0, left)]
    events += [*(Seated(seat, player) for seat, player in enumerate(players)), Started()]
    events += [Moved(0, "a7", (1, 1)), Moved(1, "g1", (1, 1)), Ended(ranks, "aborted", "it is over")]
    match, entries = MatchId(name), [Entry(event, at_ms) for event in events]
    origin = Origin("exhibition" if exhibition else players[0].id, CommandId(name))
    assert await stores.journal.append(match, 0, entries, origin, finish_from(match, entries))


@pytest.fixture
async def filled(stores: Stores) -> Stores:
    await store(stores, "exhibition", BOTS, (1, 2), exhibition=True)
    await store(stores, "broken off", BOTS, None, exhibition=True)
    await store(stores, "of bots", BOTS, (1, 2))
    await store(stores, "guests", (GUEST, OTHER), None)
    await store(stores, "guest and bot", (GUEST, BOTS[0]), None)
    await store(stores, "decided", (GUEST, OTHER), (1, 2))
    await store(stores, "with an account", (GUEST, BEN), None)
    await store(stores, "left by an account", (GUEST, OTHER), None, left=ANN)
    await store(stores, "later", (GUEST, OTHER), None, at_ms=AT_MS + 2 * DAY_MS)
    await store_match(stores.journal, "accounts", (ANN, BEN), None, 5)
    return stores


DELETED = {"exhibition", "broken off", "guests", "guest and bot"}


async def names(stores: Stores) -> set[str]:
    """Return the matches of which anything is stored."""
    found: set[str] = set()
    for name in (*OF_MATCHES, *FOLLOWING):
        columns = metadata.tables[name].c
        found |= {*await stores.archive._database.values(str, select(columns["id" if name == "matches" else "match"]))}
    return found


def retention(stores: Stores, exhibitions: float = 30, unfinished: float = 30, now_ms: int = OLD_MS) -> Retention:
    lease = LastingLease("retention")
    days = {"exhibition_days": exhibitions, "unfinished_days": unfinished}
    return Retention(stores.retention, lease, lambda: now_ms, **days)


@pytest.mark.parametrize("is_packed", [False, True])
async def test_only_exhibitions_and_matches_of_guests_without_a_result_are_deleted(
    filled: Stores, is_packed: bool
) -> None:
    before = await names(filled)
    if is_packed:
        assert all([rows async for rows in pack_all(filled.packing, OLD_MS)])
    await retention(filled).apply_all()
    assert before - await names(filled) == DELETED
    assert [each.match for each in await filled.archive.find([MatchId("exhibition"), MatchId("decided")])] == [
        "decided"
    ]
    await retention(filled, now_ms=OLD_MS + 2 * DAY_MS).apply_all()
    assert before - await names(filled) == {*DELETED, "later"}


async def test_each_kind_has_its_time_and_nothing_is_deleted_without_one(filled: Stores) -> None:
    before = await names(filled)
    await retention(filled, exhibitions=0, unfinished=0).apply_all()
    await retention(filled, exhibitions=32, unfinished=32).apply_all()
    assert await names(filled) == before
    await retention(filled, exhibitions=1, unfinished=0).apply_all()
    assert before - await names(filled) == {"exhibition", "broken off"}


async def test_what_others_refer_to_is_kept_and_what_belongs_to_a_match_goes_with_it(filled: Stores) -> None:
    referring = [(studies, "guests"), (reports, "guest and bot"), (chat_lines, "guests"), (chat_lines, "exhibition")]
    async with filled.archive._database.begin() as connection:
        for table, match in (*referring, (match_analyses, "exhibition")):
            needed = {column.name: column.type.python_type for column in table.c if not column.nullable}
            values = {name: match if kind is str else kind() for name, kind in needed.items()}
            await connection.execute(insert(table).values({**values, "match": match}))
    before = await names(filled)
    await retention(filled).apply_all()
    assert before - await names(filled) == {"exhibition", "broken off"}
    count = select(func.count()).select_from(chat_lines)
    assert await filled.archive._database.value(int, count) == 1


async def test_retention_goes_on_where_it_was(filled: Stores) -> None:
    first = retention(filled)
    rule = first._rules[0]
    assert await first.apply_once(rule)
    assert await filled.retention.progress(rule.name) == AT_MS + WINDOW_MS
    assert not await retention(filled, now_ms=AT_MS + 31 * DAY_MS).apply_once(rule)


def test_every_table_that_names_a_match_says_what_becomes_of_it() -> None:
    named = {name for name, table in metadata.tables.items() if "match" in table.c}
    assert named == {*OF_MATCHES[:1], *OF_MATCHES[2:], *FOLLOWING, *HOLDING, *OTHERS}
