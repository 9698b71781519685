"""What a screen reader says by itself: every event once."""

import re

from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect

from tests.browser.accounts import member
from tests.browser.lobby import banner, challenge
from tests.browser.visitor import Visit, Visitor

_LISTEN_SCRIPT = """window.said = [];
const LIVE = "[aria-live=polite], [aria-live=assertive], [role=alert], [role=status], [role=log]";
new MutationObserver((changes) => {
  for (const node of changes.flatMap((change) => [...change.addedNodes])) {
    const region = (node instanceof Element ? node : node.parentElement)?.closest(LIVE);
    if (region && region.checkVisibility() && node.textContent.trim() !== "") window.said.push(node.textContent.trim());
  }
}).observe(document, { childList: true, subtree: true });"""
_WAS_SAID_ONCE_SCRIPT = "words => window.said.filter((text) => text.includes(words)).length === 1"


def listening(visitor: Visitor) -> Visitor:
    """Return the visitor, whose next pages note what is announced."""
    visitor.page.add_init_script(_LISTEN_SCRIPT)
    return visitor


def expect_said_once(visitor: Visitor, words: str) -> None:
    """Wait until these words were said, and only once since the page was loaded."""
    try:
        visitor.page.wait_for_function(_WAS_SAID_ONCE_SCRIPT, arg=words)
    except PlaywrightTimeoutError:
        raise AssertionError(f"Said was {visitor.page.evaluate('() => window.said')}.") from None


def test_a_challenge_is_announced_once(visit: Visit) -> None:
    ann = visit().open()
    bea, name = member(visit)
    listening(bea).open("/leaders")
    challenge(ann, name)
    expect(banner(bea)).to_be_visible()
    expect(bea.page.locator(".bell > summary")).to_have_accessible_name("Notifications, 1 new")
    expect_said_once(bea, "challenges you")


def test_a_match_arrives_event_by_event(visit: Visit) -> None:
    white, black = visit(), listening(visit())
    path = white.create()
    listening(white).open(path)
    black.join(path)
    host, guest = white.name_of(0), white.name_of(1)
    expect_said_once(white, f"{guest} plays Black.")
    white.play("d6")
    expect_said_once(black, "d6")
    black.play("f4")
    expect_said_once(white, "f4")
    white.button("Ask for a takeback").click()
    expect_said_once(black, f"{host} asks to take back 2 moves")
    black.page.get_by_role("button", name=re.compile("^Accept")).click()
    expect(white.moves).to_have_count(0)
    expect_said_once(white, "taken back")
    expect_said_once(black, "taken back")
    white.button("Abort").click()
    expect(black.headline).to_have_text("No result")
    for visitor in (white, black):
        expect_said_once(visitor, "No result")
