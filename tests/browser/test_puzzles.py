"""Puzzles in the page: one of each theme solved on the board, a mistake, the puzzle of the day, and a streak."""

import re

import pytest
from playwright.sync_api import expect

from millrace.engine.games import SHIPPED, find_game
from millrace.engine.puzzles import Puzzle, explain_miss
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
            expect(visitor.button("Move")).to_be_visible()
            if (number := visitor.page.get_by_role("spinbutton", name="Number of pieces")).count():
                number.fill(click)  # else there is only one to choose
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


def test_a_path_leads_through_a_theme_with_its_mastery(visit: Visit) -> None:
    ann, puzzle = visit(360, 740), puzzle_of("morris", "block")
    ann.ask("give_up_puzzle", game="morris", puzzle=puzzle.id)
    ann.open("/puzzles/morris")
    path = ann.page.locator(".theme-path").filter(has_text="Block")
    blocking = [each.id for each in shipped_puzzles(find_game("morris")) if "block" in each.themes]
    count = len(blocking)
    expect(path).to_contain_text(f"0 of {count} solved, 1 tried")
    path.click()
    expect(path).to_have_attribute("aria-pressed", "true")
    expect(ann.page).to_have_url(re.compile(f"/({'|'.join(blocking)})$"))
    by_id = {each.id: each for each in shipped_puzzles(find_game("morris"))}
    posed = by_id[ann.path.rpartition("/")[2]]
    state = State.of(find_game("morris"), posed.position)
    for ply in range(len(posed.solution)):
        move = posed.accepted_at(ply)[0]
        if ply in posed.solver_plies:
            enter(ann, clicks_of(state, move))
        state = state.play_text(move)
    expect(path).to_contain_text(f"1 of {count} solved, 2 tried")
    ann.expect_no_overflow()


def test_a_wrong_move_is_answered_explained_and_tried_again(visit: Visit) -> None:
    ann = visit(360, 740)
    puzzle = next(each for each in shipped_puzzles(find_game("morris")) if "block" in each.themes)
    state = open_puzzle(ann, "morris", puzzle)
    wrong = next(move for move in state.legal_move_texts if move not in puzzle.accepted_at(0))
    enter(ann, clicks_of(state, wrong))
    answer = ann.page.locator(".step-answer")
    expect(answer).to_have_attribute("data-stage", "wrong")
    reason = explain_miss(state.game, puzzle, [wrong])
    expect(answer).to_contain_text(reason.text)
    after = state.play_text(wrong).play_text(str(reason.values["reply"]))
    ann.expect_man(after.clicks_of(after.move)[-2] if "x" in str(reason.values["reply"]) else "", 1 - state.seat)
    expect(ann.page.locator('.puzzle-attempt[data-solved="false"]')).to_have_count(1)
    ann.expect_no_overflow()
    ann.button("Try again").click()
    expect(answer).to_be_hidden()
    enter(ann, clicks_of(state, puzzle.accepted_at(0)[0]))
    expect(answer).to_have_attribute("data-stage", "solved")
    ann.button("Next puzzle").click()
    expect(ann.button("Show the solution")).to_be_visible()
    expect(answer).to_be_hidden()


def test_hints_name_the_piece_and_then_the_move(visit: Visit) -> None:
    ann = visit()
    puzzle = next(each for each in shipped_puzzles(find_game("mingmang")) if "wall" in each.themes)
    open_puzzle(ann, "mingmang", puzzle)
    move = puzzle.accepted_at(0)[0]
    answer = ann.page.locator(".step-answer")
    ann.button("Hint").click()
    expect(answer).to_contain_text(f"Move the piece on {move.split('-')[0]}.")
    ann.button("Hint").click()
    expect(answer).to_contain_text(f"The move is {move}.")


def test_territory_is_painted_where_the_task_is_about_it(visit: Visit) -> None:
    ann = visit()
    by_measure = {puzzle.goal.measure: puzzle for puzzle in shipped_puzzles(find_game("mingmang"))}
    state = open_puzzle(ann, "mingmang", by_measure["territory"])
    held = [cell.name for cell, seat in zip(state.geometry.cells, state.territory or (), strict=True) if seat == 0]
    expect(ann.page.locator('.cell[data-held="black"]')).to_have_count(len(held))
    open_puzzle(ann, "mingmang", by_measure["men"])
    expect(ann.page.locator('.cell[data-held="black"]')).to_have_count(0)


def test_the_solution_is_shown_move_by_move_to_a_reader_who_gives_up(visit: Visit) -> None:
    ann, puzzle = visit(), puzzle_of("morris", "double_mill")
    state = open_puzzle(ann, "morris", puzzle)
    ann.button("Show the solution").click()
    for number in range(1, len(puzzle.solution) + 1):
        move = puzzle.accepted_at(number - 1)[0]
        expect(ann.page.locator(".step-answer")).to_contain_text(f"move {number} of {len(puzzle.solution)}: {move}.")
        target = move.split("x")[0].split("-")[-1]
        ann.expect_man(target, state.seat if number % 2 else 1 - state.seat)
        if number < len(puzzle.solution):
            ann.button("Next move").click()
    expect(ann.button("Next move")).to_be_disabled()


def test_cells_of_battle_sheep_have_their_names(visit: Visit) -> None:
    ann, puzzle = visit(), shipped_puzzles(find_game("battlesheep"))[0]
    state = open_puzzle(ann, "battlesheep", puzzle)
    expect(ann.page.locator(".ground .label")).to_have_text([cell.name for cell in state.geometry.cells])


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
    for ply in range(len(puzzle.solution)):
        move = puzzle.accepted_at(ply)[0]
        if ply in puzzle.solver_plies:
            enter(ann, clicks_of(state, move))
        state = state.play_text(move)
    expect(ann.page.locator(".step-answer")).to_contain_text("Your streak: 1.")
    ann.button("Next puzzle").click()
    ann.button("Show the solution").click()
    expect(ann.button("New streak")).to_be_visible()
    expect(ann.page.locator(".puzzle-record")).to_contain_text("streak 0, best 1")
