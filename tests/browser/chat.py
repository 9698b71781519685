"""The chat of a match as players use it in the page, for its tests and those of moderation."""

from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visit, Visitor


def begin(visit: Visit, width: int = 1280) -> tuple[Visitor, Visitor, Visitor]:
    """Return the players of a match and one who watches it."""
    white, black, watcher = [visit(width=width) for _ in range(3)]
    path = white.create()
    white.open(path)
    black.join(path)
    watcher.open(path)
    expect(watcher.page.locator(".chat-title")).to_contain_text("Spectators")
    expect(black.page.locator(".chat-title")).to_contain_text("Players")
    return white, black, watcher


def say(visitor: Visitor, text: str) -> None:
    visitor.page.locator(".chat-input").fill(text)
    visitor.page.locator(".chat-input").press("Enter")
    expect(lines(visitor).filter(has_text=text)).to_have_count(1)


def lines(visitor: Visitor) -> Locator:
    return visitor.page.locator(".chat-text")
