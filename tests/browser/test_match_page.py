"""The match page: whole matches, every way to enter a move, the end and the rematch."""

import random
import re

import pytest
from playwright.sync_api import expect

from tests.browser.positions import ABOUT_TO_END, MEN_OF_MOVING, MOVING, WHITE_WINS
from tests.browser.sites import on_two_nodes_too
from tests.browser.visitor import OWN_BOTH, Visit, Visitor, begin_match
from tests.serving import ServerProcess

NEXT_CELLS_SCRIPT = """() => {
  if (document.querySelector('.status-panel[data-tone="over"]')) return ["over"];
  const marked = (mark) => [...document.querySelectorAll(`[data-marks~="${mark}"]`)].map((cell) => cell.dataset.cell);
  return ["take", "go", "pick"].map(marked).find((cells) => cells.length > 0);
}"""


def test_two_people_play_a_whole_match_while_a_third_watches(visit: Visit) -> None:
    white, black = begin_match(visit)
    watcher = visit().open(white.path)
    for ply, move in enumerate(WHITE_WINS.moves):
        (white, black)[ply % 2].play(move)
    for visitor in (white, black, watcher):
        expect(visitor.moves).to_have_text(WHITE_WINS.moves)
        expect(visitor.seat(0).locator(".score")).to_have_text("1")
        expect(visitor.seat(1).locator(".score")).to_have_text("0")
    expect(white.headline).to_have_text("You won")
    expect(black.headline).to_have_text("You lost")
    expect(watcher.headline).to_have_text(f"{watcher.name_of(0)} won")
    deed = "moved e5 to d5, closed a mill and took g7"
    expect(black.page.locator(".detail")).to_have_text(f"{black.name_of(0)} {deed}: you have 2 men left.")
    expect(white.page.locator(".detail")).to_have_text(f"You {deed}: {white.name_of(1)} has 2 men left.")
    for visitor in (white, black, watcher):
        visitor.expect_board(WHITE_WINS.men_at_the_end)


