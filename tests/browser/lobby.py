"""Pairing and challenges as players use them in the page, for several tests."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visitor

MATCH_PAGE = re.compile(r"/match/\w+$")


def ask(visitor: Visitor, clock: str) -> None:
    """Ask for a quick pairing; where enough others wait already, the match may begin at once."""
    visitor.open_way("Quick pairing")
    visitor.page.locator(".pairing-tile", has_text=clock).click()


def seek(visitor: Visitor, clock: str) -> None:
    """Ask for a quick pairing that lacks others, and wait until they are looked for."""
    ask(visitor, clock)
    expect(visitor.page.get_by_role("heading", name="Looking for an opponent")).to_be_visible()


def expect_match(*visitors: Visitor) -> None:
    """Wait until all are led to one match that is being played."""
    for visitor in visitors:
        expect(visitor.page).to_have_url(MATCH_PAGE)
        expect(visitor.page.locator(".match-page .board")).to_be_visible()
        expect(visitor.page.locator(".strips.below .seat-strip")).to_have_count(1)
    assert len({visitor.path for visitor in visitors}) == 1


def challenge(visitor: Visitor, name: str) -> None:
    visitor.open_way("Play a friend")
    visitor.page.locator(".for-friend .choice", has_text="By name").click()
    visitor.page.get_by_label("Name of the player").fill(name)
    visitor.button("Challenge").click()
    expect(visitor.headline).to_have_text("Waiting for an answer")


def banner(visitor: Visitor) -> Locator:
    return visitor.page.locator(".banner.challenge")
