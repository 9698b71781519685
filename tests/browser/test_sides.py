"""The side from which a board is seen: the reader's, where play begins with men on squares; and turning it."""

import re

from playwright.sync_api import expect

from tests.browser.visitor import Visit, Visitor


def expect_above(visitor: Visitor, upper: str, lower: str) -> None:
    """Wait until one cell is above another on the screen."""
    cells = [f'[data-cell="{name}"]' for name in (upper, lower)]
    visitor.page.wait_for_function(
        "cells => { const [one, other] = cells.map((each) => document.querySelector(each)?.getBoundingClientRect());"
        " return one?.top < other?.top; }",
        arg=cells,
    )


def test_the_second_player_of_ming_mang_has_their_men_at_the_bottom_in_play_and_in_the_analysis(visit: Visit) -> None:
    ann, ben = visit(), visit()
    path = ann.create(game="mingmang")
    ben.join(path)
    ann.open(path)
    expect_above(ann, "a8", "a1")
    expect_above(ben, "a1", "a8")
    labels = ben.page.locator(".board .label")
    expect(labels.filter(has_text=re.compile("^h$"))).to_be_visible()
    columns = [labels.filter(has_text=re.compile(f"^{name}$")).bounding_box() for name in "ah"]
    assert columns[0] is not None
    assert columns[1] is not None
    assert columns[0]["x"] > columns[1]["x"]
    ann.play("d1-d4")
    ben.expect_man("d4", 0)

    ben.page.keyboard.press("b")
    expect(ben.cell("a1")).to_be_focused()
    ben.page.keyboard.press("ArrowDown")
    expect(ben.cell("a2")).to_be_focused()
    ben.page.mouse.move(*ben.centre_of("c8"))
    ben.page.mouse.down()
    ben.page.mouse.move(*ben.centre_of("c6"), steps=4)
    ben.page.mouse.up()
    ann.expect_man("c6", 1)

    ben.page.keyboard.press("f")
    expect_above(ben, "a8", "a1")
    code = ben.page.get_by_label("HTML code")
    expect(code).not_to_have_value(re.compile("turned"))
    ben.button("Flip the board").click()
    expect_above(ben, "a1", "a8")
    expect(code).to_have_value(re.compile(rf"/embed/{path.removeprefix('/match/')}\?turned"))

    ben.resign()
    ben.open(path.replace("/match/", "/analysis/match/"))
    expect_above(ben, "a1", "a8")
    expect(ben.page.locator(".strips.below .seat-row")).to_have_attribute("data-seat", "1")
    ben.page.keyboard.press("f")
    expect_above(ben, "a8", "a1")
    expect(ben.page.locator(".strips.below .seat-row")).to_have_attribute("data-seat", "0")

    reader = visit()
    reader.page.goto(f"{reader.server.url}{path.replace('/match/', '/embed/')}?turned")
    expect_above(reader, "a1", "a8")
    reader.button("Flip the board").click()
    expect_above(reader, "a8", "a1")


def test_a_board_without_sides_is_the_same_for_both_players_until_it_is_turned(visit: Visit) -> None:
    ann, ben = visit(), visit()
    path = ann.create()
    ben.join(path)
    expect_above(ben, "a7", "a1")
    ben.page.keyboard.press("f")
    expect_above(ben, "a1", "a7")


def test_a_puzzle_can_be_turned(visit: Visit) -> None:
    visitor = visit().open("/puzzles/morris")
    expect_above(visitor, "a7", "a1")
    visitor.button("Flip the board").click()
    expect_above(visitor, "a1", "a7")
