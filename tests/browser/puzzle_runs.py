"""Solving the puzzles of Nine Men's Morris that a page shows one after another, in storms and races."""

from playwright.sync_api import expect

from millrace.engine.games import find_game
from millrace.engine.puzzles import Puzzle
from millrace.engine.state import State
from millrace.server.learning.puzzles.puzzle_files import shipped_puzzles
from tests.browser.visitor import Visitor

MORRIS = find_game("morris")
PUZZLES = {puzzle.id: puzzle for puzzle in shipped_puzzles(MORRIS)}


def shown_puzzle(visitor: Visitor, but: str = "") -> Puzzle:
    """Return the puzzle that the page shows, once it is another than one by its id."""
    page = visitor.page.locator(".storm-page[data-puzzle]")
    expect(page).not_to_have_attribute("data-puzzle", but)
    return PUZZLES[page.get_attribute("data-puzzle") or ""]


def solve(visitor: Visitor, puzzle: Puzzle) -> None:
    """Enter the solution."""
    state = State.of(MORRIS, puzzle.position)
    for ply in range(len(puzzle.solution)):
        move = puzzle.accepted_at(ply)[0]
        if ply in puzzle.solver_plies:
            _enter(visitor, state, move)
        state = state.play_text(move)


def miss(visitor: Visitor, puzzle: Puzzle) -> None:
    """Enter a wrong move."""
    state = State.of(MORRIS, puzzle.position)
    _enter(visitor, state, next(move for move in state.legal_move_texts if move not in puzzle.accepted_at(0)))


def _enter(visitor: Visitor, state: State, move: str) -> None:
    """Enter a move when the board shows its position."""
    for click in state.clicks_of(state.parse_move(move)):
        visitor.click(click)
