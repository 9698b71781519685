"""A match between bots over real sockets: its creator pauses it, steps through it and lets it go on."""

from tests.server.in_process_server import Served
from tests.server.web.two_players import BOT, ME, create


async def test_each_step_is_one_ply_of_a_bot(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await create(ann, BOT, BOT)
    assert (await ann.ask("pause_bots", match=match))["type"] == "accepted"
    await ann.say("watch", match=match)
    await ann.hear_event("paused")
    for step in range(3):
        id_ = f"s{step}"
        first = await ann.ask("resume_bots", id=id_, match=match, plies=1)
        assert (await ann.hear_event("moved"))["event"]["seat"] == step % 2
        await ann.hear_event("paused")
        assert await ann.ask("resume_bots", id=id_, match=match, plies=1) == first, "a repeated step is no second one"
    assert (await ben.ask("resume_bots", match=match))["code"] == "not_for_you"
    await ann.ask("resume_bots", match=match)
    await ann.hear_event("moved")
    await ann.hear_event("moved")


async def test_a_spectator_who_takes_over_is_sent_the_legal_moves(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await create(ann, ME, BOT)
    await ben.say("watch", match=match)
    await ben.hear_event("started")
    assert (await ben.ask("ask_for_seat", match=match, seat=1))["type"] == "accepted"
    await ann.ask("accept_offer", match=match, seat=0, kind="take_over")
    await ben.hear_event("seated")
    await ann.ask("play", match=match, seat=0, move="d6")
    assert (await ben.hear_until("turn"))["seat"] == 1
    assert (await ben.ask("play", match=match, seat=1, move="f4"))["type"] == "accepted"
