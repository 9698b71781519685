"""Setting up positions by hand, by dragging and by clicks, in every game."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.visitor import Visit, Visitor
from tests.serving import ServerProcess

COMPOSED = '"type":"composed"'


def drag_piece(visitor: Visitor, name: str, cell: str) -> None:
    """Drag a piece from the palette onto a cell."""
    box = visitor.page.get_by_role("radio", name=name, exact=True).bounding_box()
    assert box is not None
    visitor.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    visitor.page.mouse.down()
    visitor.page.mouse.move(*visitor.centre_of(cell), steps=5)
    visitor.page.mouse.up()


def drag(visitor: Visitor, start: str, x: float, y: float) -> None:
    """Drag the piece on a cell to a point."""
    visitor.page.mouse.move(*visitor.centre_of(start))
    visitor.page.mouse.down()
    visitor.page.mouse.move(x, y, steps=5)
    visitor.page.mouse.up()


@pytest.mark.parametrize(
    ("game", "names", "cells"),
    [
        ("morris", ("White", "Black"), ("d6", "f4", "a1")),
        ("mingmang", ("Black", "White"), ("c3", "d4", "f6")),
        ("battlesheep", ("Red", "Blue"), ("c2", "d7", "c3")),
    ],
)
def test_pieces_are_dragged_onto_the_board_moved_and_dragged_off(
    visit: Visit, server: ServerProcess, game: str, names: tuple[str, str], cells: tuple[str, str, str]
) -> None:
    visitor = visit().open(f"/editor/{game}")
    expect(visitor.page.locator(".editor-page .board")).to_be_visible()
    visitor.button("Clear the board").click()
    visitor.expect_board({})
    if game == "battlesheep":
        visitor.page.get_by_label("Pieces in a stack").fill("5")
    drag_piece(visitor, names[0], cells[0])
    drag_piece(visitor, names[1], cells[1])
    visitor.expect_board({cells[0]: 0, cells[1]: 1})
    visitor.page.get_by_role("radio", name="Move pieces", exact=True).click()
    drag(visitor, cells[0], *visitor.centre_of(cells[2]))
    visitor.expect_board({cells[2]: 0, cells[1]: 1})
    drag(visitor, cells[1], 2, 400)
    visitor.expect_board({cells[2]: 0})
    visitor.page.get_by_role("radio", name=names[1], exact=True).click()
    visitor.cell(cells[0]).click()
    visitor.expect_board({cells[2]: 0, cells[0]: 1})
    visitor.page.get_by_label("To move").select_option(label=names[1])
    expect(visitor.button("Analyse this position")).to_be_enabled()
    visitor.button("Analyse this position").click()
    expect(visitor.page.locator(".analysis-status")).to_have_text(f"{names[1]} to move")
    visitor.expect_board({cells[2]: 0, cells[0]: 1})
    visitor.expect_no_overflow()


@pytest.mark.slow
def test_an_answer_about_an_earlier_position_is_ignored(visit: Visit) -> None:
    visitor = visit()
    held: list[Callable[[], None]] = []

    def route(page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        page.on_message(server.send)
        server.on_message(
            lambda text: held.append(partial(page.send, text)) if COMPOSED in str(text) else page.send(text)
        )

    visitor.page.route_web_socket("**/socket", route)
    visitor.open("/editor/mingmang")
    visitor.wait_until(lambda: len(held) == 1)
    visitor.page.get_by_label("To move").select_option(label="White")
    visitor.wait_until(lambda: len(held) == 2)
    earlier, later = held
    earlier()
    expect(visitor.button("Analyse this position")).to_be_disabled()
    later()
    expect(visitor.page.get_by_label("Position as text")).to_have_value(re.compile(r" w 0$"))
    expect(visitor.button("Analyse this position")).to_be_enabled()


def test_men_in_hand_are_chosen_and_an_invalid_position_is_explained(visit: Visit, server: ServerProcess) -> None:
    visitor = visit(360, 740).open("/analysis/morris?moves=d6+f4")
    visitor.expect_board({"d6": 0, "f4": 1})
    visitor.page.locator(".setup-box summary").click()
    visitor.page.get_by_role("link", name="Set up by hand").click()
    visitor.expect_board({"d6": 0, "f4": 1})
    text = visitor.page.get_by_label("Position as text")
    expect(text).to_have_value("....W........B.......... w 8 8")
    visitor.page.get_by_label("White: pieces in hand").fill("9")
    visitor.page.keyboard.press("Tab")
    expect(visitor.page.locator(".editor-page [role=status]")).to_contain_text("more than nine men")
    expect(visitor.button("Analyse this position")).to_be_disabled()
    visitor.page.get_by_role("radio", name="Remove pieces").click()
    visitor.cell("d6").click()
    expect(text).to_have_value(re.compile(r" w 9 8$"))
    visitor.expect_no_overflow()


def test_stacks_have_the_chosen_size_and_another_pasture_more_seats(visit: Visit, server: ServerProcess) -> None:
    visitor = visit().open("/editor/battlesheep?position=seats=4")
    expect(visitor.page.get_by_role("radio", name="Yellow")).to_be_visible()
    visitor.page.get_by_label("Pieces in a stack").fill("5")
    visitor.page.get_by_role("radio", name="Green").click()
    visitor.page.locator(".editor-page [data-cell]").first.click()
    expect(visitor.page.get_by_label("Position as text")).to_have_value(re.compile("g5"))
