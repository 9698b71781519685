"""The opening explorer in the page: what the archive and the book know, stepping by it, names, and practice."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.finished_matches import finish_match, wait_until_counted
from tests.browser.visitor import Visit, Visitor
from tests.serving import ServerProcess

FIRST_MOVES = ("d6", "f4", "d2", "b4")


def panel(visitor: Visitor) -> Locator:
    return visitor.page.locator(".opening-panel")


def row(visitor: Visitor, move: str) -> Locator:
    return panel(visitor).locator("tbody tr").filter(has=visitor.page.get_by_role("button", name=move, exact=True))


def test_the_explorer_shows_archive_and_book_moves_and_plays_them(visit: Visit, server: ServerProcess) -> None:
    visitor = visit()
    match = finish_match(visitor, "morris", FIRST_MOVES)
    wait_until_counted(visitor, "/openings/morris.json?moves=d6+f4+d2&people=1", "b4")
    visitor.open("/analysis/morris?moves=d6+f4+d2")
    expect(panel(visitor).locator(".opening-name")).to_have_text("Four-way point: adjacent reply")
    panel(visitor).get_by_role("checkbox").check()  # bots may have played these moves in an exhibition
    played = row(visitor, "b4")
    expect(played.locator("td").nth(0)).to_have_text("1")
    bar = played.get_by_role("img")
    expect(bar).to_have_attribute("aria-label", re.compile("^White won 0%, drawn 0%, Black won 100%$"))
    expect(played.locator("td").nth(2)).to_have_text("50%")
    expect(panel(visitor).locator(f'.opening-matches a[href="{match}"]')).to_be_visible()
    played.get_by_role("button").click()
    visitor.expect_board({"d6": 0, "f4": 1, "d2": 0, "b4": 1})
    expect(panel(visitor).locator(".opening-name")).to_have_text("Double four-way points, opposite")
    visitor.page.keyboard.press("Home")
    first = row(visitor, "d6")
    expect(first).to_contain_text("+3")
    expect(first).to_contain_text("Four-way point")
    visitor.expect_no_overflow()


@pytest.mark.slow
def test_matches_with_bots_are_left_out_and_the_closed_panel_stays_closed(visit: Visit, server: ServerProcess) -> None:
    visitor = visit(360, 740)
    finish_match(visitor, "mingmang", ("b1-b2", "b8-b7"))
    wait_until_counted(visitor, "/openings/mingmang.json?people=1", "b1-b2")
    visitor.open("/analysis/mingmang")
    expect(row(visitor, "b1-b2").locator("td").nth(0)).to_have_text(re.compile("^[0-9]+$"))
    panel(visitor).get_by_role("checkbox").check()
    expect(row(visitor, "b1-b2").locator("td").nth(0)).to_have_text(re.compile("^[0-9]+$"))
    panel(visitor).locator("summary").first.click()
    expect(panel(visitor).get_by_role("checkbox")).to_be_hidden()
    visitor.page.reload()
    expect(panel(visitor)).not_to_have_attribute("open", "")
    visitor.expect_no_overflow()


def test_an_opening_is_practised_against_a_bot(visit: Visit, server: ServerProcess) -> None:
    visitor = visit().open("/analysis/morris")
    panel(visitor).get_by_text("Practise against a bot").click()
    opening = visitor.page.get_by_label("Opening to practise")
    opening.select_option(label="Double four-way points, adjacent: d6 d2 f4 b4")
    panel(visitor).get_by_label("Bot level").select_option("1")
    visitor.button("Play White").click()
    visitor.page.wait_for_url("**/match/*")
    visitor.expect_board({"d6": 0, "f4": 0, "d2": 1, "b4": 1})
    expect(visitor.seat(1).locator(".player-name")).to_contain_text("level 1")
    visitor.click("a1")
    expect(visitor.cell("a1")).to_have_attribute("data-seat", "0")


@pytest.mark.slow
def test_any_position_of_any_game_is_practised(visit: Visit, server: ServerProcess) -> None:
    visitor = visit().open("/analysis/battlesheep")
    panel(visitor).get_by_text("Practise against a bot").click()
    visitor.button("Play Red").click()
    visitor.page.wait_for_url("**/match/*")
    expect(visitor.page.locator(".match-page .board")).to_be_visible()
