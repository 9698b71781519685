"""The match page in windows of every kind: what a player needs is in sight, and nothing moves."""

import random
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import member
from tests.browser.lobby import banner, challenge
from tests.browser.positions import ABOUT_TO_END, MOVING, WHITE_WINS
from tests.browser.random_moves import OFFERED_SCRIPT, play_random_move
from tests.browser.visitor import OWN_BOTH, Visit, Visitor, begin_match

SIZES = [(1280, 800), (768, 1024), (740, 360), (640, 400), (360, 740)]
"""A computer, a tablet, a phone on its side, 1280x800 at 200%, and a phone."""

SITE_LINKS = ("Learn", "Puzzles", "Tournaments", "Watch", "Players", "Archive", "Analysis", "Leaders", "Settings")

_IS_IN_LIST_SCRIPT = """() => {
  const placeOf = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [list, move] = [".moves", ".move[aria-current]"].map(placeOf);
  return move.top >= list.top - 1 && move.bottom <= list.bottom + 1;
}"""

FOUR = [{"occupant": "me"}] * 4

NEEDED = (".board", ".seat-strip", ".clock", ".headline", ".actions > .button:not(.more-actions, .extra-action)")

_OUTSIDE_SCRIPT = """(selectors) => selectors.flatMap((selector) => [...document.querySelectorAll(selector)]
  .map((each) => [selector, each.getBoundingClientRect()])
  .filter(([, { left, top, right, bottom, width }]) =>
    width === 0 || left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
  .map(([name, { left, top, right, bottom }]) => `${name} ${[left, top, right, bottom].map(Math.round)}`))"""

_TOAST_SCRIPT = """() => {
  const toast = document.querySelector(".toast")?.getBoundingClientRect();
  const shown = [...document.querySelectorAll(".clock, .score, .headline")];
  const others = shown.map((each) => each.getBoundingClientRect());
  const isBeside = (other) => toast.left >= other.right || other.left >= toast.right;
  const isAboveOrBelow = (other) => toast.top >= other.bottom || other.top >= toast.bottom;
  return toast !== undefined && others.every((other) => isBeside(other) || isAboveOrBelow(other));
}"""
"""Whether a toast is shown, and covers neither clocks nor scores nor whose turn it is."""

_NAMES_SCRIPT = """() => [...document.querySelectorAll(".seat-strip .player-name")].every((name) => {
  const line = name.closest(".player-line").getBoundingClientRect();
  const { left, right, width } = name.getBoundingClientRect();
  return width > 0 && left >= line.left - 1 && right <= line.right + 1 && name.scrollWidth <= name.clientWidth + 1;
})"""

_SMALL_FIELDS_SCRIPT = """() => [...document.querySelectorAll("input, select, textarea")]
  .filter(({ type }) => !["checkbox", "radio", "range", "file"].includes(type))
  .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
  .map((field) => field.outerHTML.slice(0, 80))"""
"""Lists the fields that make a telephone zoom in when they are tapped."""

_APART_SCRIPT = """(selector) => {
  const shown = [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
  const boxes = shown.filter(({ width }) => width > 1);
  return boxes.every((one, index) => boxes.slice(index + 1).every((other) =>
    one.left > other.right - 1 || other.left > one.right - 1 || one.top >= other.bottom || other.top >= one.bottom));
}"""


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize(
    ("game", "setup", "seats"),
    [("morris", MOVING, OWN_BOTH), ("mingmang", "", OWN_BOTH), ("battlesheep", "seats=4", FOUR)],
)
def test_board_clocks_status_and_actions_fit_the_window(
    visit: Visit, game: str, setup: str, seats: list[dict[str, str]], width: int, height: int
) -> None:
    visitor = _open(visit, game, setup, seats, width, height)
    outside = visitor.page.evaluate(_OUTSIDE_SCRIPT, list(NEEDED))
    assert outside == []
    visitor.expect_no_overflow()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_current_move_is_in_sight_and_the_board_stays_where_it_is(visit: Visit, width: int, height: int) -> None:
    visitor = _open(visit, "morris", "", OWN_BOTH, width, height)
    before = visitor.page.locator(".board").bounding_box()
    for move in ("d6", "b4", "b6", "e5", "f6xb4"):
        visitor.play(move)
    expect(visitor.page.locator(".move[aria-current]")).to_be_in_viewport()
    visitor.wait_until(lambda: visitor.page.locator(".board").bounding_box() == before)
    expect(visitor.seat(0).get_by_label("1 taken")).to_be_visible()


