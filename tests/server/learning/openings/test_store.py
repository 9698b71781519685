"""The index of openings in every database: counted once, subtracted when void, and found without a scan."""

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import MatchId
from millrace.server.app.stores import Stores
from millrace.server.cluster.leases import LastingLease, SharedLease
from millrace.server.learning.openings.indexer import INDEXED_PLIES, OpeningIndexer, summed
from millrace.server.learning.openings.opening_store import MoveCount, due_statement, moves_statement
from millrace.server.learning.openings.positions import find_position
from millrace.server.matches.built_in_bots import bot_player
from millrace.server.storage.migrate import migrate
from tests.server.archive.filling import ANN, BEN, CAT, store_match
from tests.server.databases import downgrade
from tests.server.query_plans import plan_of

MORRIS = find_game("morris")
BOT = bot_player(3)


def number_of(*moves: str) -> int:
    position = find_position(State.from_moves(MORRIS, "", moves))
    assert position is not None
    return position.number


async def count_all(stores: Stores) -> None:
    indexer = OpeningIndexer(stores.openings, stores.archive, LastingLease("openings"))
    while await indexer.count_some():
        pass


async def results(stores: Stores, *moves: str, people: bool = False) -> list[tuple[int, int, int, str | None]]:
    found = await stores.openings.moves(number_of(*moves), people=people)
    return sorted((each.won, each.drawn, each.lost, each.latest) for each in found)


async def test_matches_count_from_the_view_of_each_moves_player(stores: Stores) -> None:
    await store_match(stores.journal, "m1", (ANN, BEN), (1, 2), 1, moves=("d6", "f4"))
    await store_match(stores.journal, "m2", (ANN, BEN), (2, 1), 2, moves=("b4", "d2"))
    await store_match(stores.journal, "m3", (ANN, CAT), (1, 1), 3, moves=("f4", "b4"))
    await count_all(stores)
    assert await results(stores) == [(1, 1, 1, "m3")], "the four points are equal by symmetry"
    assert await results(stores, "d6") == [(0, 1, 0, "m3"), (1, 0, 1, "m2")]


async def test_only_the_node_that_holds_the_lease_counts(stores: Stores) -> None:
    await store_match(stores.journal, "m1", (ANN, BEN), (1, 2), 1, moves=("d6",))
    lease = SharedLease("openings", lambda: 0.0)
    indexer = OpeningIndexer(stores.openings, stores.archive, lease)
    assert await indexer.count_some() == 0
    lease.hold(1, until_s=1.0)
    assert await indexer.count_some() == 1
    assert await results(stores) == [(1, 0, 0, "m1")]


async def test_matches_with_bots_are_left_out_on_request(stores: Stores) -> None:
    await store_match(stores.journal, "m1", (ANN, BOT), (1, 2), 1, moves=("d6",))
    await store_match(stores.journal, "m2", (ANN, BEN), (2, 1), 2, moves=("d6",))
    await count_all(stores)
    assert await results(stores) == [(1, 0, 1, "m2")]
    assert await results(stores, people=True) == [(0, 0, 1, "m2")]


async def test_a_match_without_result_does_not_count(stores: Stores) -> None:
    await store_match(stores.journal, "m1", (ANN, BEN), None, 1, moves=("d6", "f4"), reason="aborted")
    assert await stores.openings.due(9) == []


async def test_only_the_first_plies_of_a_match_count(stores: Stores) -> None:
    state = State.of(MORRIS)
    while state.ply < INDEXED_PLIES + 6:
        state = state.play(state.legal_moves[-1])
    await store_match(stores.journal, "long", (ANN, BEN), (1, 2), 1, moves=state.move_texts)
    await count_all(stores)
    counted = [bool(await results(stores, *state.move_texts[:ply])) for ply in range(INDEXED_PLIES + 2)]
    assert counted == [True] * INDEXED_PLIES + [False] * 2


async def test_a_match_is_counted_once_by_any_node(stores: Stores) -> None:
    await store_match(stores.journal, "m1", (ANN, BEN), (1, 2), 1, moves=("d6",))
    due = await stores.openings.due(9)
    counts = [MoveCount(number_of(), "d6", True, 1, 0, 0, MatchId("m1"), 1)]
    assert await stores.openings.add(due, counts)
    assert not await stores.openings.add(due, counts), "another server was quicker"
    assert [each.won for each in await stores.openings.moves(number_of(), people=False)] == [1]
    assert await stores.openings.due(9) == []


async def test_an_older_archive_is_counted_after_a_migration(stores: Stores, url: str) -> None:
    await store_match(stores.journal, "m1", (ANN, BEN), (1, 2), 1, moves=("d6",))
    await store_match(stores.journal, "m2", (ANN, BEN), None, 2, moves=("d6", "f4"), reason="aborted")
    await asyncio.to_thread(downgrade, url, "0014")
    await migrate(url)
    assert [each.match for each in await stores.openings.due(9)] == ["m1"]
    await count_all(stores)
    assert await results(stores) == [(1, 0, 0, "m1")]


async def test_a_look_up_reads_one_part_of_an_index(tmp_path: Path) -> None:
    file = tmp_path / "plans.sqlite3"
    await migrate(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as connection:
        for people in (False, True):
            (plan,) = plan_of(connection, moves_statement(5, people=people))
            assert plan.startswith("SEARCH opening_moves USING INDEX")
            assert "position=?" in plan
        places = [line for line in plan_of(connection, due_statement(20)) if line.startswith(("SCAN", "SEARCH"))]
        assert [line.rpartition(" ")[2] for line in places] == ["matches_openings_due", "packed_matches_openings_due"]


COUNTS = st.builds(
    MoveCount,
    position=st.integers(0, 2),
    move=st.sampled_from("ab"),
    people=st.booleans(),
    won=st.integers(-1, 1),
    drawn=st.integers(-1, 1),
    lost=st.integers(-1, 1),
    latest=st.just(MatchId("m")),
    latest_ms=st.integers(0, 9),
)


@settings(max_examples=50)
@given(st.lists(COUNTS, max_size=20))
def test_sums_lose_nothing(counts: list[MoveCount]) -> None:
    sums = summed(counts)
    assert len({each[:3] for each in sums}) == len(sums)
    for part in (3, 4, 5):
        expected: Counter[tuple[object, ...]] = Counter()
        for each in counts:
            expected[each[:3]] += each[part]  # type: ignore[operator]
        assert {each[:3]: each[part] for each in sums} == dict(expected)
    for each in sums:
        assert each.latest_ms == max(one.latest_ms for one in counts if one[:3] == each[:3])
