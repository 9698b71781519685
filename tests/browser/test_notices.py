"""What the operators announce, in the page: it covers nothing, and stays closed once it was."""

import json

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.positions import MOVING
from tests.browser.visitor import OWN_BOTH, Visit, Visitor

ANNOUNCEMENT = "Maintenance today at noon: the server restarts, and all matches go on afterwards where they were."

_COVERS_NOTHING_SCRIPT = """(below) => {
  const placeOf = (selector) => document.querySelector(selector).getBoundingClientRect();
  const notices = placeOf(".notices");
  return notices.height > 0 && notices.top >= placeOf(".site-header").bottom && notices.bottom <= placeOf(below).top;
}"""
"""Whether the notices are between the header and an element of the page."""

_LEAVES_ROOM_SCRIPT = """() => {
  const placeOf = (selector) => document.querySelector(selector).getBoundingClientRect();
  const isAbove = placeOf(".toast").bottom <= placeOf(".notices").top;
  return isAbove && placeOf(".match-page .board").bottom <= innerHeight;
}"""
"""Whether a toast does not cover the notices, and the board is all in the window."""


def announce(visitor: Visitor) -> None:
    """Have something announced to a visitor after each welcome, and to nobody else."""

    def route(socket: WebSocketRoute) -> None:
        def take(message: str | bytes) -> None:
            socket.send(message)
            if '"type":"welcome"' in str(message):
                socket.send(json.dumps({"type": "announcement", "text": ANNOUNCEMENT, "until_ms": None}))

        socket.connect_to_server().on_message(take)

    visitor.page.route_web_socket("**/socket", route)


@pytest.mark.parametrize("size", [(360, 740), pytest.param((740, 360), marks=pytest.mark.slow)])
def test_an_announcement_covers_nothing_and_stays_closed(visit: Visit, size: tuple[int, int]) -> None:
    reader = visit(*size)
    match = reader.create(MOVING, OWN_BOTH)
    announce(reader)
    reader.open("/learn")
    expect(reader.page.locator("main h1")).to_be_visible()
    reader.page.wait_for_function(_COVERS_NOTHING_SCRIPT, arg="main h1")
    reader.open(match)
    reader.page.wait_for_function(_COVERS_NOTHING_SCRIPT, arg=".strips.above")
    reader.cell("g7").click(force=True)
    reader.page.wait_for_function(_LEAVES_ROOM_SCRIPT)
    reader.button("Close the announcement").click()
    expect(reader.page.get_by_text(ANNOUNCEMENT)).to_have_count(0)
    reader.open(match)
    expect(reader.page.get_by_text(ANNOUNCEMENT)).to_have_count(0)