@pytest.mark.slow
def test_the_current_move_stays_in_sight_when_a_note_leaves_the_list_less_room(visit: Visit) -> None:
    visitor = _open(visit, "morris", "", OWN_BOTH, 1000, 620)
    for move in WHITE_WINS.moves[:16]:
        visitor.play(move)
    for cell in ("e4", "a4", "d5", "e5"):
        visitor.click(cell)
    expect(visitor.headline).to_contain_text("Take one")
    visitor.page.wait_for_function(_IS_IN_LIST_SCRIPT)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_result_and_every_next_step_are_in_sight(visit: Visit, width: int, height: int) -> None:
    seats: list[dict[str, Any]] = [{"occupant": "me"}, {"occupant": "bot", "level": 1}]
    visitor = _open(visit, "morris", ABOUT_TO_END, seats, width, height)
    visitor.play("g4-g7xd2")
    expect(visitor.headline).to_have_text("You won")
    for name in ("Level 2", "Rematch"):
        expect(visitor.button(name)).to_be_in_viewport(ratio=1)
    outside = visitor.page.evaluate(_OUTSIDE_SCRIPT, [*NEEDED, ".detail", ".move[aria-current]"])
    assert outside == []
    visitor.expect_no_overflow()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_everything_fits_while_a_beginner_chooses_the_number_of_pieces(visit: Visit, width: int, height: int) -> None:
    visitor, chance = _open(visit, "battlesheep", "", OWN_BOTH, width, height), random.Random(1)
    for _ in range(2):
        play_random_move(visitor, chance)
    for _ in range(2):
        cells = visitor.page.wait_for_function(OFFERED_SCRIPT, arg=None).json_value()
        visitor.cell(chance.choice(cells)).click()
    expect(visitor.page.get_by_role("slider", name="Number of pieces")).to_be_visible()
    outside = visitor.page.evaluate(_OUTSIDE_SCRIPT, [*NEEDED, ".choice-panel > *"])
    assert outside == []
    visitor.expect_no_overflow()


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("game", ["morris", "battlesheep"])
def test_board_and_seats_of_an_analysis_fit_the_window(visit: Visit, game: str, width: int, height: int) -> None:
    visitor = visit(width, height).open(f"/analysis/{game}")
    expect(visitor.page.locator(".seat-row")).to_have_count(2)
    visitor.wait_until(lambda: visitor.page.evaluate(_OUTSIDE_SCRIPT, [".board", ".seat-row"]) == [])
    visitor.expect_no_overflow()


@pytest.mark.slow
def test_the_move_list_keeps_five_rows_beside_a_chat(visit: Visit) -> None:
    white, _ = begin_match(visit, MOVING)
    white.play("a4-b4")
    expect(white.page.locator(".chat-form")).to_be_visible()
    white.page.wait_for_function(
        "() => document.querySelector('.moves').clientHeight >= 5 * document.querySelector('.move-row').clientHeight"
    )


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_names_of_four_players_can_be_read(visit: Visit, width: int, height: int) -> None:
    bots = [{"occupant": "bot", "level": level} for level in (1, 2, 3)]
    visitor = _open(visit, "battlesheep", "seats=4", [{"occupant": "me"}, *bots], width, height)
    visitor.page.wait_for_function(_NAMES_SCRIPT)


def test_nothing_moves_when_a_challenge_appears(visit: Visit) -> None:
    (host, name), rival = member(visit), visit().open()
    host.open(host.create(MOVING, [dict(seat) for seat in OWN_BOTH]))
    before = host.page.locator(".board").bounding_box()
    challenge(rival, name)
    expect(banner(host)).to_be_visible()
    host.wait_until(lambda: host.page.locator(".board").bounding_box() == before)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_toast_covers_neither_clocks_nor_whose_turn_it_is(visit: Visit, width: int, height: int) -> None:
    visitor = _open(visit, "morris", MOVING, OWN_BOTH, width, height)
    visitor.cell("g7").click(force=True)
    visitor.page.wait_for_function(_TOAST_SCRIPT)


@pytest.mark.parametrize("path", ["/", "/settings", "/analysis", "/archive", "/players", "/account", "/leaders", ""])
def test_no_field_makes_a_phone_zoom_in(visit: Visit, path: str) -> None:
    visitor = visit(360, 740)
    visitor.open(path or visitor.create(MOVING))
    expect(visitor.page.locator("h1" if path else ".invite .invite-link").first).to_be_visible()
    visitor.wait_until(lambda: visitor.page.evaluate(_SMALL_FIELDS_SCRIPT) == [])


@pytest.mark.slow
@pytest.mark.parametrize(("width", "is_folded"), [(850, False), (768, True)])
def test_every_link_of_the_site_is_in_sight_or_in_the_menu(visit: Visit, width: int, *, is_folded: bool) -> None:
    visitor = visit(width, 1024).open()
    if is_folded:
        visitor.button("Menu").click()
    links = visitor.page.locator("#site-links")
    for name in SITE_LINKS:
        expect(links.get_by_role("link", name=name, exact=True)).to_be_in_viewport(ratio=1)
    visitor.expect_no_overflow()


@pytest.mark.parametrize("width", [1280, 1241, 1120, 981, 861, 768, 740, 720, 640, 360])
def test_nothing_in_the_header_lies_on_anything_else(visit: Visit, width: int) -> None:
    visitor, _ = member(visit, width)
    expect(visitor.page.locator(".theme-button")).to_be_visible()
    visitor.page.wait_for_function(_APART_SCRIPT, arg=".site-header :is(.brand, .site-menu, nav a, button)")
    visitor.expect_no_overflow()


def test_a_phone_shows_the_links_in_a_menu(visit: Visit) -> None:
    visitor = visit(360, 740).open()
    links = visitor.page.locator("#site-links")
    expect(links).to_be_hidden()
    visitor.button("Menu").click()
    expect(links).to_be_visible()
    links.get_by_role("link", name="Archive").click()
    visitor.page.wait_for_url("**/archive")
    expect(links).to_be_hidden()


def _open(visit: Visit, game: str, setup: str, seats: list[dict[str, Any]], width: int, height: int) -> Visitor:
    visitor = visit(width, height)
    clock = {"initial_ms": 300_000, "increment_ms": 2_000}
    visitor.open(visitor.create(setup, [dict(seat) for seat in seats], clock, game))
    for seat in range(len(seats)):
        expect(visitor.seat(seat).locator(".clock")).to_be_visible()
    return visitor
