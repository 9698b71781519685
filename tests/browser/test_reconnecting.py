"""What the page does when the server is gone for a while, and when it refuses."""

from playwright.sync_api import WebSocketRoute, expect

from tests.browser.positions import MEN_OF_MOVING, MOVING
from tests.browser.visitor import CLICKABLE, OWN_BOTH, Visit, begin_match
from tests.serving import ServerProcess

REFUSED_CONNECTION = "WebSocket connection to"
"""Chromium logs this when nobody listens; a page cannot prevent it."""


def test_play_continues_without_a_reload_after_the_server_was_killed(visit: Visit, server: ServerProcess) -> None:
    white, black = begin_match(visit)
    for player in (white, black):
        player.expected_problem = REFUSED_CONNECTION
        player.page.evaluate("window.isSamePage = true")
    white.play("d6")
    black.play("f4")
    expect(white.cell("a1")).to_have_attribute("data-marks", CLICKABLE)
    server.kill()
    for player in (white, black):
        expect(player.page.locator(".connection-badge")).to_have_attribute("data-status", "offline")
        expect(player.page.locator(".banner.away")).to_contain_text("This page reconnects automatically")
        expect(player.button("Try now")).to_be_visible()
    white.cell("a1").click()
    server.start()
    server.wait_for_rules()
    expect(black.moves).to_have_text(["d6", "f4", "a1"])
    black.play("g7")
    white.play("b4")
    for player in (white, black):
        expect(player.moves).to_have_text(["d6", "f4", "a1", "g7", "b4"])
        player.page.wait_for_function("() => window.isSamePage")
        expect(player.page.locator(".banner.away")).to_have_count(0)
        player.expect_board({"d6": 0, "f4": 1, "a1": 0, "g7": 1, "b4": 0})


def test_a_refused_move_is_explained_and_undone_on_the_board(visit: Visit) -> None:
    person = visit()
    path = person.create(MOVING, OWN_BOTH)
    person.page.route_web_socket("**/socket", _spoil_the_first_move)
    person.open(path)
    person.click("a4")
    person.click("b4")
    expect(person.page.locator(".toast")).to_contain_text("a4-g1 is not allowed here.")
    person.expect_board(MEN_OF_MOVING)
    person.play("a4-b4")


def _spoil_the_first_move(page: WebSocketRoute) -> None:
    server = page.connect_to_server()
    spoilt: list[str | bytes] = []

    def pass_on(message: str | bytes) -> None:
        if isinstance(message, str) and '"a4 b4"' in message and not spoilt:
            spoilt.append(message)
            message = message.replace('"a4 b4"', '"a4-g1"')
        server.send(message)

    page.on_message(pass_on)


def test_a_network_that_is_gone_is_shown_at_once(visit: Visit) -> None:
    person = visit().open()
    status = person.page.evaluate("""() => {
      dispatchEvent(new Event("offline"));
      return document.querySelector(".connection-badge").dataset.status;
    }""")
    assert status == "offline"
    expect(person.page.locator(".connection-badge")).to_have_attribute("data-status", "online")
