"""The chat of a match as players use it in the page, for its tests and those of moderation."""

from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visit, Visitor


def begin(visit: Visit, **window: Any) -> tuple[Visitor, Visitor, Visitor]:
    """Return the players of a match and one who watches it."""
    white, black, watcher = [visit(**window) for _ in range(3)]
    path = white.create()
    white.open(path)
    black.join(path)
    watcher.open(path)
    expect(watcher.page.locator(".chat-title")).to_contain_text("Spectators")
    expect(black.page.locator(".chat-title")).to_contain_text("Players")
    if not window:
        for visitor in (white, black, watcher):
            unfold(visitor)
    return white, black, watcher


def say(visitor: Visitor, text: str) -> None:
    unfold(visitor)
    visitor.page.locator(".chat-input").fill(text)
    visitor.page.locator(".chat-input").press("Enter")
    expect(lines(visitor).filter(has_text=text)).to_have_count(1)


def unfold(visitor: Visitor) -> None:
    """Open the chat, which starts folded in a small window."""
    header = visitor.page.locator(".chat-header")
    if header.get_attribute("aria-expanded") == "false":
        header.click()
    expect(header).to_have_attribute("aria-expanded", "true")


def lines(visitor: Visitor) -> Locator:
    return visitor.page.locator(".chat-text")
