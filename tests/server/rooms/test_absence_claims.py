"""Absence over real sockets, on a clock that the test sets forward: who is informed, and who can claim."""

import pytest

from millrace.server.web.session import Session
from tests.server.in_process_server import Frame, Serve, Served, Visitor

ME, OPEN = {"occupant": "me"}, {"occupant": "open"}
RAPID = {"initial_ms": 600_000}
START_MS = 1_764_000_000_000
GUEST_IN_RAPID_MS = 40_000
CLOSED_MS = 10_000


class SteppedClock:
    """A clock that stands until it is set forward."""

    def __init__(self) -> None:
        self.time_ms = START_MS

    def __call__(self) -> int:
        return self.time_ms


async def begin(serve: Serve, seats: int = 2, **fields: object) -> tuple[Served, SteppedClock, list[Visitor], str]:
    """Return the players of a match in which each has made a ply, at the start of the clock."""
    clock = SteppedClock()
    served: Served = await serve(now_ms=clock)
    players = [await served.visitor() for _ in range(seats)]
    plans = [ME, *[OPEN] * (seats - 1)]
    created = await players[0].ask("create", **{"id": "c", "game": "morris", "seats": plans, "clock": RAPID, **fields})
    match = str(created["match"])
    for player in players[1:]:
        await player.ask("join", id="j", match=match)
    for seat, player in enumerate(players):
        await player.say("watch", match=match)
        move = ("a7", "g7")[seat] if seats == 2 else f"a{seat + 1}-d{seat + 1}:8"
        answer = await player.ask("play", id="p", match=match, seat=seat, move=move)
        assert answer["type"] == "accepted"
    return served, clock, players, match


async def claim(player: Visitor, match: str, id_: str, outcome: str = "win", for_seat: int = 1) -> Frame:
    return await player.ask("claim", id=id_, match=match, seat=0, for_seat=for_seat, outcome=outcome)


async def test_the_opponent_of_a_broken_connection_can_claim_the_win(serve: Serve) -> None:
    _, clock, (ann, ben), match = await begin(serve)
    ben.connection.transport.abort()
    due_at_ms = START_MS + GUEST_IN_RAPID_MS
    await ann.hear_until("audience_update", present=[True, False], claimable_at_ms=[None, due_at_ms])
    clock.time_ms = due_at_ms - 1
    refused = await claim(ann, match, "early")
    assert (refused["code"], refused["message"]) == ("too_early", "Black may still come back; you can claim in 1 s.")
    clock.time_ms = due_at_ms
    assert (await claim(ann, match, "due"))["type"] == "accepted"
    ended = next(frame["event"] for frame in ann.read if frame.get("event", {}).get("type") == "ended")
    assert (ended["reason"], ended["ranks"], ended["seat"]) == ("absence", [1, 2], 1)


async def test_the_wait_is_shorter_after_the_page_was_closed(serve: Serve) -> None:
    _, clock, (ann, ben), match = await begin(serve)
    await ben.connection.close()
    await ann.hear_until("audience_update", claimable_at_ms=[None, START_MS + CLOSED_MS])
    clock.time_ms += CLOSED_MS
    assert (await claim(ann, match, "due", "draw"))["type"] == "accepted"
    ended = next(frame["event"] for frame in ann.read if frame.get("event", {}).get("type") == "ended")
    assert ended["ranks"] == [1, 1]


async def test_a_player_on_another_page_is_absent_too(serve: Serve) -> None:
    _, _, (ann, ben), match = await begin(serve)
    await ben.say("unwatch", match=match)
    await ann.hear_until("audience_update", claimable_at_ms=[None, START_MS + CLOSED_MS])


async def test_a_player_who_returns_before_a_claim_plays_on(serve: Serve) -> None:
    served, clock, (ann, ben), match = await begin(serve)
    ben.connection.transport.abort()
    await ann.hear_until("audience_update", present=[True, False])
    clock.time_ms += 2 * GUEST_IN_RAPID_MS
    again = await served.visitor(ben.token)
    await again.say("watch", match=match)
    await again.hear_until("watching")
    assert (await claim(ann, match, "late"))["code"] == "not_absent"
    await ann.hear_until("audience_update", present=[True, True], claimable_at_ms=[None, None])
    assert (await ann.ask("play", id="on", match=match, seat=0, move="a1"))["type"] == "accepted"


async def test_a_repeated_claim_gets_the_same_answer(serve: Serve) -> None:
    served, clock, (ann, ben), match = await begin(serve)
    ben.connection.transport.abort()
    await ann.hear_until("audience_update", present=[True, False])
    clock.time_ms += GUEST_IN_RAPID_MS
    first = await claim(ann, match, "same")
    again = await served.visitor(ann.token)
    assert await claim(again, match, "same") == first


async def test_the_others_of_three_choose_how_the_seat_goes_on(serve: Serve) -> None:
    setup = "r16,0,0,0/b16,0,0,0/g16,0,0,0 r 3"
    _, clock, (ann, ben, cat), match = await begin(serve, 3, game="battlesheep", setup=setup)
    ben.connection.transport.abort()
    await ann.hear_until("audience_update", present=[True, False, True])
    clock.time_ms += GUEST_IN_RAPID_MS
    assert (await claim(ann, match, "due", "stand_in"))["type"] == "accepted"
    assert (await cat.hear_event("left"))["event"]["reason"] == "absence"
    for seat, player in ((0, ann), (2, cat)):
        vote = {"match": match, "seat": seat, "for_seat": 1, "choice": "skip"}
        assert (await player.ask("choose_stand_in", id="v", **vote))["type"] == "accepted"
    assert (await ann.hear_event("stood_in"))["event"]["choice"] == "skip"


async def test_the_measured_lag_of_a_ply_is_compensated(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "round_trip_ms", 300)
    _, clock, (ann, ben), match = await begin(serve)
    clock.time_ms += 5_000
    assert (await ann.ask("play", id="late", match=match, seat=0, move="a1"))["type"] == "accepted"
    while (moved := (await ben.hear_event("moved"))["event"])["move"] != "a1":
        pass
    assert moved["clocks_ms"] == [595_300, 600_000]


async def test_a_ply_on_its_way_when_the_flag_fell_counts(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "round_trip_ms", 300)
    _, clock, (ann, ben), match = await begin(serve)
    clock.time_ms += 600_200
    assert (await ann.ask("play", id="just", match=match, seat=0, move="a1"))["type"] == "accepted"
    clock.time_ms += 600_300
    assert (await ben.ask("play", id="over", match=match, seat=1, move="g1"))["code"] == "match_over"


async def test_a_missing_first_ply_ends_the_match_without_result(serve: Serve) -> None:
    clock = SteppedClock()
    served: Served = await serve(now_ms=clock)
    ann, ben = await served.visitor(), await served.visitor()
    created = await ann.ask("create", id="c", game="morris", seats=[ME, OPEN], clock=RAPID)
    await ben.ask("join", id="j", match=created["match"])
    await ben.say("watch", match=created["match"])
    assert (await ben.hear_event("started"))["event"]["first_ply_ms"] == 45_000
    clock.time_ms += 45_000
    assert (await ann.ask("play", id="p", match=created["match"], seat=0, move="a7"))["code"] == "match_over"
    ended = (await ben.hear_event("ended"))["event"]
    assert (ended["reason"], ended["ranks"], ended["seat"]) == ("no_show", None, 0)
