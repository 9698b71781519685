"""The slots of a Dask worker, called like by the scheduler, with messages in any order."""

import asyncio
from itertools import permutations

import pytest

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.server.bots.dask.messages import decode_answer, encode
from millrace.server.bots.dask.search_slots import SearchSlots
from millrace.server.bots.requests import BotRequest, Urgency

HOURS = 10_000.0
"""Seconds; longer than any test."""

REQUEST = BotRequest("morris", "", (), 8, seed=1, movetime_ms=HOURS * 1000, urgency=Urgency.MOVE, table="m 0")


@pytest.mark.parametrize("order", list(permutations(("search", "end later", "end now"))))
async def test_a_search_ends_at_the_earliest_requested_time_in_any_order_of_messages(order: tuple[str, ...]) -> None:
    slots = SearchSlots(None, long=1, short=0, processors=1)
    searching: asyncio.Task[dict[str, bytes]] | None = None
    for message in order:
        match message:
            case "search":
                searching = asyncio.create_task(slots.search("first", 0, "choose", encode(REQUEST), HOURS))
                await asyncio.sleep(0)
            case "end later":
                await slots.end("first", HOURS / 2)
            case "end now":
                await slots.end("first", 0)
    assert searching is not None
    state = State.of(find_game("morris"))
    assert state.parse_move(decode_answer("choose", (await searching)["answer"])) in state.legal_moves
