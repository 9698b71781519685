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


def sign_up(visitor: Visitor, name: str) -> Visitor:
    """Create an account beside the page, and return the visitor, signed in, on the start page."""
    ticket = visitor.ask("register", name=name, password=PASSWORD, browser=True)["ticket"]
    address, own_page = f"{visitor.server.url}/sign-in", {"Sec-Fetch-Site": "same-origin"}
    visitor.page.context.request.get(address, params={"ticket": ticket, "next": "/"}, headers=own_page, max_redirects=0)
    return visitor.open()


def member(visit: Visit, width: int = 1280) -> tuple[Visitor, str]:
    """Return a visitor with an account, on the start page."""
    name = new_name()
    return sign_up(visit(width=width), name), name
