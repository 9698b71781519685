"""Absence over real sockets, on a clock that the test sets forward: who is informed, and who can claim."""

import pytest

from millrace.server.web.session import Session
from tests.server.in_process_server import Frame, Serve, Served, SteppedClock, Visitor
from tests.server.web.two_players import begin

RAPID = {"initial_ms": 600_000}
START_MS = SteppedClock().now_ms
GUEST_IN_RAPID_MS = 40_000
CLOSED_MS = 10_000


async def begin_on_clock(serve: Serve) -> tuple[Served, SteppedClock, Visitor, Visitor, str]:
    """Return the players of a match in which each has made a ply, at the start of the clock."""
    clock = SteppedClock()
    served: Served = await serve(now_ms=clock)
    return served, clock, *await begin(served, "a7", "g7", clock=RAPID)


def ended_of(visitor: Visitor) -> Frame:
    """Return how the match has ended, which the visitor has read."""
    return next(frame["event"] for frame in visitor.read if frame.get("event", {}).get("type") == "ended")


async def claim(player: Visitor, match: str, id_: str, outcome: str = "win") -> Frame:
    return await player.ask("claim", id=id_, match=match, seat=0, for_seat=1, outcome=outcome)


async def test_the_opponent_of_a_broken_connection_can_claim_the_win(serve: Serve) -> None:
    _, clock, ann, ben, match = await begin_on_clock(serve)
    ben.connection.transport.abort()
    due_at_ms = START_MS + GUEST_IN_RAPID_MS
    await ann.hear_until("audience_update", present=[True, False], claimable_at_ms=[None, due_at_ms])
    clock.now_ms = due_at_ms - 1
    refused = await claim(ann, match, "early")
    assert (refused["code"], refused["message"]) == ("too_early", "Black may still come back; you can claim in 1 s.")
    clock.now_ms = due_at_ms
    assert (await claim(ann, match, "due"))["type"] == "accepted"
    ended = ended_of(ann)
    assert (ended["reason"], ended["ranks"], ended["seat"]) == ("absence", [1, 2], 1)


@pytest.mark.parametrize("is_page_closed", [True, False])
async def test_the_wait_is_shorter_for_a_closed_page_or_a_player_on_another_page(
    serve: Serve, is_page_closed: bool
) -> None:
    _, clock, ann, ben, match = await begin_on_clock(serve)
    await (ben.connection.close() if is_page_closed else ben.say("unwatch", match=match))
    await ann.hear_until("audience_update", claimable_at_ms=[None, START_MS + CLOSED_MS])
    clock.now_ms += CLOSED_MS
    assert (await claim(ann, match, "due", "draw"))["type"] == "accepted"
    assert ended_of(ann)["ranks"] == [1, 1]


async def test_the_measured_lag_of_a_ply_is_compensated(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "round_trip_ms", 300)
    _, clock, ann, ben, match = await begin_on_clock(serve)
    clock.now_ms += 5_000
    assert (await ann.ask("play", match=match, seat=0, move="a1"))["type"] == "accepted"
    while (moved := (await ben.hear_event("moved"))["event"])["move"] != "a1":
        pass
    assert moved["clocks_ms"] == [595_300, 600_000]


async def test_a_ply_on_its_way_when_the_flag_fell_counts(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "round_trip_ms", 300)
    _, clock, ann, ben, match = await begin_on_clock(serve)
    clock.now_ms += 600_200
    assert (await ann.ask("play", match=match, seat=0, move="a1"))["type"] == "accepted"
    clock.now_ms += 600_300
    assert (await ben.ask("play", match=match, seat=1, move="g1"))["code"] == "match_over"


async def test_a_missing_first_ply_ends_the_match_without_result(serve: Serve) -> None:
    clock = SteppedClock()
    served: Served = await serve(now_ms=clock)
    (ann, _, match), eve = await begin(served, clock=RAPID), await served.visitor()
    await eve.say("watch", match=match)
    assert (await eve.hear_event("started"))["event"]["first_ply_ms"] == 45_000
    clock.now_ms += 45_000
    assert (await ann.ask("play", match=match, seat=0, move="a7"))["code"] == "match_over"
    ended = (await eve.hear_event("ended"))["event"]
    assert (ended["reason"], ended["ranks"], ended["seat"]) == ("no_show", None, 0)
