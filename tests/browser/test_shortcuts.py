"""The keyboard shortcuts, and the sheet that lists them."""

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import expect_accessible
from tests.browser.positions import MOVING
from tests.browser.visitor import OWN_BOTH, Visit


def test_the_sheet_lists_the_shortcuts_of_the_page_and_returns_the_focus(visit: Visit) -> None:
    player = visit()
    player.open(player.create(MOVING, OWN_BOTH))
    keyboard, sheet = player.page.keyboard, player.page.get_by_role("dialog", name="Keyboard shortcuts")
    player.cell("a4").focus()
    keyboard.press("?")
    expect(sheet).to_be_visible()
    expect(sheet.get_by_role("button", name="Close")).to_be_focused()
    for label in ("Type a move", "Flip the board", "One move back", "Show the keyboard shortcuts"):
        expect(sheet.get_by_role("definition").filter(has_text=label).first).to_be_visible()
    expect_accessible(player)
    keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(player.cell("a4")).to_be_focused()
    player.open("/archive").page.keyboard.press("?")
    expect(sheet).to_be_visible()
    expect(sheet.get_by_text("Type a move")).to_have_count(0)


def test_shortcuts_of_one_character_can_be_turned_off(visit: Visit) -> None:
    player = visit()
    player.open(player.create(MOVING, OWN_BOTH))
    player.page.get_by_role("button", name="Keyboard shortcuts").click()
    sheet = player.page.get_by_role("dialog", name="Keyboard shortcuts")
    sheet.get_by_label("Use single-key shortcuts").uncheck()
    sheet.get_by_role("button", name="Close").click()
    keyboard, field = player.page.keyboard, player.page.get_by_label("Type a move")
    keyboard.press("m")
    keyboard.press("?")
    player.play("a4-b4")
    expect(field).not_to_be_focused()
    expect(sheet).to_have_count(0)
    keyboard.press("Home")
    expect(player.page.locator(".past-note")).to_be_visible()
    player.open(player.path)
    keyboard.press("?")
    expect(player.page.get_by_role("button", name="Keyboard shortcuts")).to_be_visible()
    expect(sheet).to_have_count(0)


def test_keys_reach_the_board_the_field_and_the_moves(visit: Visit) -> None:
    player = visit()
    player.open(player.create(MOVING, OWN_BOTH))
    player.play("a4-b4")
    keyboard = player.page.keyboard
    keyboard.press("b")
    expect(player.page.locator("[data-cell]:focus")).to_have_count(1)
    keyboard.press("m")
    expect(player.page.get_by_label("Type a move")).to_be_focused()
    before = player.centre_of("a1")
    player.page.locator("body").click(position={"x": 5, "y": 5})
    keyboard.press("f")
    player.wait_until(lambda: player.centre_of("a1") != before)


_KEY_SCRIPT = """([key, code, modifiers]) => document.body.dispatchEvent(
  new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true, ...modifiers }),
)"""


@pytest.mark.parametrize(
    ("key", "code", "modifiers"),
    [
        ("M", "KeyM", {}),
        ("ь", "KeyM", {}),
        ("Ж", "KeyM", {"shiftKey": True}),
        ("m", "Semicolon", {}),
        ("m", "KeyM", {"ctrlKey": True, "modifierAltGraph": True}),
        ("\uff4d", "KeyM", {}),
    ],
    ids=["capitals", "Russian", "Russian capitals", "French", "third level", "full width"],
)
def test_a_shortcut_works_on_every_layout(visit: Visit, key: str, code: str, modifiers: dict[str, bool]) -> None:
    player = visit()
    player.open(player.create(MOVING, OWN_BOTH))
    expect(player.cell("a4")).to_have_attribute("data-marks", "pick")
    player.page.evaluate(_KEY_SCRIPT, [key, code, modifiers])
    expect(player.page.get_by_label("Type a move")).to_be_focused()


@pytest.mark.slow
@pytest.mark.parametrize("key", ["\u061f", "\uff1f"], ids=["Arabic", "full width"])
def test_question_marks_of_other_scripts_open_the_sheet(visit: Visit, key: str) -> None:
    player = visit()
    player.open(player.create(MOVING, OWN_BOTH))
    player.page.evaluate(_KEY_SCRIPT, [key, "Slash", {"shiftKey": True}])
    expect(player.page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


@pytest.mark.slow
def test_digits_and_letters_of_other_layouts_are_no_other_shortcuts(visit: Visit) -> None:
    player = visit()
    player.open(player.create("r5,0,0,b3/0,b4,0,0/.,0,r2,0 r 2", OWN_BOTH, game="battlesheep"))
    player.click("a1")
    player.click("c1")
    chosen = player.page.get_by_role("spinbutton", name="Number of pieces")
    player.page.evaluate(_KEY_SCRIPT, ["é", "Digit2", {}])
    expect(chosen).to_have_value("2")
    player.page.evaluate(_KEY_SCRIPT, ["f", "KeyM", {}])
    expect(player.page.get_by_label("Type a move")).not_to_be_focused()
