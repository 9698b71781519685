"""Unwatched matches between bots: no bot is asked, no clock runs; later they continue."""

import pytest

from millrace.server.rooms.automation import STANDSTILL_MS
from tests.server.in_process_server import Frame, Serve, Served, SteppedClock, Visitor
from tests.server.rooms.thinkers import Thinkers
from tests.server.web.two_players import ME, create

BOTS = [{"occupant": "bot", "level": 8}] * 2
MINUTE: Frame = {"initial_ms": 60_000}


async def settle(visitor: Visitor) -> None:
    """Return when the server has handled the visitor's earlier messages."""
    for _ in range(5):
        await visitor.ping()


async def test_bots_are_asked_only_while_somebody_watches(served: Served, choosing: Thinkers) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await create(ann, *BOTS)
    await ben.say("watch", match=match, glance=True)
    await ben.hear_until("watching")
    await settle(ann)
    assert choosing.asked.empty(), "neither at the creation nor at a glance"
    await ann.say("watch", match=match)
    await choosing.asked.get()
    choosing.answers.put_nowait("a7")
    await ann.hear_event("moved")
    await choosing.asked.get()
    await ann.say("unwatch", match=match)
    choosing.answers.put_nowait("d7")
    await ben.hear_until("match_event", seq=6)
    await settle(ann)
    assert choosing.asked.empty(), "the move that was being sought is the last"
    await ann.connection.close()
    await ben.say("watch", match=match)
    assert (await choosing.asked.get()).moves == ("a7", "d7")


async def test_a_match_between_bots_stands_still_after_a_restart_and_none_is_loaded_for_long(serve: Serve) -> None:
    first: Served = await serve()
    ann = await first.visitor()
    match = await create(ann, *BOTS)
    again: Served = await serve()
    ben = await again.visitor()
    await ben.say("watch", match=match, glance=True)
    await ben.hear_until("watching")
    await settle(ben)
    assert again.bots.requests == []
    await ben.say("watch", match=match)
    await ben.hear_event("moved")


async def test_no_flag_falls_while_nobody_watches_and_the_clocks_go_on_where_they_stood(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SteppedClock()
    served: Served = await serve(clock)
    thinkers = Thinkers()
    monkeypatch.setattr(served.bots, "choose", thinkers.think)
    ann = await served.visitor()
    match, ben = await create(ann, *BOTS, clock=MINUTE), await served.visitor()
    await ann.say("watch", match=match)
    await ben.say("watch", match=match, glance=True)
    for move in ("a7", "d7"):
        await thinkers.asked.get()
        thinkers.answers.put_nowait(move)
        await ann.hear_event("moved")
    await thinkers.asked.get()
    clock.now_ms += 5_000
    await ann.say("unwatch", match=match)
    thinkers.answers.put_nowait("g7")
    await ben.hear_until("match_event", seq=7)
    await settle(ann)
    clock.now_ms += 3_600_000
    await ann.say("watch", match=match, since=0)
    resumed = (await ann.hear_event("resumed"))["event"]
    assert resumed["clocks_ms"] == [55_000, 60_000]
    await thinkers.asked.get()
    thinkers.answers.put_nowait("b6")
    assert (await ann.hear_event("moved"))["event"]["move"] == "b6"


async def test_who_comes_back_soon_stores_nothing(served: Served, choosing: Thinkers) -> None:
    assert STANDSTILL_MS >= 5_000
    ann = await served.visitor()
    match = await create(ann, *BOTS, clock=MINUTE)
    await ann.say("watch", match=match)
    first = await choosing.asked.get()
    for _ in range(20):
        await ann.say("unwatch", match=match)
        await ann.say("watch", match=match)
    await settle(ann)
    choosing.answers.put_nowait("a7")
    assert (await ann.hear_event("moved"))["seq"] == 5
    assert (await choosing.asked.get()).moves == (*first.moves, "a7")


async def test_bots_to_whom_people_left_a_match_are_not_asked_for_nobody(served: Served, choosing: Thinkers) -> None:
    ann = await served.visitor()
    match = await create(ann, ME, *BOTS, game="battlesheep", setup="seats=3")
    await ann.say("watch", match=match)
    (mine,) = (await ann.hear_until("watching"))["your_seats"]
    await ann.ask("resign", match=match, seat=mine)
    await ann.ask("choose_stand_in", match=match, seat=mine, for_seat=mine, choice="bot")
    await ann.say("unwatch", match=match)
    await settle(ann)
    while not choosing.asked.empty():
        choosing.asked.get_nowait()
    choosing.answers.put_nowait("no move")  # what was asked before fails, and is not asked again
    await settle(ann)
    assert choosing.asked.empty()


async def test_watching_bots_is_limited_but_the_end_of_a_match_makes_room(serve: Serve) -> None:
    served: Served = await serve(limits={"watched_bot_matches.guest": 1, "bot_matches.guest": 5})
    ann = await served.visitor()
    matches = [await create(ann, *BOTS) for _ in range(2)]
    await ann.say("watch", match=matches[0])
    await ann.hear_until("watching")
    await ann.say("watch", match=matches[1])
    assert (await ann.hear_until("refused"))["code"] == "too_many"
    await ann.say("watch", match=matches[1], glance=True)
    await ann.hear_until("watching", match=matches[1])
    await ann.say("unwatch", match=matches[0])
    await ann.say("watch", match=matches[1])
    await ann.hear_until("watching", match=matches[1])
