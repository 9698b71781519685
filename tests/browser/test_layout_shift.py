"""Pages do not jump while they load: their cumulative layout shift, as browsers measure it."""

import pytest
from playwright.sync_api import expect

from tests.browser.moderators import moderator
from tests.browser.positions import ABOUT_TO_END, MOVING
from tests.browser.slow_server import SlowServer
from tests.browser.visitor import OWN_BOTH, Visit, Visitor
from tests.serving import ServerProcess

MAX_SHIFT = 0.05
SIZES = [(1280, 800), (768, 1024), (740, 360), (360, 740)]

PAGES = {
    "/": ".bot-card, .start-featured .board",
    "/learn": "main h1",
    "/learn/morris": ".board",
    "/puzzles": "main h1",
    "/watch": ".featured-tile .board",
    "/players": ".bot-card",
    "/archive": ".archive-table, .empty-note:not([role])",
    "/leaders": ".leaders-list > *",
    "/analysis": ".board",
    "/editor/morris": ".board",
    "/offline": "main h1",
    "/settings": ".board",
    "/account": "main form",
    "/match/nothing": ".notice",
}
"""Pages, with the last part of each that arrives."""

_SUM_SHIFTS_SCRIPT = """window.shift = 0; window.shifted = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    window.shift += entry.value;
    const moved = entry.sources.map(({ node }) => node?.className || node?.nodeName);
    window.shifted.push(`${entry.value.toFixed(3)}: ${moved.join(", ")}`);
  }
}).observe({ type: "layout-shift", buffered: true });"""


def expect_still(reader: Visitor, path: str, last: str) -> None:
    """Load a page, wait for what arrives last, and see how much has moved until then."""
    reader.page.add_init_script(_SUM_SHIFTS_SCRIPT)
    reader.page.goto(f"{reader.server.url}{path}")
    expect(reader.page.locator(last).first).to_be_visible()
    shift, shifted = reader.page.evaluate("() => [window.shift, window.shifted]")
    assert shift < MAX_SHIFT, shifted


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_keeps_its_place_while_it_loads(
    visit: Visit, server: ServerProcess, path: str, size: tuple[int, int]
) -> None:
    server.wait_for_bots()
    expect_still(visit(*size), path, PAGES[path])


@pytest.mark.parametrize("size", SIZES)
def test_a_match_and_its_analysis_keep_their_place_while_they_load(visit: Visit, size: tuple[int, int]) -> None:
    reader = visit(*size)
    playing, over = reader.create(MOVING, OWN_BOTH), reader.create(ABOUT_TO_END, OWN_BOTH)
    expect_still(reader, playing, ".match-page .board")
    reader.open(over).play("g4-g7xd2")
    expect_still(reader, over, ".match-page .board")
    expect_still(reader, f"/analysis{over}", ".analysis-status:not(:empty)")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_a_profile_moderation_and_an_embedded_board_keep_their_place_while_they_load(
    visit: Visit, size: tuple[int, int]
) -> None:
    width, height = size
    name = f"Mabel-{width}x{height}"
    meg = moderator(visit, name)
    playing = meg.create(MOVING, OWN_BOTH)
    meg.page.set_viewport_size({"width": width, "height": height})
    expect_still(meg, f"/player/{name}", ".profile-head")
    expect_still(meg, "/moderation", "main h1")
    expect_still(meg, f"/embed/{playing.rpartition('/')[2]}", ".board")


@pytest.mark.parametrize("size", SIZES)
def test_the_start_page_keeps_its_place_when_the_server_answers_late(visit: Visit, size: tuple[int, int]) -> None:
    reader = visit(*size)
    slow = SlowServer(reader, "hello")
    reader.page.add_init_script(_SUM_SHIFTS_SCRIPT)
    reader.page.goto(reader.server.url)
    expect(reader.page.locator("h1")).to_be_visible()
    reader.wait_until(lambda: slow.commands > 0)
    slow.answer()
    expect(reader.page.locator(".game-art .board")).to_have_count(3)
    expect(reader.page.locator(".play-note")).to_contain_text("level 1")
    shift, shifted = reader.page.evaluate("() => [window.shift, window.shifted]")
    assert shift < MAX_SHIFT, shifted
