"""Solving the puzzles of a race at the bare socket."""

from millrace.engine.games import GAMES, find_game
from millrace.engine.puzzles import Puzzle
from millrace.engine.state import State
from millrace.server.learning.puzzles.puzzle_files import shipped_puzzles
from tests.server.in_process_server import Frame, Visitor

PUZZLES: dict[str, Puzzle] = {each.id: each for game in GAMES.values() for each in shipped_puzzles(game)}


async def play(visitor: Visitor, race: str, posed: Frame, *moves: str) -> Frame:
    """Send the last of some moves in a puzzle, and return the answer."""
    return await visitor.ask("play_race", race=race, number=posed["number"], moves=moves)


async def solve(visitor: Visitor, race: str, posed: Frame) -> Frame:
    """Solve a puzzle, and return the last answer."""
    puzzle, moves, told = PUZZLES[posed["puzzle"]], list[str](), Frame()
    for ply in puzzle.solver_plies:
        moves.append(puzzle.accepted_at(ply)[0])
        told = await play(visitor, race, posed, *moves)
        assert told["right"], told
        moves.append(told["reply"])
    return told


def wrong_move(posed: Frame) -> str:
    """Return a legal move that does not solve a puzzle."""
    puzzle = PUZZLES[posed["puzzle"]]
    state = State.of(find_game(posed["line"]["game"]), puzzle.position)
    return next(move for move in state.legal_move_texts if move not in puzzle.accepted_at(0))
