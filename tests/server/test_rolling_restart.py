"""Nodes restarted one after another during play: nobody loses a move or time."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.asyncio.client import connect as open_socket

from millrace.server.matches.clock import GRACE_MS
from tests.node_processes import TwoNodes
from tests.processes import children_of
from tests.server.databases import fresh_postgres
from tests.server.in_process_server import Frame, Visitor
from tests.server.redis_servers import fresh_redis
from tests.server.steady_play import play_on_during
from tests.serving import BOTS, GENEROUS, PATIENCE_S, WELCOME, ServerProcess
from tests.waiting import wait_until

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.usefixtures("processes")]

ME, OPEN = {"occupant": "me"}, {"occupant": "open"}
INITIAL_MS = 600_000


@pytest.fixture(scope="module")
def beside() -> Iterator[ThreadPoolExecutor]:
    """A thread for what must not hold up the event loop. It lives as long as the servers that it starts: the system
    kills them when it ends (`tests.processes`)."""
    with ThreadPoolExecutor(1) as beside:
        yield beside


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory, beside: ThreadPoolExecutor) -> Iterator[TwoNodes]:
    with TwoNodes(tmp_path_factory.mktemp("nodes"), *GENEROUS, "--bot-workers", "1") as nodes:
        yield nodes


async def test_matches_continue_while_their_nodes_are_restarted_in_turn(
    nodes: TwoNodes, beside: ThreadPoolExecutor
) -> None:
    _, database = nodes.storage
    restart = nodes.restart_one_after_the_other
    await play_on_during(nodes.address, database, lambda: asyncio.wrap_future(beside.submit(restart)))
    assert not [line for line in nodes.output if "Traceback" in line]


async def welcomed(nodes: TwoNodes, token: str = "") -> tuple[Visitor, ServerProcess]:
    """Return a visitor that has been welcomed, and the node to which it has come."""
    number = nodes.connections
    visitor = Visitor(await open_socket(f"ws://{nodes.address}/socket", compression=None, open_timeout=None))
    return await visitor.greet(token), nodes.node_of(number)


async def closed_with(visitor: Visitor) -> tuple[int, str]:
    """Wait until a visitor's connection is closed; return the code and the reason."""
    await visitor.connection.wait_closed()
    assert visitor.connection.close_code is not None
    return visitor.connection.close_code, visitor.connection.close_reason or ""


async def play(player: Visitor, match: str, seat: int, move: str) -> Frame:
    """Make a ply, and return its event."""
    await player.say("play", id=move, match=match, seat=seat, move=move)
    return await moved(player, move)


async def moved(player: Visitor, move: str) -> Frame:
    """Return the event of a ply when the player has heard of it."""
    while (event := await player.hear_event("moved"))["event"]["move"] != move:
        pass
    return event


async def know_each_other(*players: Visitor) -> None:
    """Return when the players have been told that both are there."""
    for player in players:
        if not any(frame.get("present") == [True, True] for frame in player.read):
            await player.hear_until("audience_update", present=[True, True])


@pytest.mark.parametrize("owner", ["her", "his"])
async def test_the_player_to_move_is_sent_to_another_node_and_loses_no_time(
    nodes: TwoNodes, beside: ThreadPoolExecutor, owner: str
) -> None:
    async with asyncio.timeout(PATIENCE_S):
        (ann, her_node), (ben, his_node) = await welcomed(nodes), await welcomed(nodes)
        assert her_node is not his_node
        # A match is owned by the node that creates it.
        first, second = (ann, ben) if owner == "her" else (ben, ann)
        create = {"game": "morris", "seats": [ME, OPEN], "clock": {"initial_ms": INITIAL_MS}}
        match = (await first.ask("create", id="create", **create))["match"]
        await second.ask("join", id="join", match=match)
        for player in (ann, ben):
            await player.say("watch", match=match)
            await player.hear_event("started")
        if first is ann:
            await play(ann, match, 0, "d6")
            await moved(ben, "d6")
        hers, his = (0, 1) if first is ann else (1, 0)
        began_s = time.monotonic()
        before = await play(ben, match, his, "f4")
        await moved(ann, "f4")
        await know_each_other(ann, ben)

        stopping = beside.submit(her_node.stop_in_good_order)
        assert await closed_with(ann) == (1012, "The server is restarting; your match is safe.")
        closed_s = time.monotonic()
        await asyncio.wrap_future(stopping)
        await asyncio.wrap_future(beside.submit(her_node.start))

        back, _ = await welcomed(nodes, ann.token)
        await back.say("watch", match=match, since=before["seq"])
        assert (await back.hear_event("resumed"))["seq"] == before["seq"] + 1, "only what she has missed"
        after = await play(back, match, hers, "a7")
        played_s = time.monotonic()
        charged_ms = before["event"]["clocks_ms"][hers] - after["event"]["clocks_ms"][hers]
        # Her time until she was told to leave counts, and that after the grace period.
        assert charged_ms <= 1000 * (closed_s - began_s) + max(0, 1000 * (played_s - closed_s) - GRACE_MS)
        for player in (back, ben):
            await player.connection.close()


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with fresh_postgres() as url:
        yield url


@pytest.fixture(scope="module")
def pair(
    tmp_path_factory: pytest.TempPathFactory, beside: ThreadPoolExecutor, database: str
) -> Iterator[ServerProcess]:
    arguments = ("--processes", "2", "--database", database, "--bus", fresh_redis(), "--bot-workers", "2")
    with ServerProcess(tmp_path_factory.mktemp("pair"), *arguments, *GENEROUS) as server:
        for number in (1, 2):
            server.wait_for(f"[{number}] {BOTS}")
        yield server


def restart_by_signal(server: ServerProcess) -> None:
    """Send SIGHUP, and return when both processes have been replaced and their bots can play."""
    os.kill(server.pid, signal.SIGHUP)
    wait_until(lambda: len(processes_that_said(BOTS, server)) >= 4, lambda: "\n".join(server.output[-15:]))


def processes_that_said(words: str, server: ServerProcess) -> list[str]:
    """Return which processes have said something since the start, in that order."""
    return [line[:3] for line in server.output if line[4:].startswith(words)]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="shares a port")
async def test_sighup_restarts_the_processes_of_a_port_in_turn(
    pair: ServerProcess, database: str, beside: ThreadPoolExecutor
) -> None:
    before = set(children_of(pair.pid))
    await play_on_during(pair.address, database, lambda: asyncio.wrap_future(beside.submit(restart_by_signal, pair)))
    assert before.isdisjoint(children_of(pair.pid))
    assert processes_that_said(WELCOME, pair)[2:] == ["[1]", "[2]"]
    assert pair.stop() == 0, "\n".join(pair.output[-15:])
    assert not [line for line in pair.output if "Traceback" in line]
