"""`kill -9` at any moment of play: no acknowledged move is lost, none is played twice, matches finish."""

import asyncio
import random
from pathlib import Path

import pytest

from tests.chaos.players import LONG, Players
from tests.chaos.promises import check_promises
from tests.chaos.witness import Witness
from tests.serving import GENEROUS, PATIENCE_S, ServerProcess
from tests.waiting import until

PLAYED_AT_ONCE = 4
"""Concurrent matches."""
THINKING_S = (0.0, 0.01)
"""Little, since each kill waits for a number of plies."""


async def kill_again_and_again(server: ServerProcess, kills: int, witness: Witness) -> None:
    """Kill and restart the server repeatedly: mostly during play, sometimes before it has started."""
    chance = random.Random(kills)
    for _ in range(kills):
        if server.is_welcoming:
            plies = len(witness.acknowledged) + chance.randrange(1, 200)
            await until(lambda plies=plies: len(witness.acknowledged) >= plies)  # type: ignore[misc]
            await asyncio.sleep(chance.random() / 100)
        else:
            await asyncio.sleep(chance.random() * 3)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start, is_awaited=chance.random() < 0.75)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("kills", [5, pytest.param(200, marks=pytest.mark.slow)])
async def test_a_killed_server_loses_no_acknowledged_move_and_play_continues(tmp_path: Path, kills: int) -> None:
    witness = Witness()
    with ServerProcess(tmp_path, *GENEROUS) as server:
        players = Players(server.address, 0, witness, clocks=[LONG], thinking_s=THINKING_S)
        playing = [asyncio.create_task(players.pair(("", ""), is_rated=False)) for _ in range(PLAYED_AT_ONCE)]
        await kill_again_and_again(server, kills, witness)
        players.is_enough.set()
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*playing)
        await asyncio.to_thread(server.kill)
        assert not [line for line in server.output if "Traceback" in line]
    await check_promises(f"sqlite:///{tmp_path / 'millrace.sqlite3'}", witness)
