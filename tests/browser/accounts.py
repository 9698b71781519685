"""Accounts created in the page, for several tests."""

from itertools import count

from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visit, Visitor

PASSWORD = "correct horse battery"

_numbers = count(2)


def new_name() -> str:
    """Return a name that no other test has: the server is the same for all."""
    return f"Beatrix-{next(_numbers)}"


def form(visitor: Visitor, title: str) -> Locator:
    return visitor.page.get_by_role("form", name=title, exact=True)


def fill(visitor: Visitor, title: str, **fields: str) -> Locator:
    """Fill a form's fields by their names, send it, and return it."""
    shown = form(visitor, title)
    for name, value in fields.items():
        shown.locator(f"[name={name}]").fill(value)
    shown.locator("button[type=submit]").click()
    return shown


def register(visitor: Visitor, name: str) -> list[str]:
    """Create an account, and return its recovery codes."""
    visitor.page.get_by_role("link", name="Sign in").click()
    fill(visitor, "Create an account", name=name, password=PASSWORD)
    expect(visitor.page.locator(".own-name")).to_have_text(name)
    codes = visitor.page.locator(".recovery-code-list li")
    expect(codes).to_have_count(8)
    shown = codes.all_inner_texts()
    visitor.button("I have saved them").click()
    return shown


def member(visit: Visit, width: int = 1280) -> tuple[Visitor, str]:
    """Return a visitor with an account, on the start page."""
    visitor, name = visit(width=width).open(), new_name()
    register(visitor, name)
    return visitor.open(), name
