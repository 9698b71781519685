"""What a browser loads at a visitor's first visit, and when a page is loaded that was not needed before."""

from playwright.sync_api import Browser, Route, expect

from tests.browser.first_visit import Traffic
from tests.browser.visitor import Visit, Visitor
from tests.serving import ServerProcess

MAX_REQUESTS = 8
MAX_BYTES = 100_000
"""Without the moves of the match that bots may play on its small board. The start page is usable within 1.5 s on a link
of 1.6 Mbit/s; `docs/performance.md` has the figures."""


def test_the_first_visit_takes_few_requests_and_few_bytes(browser: Browser, server: ServerProcess) -> None:
    context = browser.new_context()
    page = context.new_page()
    traffic = Traffic(context.new_cdp_session(page))
    visitor = Visitor(page, server).open()
    expect(page.locator(".play-now")).to_be_enabled()
    page.wait_for_load_state("networkidle")
    assert len(traffic.urls) <= MAX_REQUESTS, traffic.urls
    assert traffic.received_bytes < MAX_BYTES
    assert visitor.problems == []
    context.close()


def test_a_page_is_loaded_when_it_is_first_shown(visit: Visit) -> None:
    person = visit().open()
    traffic = Traffic(person.page.context.new_cdp_session(person.page))
    for _ in range(2):
        person.page.get_by_role("link", name="Leaders", exact=True).click()
        expect(person.page.get_by_role("heading", name="Leaders", exact=True)).to_be_visible()
        person.page.get_by_role("link", name="Millrace", exact=True).click()
        expect(person.page.locator(".play-now")).to_be_enabled()
    assert [url.rpartition("/")[2] for url in traffic.urls if url.endswith(".js")] == ["leaders_page.bundle.js"]


def test_a_page_that_fails_to_load_says_so_and_offers_a_retry(visit: Visit) -> None:
    person = visit().open()
    person.expected_problem = "Failed to"
    person.page.route("**/archive_page.bundle.js", lambda route: route.abort())
    person.page.evaluate("window.isBeforeReload = true")
    person.page.get_by_role("link", name="Archive", exact=True).click()
    # The page has loaded itself anew, for the case that there is a new release, and has failed again.
    person.page.wait_for_function("() => window.isBeforeReload === undefined")
    expect(person.page.get_by_role("alert").get_by_text("This page could not be loaded.")).to_be_visible()
    person.page.unroute("**/archive_page.bundle.js")
    person.button("Try again").click()
    expect(person.page.get_by_role("heading", name="Archive", exact=True)).to_be_visible()


def test_the_page_is_loaded_again_when_a_new_release_has_other_files(visit: Visit) -> None:
    person = visit().open()
    person.expected_problem = "Failed to"
    person.page.evaluate("window.isOldRelease = true")
    person.page.route("**/archive_page.bundle.js", lambda route: route.fulfill(status=404), times=1)
    person.page.get_by_role("link", name="Archive", exact=True).click()
    expect(person.page.get_by_role("heading", name="Archive", exact=True)).to_be_visible()
    person.page.wait_for_function("() => window.isOldRelease === undefined")


def test_a_page_that_loads_late_does_not_replace_a_newer_one(visit: Visit) -> None:
    person = visit().open()
    held: list[Route] = []
    person.page.route("**/archive_page.bundle.js", lambda route: held.append(route))
    person.page.get_by_role("link", name="Archive", exact=True).click()
    person.wait_until(lambda: len(held) > 0)
    person.page.get_by_role("link", name="Leaders", exact=True).click()
    leaders = person.page.get_by_role("heading", name="Leaders", exact=True)
    expect(leaders).to_be_visible()
    with person.page.expect_response("**/archive_page.bundle.js"):
        held[0].continue_()
    person.page.go_back()
    expect(person.page.get_by_role("heading", name="Archive", exact=True)).to_be_visible()
    person.page.go_forward()
    expect(leaders).to_be_visible()
