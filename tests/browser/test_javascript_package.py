"""`docs/javascript.md` in a browser: a page that plays by the package, and a match in a frame on another site."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.positions import MOVING
from tests.browser.visitor import OWN_BOTH, Visit
from tests.docs.programs import read_blocks
from tests.serving import Site

PLAYING, FRAMED = [block.text for block in read_blocks("docs/javascript.md") if block.language == "html"]
OTHER_SITE = "http://your.localhost"


def show(page: Page, site: str, document: str, server: Site) -> None:
    """Show a document of the page at another site, or at one of the server's addresses."""
    # Chromium does not know where a page that is routed by a test came from, and would keep it from this machine.
    page.context.grant_permissions(["local-network-access"])
    body = document.replace("http://localhost:8000", server.url)
    page.route(f"{site}/page.html", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(f"{site}/page.html")


def test_a_page_plays_a_match_by_the_package(visit: Visit) -> None:
    player = visit()
    show(player.page, player.server.url, PLAYING, player.server)
    expect(player.page.locator("output")).to_contain_text("The match is over: ")


@pytest.mark.slow
def test_a_page_of_another_site_is_told_what_the_server_must_allow(visit: Visit) -> None:
    player = visit()
    player.expected_problem = "WebSocket"
    show(player.page, OTHER_SITE, PLAYING, player.server)
    expect(player.page.locator("output")).to_contain_text(f"Is the server running, and with --origin {OTHER_SITE}?")


def test_a_match_is_shown_live_in_a_frame_on_another_site(visit: Visit) -> None:
    player, reader = visit(), visit()
    path = player.create(MOVING, OWN_BOTH)
    show(reader.page, OTHER_SITE, FRAMED.replace("ID", path.removeprefix("/match/")), player.server)
    frame = reader.page.frame_locator("iframe")
    expect(frame.locator(".board")).to_be_visible()
    player.open(path).play("a4-b4")
    expect(frame.locator(".embed-text")).to_contain_text("1/1")
