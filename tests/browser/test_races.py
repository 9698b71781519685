"""Races in the page: opened, joined by link, raced to the end on a computer and a phone, and once more."""

import zxingcpp
from playwright.sync_api import Locator, expect

from tests.browser.accessibility import expect_accessible
from tests.browser.puzzle_runs import miss, shown_puzzle, solve
from tests.browser.visitor import Visit, Visitor
from tests.server.web.previews.pictures import pixels_of


def lanes(visitor: Visitor) -> Locator:
    return visitor.page.get_by_label("Players").get_by_role("listitem")


def open_race(visitor: Visitor) -> None:
    visitor.open("/puzzles/morris")
    visitor.page.get_by_role("link", name="Race", exact=True).click()
    visitor.button("Nine Men's Morris").click()
    expect(visitor.button("Start the race")).to_be_visible()


def test_two_players_and_a_spectator_see_a_race_from_the_link_to_the_next_one(visit: Visit) -> None:
    ann, ben, eve = visit(), visit(360, 740), visit()
    open_race(ann)
    code = ann.page.get_by_role("img", name="QR code with the link to this race")
    expect(code).to_have_js_property("complete", True)
    code.scroll_into_view_if_needed()
    (scanned,) = zxingcpp.read_barcodes(pixels_of(ann.page.screenshot()))
    assert scanned.text == ann.page.url
    ben.open(ann.path)
    ben.button("Join").click()
    expect(lanes(ann)).to_have_count(2)
    expect(ben.page.get_by_text("starts the race.")).to_be_visible()
    ben.expect_no_overflow()
    expect_accessible(ben)
    eve.open(ann.path)
    expect(eve.button("Join")).to_be_visible()

    ann.button("Start the race").click()
    expect(eve.page.locator("h1")).to_have_text("The race is on")
    first = shown_puzzle(ann)
    solve(ann, first)
    assert shown_puzzle(ben) == first
    miss(ben, first)
    expect(ben.page.locator(".storm-news")).to_have_text("Wrong")
    second = shown_puzzle(ann, but=first.id)
    points = str(len(first.solver_plies))
    ann.page.reload()
    assert shown_puzzle(ann) == second
    for visitor in (ann, ben, eve):
        for lane, score in enumerate((points, "0")):
            expect(lanes(visitor).nth(lane).locator("strong")).to_have_text(score)
    ben.expect_no_overflow()

    expect(ann.button("Race again")).to_be_visible()
    expect(lanes(ann).first).to_contain_text("1. You")
    expect(ann.page.locator(".storm-news")).to_have_text("Place 1 of 2")
    expect(ben.page.locator(".storm-news")).to_have_text("Place 2 of 2")
    expect(ben.page.locator(".storm-missed a")).to_have_attribute("href", f"/puzzles/morris/{first.id}")
    expect_accessible(ann)
    ann.button("Race again").click()
    expect(ann.button("Start the race")).to_be_visible()
    expect(eve.page.get_by_role("link", name="The next race is open.")).to_be_visible()
    ben.button("Race again").click()
    expect(lanes(ann)).to_have_count(2)


def test_who_leaves_the_page_leaves_the_race_before_it_starts(visit: Visit) -> None:
    ann, ben = visit(), visit()
    open_race(ann)
    ben.open(ann.path)
    ben.button("Join").click()
    expect(ben.page.get_by_text("starts the race.")).to_be_visible()
    ann.page.get_by_role("link", name="Open another race").click()
    expect(ben.button("Start the race")).to_be_visible()
    expect(lanes(ben)).to_have_count(1)


def test_an_unknown_race_is_explained(visit: Visit) -> None:
    ann = visit()
    ann.open("/race/none")
    expect(ann.page.locator(".notice")).to_have_text("There is no such race. Races are kept for a day.")
    ann.page.get_by_role("link", name="Open a race").click()
    expect(ann.button("All games")).to_be_visible()
