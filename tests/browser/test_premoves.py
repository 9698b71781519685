"""Premoves: entered during the opponent's turn, played in order, completed by the reader or dropped."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.positions import MOVING, position_text
from tests.browser.visitor import Visit, Visitor, begin_match

PLANNED = re.compile(r"\bplanned\b")

MILL_TO_CLOSE = position_text("""
    o-----------o-----------B
    |   W-------o-------o   |
    |   |   W---o---o   |   |
    W---o---o       o---o---B
    |   |   o---o---o   |   |
    |   o-------o-------B   |
    W-----------B-----------o
""")
"""White moves. Black can then close a mill by d1-g1."""


PIECE_TO_TAKE = position_text(
    """
    W-----------o-----------W
    |   o-------o-------o   |
    |   |   o---o---o   |   |
    B---o---o       o---o---B
    |   |   o---o---o   |   |
    |   o-------B-------o   |
    o-----------W-----------o
""",
    in_hand=(3, 3),
)
"""White moves, and closes a mill by d7."""


def begin(visit: Visit, setup: str = MOVING) -> tuple[Visitor, Visitor]:
    """Return White, who is to move, and Black, at the same match."""
    white, black = begin_match(visit, setup)
    expect(white.headline).to_have_text("Your turn")
    expect(black.headline).to_have_text(f"Waiting for {black.name_of(0)}")
    return white, black


def plan(visitor: Visitor, *cells: str) -> None:
    """Click cells, which no move leads to now."""
    for cell in cells:
        visitor.cell(cell).click()


def enter(visitor: Visitor, *cells: str) -> None:
    """Enter a move, which a premove may answer before it is seen in the list."""
    for cell in cells:
        visitor.click(cell)


def note(visitor: Visitor) -> Locator:
    return visitor.page.locator(".premove-note")


def test_a_planned_move_is_made_when_the_turn_comes(visit: Visit) -> None:
    white, black = begin(visit)
    plan(black, "g4", "f4")
    for cell in ("g4", "f4"):
        expect(black.cell(cell)).to_have_attribute("data-marks", PLANNED)
    expect(note(black)).to_contain_text("Premove: g4-f4.")
    enter(white, "a4", "b4")
    for visitor in (white, black):
        expect(visitor.moves).to_have_text(["a4-b4", "g4-f4"])
    expect(note(black)).to_be_hidden()


def test_an_illegal_planned_move_is_dropped_with_an_explanation(visit: Visit) -> None:
    white, black = begin(visit)
    plan(black, "g4", "a7")
    expect(note(black)).to_contain_text("Premove: g4-a7.")
    enter(white, "a4", "b4")
    expect(black.headline).to_have_text("Your turn")
    expect(note(black)).to_contain_text("Premove g4-a7 is not possible.")
    black.play("g4-f4")
    expect(note(black)).to_be_hidden()


@pytest.mark.parametrize(
    ("cells", "ways"),
    [
        (["g4"], ["Escape", "right click", "Cancel premove", "again"]),
        (["g4", "f4", "b6", "d6"], ["Escape", "right click", "Cancel premoves", "a tap on an empty place"]),
    ],
    ids=["half of one", "two"],
)
def test_premoves_are_cancelled_together(visit: Visit, cells: list[str], ways: list[str]) -> None:
    _, black = begin(visit)
    for way in ways:
        black.cell(cells[0]).focus()
        black.page.keyboard.press("Enter")
        plan(black, *cells[1:])
        if cells[1:]:
            expect(note(black)).to_contain_text("Premoves")
        expect(black.cell("g4")).to_have_attribute("data-marks", PLANNED)
        match way:
            case "Escape":
                black.page.keyboard.press("Escape")
            case "right click":
                black.cell("d5").click(button="right")
            case "again" | "a tap on an empty place":
                black.cell("g4" if way == "again" else "e3").click()
            case _:
                black.button(way).click()
        expect(black.cell("g4")).not_to_have_attribute("data-marks", PLANNED)
        expect(note(black)).to_be_hidden()
        expect(black.page.locator(".planned-piece")).to_have_count(0)


def test_several_premoves_are_shown_and_played_in_order(visit: Visit) -> None:
    white, black = begin(visit)
    plan(black, "g4", "f4", "f4", "e4", "b6", "d6")
    expect(note(black)).to_contain_text("Premoves: g4-f4, then f4-e4, then b6-d6.")
    expect(black.page.locator(".planned-number")).to_have_text(["1", "2", "3"])
    expect(black.page.locator(".planned-piece")).to_have_count(3)
    enter(white, "a4", "b4")
    expect(white.moves).to_have_text(["a4-b4", "g4-f4"])
    expect(note(black)).to_contain_text("Premoves: f4-e4, then b6-d6.")
    enter(white, "b4", "a4")
    expect(white.moves).to_have_text(["a4-b4", "g4-f4", "b4-a4", "f4-e4"])
    enter(white, "a4", "b4")
    expect(white.moves).to_have_text(["a4-b4", "g4-f4", "b4-a4", "f4-e4", "a4-b4", "b6-d6"])
    expect(note(black)).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("way", ["click", "drag"])
def test_a_piece_picked_up_for_a_premove_stays_so_when_the_turn_comes(visit: Visit, way: str) -> None:
    white, black = begin(visit)
    mouse = black.page.mouse
    if way == "click":
        plan(black, "g4")
    else:
        mouse.move(*black.centre_of("g4"))
        mouse.down()
        mouse.move(*black.centre_of("f4"), steps=6)
    expect(note(black)).to_contain_text("Premove: g4.")
    enter(white, "a4", "b4")
    expect(black.moves).to_have_text(["a4-b4"])
    expect(note(black)).to_be_hidden()
    expect(black.cell("g4")).to_have_attribute("data-marks", re.compile("picked"))
    if way == "click":
        black.click("f4")
    else:
        mouse.up()
    expect(white.moves).to_have_text(["a4-b4", "g4-f4"])


@pytest.mark.slow
def test_a_piece_picked_up_after_a_premove_stays_so_when_that_is_played(visit: Visit) -> None:
    white, black = begin(visit)
    plan(black, "g4", "f4", "b6")
    enter(white, "a4", "b4")
    expect(black.moves).to_have_text(["a4-b4", "g4-f4"])
    expect(note(black)).to_contain_text("Premove: b6.")
    enter(white, "b4", "a4")
    expect(note(black)).to_be_hidden()
    black.click("d6")
    expect(white.moves).to_have_text(["a4-b4", "g4-f4", "b4-a4", "b6-d6"])


@pytest.mark.slow
@pytest.mark.parametrize("origin", ["a4", "d2"], ids=["taken", "not to be moved yet"])
def test_a_piece_that_cannot_move_when_the_turn_comes_is_put_down(visit: Visit, origin: str) -> None:
    white, black = begin(visit, PIECE_TO_TAKE)
    mouse = black.page.mouse
    mouse.move(*black.centre_of(origin))
    mouse.down()
    mouse.move(*black.centre_of("f4"), steps=6)
    expect(note(black)).to_contain_text(f"Premove: {origin}.")
    enter(white, "d7", "a4")
    expect(black.headline).to_have_text("Your turn")
    expect(note(black)).to_be_hidden()
    expect(black.cell("f4")).to_have_attribute("data-marks", "go")
    mouse.up()
    black.click("b2")
    expect(white.moves).to_have_text(["d7xa4", "b2"])


def test_men_are_placed_by_premoves(visit: Visit) -> None:
    white, black = begin(visit, "")
    plan(black, "f4", "b4")
    expect(note(black)).to_contain_text("Premoves: f4, then b4.")
    enter(white, "d6")
    expect(white.moves).to_have_text(["d6", "f4"])
    enter(white, "d7")
    expect(white.moves).to_have_text(["d6", "f4", "d7", "b4"])


def test_all_premoves_are_dropped_when_one_is_not_possible(visit: Visit) -> None:
    white, black = begin(visit)
    plan(black, "g4", "a7", "b6", "d6")
    enter(white, "a4", "b4")
    expect(note(black)).to_contain_text("Premove g4-a7 is not possible. The next premove is cancelled too.")
    expect(black.page.locator(".planned-piece")).to_have_count(0)
    black.play("g4-f4")
    enter(white, "b4", "a4")
    expect(black.headline).to_have_text("Your turn")
    expect(black.moves).to_have_count(3)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 740), (740, 360)])
def test_a_premove_that_closes_a_mill_asks_for_the_man_to_take(visit: Visit, width: int, height: int) -> None:
    white, black = begin(visit, MILL_TO_CLOSE)
    black.page.set_viewport_size({"width": width, "height": height})
    plan(black, "d1", "g1")
    enter(white, "a4", "b4")
    expect(black.headline).to_have_text(re.compile(f"Take one of {black.name_of(0)}.s pieces"))
    black.expect_man("g1", 1)
    black.expect_empty("d1")
    expect(black.page.locator(".light-line")).to_have_count(1)
    expect(black.page.locator("#announcer")).to_contain_text("Take one of")
    black.click("c5")
    expect(white.moves).to_have_text(["a4-b4", "d1-g1xc5"])


@pytest.mark.slow
def test_premoves_after_one_that_needs_a_man_to_take_are_played_later(visit: Visit) -> None:
    white, black = begin(visit, MILL_TO_CLOSE)
    plan(black, "d1", "g1", "f2", "d2")
    enter(white, "a4", "b4")
    black.click("c5")
    expect(white.moves).to_have_text(["a4-b4", "d1-g1xc5"])
    enter(white, "b4", "a4")
    expect(white.moves).to_have_text(["a4-b4", "d1-g1xc5", "b4-a4", "f2-d2"])


@pytest.mark.slow
def test_undoing_the_half_made_move_drops_the_later_premoves(visit: Visit) -> None:
    white, black = begin(visit, MILL_TO_CLOSE)
    plan(black, "d1", "g1", "f2", "d2")
    enter(white, "a4", "b4")
    expect(black.headline).to_have_text(re.compile(f"Take one of {black.name_of(0)}.s pieces"))
    black.button("Undo").click()
    expect(black.headline).to_have_text("Your turn")
    expect(note(black)).to_be_hidden()


def test_the_man_to_take_can_be_named_in_advance(visit: Visit) -> None:
    white, black = begin(visit, MILL_TO_CLOSE)
    plan(black, "d1", "g1", "b6")
    expect(note(black)).to_contain_text("Premove: d1-g1-b6.")
    enter(white, "a4", "b4")
    expect(white.moves).to_have_text(["a4-b4", "d1-g1xb6"])
