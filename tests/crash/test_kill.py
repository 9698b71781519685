"""`kill -9` at any moment of play: no acknowledged move is lost, none is played twice, matches finish."""

import asyncio
import itertools
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from millrace.client.connection import Connection, connect
from millrace.client.match_commands import ME, OPEN
from millrace.client.match_feed import MatchFeed
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import Created, Ended, Event, MatchEvent, MatchId, Moved, parse_event
from tests.serving import ServerProcess

pytestmark = pytest.mark.usefixtures("processes")


PLAYED_AT_ONCE = 4
"""Matches that go on beside each other."""


@dataclass
class Witness:
    """What the clients have received, for comparison with the database."""

    acknowledged: dict[tuple[MatchId, int], str] = field(default_factory=dict)
    """The clicks of each accepted ply, by match and seq."""
    events: dict[MatchId, list[list[MatchEvent]]] = field(default_factory=dict)
    """For each finished match what each player has received."""
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def acknowledge(self, ply: tuple[MatchId, int], clicks: str) -> None:
        """Note the answer to a ply."""
        assert ply not in self.acknowledged, "two plies were answered with one seq"
        self.acknowledged[ply] = clicks
        self._news.set()

    async def wait_for(self, acknowledged: int) -> None:
        """Return when so many plies have been acknowledged."""
        while len(self.acknowledged) < acknowledged:
            self._news.clear()
            await self._news.wait()


def stored_events(data_dir: Path) -> dict[MatchId, dict[int, Event]]:
    """Return the events that the dead server left in its database."""
    with sqlite3.connect(data_dir / "millrace.sqlite3") as database:
        rows = database.execute("SELECT match, seq, body FROM events ORDER BY match, seq").fetchall()
    stored: dict[MatchId, dict[int, Event]] = {}
    for match, seq, body in rows:
        stored.setdefault(match, {})[seq] = parse_event(body)
    return stored


def check_stored(data_dir: Path, witness: Witness) -> None:
    """Check that every acknowledged ply is stored under its number, and that stored matches can be played."""
    stored = stored_events(data_dir)
    assert {match for match, _ in witness.acknowledged} <= set(stored)
    for match, events in stored.items():
        assert list(events) == list(range(1, len(events) + 1))
        created = events[1]
        assert isinstance(created, Created)
        state = State.of(find_game(created.game), created.setup)
        for seq, event in events.items():
            clicks = witness.acknowledged.get((match, seq))
            assert clicks is None or isinstance(event, Moved)
            if isinstance(event, Moved):
                assert clicks is None or state.format_move(state.parse_move(clicks)) == event.move
                state = state.play_text(event.move)
    assert {(match, seq) for match, seq in witness.acknowledged} <= {
        (match, seq) for match, events in stored.items() for seq in events
    }


async def play_seat(player: Connection, feed: MatchFeed, chance: random.Random, witness: Witness) -> list[MatchEvent]:
    """Play this player's turns at random to the end; return every event received."""
    received: list[MatchEvent] = []
    played_turn = 0
    async for update in feed.updates():
        if isinstance(update, MatchEvent):
            received.append(update)
            if isinstance(update.event, Ended):
                feed.close()
                return received
        turn = feed.turn
        if turn is not None and turn.seq > played_turn:
            played_turn = turn.seq
            move = chance.choice(turn.moves)
            accepted = await player.play(feed.match, turn.seat, move)
            witness.acknowledge((feed.match, accepted.seq), move)
    raise AssertionError("the feed ended before the match")


async def play_matches(ann: Connection, ben: Connection, seed: int, witness: Witness, stop: asyncio.Event) -> None:
    """Play one match after the other until told to stop; the last is played to its end."""
    chance = random.Random(seed)
    while not stop.is_set():
        match = (await ann.create("morris", [ME, OPEN])).match
        await ben.join(match)
        witness.events[match] = list(
            await asyncio.gather(*(play_seat(player, player.watch(match), chance, witness) for player in (ann, ben)))
        )


async def kill_again_and_again(server: ServerProcess, data_dir: Path, kills: int, witness: Witness) -> None:
    """Kill and restart the server repeatedly: mostly during play, sometimes before it has started."""
    chance = random.Random(kills)
    for _ in range(kills):
        if server.is_welcoming:
            await witness.wait_for(len(witness.acknowledged) + chance.randrange(200))
            await asyncio.sleep(chance.random() / 100)
        else:
            await asyncio.sleep(chance.random() * 3)
        await asyncio.to_thread(server.kill)
        check_stored(data_dir, witness)
        await asyncio.to_thread(server.start, is_awaited=chance.random() < 0.75)


def short_delays() -> Iterator[float]:
    """Return pauses between attempts to connect again: steady and short, since the server comes back soon."""
    return itertools.repeat(0.1)


@pytest.mark.parametrize("kills", [10, pytest.param(200, marks=pytest.mark.slow)])
async def test_a_killed_server_loses_no_acknowledged_move_and_play_continues(tmp_path: Path, kills: int) -> None:
    witness, stop = Witness(), asyncio.Event()
    with ServerProcess(tmp_path, "--address-factor", "100", "--limit", "messages.connection=40000") as server:
        async with (
            connect(server.address, delays_s=short_delays) as ann,
            connect(server.address, delays_s=short_delays) as ben,
        ):
            playing = [
                asyncio.create_task(play_matches(ann, ben, seed, witness, stop)) for seed in range(PLAYED_AT_ONCE)
            ]
            await kill_again_and_again(server, tmp_path, kills, witness)
            stop.set()
            await asyncio.gather(*playing)
        await asyncio.to_thread(server.kill)
        assert not [line for line in server.output if "Traceback" in line]
    check_stored(tmp_path, witness)
    stored = stored_events(tmp_path)
    for match, received in witness.events.items():
        for events in received:
            assert {match_event.seq: match_event.event for match_event in events} == stored[match]
            assert len(events) == len(stored[match])
    moved = Counter(match for match, events in stored.items() for event in events.values() if isinstance(event, Moved))
    acknowledged = Counter(match for match, _ in witness.acknowledged)
    assert moved == acknowledged
