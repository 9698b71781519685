"""The solved verdict of each legal move beside the analysis board, by tables that the server has solved itself."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.engine.tablebase.pairs import pairs_up_to
from millrace.server.bots.tablebases.build import solve_and_write
from millrace.server.bots.tablebases.small_files import write_small_table
from millrace.server.bots.tablebases.table_files import open_table, tables_in
from tests.browser.visitor import Visitor, visiting
from tests.serving import ServerProcess

THREE_AGAINST_THREE = "WWB.......B....B..B...W. w 0 0"


@pytest.fixture
def solving_server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("solved"), "--bot-workers", "1", "--tablebases") as process:
        yield process


@pytest.fixture
def small_edition_server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    full, small = tmp_path_factory.mktemp("full"), tmp_path_factory.mktemp("small")
    for pair in pairs_up_to((4, 3)):
        solve_and_write(full, pair, threads=1)
    for table in tables_in(full):
        write_small_table(small, open_table(full, table))
    arguments = ("--bot-workers", "1", "--tablebase", str(small))
    with ServerProcess(tmp_path_factory.mktemp("served"), *arguments) as process:
        yield process


@pytest.mark.slow
def test_every_legal_move_has_a_tablebase_result(browser: Browser, solving_server: ServerProcess) -> None:
    solving_server.wait_for("tablebases built")
    check_verdicts(
        browser, solving_server, re.compile("wins in|loses in|draws|has won"), "Solved: White wins in 33 plies."
    )


@pytest.mark.slow
def test_the_small_edition_has_results_without_plies(browser: Browser, small_edition_server: ServerProcess) -> None:
    check_verdicts(browser, small_edition_server, re.compile("^(wins|loses|draws)$"), "Solved: White wins.")


def check_verdicts(browser: Browser, server: ServerProcess, verdict: re.Pattern[str], headline: str) -> None:
    """Check what the page says of a position and of each of its moves."""
    state = State.of(find_game("morris"), THREE_AGAINST_THREE)
    with visiting(browser, server, Visitor) as visitor:
        visitor.open(f"/analysis/morris?position={state.position_text.replace(' ', '+')}")
        panel = visitor.page.locator(".tablebase-panel")
        expect(panel.locator(".solved-headline")).to_have_text(headline)
        expect(panel.locator("li")).to_have_count(len(state.legal_moves))
        expect(panel.locator("li .note").filter(has_text=verdict)).to_have_count(len(state.legal_moves))
