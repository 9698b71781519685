"""Kills at every kind of point: a killed and continued run leads to the same facts as an uninterrupted one.

`MILLRACE_KILLS=2000 pytest -m slow tests/crash/test_kill_points.py` sets how many kills the slow runs make, over all
scenarios together, on SQLite; on PostgreSQL they make a quarter of them.
"""

import asyncio
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from millrace.protocol import CommandId, IdentityId, ModerationAction
from millrace.server.app.stores import moderation_actions, open_storage
from millrace.server.callers.credentials import credential_of
from millrace.server.callers.names import skeleton_of
from millrace.server.moderation.actions import ActionRequest
from millrace.server.moderation.permissions import CONSOLE
from millrace.server.players.accounts.account_store import Account
from millrace.server.players.accounts.token_store import StoredToken, TokenKind
from millrace.server.storage.migrate import migrate
from tests.crash.facts import check, facts_of
from tests.crash.fork_server import Request
from tests.crash.killed_server import Forks, fork_server, killed_server
from tests.crash.scenarios import SCENARIOS, declined_challenges_and_seeks
from tests.crash.world import NAMES, PASSWORD, Scenario, World, token_of
from tests.server.databases import delete_rows, fresh_postgres

pytestmark = pytest.mark.usefixtures("processes")


QUICK_KILLS = 32
SLOW_KILLS = int(os.environ.get("MILLRACE_KILLS", "2000"))
START_SHARE = 0.2
"""Share of the kills that are followed by another while the server starts again."""


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    log = tmp_path_factory.mktemp("forks") / "log"
    with fork_server(log) as process:
        yield process
    assert "Traceback" not in log.read_text()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database in which the players have their accounts."""
    path = tmp_path_factory.mktemp("template") / "template.sqlite3"
    asyncio.run(add_accounts(f"sqlite:///{path}"))
    return path


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with fresh_postgres() as url:
        asyncio.run(migrate(url))
        yield url


async def add_accounts(url: str) -> None:
    """Store the accounts and sessions of the scenarios' players."""
    stores = await open_storage(url)
    password_hash = PasswordHasher(1, memory_cost=64, parallelism=1).hash(PASSWORD)
    for name in NAMES:
        identity, credential = IdentityId(f"account-{name}"), credential_of(token_of(name))
        assert await stores.accounts.create(Account(identity, name, password_hash, 0), skeleton_of(name), 0)
        await stores.accounts.add_token(StoredToken(credential, credential[:16], identity, TokenKind.SESSION, 0))
    promotion = ActionRequest(
        ModerationAction.MAKE_MODERATOR, "Trusted.", CommandId("role"), IdentityId("account-Margaret")
    )
    await moderation_actions(stores, lambda: 0).perform(CONSOLE, promotion)
    await stores.close()


class Runs:
    """Runs of one scenario, each on a fresh database."""

    def __init__(self, forks: Forks, scenario: Scenario, url: str, template: Path | None) -> None:
        self._forks = forks
        self._scenario = scenario
        self._url = url
        self._template = template
        self.killed = 0

    async def run(self, *kills: Request) -> tuple[dict[str, object], list[int]]:
        """Run the scenario with these kills; return the facts, and how many points each server has passed."""
        await self._empty()
        async with killed_server(self._forks, self._url, kills) as server:
            world = World(server)
            await self._scenario(world)
            await world.leave()
        seen = {match: spectator.events for match, spectator in world.spectators.items()}
        await check(self._url, server.acknowledged, seen)
        self.killed += len(server.points) - 1
        return await facts_of(self._url), server.points

    async def compare(self, kills: int, chance: random.Random) -> None:
        """Kill runs at points that are spread over the whole scenario, and compare each with one that was not."""
        expected, (points,) = await self.run()
        for number in range(kills):
            at = 1 + int((number + chance.random()) * points / kills)
            wanted = [Request(self._url, at)]
            if chance.random() < START_SHARE:
                wanted.append(Request(self._url, chance.randrange(1, 200), from_start=True))
            facts, _ = await self.run(*wanted)
            assert facts == expected, f"killed at {wanted}"

    async def compare_starts(self, kills: int, chance: random.Random) -> None:
        """Kill each run during play, then while it starts, at points spread over the whole start, and once more so."""
        expected, (points,) = await self.run()
        _, (with_start,) = await self.run(Request(self._url, from_start=True))
        starting = with_start - points
        for number in range(kills):
            at = [int((number + chance.random()) * starting / kills), chance.randrange(starting)]
            wanted = [Request(self._url, 1 + chance.randrange(points))]
            wanted += [Request(self._url, 1 + point, from_start=True) for point in at]
            facts, _ = await self.run(*wanted)
            assert facts == expected, f"killed at {wanted}"

    async def _empty(self) -> None:
        if self._template is None:
            await asyncio.to_thread(delete_rows, self._url)
            await add_accounts(self._url)
            return
        path = Path(self._url.removeprefix("sqlite:///"))
        for file in path.parent.glob(f"{path.name}*"):
            file.unlink()
        shutil.copyfile(self._template, path)


def name_of(scenario: Scenario) -> str:
    return getattr(scenario, "__name__", "")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=name_of)
@pytest.mark.parametrize("kills", [QUICK_KILLS, pytest.param(SLOW_KILLS, marks=pytest.mark.slow)])
async def test_a_kill_at_any_point_leads_to_the_same_result(
    forks: Forks, scenario: Scenario, kills: int, template: Path, tmp_path: Path
) -> None:
    runs = Runs(forks, scenario, f"sqlite:///{tmp_path / 'killed.sqlite3'}", template)
    await runs.compare(-(-kills // len(SCENARIOS)), random.Random(name_of(scenario)))
    print(f"{name_of(scenario)}: {runs.killed} kills")


@pytest.mark.parametrize("kills", [QUICK_KILLS, pytest.param(SLOW_KILLS // 4, marks=pytest.mark.slow)])
async def test_whatever_is_killed_while_it_starts_the_next_start_serves(
    forks: Forks, kills: int, template: Path, tmp_path: Path
) -> None:
    runs = Runs(forks, declined_challenges_and_seeks, f"sqlite:///{tmp_path / 'killed.sqlite3'}", template)
    await runs.compare_starts(kills, random.Random(1))


@pytest.mark.postgres
@pytest.mark.slow
async def test_whatever_is_killed_while_it_starts_the_next_start_serves_on_postgres(
    forks: Forks, postgres_url: str
) -> None:
    runs = Runs(forks, declined_challenges_and_seeks, postgres_url, None)
    await runs.compare_starts(SLOW_KILLS // 16, random.Random(1))


@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS, ids=name_of)
async def test_a_kill_at_any_point_leads_to_the_same_result_on_postgres(
    forks: Forks, scenario: Scenario, postgres_url: str
) -> None:
    runs = Runs(forks, scenario, postgres_url, None)
    await runs.compare(-(-SLOW_KILLS // 4 // len(SCENARIOS)), random.Random(name_of(scenario)))
    print(f"{name_of(scenario)}: {runs.killed} kills")
