"""Database faults during play: everyone is informed, nobody loses time, and play continues after the fault."""

import asyncio
import json
import resource
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect as connect_socket

from millrace.client import ME, OPEN, ClockSettings, Connection, RefusedError, bot, connect
from millrace.client.match_feed import MatchFeed
from millrace.protocol import Code, MatchEvent, MatchId, Resumed
from tests.proxies import FaultyProxy
from tests.server.databases import fresh_postgres
from tests.server.in_process_server import Visitor
from tests.serving import PATIENCE_S, ServerProcess

pytestmark = pytest.mark.usefixtures("processes")


CLOCK = ClockSettings(600_000, 0)
TOOK_TOO_LONG = 1

Fault = AbstractContextManager[None]


@contextmanager
def full_disk(server: ServerProcess, file: Path) -> Iterator[None]:
    """Forbid the server to make any file longer, which fails as on a full disk."""
    before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def lock(server: ServerProcess, file: Path) -> Iterator[None]:
    """Hold the write lock of the file, as another program may."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


@contextmanager
def immutable(server: ServerProcess, file: Path) -> Iterator[None]:
    """Make the file and those beside it immutable, which only root may, and not on every file system."""
    files = [str(path) for path in file.parent.glob(f"{file.name}*")]
    try:
        done = subprocess.run(["chattr", "+i", *files], check=False, capture_output=True)
        if done.returncode:
            pytest.skip(f"no file can be made immutable here: {done.stderr.decode()}")
        yield
    finally:
        subprocess.run(["chattr", "-i", *files], check=False, capture_output=True)


@contextmanager
def stopped_postgres(proxy: FaultyProxy) -> Iterator[None]:
    proxy.moves.clear()
    try:
        yield
    finally:
        proxy.moves.set()


@contextmanager
def restarted_postgres(proxy: FaultyProxy) -> Iterator[None]:
    proxy.break_off()
    try:
        yield
    finally:
        proxy.is_broken.clear()


async def move(feed: MatchFeed) -> None:
    turn = await feed.my_turn()
    assert turn is not None
    await turn.play(turn.moves[0])


async def open_match(ann: Connection, ben: Connection) -> MatchId:
    match = (await ann.create("morris", [ME, OPEN], clock=CLOCK, shuffle=False)).match
    await ben.join(match)
    return match


def health(server: ServerProcess, path: str = "/health") -> tuple[int, str]:
    """Return the HTTP status of `/health`, and the word in it."""
    try:
        with urllib.request.urlopen(f"http://{server.address}{path}") as answer:
            return answer.status, json.load(answer)["status"]
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)["status"]


async def resumption(feed: MatchFeed) -> Resumed:
    async for update in feed.updates():
        if isinstance(update, MatchEvent) and isinstance(update.event, Resumed):
            return update.event
    raise AssertionError("the match did not go on")


async def play_through(server: ServerProcess, fault: Fault) -> None:
    """Play during a fault, see that it is refused, and play on after it."""
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(server.address, retry_unavailable=False) as ann,
        connect(server.address) as ben,
        connect_socket(f"ws://{server.address}/socket", compression=None) as socket,
    ):
        onlooker = await Visitor(socket).greet()
        match = await open_match(ann, ben)
        with_bot = (await ann.create("morris", [ME, bot(1)], shuffle=False)).match
        async with ann.watch(match) as anns, ben.watch(match) as bens:
            await move(anns)
            await move(bens)
            with fault:
                begun = await onlooker.hear_until("interruption")
                assert not begun["is_over"]
                assert await asyncio.to_thread(health, server) == (503, "interrupted")
                assert await asyncio.to_thread(health, server, "/health/live") == (200, "alive"), "not to be killed"
                turn = await anns.my_turn()
                assert turn is not None
                with pytest.raises(RefusedError, match="The server cannot store moves right now") as refusal:
                    await turn.play(turn.moves[0])
                assert refusal.value.code is Code.UNAVAILABLE
                creating = asyncio.create_task(ben.create("morris", [ME, ME]))
                async with connect_socket(f"ws://{server.address}/socket", compression=None) as second:
                    late = await Visitor(second).greet()
                    assert not (await late.hear_until("interruption"))["is_over"]
            assert (await onlooker.hear_until("interruption"))["is_over"]
            # Bots that could not start meanwhile are tried again after a pause.
            while await asyncio.to_thread(health, server) != (200, "ok"):  # noqa: ASYNC110  # nothing announces it
                await asyncio.sleep(0.1)
            resumed = await resumption(anns)
            assert all(left_ms > CLOCK.initial_ms - 60_000 for left_ms in resumed.clocks_ms)
            assert resumed.grace_ms > 0
            assert (await creating).match not in (match, with_bot), "it waited, and was sent again"
            await move(anns)
            await move(bens)
        async with ann.watch(with_bot) as feed:
            await move(feed)
            await move(feed)


def check_output(server: ServerProcess) -> None:
    assert server.stop() == 0
    assert not [line for line in server.output if "Traceback" in line], "\n".join(server.output)
    assert [line for line in server.output if "play is interrupted" in line]
    assert [line for line in server.output if "play continues" in line]


FAULTS = [full_disk, *(pytest.param(fault, marks=pytest.mark.slow) for fault in (lock, immutable))]


@pytest.mark.skipif(sys.platform != "linux", reason="limits another process")
@pytest.mark.parametrize("fault", FAULTS)
def test_play_pauses_while_a_file_cannot_be_written(tmp_path: Path, fault: Any) -> None:
    with ServerProcess(tmp_path) as server:
        server.wait_for_bots()
        asyncio.run(play_through(server, fault(server, tmp_path / "millrace.sqlite3")))
        check_output(server)


@pytest.mark.postgres
@pytest.mark.parametrize("fault", [pytest.param(stopped_postgres, marks=pytest.mark.slow), restarted_postgres])
def test_play_pauses_while_postgres_is_silent_or_being_restarted(tmp_path: Path, fault: Any) -> None:
    with fresh_postgres() as url, FaultyProxy(url) as proxy, ServerProcess(tmp_path, "--database", proxy.url) as server:
        server.wait_for_bots()
        asyncio.run(play_through(server, fault(proxy)))
        check_output(server)


@pytest.mark.skipif(sys.platform != "linux", reason="limits another process")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_stops_during_a_fault(tmp_path: Path, fault: Any) -> None:
    with ServerProcess(tmp_path) as server:
        server.wait_for_bots()
        begin = partial(fault, server, tmp_path / "millrace.sqlite3")
        asyncio.run(stop_during(server, begin))
        assert not [line for line in server.output if "Traceback" in line], "\n".join(server.output)


async def stop_during(server: ServerProcess, begin: Any) -> None:
    async with connect_socket(f"ws://{server.address}/socket", compression=None) as socket:
        onlooker = await Visitor(socket).greet()
        with begin():
            await onlooker.hear_until("interruption")
            assert await asyncio.to_thread(server.stop) in (0, TOOK_TOO_LONG)
