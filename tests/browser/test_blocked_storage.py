"""A browser that lets the site store nothing: the page works, and warns guests that they lose their seats."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visit

BLOCK_STORAGE = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("Access is denied.", "SecurityError"); } });
}
"""

WARNING = re.compile("As a guest, you lose your seats when you reload or close this page")


def test_a_guest_whose_browser_stores_nothing_plays_and_is_warned(visit: Visit) -> None:
    person = visit()
    person.page.add_init_script(BLOCK_STORAGE)
    person.open()
    expect(person.page.locator(".notices")).to_have_text(WARNING)
    person.page.locator(".bot-card").first.click()
    expect(person.page.locator(".match-page .board")).to_be_visible()


@pytest.mark.slow
def test_a_guest_whose_browser_stores_things_is_not_warned(visit: Visit) -> None:
    person = visit().open()
    expect(person.page.locator("main h1, main h2").first).to_be_visible()
    expect(person.page.get_by_text(WARNING)).to_have_count(0)
