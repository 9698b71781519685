"""Several servers behind one port: their prerequisites, takeovers, and ends."""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import asyncpg
import pytest

from millrace.client import ME, OPEN, connect
from millrace.server.app.commands.supervisor import reserve_port, share_out
from millrace.server.runtime.settings import Settings
from millrace.server.storage.errors import StorageError
from millrace.server.storage.server_lock import take_server_lock
from tests.commands import finish, output_of, start
from tests.processes import children_of, processes_of_session
from tests.server.databases import fresh_postgres
from tests.server.redis_servers import RedisProcess
from tests.serving import ServerProcess
from tests.waiting import wait_until

pytestmark = pytest.mark.usefixtures("processes")


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="shares a port")
POSTGRES = "postgresql://127.0.0.1/millrace"
REDIS = "redis://127.0.0.1:6379"


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with fresh_postgres() as url:
        yield url


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisProcess]:
    with RedisProcess() as process:
        yield process


@pytest.fixture(scope="module")
def node_ports() -> tuple[int, int]:
    """Two free ports, one after the other."""
    while True:
        with ExitStack() as reserved:
            first = reserve_port("localhost", 0, reserved)
            with suppress(OSError, OverflowError):
                return first, reserve_port("localhost", first + 1, reserved)


@pytest.fixture(scope="module")
def pair(
    database: str, redis: RedisProcess, node_ports: tuple[int, int], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServerProcess]:
    """Two servers behind one port."""
    shared = ("--database", database, "--bus", redis.url, "--bot-workers", "2")
    arguments = ("--processes", "2", "--node-ports", str(node_ports[0]), *shared)
    with ServerProcess(tmp_path_factory.mktemp("pair"), *arguments) as server:
        for number in (1, 2):
            server.wait_for(f"[{number}] Players are welcome.")
        yield server


def health_of(url: str) -> dict[str, Any]:
    with urlopen(f"{url}/health") as answer:
        health: dict[str, Any] = json.load(answer)
    return health


def health(server: ServerProcess) -> str:
    return str(health_of(server.url)["status"])


def wait_for_health(server: ServerProcess, status: str) -> None:
    """Return when several answers on end, of whichever processes, have this status."""
    wait_until(lambda: {health(server) for _ in range(20)} == {status}, lambda: status)


async def nodes_of(database: str) -> set[str]:
    connection = await asyncpg.connect(database)
    try:
        return {row["id"] for row in await connection.fetch("SELECT id FROM nodes")}
    finally:
        await connection.close()


@on_linux
@pytest.mark.postgres
@pytest.mark.redis
def test_both_processes_are_nodes_of_one_cluster(pair: ServerProcess, database: str) -> None:
    assert len(children_of(pair.pid)) == 2
    assert len(asyncio.run(nodes_of(database))) == 2
    with pytest.raises(StorageError, match=r"[Aa] cluster of servers .* serves the database"):
        asyncio.run(take_server_lock(database))


@on_linux
@pytest.mark.postgres
@pytest.mark.redis
def test_each_process_answers_on_its_own_port(pair: ServerProcess, node_ports: tuple[int, int], database: str) -> None:
    nodes = sorted(asyncio.run(nodes_of(database)))
    asked = []
    for port in node_ports:
        url = f"http://localhost:{port}"
        wait_until(lambda url=url: health_of(url)["members"] == nodes)  # type: ignore[misc]
        (node,) = {health_of(url)["node"] for _ in range(10)}
        with urlopen(f"{url}/metrics") as answer:
            assert b"millrace_members 2.0" in answer.read()
        asked.append(node)
    assert sorted(asked) == nodes


@on_linux
@pytest.mark.postgres
@pytest.mark.redis
def test_people_play_while_redis_is_away(pair: ServerProcess, redis: RedisProcess) -> None:
    wait_for_health(pair, "ok")
    redis.kill()
    wait_for_health(pair, "degraded")

    async def create() -> None:
        async with connect(pair.address) as ann:
            assert (await ann.create("morris", [ME, OPEN])).match

    asyncio.run(create())
    redis.start()
    wait_for_health(pair, "ok")


@on_linux
@pytest.mark.postgres
@pytest.mark.redis
def test_a_dead_process_is_restarted_and_all_end_together(pair: ServerProcess, database: str) -> None:
    (victim, survivor) = children_of(pair.pid)
    os.kill(victim, signal.SIGKILL)
    ended = pair.wait_for("This process ended (SIGKILL). It starts again in 1 s.")
    since, ready = pair.output.index(ended), f"{ended[:3]} Bots are ready"
    # While its bots start, a server on a busy machine may take longer to stop than it allows itself.
    wait_until(lambda: any(line.startswith(ready) for line in pair.output[since:]), lambda: pair.output)
    assert survivor in children_of(pair.pid)
    assert pair.stop() == 0, "\n".join(pair.output[-15:])
    assert not processes_of_session(pair.pid)
    assert len(asyncio.run(nodes_of(database))) == 1, "the one that was killed could not sign off"


@on_linux
def test_if_one_cannot_start_all_of_them_end_with_its_reason(tmp_path: Path) -> None:
    database = "postgresql://127.0.0.1:1/none"
    arguments = ("--processes", "2", "--port", "0", "--database", database, "--bus", REDIS, "--data-dir", str(tmp_path))
    code, output = finish(start("serve", *arguments))
    assert code == 1
    assert "] millrace: the database postgresql://127.0.0.1:1/none: " in output
    assert "Traceback" not in output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--bus", REDIS), "Several servers need a PostgreSQL database"),
        (("--bus", "localhost", "--database", POSTGRES), "does not begin with redis://"),
        (("--processes", "2"), "Several processes need a PostgreSQL database and Redis"),
        (("--processes", "2", "--database", POSTGRES), "Several processes need a PostgreSQL database and Redis"),
    ],
)
def test_missing_prerequisites_of_several_servers_are_reported(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    assert words in output_of("serve", "--data-dir", str(tmp_path), *arguments, code=1)


def test_processes_share_a_port_on_linux_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert "on Linux only" in output_of("serve", "--processes", "2", "--database", POSTGRES, "--bus", REDIS, code=1)


@on_linux
def test_a_shared_port_is_refused_if_another_program_has_it_even_if_that_shares_it() -> None:
    with ExitStack() as stack, ExitStack() as another:
        port = reserve_port("127.0.0.1", 0, stack)
        stack.close()
        other = another.enter_context(socket.create_server(("127.0.0.1", port), reuse_port=True))
        with pytest.raises(OSError, match="in use"):
            reserve_port("127.0.0.1", port, stack)
        other.close()
        assert reserve_port("127.0.0.1", port, stack) == port
        with socket.create_server(("127.0.0.1", port), reuse_port=True):
            pass


def test_bots_and_tablebases_are_distributed() -> None:
    shares = share_out(Settings(bot_workers=5, builds_tablebases=True, makes_browser_engine=True), 3)
    assert [share.bot_workers for share in shares] == [2, 2, 1]
    assert [share.builds_tablebases for share in shares] == [True, False, False]
    assert [share.makes_browser_engine for share in shares] == [True, False, False]
    assert [share.bot_workers for share in share_out(Settings(bot_workers=1), 2)] == [1, 1]
