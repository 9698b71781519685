"""What one knows the site by: its headings from the first visit on, and the figures of its players."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import AGAINST_BOT, Visit, begin_match

_HAS_FACE_SCRIPT = """() => [...document.fonts].some(
  ({ family, status }) => family.includes("Vollkorn") && status === "loaded")"""
_MARK_SCRIPT = """mark =>
  mark.querySelector("circle").getAttribute("fill") + mark.querySelector("path").getAttribute("d")"""


def test_the_first_page_has_the_face_of_all_headings(visit: Visit) -> None:
    visit().open().page.wait_for_function(_HAS_FACE_SCRIPT)


def test_everybody_sees_the_same_mark_of_a_player_and_another_of_the_opponent(visit: Visit) -> None:
    host, guest = begin_match(visit)
    marks = []
    for seat in (0, 1):
        seen = []
        for person in (host, guest):
            mark = person.seat(seat).locator(".house-mark")
            expect(mark).to_be_visible()
            seen.append(mark.evaluate(_MARK_SCRIPT))
        assert seen[0] == seen[1]
        marks.append(seen[0])
    assert marks[0] != marks[1]


def test_a_bot_is_played_from_its_profile(visit: Visit) -> None:
    person = visit().open("/player/bot-3")
    expect(person.page.locator("h1 .bot-face")).to_be_visible()
    person.button("Play Ming Mang").click()
    expect(person.page.locator(".seat-strip .player-name", has_text="Ripple")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(360, 740), (768, 1024)])
def test_on_an_upright_phone_a_hint_stands_between_board_and_actions(visit: Visit, width: int, height: int) -> None:
    person = visit(width, height)
    person.open()
    person.page.evaluate("localStorage.setItem('millrace.hints', 'on')")
    person.open(person.create(seats=AGAINST_BOT, game="battlesheep"))
    hint, actions = person.page.locator(".hint-box"), person.page.locator(".match-page .actions")
    expect(hint).to_be_visible()
    boxes = [each.bounding_box() for each in (hint, actions)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
