"""Whole matches of each game by the keyboard alone, and through the screen reader's tree; moves that are typed."""

import random
import re

import pytest
from playwright.sync_api import expect

from tests.browser.keyboard import Keyboard
from tests.browser.positions import ABOUT_TO_END, PASTURE_FOR_FOUR, WHITE_WINS
from tests.browser.screen_reader import ScreenReader
from tests.browser.visitor import CLICKABLE, OWN_BOTH, Visit, Visitor

OWN_FOUR = [{"occupant": "me"}] * 4
CAN_BE_CHOSEN = "can be picked up|can go here|can be taken"
OVER = re.compile(r" won$|^Draw|share the win$")

OFFERED_SCRIPT = """() => {
  if (document.querySelector('.status-panel[data-tone="over"]')) return ["over"];
  if (document.querySelector(".choice-panel .primary")) return ["number"];
  const marked = (mark) => [...document.querySelectorAll(`[data-marks~="${mark}"]`)].map((cell) => cell.dataset.cell);
  return ["go", "pick"].map(marked).find((cells) => cells.length > 0);
}"""


def open_match(visit: Visit, game: str, setup: str = "", seats: list[dict[str, str]] = OWN_BOTH) -> Visitor:
    visitor = visit()
    visitor.open(visitor.create(setup, [dict(seat) for seat in seats], game=game))
    expect(visitor.page.locator('[data-marks~="pick"], [data-marks~="go"]').first).to_be_visible()
    return visitor


@pytest.mark.slow
def test_a_whole_match_of_nine_mens_morris_by_the_keyboard(visit: Visit) -> None:
    player = open_match(visit, "morris")
    keyboard = Keyboard(player)
    for count, move in enumerate(WHITE_WINS.moves, 1):
        for cell in re.split("[-x]", move):
            expect(player.cell(cell)).to_have_attribute("data-marks", CLICKABLE)
            keyboard.choose(cell)
        expect(player.moves).to_have_count(count)
    expect(player.headline).to_have_text("White won")


@pytest.mark.slow
def test_a_whole_match_of_ming_mang_by_the_keyboard(visit: Visit) -> None:
    player = open_match(visit, "mingmang")
    keyboard = Keyboard(player)
    chance = random.Random(1)
    for count in range(1, 7):
        for _ in range(2):
            cells = player.page.wait_for_function(OFFERED_SCRIPT).json_value()
            keyboard.choose(chance.choice(cells))
        expect(player.moves).to_have_count(count)
    for count in (7, 8):
        keyboard.type_move("pass")
        expect(player.moves).to_have_count(count)
    expect(player.headline).to_have_text(OVER)


@pytest.mark.slow
def test_a_whole_match_of_battle_sheep_by_the_keyboard(visit: Visit) -> None:
    player = open_match(visit, "battlesheep", PASTURE_FOR_FOUR, OWN_FOUR)
    keyboard = Keyboard(player)
    chance = random.Random(4)
    while (offered := player.page.wait_for_function(OFFERED_SCRIPT).json_value()) != ["over"]:
        if offered == ["number"]:
            keyboard.press("ArrowUp", "ArrowDown", "Enter")
        else:
            keyboard.choose(chance.choice(offered))
    expect(player.headline).to_have_text(OVER)


def test_a_whole_match_of_nine_mens_morris_through_the_screen_readers_tree(visit: Visit) -> None:
    reader = ScreenReader(open_match(visit, "morris"))
    for move in WHITE_WINS.moves:
        for cell in re.split("[-x]", move):
            reader.press(reader.wait_for("button", rf"^{cell}, .*({CAN_BE_CHOSEN})")[0])
        reader.wait_for("button", rf"^{re.escape(move)}$")
    reader.wait_for("heading", "^White won$")


@pytest.mark.slow
def test_a_whole_match_of_ming_mang_through_the_screen_readers_tree(visit: Visit) -> None:
    reader = ScreenReader(open_match(visit, "mingmang"))
    chance = random.Random(2)
    for mover in ("Black", "White", "Black", "White"):
        reader.press(chance.choice(reader.wait_for("button", f"^[a-h][1-8], {mover}.*can be picked up")))
        reader.press(chance.choice(reader.wait_for("button", "can go here")))
    for mover in ("Black", "White"):
        reader.wait_for("heading", f"^{mover} to move$")
        reader.press(reader.wait_for("button", "^Pass$")[0])
    reader.wait_for("heading", OVER.pattern)


@pytest.mark.slow
def test_a_whole_match_of_battle_sheep_through_the_screen_readers_tree(visit: Visit) -> None:
    reader = ScreenReader(open_match(visit, "battlesheep", PASTURE_FOR_FOUR, OWN_FOUR))
    chance = random.Random(6)
    while not reader.find("heading", OVER.pattern):
        for name in ("^Move$", "can go here", "can be picked up"):
            if offered := reader.find("button", name):
                reader.press(chance.choice(offered))
                break


def test_a_typed_move_is_played_or_explained(visit: Visit) -> None:
    player = open_match(visit, "morris", ABOUT_TO_END)
    field, fault = player.page.get_by_label("Type a move"), player.page.locator(".move-box .error-text")
    player.page.keyboard.press("m")
    expect(field).to_be_focused()
    player.page.keyboard.type("z9")
    player.page.keyboard.press("Enter")
    expect(fault).to_contain_text("“z9” is not a legal move now. Type a move such as ")
    expect(fault).to_be_in_viewport(ratio=1)
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("g4 g7")
    player.page.keyboard.press("Enter")
    expect(fault).to_be_hidden()
    expect(player.headline).to_have_text(re.compile("Take one"))
    field.fill("G4-G7xD2")
    player.page.keyboard.press("Enter")
    expect(player.moves).to_have_text(["g4-g7xd2"])
    expect(player.headline).to_have_text("White won")
    expect(field).to_be_hidden()
