"""Puzzles in the page: one of each theme solved on the board, a mistake, the puzzle of the day, and a streak."""

import pytest
from playwright.sync_api import expect

from millrace.engine.games import SHIPPED, find_game
from millrace.engine.puzzles import Puzzle
from millrace.engine.state import State
from millrace.server.learning.puzzles.puzzle_files import shipped_puzzles
from tests.browser.visitor import Visit, Visitor

THEMES = [(game.name, theme) for game in SHIPPED if game.puzzles is not None for theme in game.puzzles.themes]


def puzzle_of(game: str, theme: str) -> Puzzle:
    """Return the puzzle of a theme that takes the most moves."""
    found = [puzzle for puzzle in shipped_puzzles(find_game(game)) if theme in puzzle.themes]
    return max(found, key=lambda puzzle: len(puzzle.solution))


def clicks_of(state: State, move: str) -> tuple[str, ...]:
    return state.clicks_of(state.parse_move(move))


def enter(visitor: Visitor, clicks: tuple[str, ...]) -> None:
    """Enter a move: cells, a number of pieces, or a choice such as a pass."""
    for click in clicks:
        if click.isdecimal():
            visitor.page.get_by_role("spinbutton", name="Number of pieces").fill(click)
            visitor.button("Move").click()
        elif visitor.cell(click).count():
            visitor.click(click)
        else:
            visitor.button(click.capitalize()).click()


def open_puzzle(visitor: Visitor, game: str, puzzle: Puzzle) -> State:
    visitor.open(f"/puzzles/{game}/{puzzle.id}")
    state = State.of(find_game(game), puzzle.position)
    expect(visitor.page.locator(".puzzle-task")).to_have_text(puzzle.goal.task(state.game))
    return state


@pytest.mark.parametrize(("game", "theme"), THEMES)
def test_a_puzzle_of_each_theme_is_solved_on_the_board(visit: Visit, game: str, theme: str) -> None:
    ann, puzzle = visit(), puzzle_of(game, theme)
    state = open_puzzle(ann, game, puzzle)
    answer = ann.page.locator(".step-answer")
    for ply in range(len(puzzle.solution)):
        move = puzzle.accepted_at(ply)[0]
        if ply in puzzle.solver_plies:
            enter(ann, clicks_of(state, move))
        state = state.play_text(move)
    expect(answer).to_have_attribute("data-stage", "solved")
    expect(answer).to_contain_text("Your rating:")
    assert state.game.puzzles is not None
    expect(ann.page.locator(".puzzle-themes")).to_contain_text(state.game.puzzles.themes[theme])
    expect(ann.page.locator('.puzzle-attempt[data-solved="true"]')).to_have_count(1)


def test_a_wrong_move_shows_the_solution_and_the_next_puzzle_follows(visit: Visit) -> None:
    ann = visit(360, 740)
    puzzle = next(each for each in shipped_puzzles(find_game("morris")) if "block" in each.themes)
    state = open_puzzle(ann, "morris", puzzle)
    wrong = next(move for move in map(state.format_move, state.legal_moves) if move not in puzzle.accepted_at(0))
    enter(ann, clicks_of(state, wrong))
    answer = ann.page.locator(".step-answer")
    expect(answer).to_have_attribute("data-stage", "wrong")
    expect(answer).to_contain_text(f"The solution is {puzzle.accepted_at(0)[0]}.")
    expect(ann.page.locator('.puzzle-attempt[data-solved="false"]')).to_have_count(1)
    ann.expect_no_overflow()
    ann.button("Next puzzle").click()
    expect(ann.button("Show the solution")).to_be_visible()
    expect(answer).to_be_hidden()


def test_the_solution_is_shown_to_a_reader_who_gives_up(visit: Visit) -> None:
    ann = visit()
    puzzle = next(each for each in shipped_puzzles(find_game("mingmang")) if "wall" in each.themes)
    open_puzzle(ann, "mingmang", puzzle)
    ann.button("Show the solution").click()
    expect(ann.page.locator(".step-answer")).to_contain_text(f"The solution is {puzzle.accepted_at(0)[0]}.")
    ann.expect_man(puzzle.accepted_at(0)[0].split("-")[1], State.of(find_game("mingmang"), puzzle.position).seat)


def test_the_puzzle_of_the_day_is_the_same_for_two_visitors(visit: Visit) -> None:
    ann, ben = visit(), visit()
    for visitor in (ann, ben):
        visitor.open("/puzzles")
        visitor.button("Puzzle of the day").click()
        expect(visitor.page.locator(".puzzle-facts")).to_contain_text("20")
        expect(visitor.button("Puzzle of the day")).to_have_attribute("aria-pressed", "true")
    ben.wait_until(lambda: ann.path == ben.path)


def test_a_streak_counts_until_the_first_mistake(visit: Visit) -> None:
    ann = visit().open("/puzzles/morris")
    ann.button("Streak").click()
    expect(ann.button("Streak")).to_have_attribute("aria-pressed", "true")
    by_id = {puzzle.id: puzzle for puzzle in shipped_puzzles(find_game("morris"))}
    puzzle = by_id[ann.path.rpartition("/")[2]]
    state = State.of(find_game("morris"), puzzle.position)
    for ply, move in enumerate(puzzle.solution):
        if ply in puzzle.solver_plies:
            enter(ann, clicks_of(state, puzzle.accepted_at(ply)[0]))
        state = state.play_text(move)
    expect(ann.page.locator(".step-answer")).to_contain_text("Your streak: 1.")
    ann.button("Next puzzle").click()
    ann.button("Show the solution").click()
    expect(ann.button("New streak")).to_be_visible()
    expect(ann.page.locator(".puzzle-record")).to_contain_text("streak 0, best 1")