def test_a_match_against_a_bot_is_played_to_its_end(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    person = visit().open()
    person.page.locator('.bot-card[data-level="5"]').click()
    expect(person.page.locator(".match-page .board")).to_be_visible()
    chance = random.Random(3)
    while (cells := person.page.wait_for_function(NEXT_CELLS_SCRIPT).json_value()) != ["over"]:
        person.cell(chance.choice(cells)).click()
    expect(person.page.locator(".score")).to_have_count(2)
    path = person.path
    person.button("Rematch").click()
    person.page.wait_for_url(lambda url: not url.endswith(path))
    expect(person.page.locator(".status-panel")).not_to_have_attribute("data-tone", "over")


def test_a_bot_may_be_chosen_by_its_personality(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    person = visit().open()
    hunter = person.page.locator(".bot-card", has_text="The Hunter")
    expect(hunter).to_contain_text("takes whatever can be taken")
    hunter.click()
    expect(person.page.locator(".player-name", has_text="The Hunter Bot")).to_have_count(1)


def test_the_status_asks_for_a_man_to_take_and_only_marked_men_can_be_taken(visit: Visit) -> None:
    white = visit()
    white.open(white.create(ABOUT_TO_END, OWN_BOTH))
    white.click("g4")
    white.click("g7")
    expect(white.headline).to_have_text(re.compile("Take one of Black.s pieces"))
    white.cell("a7").click(force=True)
    expect(white.page.locator('[data-marks~="take"]')).to_have_count(3)
    white.expect_man("g7", 0)
    white.button("Undo").click()
    expect(white.page.locator('[data-marks~="take"]')).to_have_count(0)
    white.expect_man("g4", 0)
    white.play("g4-g7xd2")
    expect(white.headline).to_have_text("White won")


def test_on_a_shared_device_neither_player_is_called_you(visit: Visit) -> None:
    visitor = visit()
    visitor.open(visitor.create(seats=OWN_BOTH))
    for seat in (0, 1):
        expect(visitor.seat(seat).locator(".player-note")).to_be_visible()
        expect(visitor.seat(seat).locator(".seat-fact")).to_be_hidden()


def test_a_man_can_be_dragged(visit: Visit) -> None:
    person = visit()
    person.open(person.create(MOVING, OWN_BOTH))
    _drag(person, "a4", "b4")
    expect(person.moves).to_have_text(["a4-b4"])
    person.expect_man("b4", 0)


@pytest.mark.slow
def test_a_man_dropped_on_an_illegal_point_returns(visit: Visit) -> None:
    person = visit()
    person.open(person.create(MOVING, OWN_BOTH))
    _drag(person, "a4", "e3")
    person.expect_board(MEN_OF_MOVING)
    expect(person.moves).to_have_count(0)
    person.click("b4")
    expect(person.moves).to_have_text(["a4-b4"])


def _drag(person: Visitor, origin: str, target: str) -> None:
    mouse = person.page.mouse
    expect(person.cell(origin)).to_have_attribute("data-marks", "pick")
    mouse.move(*person.centre_of(origin))
    mouse.down()
    mouse.move(*person.centre_of(target), steps=6)
    mouse.up()


def test_a_match_can_be_played_by_the_keyboard_alone(visit: Visit) -> None:
    person = visit()
    person.open(person.create(MOVING, OWN_BOTH))
    expect(person.cell("a4")).to_have_attribute("data-marks", "pick")
    person.cell("a7").focus()
    keyboard = person.page.keyboard
    keyboard.press("ArrowDown")
    expect(person.cell("a4")).to_be_focused()
    keyboard.press("Enter")
    expect(person.cell("a4")).to_have_attribute("data-marks", "pick picked")
    keyboard.press("Escape")
    expect(person.cell("a4")).to_have_attribute("data-marks", "pick")
    keyboard.press("Space")
    keyboard.press("ArrowRight")
    expect(person.cell("b4")).to_be_focused()
    keyboard.press("Enter")
    expect(person.moves).to_have_text(["a4-b4"])
    expect(person.page.locator("#announcer")).to_contain_text("White moved a4 to b4")


@pytest.mark.slow
def test_only_one_cell_is_reached_by_the_tab_key(visit: Visit) -> None:
    person = visit()
    person.open(person.create())
    expect(person.page.locator('[data-cell][tabindex="0"]')).to_have_count(1)
    expect(person.cell("d6")).to_have_attribute("aria-label", "d6, empty")


def test_resigning_asks_once_more_in_the_page(visit: Visit) -> None:
    white, black = begin_match(visit, MOVING, moves=("a4-b4", "g4-f4"))
    white.button("Resign").click()
    white.button("Keep playing").click()
    white.resign()
    expect(black.headline).to_have_text("You won")


@on_two_nodes_too
def test_a_rematch_takes_both_players_to_the_next_match_with_seats_exchanged(visit: Visit) -> None:
    white, black = begin_match(visit, ABOUT_TO_END)
    path = white.path
    watcher = visit().open(white.path)
    white.play("g4-g7xd2")
    white.button("Rematch").click()
    black.button("Accept the rematch").click()
    for visitor, seat in ((white, 1), (black, 0)):
        visitor.page.wait_for_url(lambda url: not url.endswith(path))
        expect(visitor.seat(seat).locator(".player-note")).to_contain_text("you")
    assert white.path == black.path
    watcher.page.get_by_role("link", name="Watch the rematch").click()
    black.play("g4-g7xd2")
    expect(watcher.headline).to_have_text(f"{watcher.name_of(0)} won")


def test_a_fallen_flag_ends_the_match(visit: Visit) -> None:
    white, _ = begin_match(visit, MOVING, clock={"initial_ms": 1000, "increment_ms": 0}, moves=("a4-b4", "g4-f4"))
    expect(white.headline).to_have_text("You lost")
    expect(white.page.locator(".detail")).to_have_text("You lost on time.")
    expect(white.seat(0).locator(".clock")).to_have_text("0:00.0")
    expect(white.seat(1).locator(".clock")).to_have_text("0:01.0")
