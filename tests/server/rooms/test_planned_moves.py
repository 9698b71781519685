"""Planned moves over real sockets: played at once, secret, and kept through a restart."""

import asyncio
from typing import Any

import pytest

from millrace.server.rooms import automation
from millrace.server.rooms.plan_store import PlanStore
from millrace.server.rooms.room import Room
from tests.server.in_process_server import Serve, Served, Visitor
from tests.server.web.two_players import DAYS, begin_unwatched, play

LINES = [["f4", "a7", "a1", "g7"], ["f6", "b6"]]


@pytest.fixture
def served_url(url: str) -> str:
    """The tests of this module run on every kind of database."""
    return url


async def begin(served: Served) -> tuple[Visitor, Visitor, str]:
    """Return White, Black and their match, in which White has placed a man."""
    white, black = await served.visitor(), await served.visitor()
    match = await begin_unwatched(white, black, clock=DAYS)
    await play(white, match, 0, "d6")
    return white, black, match


async def moves_of(visitor: Visitor, match: str, plies: int) -> list[tuple[str, bool]]:
    """Return the moves of a match once it has so many, and whether each was planned."""
    await visitor.say("watch", match=match)
    found: list[tuple[str, bool]] = []
    while len(found) < plies:
        frame = await visitor.hear()
        events = frame["events"] if frame["type"] == "match_events" else [frame] if "event" in frame else []
        found += [(each["event"]["move"], each["event"]["planned"]) for each in events if "move" in each["event"]]
    return found


async def test_planned_replies_are_played_at_once_and_marked(served: Served) -> None:
    white, black, match = await begin(served)
    planned = await white.ask("set_plan", match=match, seat=0, ply=1, lines=LINES)
    assert (planned["type"], planned["ply"], planned["lines"]) == ("plan", 1, LINES)
    await play(black, match, 1, "f4")
    assert await moves_of(await served.visitor(), match, 3) == [("d6", False), ("f4", False), ("a7", True)]
    rest = await white.ask("get_plan", match=match, seat=0)
    assert (rest["ply"], rest["lines"]) == (3, [["a1", "g7"]])


async def test_two_plans_answer_each_other(served: Served) -> None:
    white, black, match = await begin(served)
    await white.ask("set_plan", match=match, seat=0, ply=1, lines=[["f4", "a7", "a1", "g7"]])
    await play(black, match, 1, "f6")
    await black.ask("set_plan", match=match, seat=1, ply=2, lines=[["b6", "a1", "b2", "g1"]])
    refused = await white.ask("set_plan", match=match, seat=0, ply=2, lines=[["b6", "a1"]])
    assert refused["code"] == "bad_plan"
    await play(white, match, 0, "b6")
    assert (await moves_of(await served.visitor(), match, 4))[3] == ("a1", True)
    await white.ask("set_plan", match=match, seat=0, ply=4, lines=[])
    await play(white, match, 0, "b2")
    assert (await moves_of(await served.visitor(), match, 6))[5] == ("g1", True)


async def test_a_plan_is_shown_to_its_player_alone(served: Served) -> None:
    white, black, match = await begin(served)
    await white.ask("set_plan", match=match, seat=0, ply=1, lines=LINES)
    for type_, fields in (("get_plan", {}), ("set_plan", {"ply": 1, "lines": []})):
        refused = await black.ask(type_, match=match, seat=0, **fields)
        assert (refused["type"], refused["code"]) == ("refused", "not_your_seat")
    assert (await black.ask("get_plan", match=match, seat=1))["lines"] == []
    spectator = await served.visitor()
    await moves_of(spectator, match, 1)
    for visitor in (black, spectator):
        assert not any(frame.get("lines") for frame in visitor.read)


async def test_a_deleted_plan_is_not_played(served: Served) -> None:
    white, black, match = await begin(served)
    await white.ask("set_plan", match=match, seat=0, ply=1, lines=LINES)
    assert (await white.ask("set_plan", match=match, seat=0, ply=1, lines=[]))["lines"] == []
    await play(black, match, 1, "f4")
    await play(white, match, 0, "g7")
    assert await moves_of(await served.visitor(), match, 3) == [("d6", False), ("f4", False), ("g7", False)]


async def test_a_plan_survives_a_restart_and_is_deleted_with_the_end_of_the_match(serve: Serve) -> None:
    white, black, match = await begin(await serve())
    await white.ask("set_plan", match=match, seat=0, ply=1, lines=LINES)
    again: Served = await serve()
    white, black = [await again.visitor(visitor.token) for visitor in (white, black)]
    assert (await white.ask("get_plan", match=match, seat=0))["lines"] == LINES
    await play(black, match, 1, "f6")
    assert await moves_of(black, match, 3) == [("d6", False), ("f6", False), ("b6", True)]
    await white.ask("resign", match=match, seat=0)
    assert (await white.ask("get_plan", match=match, seat=0))["lines"] == []


async def test_a_reply_that_a_crash_prevented_is_played_after_the_start(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(automation, "_play_planned_move", never)
        white, black, match = await begin(await serve())
        await white.ask("set_plan", match=match, seat=0, ply=1, lines=LINES)
        await play(black, match, 1, "f4")
    again: Served = await serve()
    assert await moves_of(await again.visitor(), match, 3) == [("d6", False), ("f4", False), ("a7", True)]


async def never(_: Room) -> None:
    """Stand for the reply that a killed server did not get to."""


async def test_a_plan_that_is_stored_late_is_played_all_the_same(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    white, black, match = await begin(served)
    has_moved = asyncio.Event()
    put = PlanStore.put

    async def put_late(store: PlanStore, *fields: Any) -> None:
        await has_moved.wait()
        await put(store, *fields)

    monkeypatch.setattr(PlanStore, "put", put_late)
    planning = asyncio.create_task(white.ask("set_plan", match=match, seat=0, ply=1, lines=LINES))
    await play(black, match, 1, "f4")
    has_moved.set()
    assert (await planning)["type"] == "plan"
    assert await moves_of(await served.visitor(), match, 3) == [("d6", False), ("f4", False), ("a7", True)]
