"""One grid: every page begins below the mark of the site, and the menu marks the page that is shown."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import OWN_BOTH, Visit

PAGES = {
    "/": None,
    "/learn": "Learn",
    "/puzzles": "Puzzles",
    "/coordinates/morris": "Puzzles",
    "/tournaments": "Tournaments",
    "/watch": "Watch",
    "/players": "Players",
    "/archive": "Archive",
    "/analysis": "Analysis",
    "/studies": "Analysis",
    "/leaders": "Leaders",
    "/settings": "Settings",
    "/offline": None,
    "/account": None,
}
"""Pages, with the link of the menu that leads to each, or to what it belongs to."""

_STARTS_SCRIPT = """() => {
  const leftOf = (selector) => document.querySelector(selector).getBoundingClientRect().left;
  return Math.abs(leftOf(".brand .mill") - leftOf("#page > *")) < 1;
}"""


@pytest.mark.parametrize("width", [1920, 1280, 1100, 360])
def test_every_page_begins_below_the_mark(visit: Visit, width: int) -> None:
    visitor = visit(width, 800)
    for path in (*PAGES, visitor.create(seats=OWN_BOTH)):
        visitor.open(path)
        expect(visitor.page.locator("#page > *").first).to_be_visible()
        visitor.page.wait_for_function(_STARTS_SCRIPT)


def test_the_menu_marks_the_current_page(visit: Visit) -> None:
    visitor = visit()
    current = visitor.page.locator("#site-links a[aria-current]")
    for path, name in PAGES.items():
        visitor.open(path)
        expect(current).to_have_text([] if name is None else [name])
    visitor.page.get_by_role("link", name="Leaders", exact=True).click()
    expect(current).to_have_text("Leaders")
