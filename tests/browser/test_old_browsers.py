"""A browser that cannot run the page's modules says so, and one that can does not."""

import re

from playwright.sync_api import Route, expect

from tests.browser.visitor import Visit

WORDS = re.compile("This browser is too old for Millrace.*millrace play")


def refuse_syntax(route: Route) -> None:
    """Have the browser fail on a module as an old one does on new syntax."""
    response = route.fetch()
    route.fulfill(response=response, body=f"{response.text()}\n let of = = 1;")


def test_a_browser_that_does_not_know_the_syntax_gets_a_sentence(visit: Visit) -> None:
    person = visit()
    person.expected_problem = "Unexpected token"
    person.page.route(re.compile(r"/static/\w+/bundles/.*\.js|/static/.*main.*\.js"), refuse_syntax)
    person.page.goto(person.server.url)
    expect(person.page.locator("main")).to_have_text(WORDS)


def test_a_current_browser_does_not_get_it(visit: Visit) -> None:
    person = visit().open()
    expect(person.page.locator("main h1, main h2").first).to_be_visible()
    expect(person.page.locator("#old-browser")).to_have_count(0)
