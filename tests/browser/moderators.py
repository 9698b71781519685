"""Moderators in the page, for several tests."""

import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.accounts import sign_up
from tests.browser.visitor import Visit, Visitor

ROOT = Path(__file__).parents[2]


def run_admin(visitor: Visitor, *command: str) -> None:
    """Do at the command line what an operator does."""
    where = visitor.server.storage
    subprocess.run([sys.executable, "-m", "millrace.server.app.cli", "admin", *command, *where], check=True, cwd=ROOT)


def moderator(visit: Visit, name: str, role: str = "moderator") -> Visitor:
    """Return a visitor with an account that was given a role at the command line, while the page was open."""
    visitor = with_account(visit, name)
    run_admin(visitor, f"make-{role}", name, "--reason", "A calm hand")
    visitor.page.locator(".own-menu summary").click()
    visitor.page.get_by_role("link", name="Moderation").click()
    expect(visitor.page.get_by_role("heading", name="Moderation")).to_be_visible()
    return visitor


def with_account(visit: Visit, name: str) -> Visitor:
    return sign_up(visit(), name)
