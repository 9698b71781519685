"""Offers and rematches over real sockets: messages, bots' answers, absence, a restart."""

import pytest

from millrace.protocol import Code
from millrace.server.rooms import automation
from millrace.server.rooms.room import Room
from tests.server.in_process_server import Frame, Serve, Served, SteppedClock, Visitor
from tests.server.web.two_players import BOT, ME, begin, create


async def begin_with_bot(served: Served) -> tuple[Visitor, str]:
    """Return a player who is to move again, and the match against a bot."""
    ann = await served.visitor()
    match = await create(ann, ME, BOT)
    await ann.say("watch", match=match)
    await ann.ask("play", match=match, seat=0, move="d6")
    await ann.hear_until("turn", seat=0)
    return ann, match


async def settle(ann: Visitor, ben: Visitor, match: str, kind: str) -> Frame:
    await ann.ask("offer", match=match, seat=0, kind=kind)
    return await ben.ask("accept_offer", match=match, seat=1, kind=kind)


async def test_a_takeback_sends_the_changes_and_a_new_turn(served: Served) -> None:
    ann, ben, match = await begin(served, "d6", "f4", "a7")
    answer = await settle(ann, ben, match, "takeback")
    taken_back = await ann.hear_event("taken_back")
    assert taken_back["view"]["changes"] == [["a7", -1, 0]]
    assert taken_back["to_move"] == 0
    turn = await ann.hear_until("turn", seq=answer["seq"] + 1)
    assert turn["seat"] == 0
    assert (await ann.ask("play", match=match, seat=0, move="g7"))["type"] == "accepted"


async def test_a_bot_grants_a_takeback_and_moves_again_from_the_new_position(served: Served) -> None:
    ann, match = await begin_with_bot(served)
    await ann.ask("offer", match=match, seat=0, kind="takeback")
    await ann.ask("play", match=match, seat=0, move="f4")
    while not served.bots.requests or served.bots.requests[-1].moves != ("f4",):
        await ann.hear()


@pytest.mark.parametrize(("value", "answer"), [(500, "ended"), (-500, "offer_declined")])
async def test_a_bot_answers_a_draw_offer_by_the_score(served: Served, value: int, answer: str) -> None:
    served.bots.value = value
    ann, match = await begin_with_bot(served)
    await ann.say("offer", id="d", match=match, seat=0, kind="draw")
    assert (await ann.hear_event(answer))["event"]["seat"] in (1, None)


async def test_a_pause_survives_a_restart(serve: Serve) -> None:
    served = await serve()
    ann, ben, match = await begin(served, "d6", "f4", clock={"initial_ms": 600_000, "increment_ms": 0})
    await settle(ann, ben, match, "pause")
    again: Served = await serve()
    ann, ben = await again.visitor(ann.token), await again.visitor(ben.token)
    refused = await ann.ask("play", match=match, seat=0, move="a7")
    assert refused["code"] == Code.PAUSED
    await ann.say("watch", match=match)
    await ben.ask("end_pause", match=match, seat=1)
    assert (await ann.hear_event("pause_ended"))["event"]["seat"] == 1
    assert (await ann.hear_until("turn"))["seat"] == 0
    assert (await ann.ask("play", match=match, seat=0, move="a7"))["type"] == "accepted"


async def test_a_rematch_does_not_wait_for_an_absent_player(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automation, "ABSENCE_SECONDS", 0)
    ann, ben, match = await begin(served)
    await ben.ask("resign", match=match, seat=1)
    await ben.say("unwatch", match=match)
    await ann.hear_until("audience_update", present=[True, False])
    await ann.ask("rematch", match=match, seat=0)
    assert (await ann.hear_event("rematch_declined"))["event"]["seat"] == 1


async def test_a_rematch_starts_when_both_have_offered_it(served: Served) -> None:
    ann, ben, match = await begin(served)
    await ben.ask("resign", match=match, seat=1)
    for player, seat in ((ann, 0), (ben, 1)):
        await player.ask("rematch", match=match, seat=seat)
    following = (await ann.hear_event("rematch_started"))["event"]["match"]
    await ann.say("watch", match=following)
    assert (await ann.hear_until("watching", match=following))["your_seats"] == [1]
    assert (await ann.hear_event("seated"))["event"]["player"]["id"] == ben.player["id"]


async def test_an_agreed_rematch_of_a_match_that_ended_long_ago_starts_after_a_crash(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SteppedClock()
    with monkeypatch.context() as patch:
        patch.setattr(automation, "_start_rematch", never)
        served: Served = await serve(clock)
        ann, ben, match = await begin(served)
        await ben.ask("resign", match=match, seat=1)
        clock.now_ms += 3_600_000
        for player, seat in ((ann, 0), (ben, 1)):
            assert (await player.ask("rematch", match=match, seat=seat))["type"] == "accepted"
    again: Served = await serve(clock)
    ann = await again.visitor(ann.token)
    await ann.say("watch_your_matches")
    listed: list[Frame] = []
    while not listed:
        listed = (await ann.hear_until("your_matches"))["matches"]
    assert len(listed) == 1
    assert listed[0]["match"] != match


async def never(_: Room) -> None:
    """Stand for the start that a killed server did not get to."""
