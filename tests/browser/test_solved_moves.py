"""The solved verdict of each legal move beside the analysis board, by tables that the server has solved itself."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from millrace.engine.games import find_game
from millrace.engine.state import State
from tests.browser.visitor import ANSWER_MS, Visitor
from tests.serving import ServerProcess

THREE_AGAINST_THREE = "WWB.......B....B..B...W. w 0 0"


@pytest.fixture
def solving_server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("solved"), "--bot-workers", "1", "--tablebases") as process:
        yield process


def test_every_legal_move_has_its_verdict(browser: Browser, solving_server: ServerProcess) -> None:
    solving_server.wait_for("tablebases built")
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(ANSWER_MS)
    expect.set_options(timeout=ANSWER_MS)
    visitor = Visitor(context.new_page(), solving_server)
    state = State.of(find_game("morris"), THREE_AGAINST_THREE)
    visitor.open(f"/analysis/morris?position={state.position_text.replace(' ', '+')}")
    panel = visitor.page.locator(".tablebase-panel")
    expect(panel).to_contain_text("Solved: White")
    expect(panel.locator("li")).to_have_count(len(state.legal_moves))
    verdict = re.compile("wins in|loses in|draws|has won")
    expect(panel.locator("li .note").filter(has_text=verdict)).to_have_count(len(state.legal_moves))
    assert visitor.problems == []
    context.close()
