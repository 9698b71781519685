"""Leases: one node at a time holds each, and a number identifies the current holder."""

import asyncpg
import pytest

from millrace.server.cluster.leases import LEASE_MS, MARGIN_SECONDS
from millrace.server.cluster.node_store import NodeStore
from millrace.server.storage.errors import StorageError
from millrace.server.storage.fences import Fence
from tests.server.cluster.nodes_in_process import joined

pytestmark = pytest.mark.postgres


async def expire(admin: asyncpg.Connection) -> None:
    """Let every lease expire."""
    await admin.execute("UPDATE leases SET expires_ms = expires_ms - $1", LEASE_MS)


async def test_one_node_holds_a_lease_and_renews_it(postgres_url: str) -> None:
    async with joined(postgres_url, 0, 5_000) as (first, second):
        mine, others = first.membership.lease("pairing"), second.membership.lease("pairing")
        assert mine.fence is None
        for _ in range(3):
            await first.beat()
            await second.beat()
            assert mine.fence == Fence("pairing", 1)
            assert others.fence is None


async def test_each_lease_has_its_own_holder(postgres_url: str) -> None:
    async with joined(postgres_url, 0, 0) as (first, second):
        sweeping = first.membership.lease("sweeping")
        await first.beat()
        pairing, also_sweeping = second.membership.lease("pairing"), second.membership.lease("sweeping")
        await second.beat()
        assert (sweeping.fence, also_sweeping.fence, pairing.fence) == (Fence("sweeping", 1), None, Fence("pairing", 1))
        assert first.membership.lease("sweeping") is sweeping


async def test_another_node_takes_an_expired_lease(postgres_url: str, admin: asyncpg.Connection) -> None:
    async with joined(postgres_url, 0, 0) as (first, second):
        mine, others = first.membership.lease("pairing"), second.membership.lease("pairing")
        await first.beat()
        await expire(admin)
        await second.beat()
        assert others.fence == Fence("pairing", 2)
        await first.beat()
        assert mine.fence is None


async def test_a_holder_that_is_late_may_renew_its_lease_under_the_same_number(
    postgres_url: str, admin: asyncpg.Connection
) -> None:
    async with joined(postgres_url, 0) as (node,):
        lease = node.membership.lease("pairing")
        await node.beat()
        await expire(admin)
        await node.beat()
        assert lease.fence == Fence("pairing", 1)


async def test_a_suspended_holder_stops_before_others_may_start(postgres_url: str) -> None:
    async with joined(postgres_url, 0) as (node,):
        lease = node.membership.lease("pairing")
        await node.beat()
        node.now_s += LEASE_MS / 1000 - MARGIN_SECONDS
        assert lease.fence is None


async def test_a_node_that_leaves_gives_up_its_leases(postgres_url: str) -> None:
    async with joined(postgres_url, 0, 0) as (first, second):
        mine, others = first.membership.lease("pairing"), second.membership.lease("pairing")
        await first.beat()
        await first.membership.leave()
        assert mine.fence is None
        await second.beat()
        assert others.fence == Fence("pairing", 2)


def test_several_servers_need_postgresql() -> None:
    with pytest.raises(StorageError, match="several servers need a PostgreSQL database"):
        NodeStore("sqlite:////tmp/x.sqlite3")
