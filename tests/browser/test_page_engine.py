"""The analysis board with a game's engine in the page: the values of the server's engine, and reviews, without it.

The modules are made once for all tests on this machine; that takes minutes.
"""

import re
import subprocess
import sys
from urllib.parse import quote

import pytest
from playwright.sync_api import WebSocket, expect

from millrace.engine.analysis import Limits, analyse, no_clock
from millrace.engine.games import SHIPPED, find_game
from millrace.engine.state import State
from millrace.engine.transposition_table import new_table
from tests.browser.accounts import new_name, register
from tests.browser.finished_matches import WON_BY_WHITE, finish_match
from tests.browser.positions import ABOUT_TO_END, MOVING
from tests.browser.visitor import Visit, Visitor
from tests.serving import ServerProcess

pytestmark = pytest.mark.slow

SETUPS = {"morris": MOVING}
"""Where a game's search starts, unless from the usual position."""
TABLE_MEGABYTES = 16
"""As in `client/web/engine/engine_worker.js`."""
MINUS = "\N{MINUS SIGN}"
DEPTH = re.compile(r"depth ([1-9]\d*) · ")


@pytest.fixture(scope="module")
def modules(processes: None) -> None:
    subprocess.run([sys.executable, "-m", "millrace.server.bots.module_process"], check=True)


def sent_by(visitor: Visitor) -> list[str]:
    """Return the list of what the page sends from now on."""
    sent: list[str] = []

    def follow(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(str(frame)))

    visitor.page.on("websocket", follow)
    return sent


@pytest.mark.parametrize("game", [game.name for game in SHIPPED])
@pytest.mark.usefixtures("modules")
def test_the_page_finds_the_values_of_the_engine_without_the_server(
    visit: Visit, server: ServerProcess, game: str
) -> None:
    visitor = visit()
    sent = sent_by(visitor)
    setup = SETUPS.get(game, "")
    visitor.open(f"/analysis/{game}?position={quote(setup)}")
    facts = visitor.page.locator(".engine-facts")
    expect(facts).to_have_text(DEPTH)
    expect(visitor.page.locator(".engine-line")).to_have_count(1)
    shown, sign = visitor.page.evaluate(
        "() => ['.engine-facts', '.score-sign'].map((each) => document.querySelector(each).textContent)"
    )
    depth = DEPTH.match(shown)
    assert depth is not None
    limits = Limits(depth=int(depth[1]))
    found = analyse(State.of(find_game(game), setup), limits, no_clock, table=new_table(TABLE_MEGABYTES))
    assert float(sign.replace(MINUS, "-")) == found.value / 100

    visitor.page.get_by_label("Number of lines").select_option("3")
    expect(visitor.page.locator(".engine-line")).to_have_count(3)
    expect(visitor.button("Search deeper")).to_be_hidden()
    assert any("get_engine_line" in each for each in sent)
    assert [each for each in sent if '"analyse"' in each] == []


@pytest.mark.usefixtures("modules")
def test_who_has_an_account_asks_the_server_for_a_deeper_search(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    visitor = visit().open()
    register(visitor, new_name())
    sent = sent_by(visitor)
    visitor.open("/analysis/mingmang")
    visitor.button("Search deeper").click()
    expect(visitor.button("Search deeper")).to_be_hidden()
    visitor.wait_until(lambda: any('"analyse"' in each for each in sent))


@pytest.mark.usefixtures("modules")
def test_a_proved_result_ends_the_search(visit: Visit, server: ServerProcess) -> None:
    visitor = visit()
    sent = sent_by(visitor)
    visitor.open(f"/analysis/morris?position={quote(ABOUT_TO_END)}")
    expect(visitor.page.locator(".score-sign")).to_have_text("#1")
    expect(visitor.page.locator(".engine-moves .move").first).to_have_text(re.compile("g4-g7x"))
    assert [each for each in sent if '"analyse"' in each] == []


@pytest.mark.usefixtures("modules")
def test_a_match_is_reviewed_by_the_page_and_a_guest_learns_from_it(visit: Visit, server: ServerProcess) -> None:
    visitor = visit()
    sent = sent_by(visitor)
    visitor.open(finish_match(visitor, "morris", WON_BY_WHITE).replace("/match/", "/analysis/match/"))
    accuracies = visitor.page.locator(".review-seat .accuracy")
    expect(accuracies).to_have_text([re.compile(r"^Accuracy ([789]\d|100)%$"), re.compile(r"^Accuracy \d\d?%$")])
    expect(visitor.page.locator(".turning-point")).to_contain_text("Black")
    visitor.page.get_by_role("button", name="Learn from Black").click()
    lesson = visitor.page.locator(".lesson")
    expect(lesson).to_contain_text("Find a better move for Black")
    visitor.click("d5")
    expect(lesson).to_contain_text(re.compile("is correct|is good too|is not better"))
    assert [each for each in sent if '"analyse' in each and '"only_stored":true' not in each] == []
    visitor.expect_no_overflow()


@pytest.mark.usefixtures("modules")
def test_who_has_an_account_lets_the_server_review_too(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    visitor = visit().open()
    register(visitor, new_name())
    sent = sent_by(visitor)
    visitor.open(finish_match(visitor, "mingmang", 4).replace("/match/", "/analysis/match/"))
    visitor.button("Review it on the server").click()
    visitor.wait_until(lambda: any("analyse_match" in each for each in sent))
    expect(visitor.button("Review it on the server")).to_be_hidden()
    expect(visitor.page.locator(".review-seat .accuracy")).to_have_count(2)


@pytest.mark.usefixtures("modules")
def test_when_the_engine_cannot_be_loaded_the_server_is_asked_for_a_review(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    visitor = visit().open()
    visitor.expected_problem = "Failed to"
    visitor.page.route("**/engine/*.wasm", lambda route: route.abort())
    visitor.open(finish_match(visitor, "mingmang", 4).replace("/match/", "/analysis/match/"))
    expect(visitor.page.locator(".report")).to_contain_text("The engine in this page has failed.")
    visitor.button("Request analysis").click()
    expect(visitor.page.locator(".review-seat .accuracy")).to_have_count(2)
