"""A storm in the page: puzzles solved and missed against the clock, until the time is up."""

from playwright.sync_api import expect

from tests.browser.accessibility import expect_accessible
from tests.browser.puzzle_runs import MORRIS, miss, shown_puzzle, solve
from tests.browser.visitor import Visit


def test_puzzles_are_solved_and_missed_until_the_time_is_up(visit: Visit) -> None:
    ann = visit(360, 740)
    ann.page.clock.install()
    ann.open("/puzzles/morris")
    ann.page.get_by_role("link", name="Storm").click()
    ann.button("Start").click()
    score, task = ann.page.locator(".storm-score"), ann.page.locator(".puzzle-task")
    puzzle = shown_puzzle(ann)
    for number in range(2):
        expect(task).to_have_text(puzzle.goal.task(MORRIS))
        solve(ann, puzzle)
        puzzle = shown_puzzle(ann, but=puzzle.id)
        expect(score).to_have_text(str(number + 1))
    miss(ann, puzzle)
    expect(ann.page.locator(".storm-news")).to_have_text("Wrong: \N{MINUS SIGN}10 s")
    ann.expect_no_overflow()

    ann.page.clock.fast_forward(180_000)
    expect(task).to_have_text("Time is up.")
    expect(ann.page.locator(".storm-missed a")).to_have_attribute("href", f"/puzzles/morris/{puzzle.id}")
    expect(ann.page.get_by_label("Your storms")).to_have_text("Best today: 2 · best ever: 2")
    expect_accessible(ann)
    ann.button("Play again").click()
    expect(score).to_have_text("0")
    expect(ann.page.locator(".storm-time")).to_contain_text("2:5")
