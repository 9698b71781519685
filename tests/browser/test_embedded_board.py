"""An embedded board that loses its connection: it goes on by itself, and keeps showing what it has."""

import re

from playwright.sync_api import WebSocketRoute, expect

from tests.browser.positions import MOVING
from tests.browser.visitor import OWN_BOTH, Visit

UNAVAILABLE = '{"type":"refused","code":"unavailable","message":"The server cannot read this now.","match":"%s"}'
RESTARTING = 1012


class Interruptions:
    """Between an embedded board and the server: the first request of each connection is refused for a while."""

    def __init__(self, match: str) -> None:
        self.sockets: list[WebSocketRoute] = []
        self.watched_since: list[int] = []
        self._match = match
        self._refused: WebSocketRoute | None = None

    def route(self, page: WebSocketRoute) -> None:
        self.sockets.append(page)
        server = page.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            watching = re.search(r'"type":"watch".*"since":(\d+)', str(message))
            if watching is not None and self._refused is not page:
                self._refused = page
                page.send(UNAVAILABLE % self._match)
                return
            if watching is not None:
                self.watched_since.append(int(watching[1]))
            server.send(message)

        page.on_message(pass_on)


def test_an_embedded_board_asks_again_after_a_restart_and_while_the_match_cannot_be_read(visit: Visit) -> None:
    player, reader = visit(), visit()
    path = player.create(MOVING, OWN_BOTH)
    match = path.removeprefix("/match/")
    interruptions = Interruptions(match)
    reader.page.route_web_socket("**/socket", interruptions.route)
    reader.page.goto(f"{reader.server.url}/embed/{match}")
    expect(reader.page.locator(".board")).to_be_visible()
    player.open(path).play("a4-b4")
    expect(reader.page.locator(".embed-text")).to_contain_text("1/1")
    interruptions.sockets[0].close(code=RESTARTING, reason="The server is restarting.")
    player.play("g4-f4")
    reader.wait_until(lambda: len(interruptions.watched_since) == 2)
    expect(reader.page.locator(".embed-text")).to_contain_text("2/2")
    reader.expect_man("f4", 1)
    first, second = interruptions.watched_since
    assert first == 0 < second, "only what it has missed"
    assert len(interruptions.sockets) == 2
