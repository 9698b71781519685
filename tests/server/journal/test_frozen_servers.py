"""A server that freezes or is cut off in a transaction holds up no other, and what it sends afterwards is refused."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack

import pytest
from sqlalchemy import text

from millrace.server.app.stores import open_journal
from millrace.server.journal.journal_store import Journal
from millrace.server.storage.address import parse_address
from millrace.server.storage.database import Database
from millrace.server.storage.errors import StorageError
from tests.proxies import FaultyProxy, Way
from tests.server.journal.entries import MATCH, create, move, moves_of
from tests.server.pgbouncer import PgBouncerProcess

pytestmark = pytest.mark.postgres

LOCKED = f"INSERT INTO events VALUES ('{MATCH}', 2, 0, 0, 'command', '{{}}')"


@pytest.fixture(params=["directly", "behind a pooler"])
def frozen_url(request: pytest.FixtureRequest, postgres_url: str) -> Iterator[str]:
    """The address at which the frozen server reaches the database."""
    with ExitStack() as stack:
        is_pooled = request.param != "directly"
        yield stack.enter_context(PgBouncerProcess(postgres_url)).url if is_pooled else postgres_url


async def opened(stack: AsyncExitStack, url: str) -> Journal:
    """Open a journal until the stack closes, also if the test fails."""
    journal = await open_journal(url)
    stack.push_async_callback(journal.close)
    return journal


async def test_a_transaction_that_stands_still_ends_before_others_give_up(frozen_url: str, postgres_url: str) -> None:
    async with AsyncExitStack() as stack:
        journal = await opened(stack, postgres_url)
        frozen = Database(parse_address(frozen_url))
        stack.push_async_callback(frozen.close)
        assert await create(journal)

        async def freeze() -> None:
            async with frozen.begin() as connection:
                await connection.execute(text(LOCKED))
                is_stored = await journal.append(MATCH, 1, [move("a1", 0, "command")])
                assert is_stored, "the other one has the number and the id"
                await connection.execute(text("SELECT 1"))

        with pytest.raises(StorageError):
            await freeze()
        assert moves_of(await journal.load(MATCH)) == ["a1"]
        assert await frozen.rows(text("SELECT 1")) == [(1,)], "it is connected again"


@pytest.mark.parametrize("way", Way)
async def test_a_command_whose_answer_is_lost_is_stored_once(postgres_url: str, way: Way) -> None:
    async with AsyncExitStack() as stack:
        proxy = stack.enter_context(FaultyProxy(postgres_url))
        journal, other = await opened(stack, proxy.url), await opened(stack, postgres_url)
        assert await create(journal)
        proxy.silent = way
        lost = journal.append(MATCH, 1, [move("a1", 0, "command")])
        await asyncio.wait((lost,), timeout=0.2)
        assert await other.append(MATCH, 1, [move("a1", 0, "command")]) or len(await other.load(MATCH)) == 2
        journal.break_off()
        with pytest.raises(StorageError):
            await lost
        proxy.silent = None
        assert not await journal.append(MATCH, 1, [move("a1", 0, "command")])
        assert moves_of(await journal.load(MATCH)) == ["a1"]
