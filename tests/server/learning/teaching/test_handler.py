"""Lessons and remarks over real sockets."""

from millrace.protocol import Code
from tests.server.in_process_server import Served
from tests.server.players.accounts.registered_players import ask
from tests.server.web.two_players import begin_unwatched as begin


async def test_a_lesson_lists_the_moves_that_each_step_accepts(served: Served) -> None:
    ann = await served.visitor()
    told = await ask(ann, "get_lesson", game="morris")
    assert [rule["title"] for rule in told["rules"]][:2] == ["Goal", "Placing"]
    for step in told["steps"]:
        for move in step["accepted"][:1]:
            line = {**step["line"], "moves": [*step["line"]["moves"], move]}
            assert (await ask(ann, "explore", line=line))["type"] == "explored"
    assert (await ask(ann, "get_lesson", game="chess"))["code"] == Code.UNKNOWN_GAME


async def test_players_get_remarks_until_they_have_finished_a_match(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await begin(ann, ben)
    told = await ask(ann, "get_remarks", match=match)
    assert (told["ply"], told["is_newcomer"], [each["code"] for each in told["remarks"]]) == (0, True, ["first_turn"])
    assert (await ask(await served.visitor(), "get_remarks", match=match))["code"] == Code.NOT_YOUR_SEAT

    await ann.ask("play", id="play", match=match, seat=0, move="d6")
    await ben.ask("resign", id="resign", match=match, seat=1)
    assert (await ask(ann, "get_remarks", match=match))["is_newcomer"] is False
