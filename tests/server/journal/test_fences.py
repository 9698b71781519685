"""What is stored under a lease is stored only as long as no other node has taken it."""

import asyncio

import pytest

from millrace.protocol import CommandId, MatchId
from millrace.server.journal.entries import Origin
from millrace.server.journal.journal_store import Journal
from millrace.server.storage.errors import FencedError
from millrace.server.storage.fences import Fence
from tests.server.databases import run_statement
from tests.server.journal.entries import MATCH, create, move, moves_of

HELD = Fence("pairing", 5)


@pytest.fixture
def url(url: str) -> str:
    run_statement(url, "INSERT INTO leases VALUES ('pairing', 'anna', 5, 0)")
    return url


async def test_with_the_present_number_an_append_is_stored(journal: Journal) -> None:
    assert await create(journal)
    assert await journal.append(MATCH, 1, [move("a1")], fence=HELD)
    assert moves_of(await journal.load(MATCH)) == ["a1"]


@pytest.mark.parametrize("fence", [Fence("pairing", 4), Fence("pairing", 6), Fence("unknown", 5)])
async def test_with_another_number_nothing_is_stored(journal: Journal, fence: Fence) -> None:
    assert await create(journal)
    with pytest.raises(FencedError, match="another server"):
        await journal.append(MATCH, 1, [move("a1")], fence=fence)
    assert moves_of(await journal.load(MATCH)) == []


async def test_a_server_that_is_alone_is_not_checked(journal: Journal) -> None:
    assert await create(journal)
    assert await journal.append(MATCH, 1, [move("a1")], fence=Fence("unknown"))


async def test_an_event_that_conflicts_is_refused_as_without_a_fence(journal: Journal) -> None:
    assert await create(journal)
    assert not await journal.append(MATCH, 7, [move("a1")], fence=HELD)


async def test_a_fenced_append_fails_no_other_of_its_batch(journal: Journal) -> None:
    matches = [MatchId(f"match-{number}") for number in range(8)]
    assert all(await asyncio.gather(*(create(journal, match, Origin(match, CommandId("c"))) for match in matches)))
    fences = [None, HELD, Fence("pairing", 4)]
    appends = [
        journal.append(match, 1 + (number == 6), [move("a1")], fence=fences[number % 3])
        for number, match in enumerate(matches)
    ]
    outcomes = await asyncio.gather(*appends, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [bool, bool, FencedError, bool, bool, FencedError, bool, bool]
    assert [outcome for outcome in outcomes if isinstance(outcome, bool)] == [True, True, True, True, False, True]
