"""One of two servers is killed in the middle of a wave; the other one goes on."""

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import asyncpg
import pytest

from millrace.client import connect
from millrace.protocol import ClockSettings, TournamentId, TournamentPlan
from millrace.server.app.stores import Stores, open_storage
from millrace.server.tournaments.events import Joined
from tests.node_processes import TwoNodes
from tests.server.players.profiles.stored_accounts import make_account, signed_in_account
from tests.serving import GENEROUS, PATIENCE_S, ServerProcess

pytestmark = [pytest.mark.usefixtures("processes"), pytest.mark.postgres, pytest.mark.redis]

PLAYERS = 60
"""Half of them bots. Their matches take a while to create."""
START_MS = 10_000
"""Time in which they join."""
LEASE_HOLDER = "SELECT node FROM leases WHERE name = 'tournaments'"
EVENTS = "SELECT body FROM tournament_events WHERE tournament = $1 ORDER BY seq"
MATCHES = "SELECT id FROM matches WHERE origin_by = 'tournament'"


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[TwoNodes]:
    with TwoNodes(tmp_path, *GENEROUS, "--bot-workers", "1") as nodes:
        yield nodes


async def first_event(database: asyncpg.Connection, tournament: TournamentId, kind: str) -> dict[str, Any]:
    """Return the only event of a type, once there is one."""
    async with asyncio.timeout(PATIENCE_S):
        while not (found := await events_of(database, tournament, kind)):
            pass
    (event,) = found
    return event


async def events_of(database: asyncpg.Connection, tournament: TournamentId, kind: str) -> list[dict[str, Any]]:
    bodies = [json.loads(body) for (body,) in await database.fetch(EVENTS, tournament)]
    return [body for body in bodies if body["type"] == kind]


async def joined(stores: Stores) -> list[Joined]:
    """Store accounts of people and bots, and return what happens when they join a tournament."""
    identities = [await make_account(stores, f"Player{number:02}") for number in range(PLAYERS)]
    for identity in identities[::2]:
        assert await stores.accounts.become_bot(identity)
    return [Joined(identity, 1500 + number, False) for number, identity in enumerate(identities)]


async def test_the_other_node_finishes_the_wave_of_the_one_that_was_killed(nodes: TwoNodes) -> None:
    _, url = nodes.storage
    stores, database = await open_storage(url), await asyncpg.connect(url)
    token, players = await signed_in_account(stores, "Annabel"), await joined(stores)
    processes = {health_of(node)["node"]: node for node in nodes.nodes}
    holder = await database.fetchval(LEASE_HOLDER)
    now_ms = round(time.time() * 1000)
    plan = TournamentPlan(
        *("Evening", "morris", ClockSettings(180_000), now_ms + START_MS),
        rated=False,
        kind="swiss",
        rounds=3,
        bots=True,
    )
    async with connect(nodes.address, token=token) as ann:
        tournament = await ann.tournaments.create(plan)
    assert await stores.tournaments.append(tournament, 1, players, now_ms)
    paired = await first_event(database, tournament, "paired")
    processes[holder].kill()
    opened = await first_event(database, tournament, "opened")
    matches = {match for match, _, _ in paired["pairs"]}
    created = [match for (match,) in await database.fetch(MATCHES)]
    assert len(created) == len(matches) == PLAYERS // 2
    assert set(created) == matches == {*opened["matches"]}
    assert len(await events_of(database, tournament, "paired")) == 1
    assert await database.fetchval(LEASE_HOLDER) != holder
    await database.close()
    await stores.close()


def health_of(node: ServerProcess) -> dict[str, Any]:
    with urlopen(f"{node.url}/health") as answer:
        return dict(json.load(answer))
