"""Text of 200 % on a phone of 320 pixels: no page scrolls sideways, in any language."""

import pytest
from playwright.sync_api import expect

from millrace.server.web.translation_format import LANGUAGES
from tests.browser.visitor import OWN_BOTH, Visit

PAGES = ("/", "/learn", "/puzzles", "/watch", "/players", "/archive", "/analysis", "/leaders", "/settings", "/account")

LARGE_TEXT = "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })"

NORMAL = "() => document.documentElement.classList.contains('large-text') === false"


@pytest.mark.parametrize(
    "language", [each if each == "de" else pytest.param(each, marks=pytest.mark.slow) for each in LANGUAGES]
)
def test_large_text_fits_a_narrow_window(visit: Visit, language: str) -> None:
    reader = visit(width=320, height=640, locale=language)
    invitation = reader.create(clock={"initial_ms": 300_000})
    hot_seat = reader.create(seats=OWN_BOTH)
    reader.page.add_init_script(LARGE_TEXT)
    for path in (*PAGES, invitation, hot_seat):
        reader.open(path)
        expect(reader.page.locator("main > *").first).to_be_attached()
        reader.expect_no_overflow()


def test_a_phone_with_usual_text_is_laid_out_as_before(visit: Visit) -> None:
    reader = visit(width=320, height=640).open()
    reader.page.wait_for_function(NORMAL)
