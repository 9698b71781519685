"""Closed rooms free their memory at once: a server rarely collects garbage, so nothing may wait for that."""

import asyncio
import gc
from collections.abc import Iterator

import pytest

from millrace.server.rooms import rooms
from millrace.server.rooms.event_log import EventLog
from millrace.server.rooms.room import Room
from millrace.server.web.connection import Connection
from millrace.server.web.session import Session
from tests.server.in_process_server import Served
from tests.server.web.two_players import BOT, ME, create
from tests.serving import PATIENCE_S


@pytest.fixture
def without_collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Rooms are closed soon after their last player has left, and garbage is not collected."""
    monkeypatch.setattr(rooms, "SWEEP_SECONDS", 0.05)
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def kept() -> list[str]:
    """Name what is in memory; a room's parts all hold its log."""
    kinds = (Connection, Session, Room, EventLog)
    return [type(each).__name__ for each in gc.get_objects() if type(each) in kinds]


async def test_an_ended_match_and_its_connections_free_their_memory(without_collector: None, served: Served) -> None:
    before = kept()
    ann, eve = await served.visitor(), await served.visitor()
    match = await create(ann, ME, BOT, clock={"initial_ms": 60_000})
    for each in (ann, eve):
        await each.say("watch", match=match)
    await ann.ask("play", match=match, seat=0, move="d6")
    await ann.say("say", id="s", match=match, text="Good game!")
    await ann.ask("resign", match=match, seat=0)
    await eve.hear_event("ended")
    assert len(kept()) > len(before)
    for each in (ann, eve):
        await each.connection.close()
    async with asyncio.timeout(PATIENCE_S):
        while kept() != before:  # noqa: ASYNC110  # memory has no event to wait for
            await asyncio.sleep(0.05)
