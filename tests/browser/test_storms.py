"""A storm in the page: puzzles solved and missed against the clock, until the time is up."""

from typing import Any

import msgspec
from playwright.sync_api import expect

from millrace.engine.games import find_game
from millrace.engine.puzzles import Puzzle
from millrace.engine.state import State
from millrace.server.learning.puzzles.puzzle_files import shipped_puzzles
from tests.browser.accessibility import expect_accessible
from tests.browser.visitor import Visit, Visitor

MORRIS = find_game("morris")
PUZZLES = {puzzle.id: puzzle for puzzle in shipped_puzzles(MORRIS)}


class Heard:
    """The puzzles that the page has been told of."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self.puzzles: list[str] = []
        visitor.page.on("websocket", lambda socket: socket.on("framereceived", self._note))

    def shown(self, number: int) -> Puzzle:
        """Return a puzzle, counted from 0, once the board shows it."""
        self._visitor.wait_until(lambda: len(self.puzzles) > number)
        expect(self._visitor.page.locator(".storm-page")).to_have_attribute("data-puzzle", self.puzzles[number])
        return PUZZLES[self.puzzles[number]]

    def _note(self, frame: Any) -> None:
        told = msgspec.json.decode(frame)
        if told["type"] == "storm_begun":
            self.puzzles = [each["puzzle"] for each in told["puzzles"]]
        elif told["type"] == "storm_played" and told["next"]:
            self.puzzles.append(told["next"]["puzzle"])


def test_puzzles_are_solved_and_missed_until_the_time_is_up(visit: Visit) -> None:
    ann = visit(360, 740)
    heard = Heard(ann)
    ann.page.clock.install()
    ann.open("/puzzles/morris")
    ann.page.get_by_role("link", name="Storm").click()
    ann.button("Start").click()
    score, task = ann.page.locator(".storm-score"), ann.page.locator(".puzzle-task")
    for number in range(2):
        puzzle = heard.shown(number)
        state = State.of(MORRIS, puzzle.position)
        expect(task).to_have_text(puzzle.goal.task(MORRIS))
        for ply in range(len(puzzle.solution)):
            move = puzzle.accepted_at(ply)[0]
            if ply in puzzle.solver_plies:
                enter(ann, state, move)
            state = state.play_text(move)
        expect(score).to_have_text(str(number + 1))
    puzzle = heard.shown(2)
    state = State.of(MORRIS, puzzle.position)
    enter(ann, state, next(move for move in state.legal_move_texts if move not in puzzle.accepted_at(0)))
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


def enter(visitor: Visitor, state: State, move: str) -> None:
    """Enter a move when the board shows its position."""
    for click in state.clicks_of(state.parse_move(move)):
        visitor.click(click)
