"""Storms over real sockets: started, judged, timed, and kept."""

import pytest

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import Code
from millrace.server.learning.puzzles.puzzle_files import shipped_puzzles
from millrace.server.learning.storms.storm import DURATION_MS, PENALTY_MS
from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.players.accounts.registered_players import ask

PUZZLES = {puzzle.id: puzzle for puzzle in shipped_puzzles(find_game("morris"))}


async def solve(visitor: Visitor, posed: Frame) -> Frame:
    """Solve a puzzle, and return the last answer."""
    puzzle, moves, told = PUZZLES[posed["puzzle"]], list[str](), Frame()
    for ply in puzzle.solver_plies:
        moves.append(puzzle.accepted_at(ply)[0])
        told = await ask(visitor, "play_storm", game="morris", number=posed["number"], moves=moves)
        assert told["right"], told
        moves.append(told["reply"])
    return told


def wrong_move(posed: Frame) -> str:
    puzzle = PUZZLES[posed["puzzle"]]
    state = State.of(find_game("morris"), puzzle.position)
    return next(move for move in state.legal_move_texts if move not in puzzle.accepted_at(0))


async def test_puzzles_are_solved_one_after_another(served: Served) -> None:
    ann = await served.visitor()
    begun = await ask(ann, "start_storm", game="morris")
    first, second = begun["puzzles"]
    assert (begun["left_ms"], first["number"], second["number"]) == (DURATION_MS, 1, 2)
    told = await solve(ann, first)
    assert (told["you"]["score"], told["you"]["best"], told["you"]["best_today"]) == (1, 1, 1)
    assert told["next"]["number"] == 3
    assert (await solve(ann, second))["you"]["score"] == 2
    again = await ask(ann, "start_storm", game="morris")
    assert (again["you"]["score"], again["you"]["best"]) == (0, 2)


async def test_a_wrong_move_leads_to_the_next_puzzle(served: Served) -> None:
    ann = await served.visitor()
    first, second = (await ask(ann, "start_storm", game="morris"))["puzzles"]
    told = await ask(ann, "play_storm", game="morris", number=1, moves=[wrong_move(first)])
    assert (told["right"], told["change_ms"], told["reply"], told["next"]["number"]) == (False, -PENALTY_MS, "", 3)
    late = await ask(ann, "play_storm", game="morris", number=1, moves=[PUZZLES[first["puzzle"]].accepted_at(0)[0]])
    assert late["code"] == Code.ILLEGAL_MOVE
    assert (await solve(ann, second))["you"] == {"score": 1, "combo": len(PUZZLES[second["puzzle"]].solver_plies)} | {
        "best_today": 1,
        "best": 1,
    }


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "chess", "number": 1, "moves": ["d6"]}, Code.UNKNOWN_PUZZLE),
        ({"game": "mingmang", "number": 1, "moves": ["a1-a2"]}, Code.UNKNOWN_PUZZLE),
        ({"game": "morris", "number": 2, "moves": ["d6"]}, Code.ILLEGAL_MOVE),
        ({"game": "morris", "number": 1, "moves": ["d6", "d7", "a1"]}, Code.ILLEGAL_MOVE),
        ({"game": "morris", "number": 1, "moves": ["zz"]}, Code.BAD_MOVE),
        ({"game": "morris", "number": 0, "moves": ["d6"]}, Code.MALFORMED),
    ],
)
async def test_invalid_moves_are_refused(served: Served, fields: Frame, code: Code) -> None:
    ann = await served.visitor()
    await ask(ann, "start_storm", game="morris")
    assert (await ask(ann, "play_storm", **fields))["code"] == code
