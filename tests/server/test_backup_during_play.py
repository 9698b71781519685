"""`millrace backup` during play, and `millrace restore`: nothing acknowledged earlier is missing, play continues."""

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from millrace.client import ME, OPEN, Connection, connect
from millrace.client.match_feed import MatchFeed
from millrace.protocol import MatchId
from millrace.server.app.stores import open_journal
from tests.commands import finish, run, start
from tests.server.databases import fresh_postgres
from tests.server.journal.entries import moves_of
from tests.serving import GENEROUS, ServerProcess

pytestmark = pytest.mark.usefixtures("processes")


PLIES_BEFORE = 40
"""Plies in all matches before the backup begins."""

MATCHES = 4


@contextmanager
def database(kind: str, path: Path) -> Iterator[str]:
    if kind == "postgres":
        with fresh_postgres() as url:
            yield url
    else:
        yield f"sqlite:///{path}"


class Play:
    """Random play of two people in some matches at once."""

    def __init__(self) -> None:
        self.acknowledged: list[tuple[MatchId, int]] = []
        self.enough = asyncio.Event()

    async def seat(self, player: Connection, feed: MatchFeed) -> None:
        chance = random.Random(feed.match)
        while (turn := await feed.my_turn()) is not None:
            accepted = await player.play(feed.match, turn.seat, chance.choice(turn.moves))
            self.acknowledged.append((feed.match, accepted.seq))
            if len(self.acknowledged) >= PLIES_BEFORE:
                self.enough.set()

    async def match(self, ann: Connection, ben: Connection) -> None:
        while True:
            match = (await ann.create("morris", [ME, OPEN])).match
            await ben.join(match)
            await asyncio.gather(*(self.seat(player, player.watch(match)) for player in (ann, ben)))


async def play_and_back_up(server: ServerProcess, url: str, file: Path) -> list[tuple[MatchId, int]]:
    """Back up a database while matches are played on; return what was acknowledged before."""
    play = Play()
    async with connect(server.address) as ann, connect(server.address) as ben:
        playing = [asyncio.create_task(play.match(ann, ben)) for _ in range(MATCHES)]
        await play.enough.wait()
        before = [*play.acknowledged]
        code, output = await asyncio.to_thread(lambda: finish(start("backup", str(file), "--database", url)))
        assert (code, output.count("\n")) == (0, 1), output
        assert len(play.acknowledged) > len(before), "nobody played during the backup"
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    return before


async def check_events(url: str, acknowledged: list[tuple[MatchId, int]]) -> list[MatchId]:
    """Check that acknowledged events are stored, and return the matches in progress."""
    journal = await open_journal(url)
    for match, seq in acknowledged:
        recorded = await journal.load(match)
        moves_of(recorded)
        assert len(recorded) >= seq
    unfinished = await journal.unfinished()
    await journal.close()
    return [*unfinished]


async def play_on(address: str, matches: list[MatchId]) -> None:
    """Check that matches are served."""
    async with connect(address) as eve:
        for match in matches:
            async with eve.watch(match) as feed:
                await feed.ready()


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_a_backup_during_play_is_complete_and_can_be_used(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "millrace.backup"
    with database(kind, tmp_path / "first.db") as url, database(kind, tmp_path / "second.db") as restored:
        with ServerProcess(tmp_path, "--database", url, *GENEROUS) as server:
            acknowledged = asyncio.run(play_and_back_up(server, url, file))
        assert run("restore", str(file), "--check")[0] == 0
        code, output = run("restore", str(file), "--database", restored)
        assert (code, output.startswith("Restored ")) == (0, True)
        matches = asyncio.run(check_events(restored, acknowledged))
        assert matches
        with ServerProcess(tmp_path, "--database", restored) as server:
            asyncio.run(play_on(server.address, matches))
            assert not [line for line in server.output if "Traceback" in line]
            code, output = run("restore", str(file), "--database", restored, "--replace")
            assert (code, "Another server" in output) == (1, True)
