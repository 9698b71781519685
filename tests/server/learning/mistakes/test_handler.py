"""Mistakes over real sockets: posed to their players alone, judged by the review, and kept."""

import pytest

from millrace.protocol import Code
from tests.client.terminal.typist import seated
from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.learning.analysis.finished_matches import play_out
from tests.server.players.accounts.registered_players import ask, register


async def reviewed(served: Served, ann: Visitor) -> str:
    """Return a match in which seat 0 has blundered by its second move, and whose review says so."""
    match = await play_out(ann, ("d6", "f4", "e3"))
    served.bots.loss = 90
    await ann.say("analyse_match", id="review", match=match)
    judged = await ann.hear_until("match_analysed")
    assert [ply["judgement"] for ply in judged["plies"]] == ["good", "good", "blunder"]
    return match


async def attempt(visitor: Visitor, match: str, move: str, ply: int = 2) -> Frame:
    return await ask(visitor, "try_mistake", game="morris", match=match, ply=ply, move=move)


async def test_the_better_move_solves_a_mistake(served: Served) -> None:
    ann = await register(served)
    assert (await ask(ann, "get_mistake", game="morris"))["mistake"] is None
    match = await reviewed(served, ann)
    posed = await ask(ann, "get_mistake", game="morris")
    assert posed["left"] == 1
    mistake = posed["mistake"]
    assert (mistake["match"], mistake["ply"], mistake["seat"]) == (match, 2, 0)
    assert mistake["line"]["moves"] == ["d6", "f4"]
    assert (mistake["move"], mistake["judgement"]) == ("e3", "blunder")
    best = next(iter((await ask(ann, "get_legal_moves", line=mistake["line"]))["moves"]))["move"]
    other = await attempt(ann, match, "a1" if best != "a1" else "g1")
    assert (other["verdict"], other["best"], other["left"]) == ("unknown", [], 1)
    solved = await attempt(ann, match, best)
    assert (solved["verdict"], solved["best"], solved["left"]) == ("best", [best], 0)
    assert (await ask(ann, "get_mistake", game="morris"))["mistake"] is None
    assert (await ask(ann, "get_mistake", game="mingmang"))["left"] == 0


async def test_a_repeated_mistake_is_missed(served: Served) -> None:
    ann = await register(served)
    match = await reviewed(served, ann)
    missed = await attempt(ann, match, "e3")
    assert (missed["verdict"], missed["best"], missed["left"]) == ("repeated", [], 0)
    shown = await attempt(ann, match, "")
    assert shown["verdict"] == "shown"
    assert len(shown["best"]) == 1


async def test_mistakes_are_for_the_account_whose_matches_they_were(served: Served) -> None:
    ann, ben, guest = await register(served), await register(served, "Benedict"), await served.visitor()
    match = await reviewed(served, ann)
    assert (await ask(ben, "get_mistake", game="morris"))["mistake"] is None
    assert (await attempt(ben, match, "a1"))["code"] == Code.UNKNOWN_PUZZLE
    assert (await ask(guest, "get_mistake", game="morris"))["code"] == Code.ACCOUNT_NEEDED
    assert (await attempt(guest, match, "a1"))["code"] == Code.ACCOUNT_NEEDED


async def test_the_terminal_poses_mistakes(served: Served) -> None:
    owner = await register(served)
    async with seated(served, owner.token) as ann:
        await ann.type("mistakes", r"Which game\? Usage: mistakes \[GAME\]")
        await ann.type("mistakes morris", "No mistakes are left")
        await reviewed(served, owner)
        await ann.type("mistakes morris", r"You played e3 \(blunder\)\. Find a better move\. You are White\.")
        await ann.type("b4", r"The analysis has not compared b4\..* 1 left")
        await ann.type("solution", r"The engine would play \S+\. 0 left\. Type mistakes for another one")
        await ann.type("mistakes", "No mistakes are left")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "chess"}, Code.UNKNOWN_GAME),
        ({"ply": 0}, Code.UNKNOWN_PUZZLE),
        ({"ply": 99}, Code.UNKNOWN_PUZZLE),
        ({"match": "nosuchmatch"}, Code.UNKNOWN_PUZZLE),
        ({"move": "zz"}, Code.BAD_MOVE),
        ({"move": "d6"}, Code.ILLEGAL_MOVE),
    ],
)
async def test_invalid_attempts_are_refused(served: Served, fields: Frame, code: Code) -> None:
    ann = await register(served)
    match = await reviewed(served, ann)
    command = {"game": "morris", "match": match, "ply": 2, "move": "a1"} | fields
    assert (await ask(ann, "try_mistake", **command))["code"] == code
