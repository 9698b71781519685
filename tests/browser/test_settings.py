"""The settings page, and what a click that is no move is answered with."""

from playwright.sync_api import expect

from tests.browser.positions import MOVING
from tests.browser.visitor import Visit

BOTH = [{"occupant": "me"}, {"occupant": "me"}]


def test_a_board_is_chosen_at_once_and_kept_for_the_next_visit(visit: Visit) -> None:
    visitor = visit().open("/settings")
    root = visitor.page.locator("html")
    expect(root).to_have_attribute("data-board", "wood")
    visitor.page.get_by_role("combobox", name="Board", exact=True).select_option("pixel")
    visitor.page.get_by_label("Coordinates").uncheck()
    expect(root).to_have_attribute("data-men", "pixel")
    visitor.open(visitor.create(MOVING, BOTH))
    expect(root).to_have_attribute("data-board", "pixel")
    expect(visitor.page.locator(".board .pixels").first).to_be_visible()
    expect(visitor.page.locator(".board .label").first).to_be_hidden()


def test_the_theme_follows_the_system_until_one_is_chosen(visit: Visit) -> None:
    visitor = visit().open("/settings")
    theme = visitor.page.get_by_label("Theme")
    expect(theme).to_have_value("system")
    theme.select_option("dark")
    visitor.open("/settings")
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_click_that_is_no_move_says_why(visit: Visit) -> None:
    visitor = visit()
    visitor.open(visitor.create(MOVING, BOTH))
    visitor.cell("g7").click(force=True)
    visitor.expect_told("That piece is not yours.")
    visitor.click("a4")
    visitor.cell("e3").click(force=True)
    visitor.expect_told("That piece cannot move there.")
    visitor.play("a4-b4")
    expect(visitor.page.locator(".toast")).to_have_count(0)
