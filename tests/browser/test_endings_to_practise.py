"""Endings to practise in the page: a mistake, and then the win against the defence, judged by real tables."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.engine.tablebase.codes import is_lost
from millrace.engine.tablebase.pairs import pairs_up_to
from millrace.server.bots.tablebases.build import solve_and_write
from millrace.server.bots.tablebases.folder import TablebaseFolder
from tests.browser.accessibility import expect_accessible
from tests.browser.visitor import Visit, Visitor, visiting
from tests.serving import ServerProcess


@pytest.fixture
def solved(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[ServerProcess, TablebaseFolder]]:
    folder = tmp_path_factory.mktemp("tables")
    for pair in pairs_up_to((3, 3)):
        solve_and_write(folder, pair, threads=1)
    arguments = ("--bot-workers", "1", "--tablebase", str(folder))
    with ServerProcess(tmp_path_factory.mktemp("served"), *arguments) as process:
        process.wait_for_bots()
        yield process, TablebaseFolder(folder)


@pytest.mark.slow
def test_a_mistake_is_judged_at_once_and_the_win_is_played_to_its_end(
    browser: Browser, solved: tuple[ServerProcess, TablebaseFolder]
) -> None:
    server, folder = solved
    tablebase = folder.tablebase("morris")
    assert tablebase is not None
    with visiting(browser, server, Visitor, viewport={"width": 360, "height": 740}) as ann:
        ann.open("/puzzles/morris")
        ann.page.get_by_role("link", name="Endings").click()
        expect(ann.page.locator(".puzzle-facts")).to_contain_text("of the moves are mistakes")
        posed = ann.ask("get_ending", game="morris", goal="win")
        ann.button("Win").click()
        expect(ann.page.locator(".puzzle-task")).to_have_text("Win against the most stubborn defence.")
        state = State.of(find_game("morris"), posed["line"]["setup"])
        answer = ann.page.locator(".step-answer")

        codes = tablebase.answers(state)
        wrong = next(move for move, code in codes.items() if code is not None and not is_lost(code))
        enter(ann, state, wrong)
        expect(answer).to_have_attribute("data-stage", "wrong")
        expect(answer).to_contain_text("These moves keep the win")
        expect(answer).to_contain_text("Your rating:")
        ann.expect_no_overflow()
        expect_accessible(ann)
        ann.button("Try again").click()

        for left in range(posed["moves"] - 1, -1, -1):
            solution = tablebase.solve(state)
            assert solution is not None
            enter(ann, state, solution.moves[0])
            state = state.after(solution.moves[0])
            expect(answer).to_contain_text("to go." if left else "Solved.")
            if left:
                line = ann.ask("get_ending", game="morris", goal="win")["line"]["moves"]
                state = state.play_text(line[-1])
        assert state.outcome is not None
        expect(answer).to_have_attribute("data-stage", "solved")
        expect(ann.page.locator(".puzzle-record")).to_contain_text("0 of 1 without a mistake")


def test_a_game_without_solved_endings_says_so(visit: Visit) -> None:
    ann = visit().open("/puzzles/mingmang")
    expect(ann.page.locator(".puzzle-task")).not_to_be_empty()
    expect(ann.page.get_by_role("link", name="Endings")).to_have_count(0)
    ann.open("/endings/mingmang")
    expect(ann.page.locator(".notice")).to_have_text("No endings of this game are solved.")


def enter(visitor: Visitor, state: State, move: int) -> None:
    for click in state.clicks_of(move):
        visitor.click(click)
