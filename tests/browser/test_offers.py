"""Offers in the page: draws, takebacks, pauses, extra time, rematches."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.sites import on_two_nodes_too
from tests.browser.visitor import Visit, Visitor

CLOCK = {"initial_ms": 600_000, "increment_ms": 0}
OPEN_TO_ALL = [{"occupant": "me"}, {"occupant": "open"}, {"occupant": "open"}, {"occupant": "open"}]
WIDE_FOR_FOUR = "r16,0,0,0/b16,0,0,0/g16,0,0,0/y16,0,0,0 r 4"
_FIT_ONE_ROW_SCRIPT = """() => {
  const shown = [...document.querySelectorAll(".actions :is(button, a)")].filter((each) => each.checkVisibility());
  const boxes = shown.map((each) => each.getBoundingClientRect());
  return boxes.length === 4 && new Set(boxes.map(({ top, bottom }) => Math.round((top + bottom) / 2))).size === 1;
}"""


def begin(visit: Visit, *moves: str, **window: Any) -> tuple[Visitor, Visitor]:
    """Return the players of a timed match in which these moves have been made."""
    white, black = visit(**window), visit(**window)
    path = white.create(clock=CLOCK)
    white.open(path)
    black.join(path)
    for ply, move in enumerate(moves):
        (white, black)[ply % 2].play(move)
    for player in (white, black):
        expect(player.moves).to_have_count(len(moves))
    return white, black


def offers(visitor: Visitor) -> Locator:
    return visitor.page.locator(".offer-text")


@on_two_nodes_too
def test_a_draw_is_offered_and_agreed(visit: Visit) -> None:
    white, black = begin(visit, "d6", "f4")
    white.button("Offer a draw").click()
    expect(offers(white)).to_have_text("You offered a draw.")
    expect(offers(black)).to_have_text(f"{white.name_of(0)} offers a draw.")
    expect(black.page.locator("#announcer")).to_contain_text(f"{white.name_of(0)} offers a draw.")
    black.button(f"Accept: {white.name_of(0)} offers a draw.").click()
    for player in (white, black):
        expect(player.headline).to_have_text("Draw")
        expect(offers(player)).to_have_count(0)


@pytest.mark.slow
def test_a_declined_draw_is_announced(visit: Visit) -> None:
    white, black = begin(visit, "d6", "f4")
    white.button("Offer a draw").click()
    black.button(f"Decline: {white.name_of(0)} offers a draw.").press("Enter")
    white.expect_told(f"{white.name_of(1)} declined a draw.")
    expect(offers(white)).to_have_count(0)
    white.button("Offer a draw").click()
    white.expect_told("recently")


def test_a_move_answers_an_offer(visit: Visit) -> None:
    white, black = begin(visit, "d6", "f4", "a7")
    white.button("Offer a draw").click()
    expect(offers(black)).to_have_text(f"{white.name_of(0)} offers a draw.")
    black.play("g7")
    expect(offers(black)).to_have_count(0)
    expect(offers(white)).to_have_count(0)
    white.expect_told(f"{white.name_of(1)} moved: your draw offer has expired.")


@on_two_nodes_too
def test_a_move_is_taken_back_and_another_one_is_played(visit: Visit) -> None:
    white, black = begin(visit, "d6", "f4", "a7")
    white.button("Ask for a takeback").click()
    black.button(f"Accept: {white.name_of(0)} asks for a takeback.").click()
    for player in (white, black):
        expect(player.moves).to_have_text(["d6", "f4"])
        expect(player.cell("a7")).to_have_attribute("data-seat", "")
    expect(white.headline).to_have_text("Your turn")
    white.play("g1")
    for player in (white, black):
        expect(player.moves).to_have_text(["d6", "f4", "g1"])


def test_a_bot_grants_a_takeback_at_once(visit: Visit) -> None:
    player = visit()
    player.server.wait_for_bots()
    player.open(player.create(seats=[{"occupant": "me"}, {"occupant": "bot", "level": 1}]))
    player.click("d6")
    expect(player.moves).to_have_count(2)
    expect(player.headline).to_have_text("Your turn")
    player.button("Ask for a takeback").click()
    expect(player.moves).to_have_count(0)
    expect(player.headline).to_have_text("Your turn")


def test_a_pause_is_agreed_and_ended_by_either(visit: Visit) -> None:
    white, black = begin(visit, "d6", "f4")
    white.button("Ask for a pause").click()
    black.button(f"Accept: {white.name_of(0)} asks for a pause.").click()
    for player in (white, black):
        expect(player.headline).to_have_text("Paused")
        expect(player.page.locator(".clock.running")).to_have_count(0)
    expect(white.cell("a7")).not_to_have_attribute("data-marks", re.compile(r"\bgo\b"))
    white.page.reload()
    expect(white.headline).to_have_text("Paused")
    black.button("Resume play").click()
    expect(white.headline).to_have_text("Your turn")
    white.play("a7")
    expect(black.headline).to_have_text("Your turn")


def test_time_is_given_to_the_opponent(visit: Visit) -> None:
    white, black = begin(visit, "d6", "f4")
    for _ in range(5):
        white.button("Give +15 s").click()
    black.expect_told(f"{white.name_of(0)} gave you 15 seconds.")
    expect(white.seat(1).locator(".clock")).to_have_text(re.compile(r"^1[01]:"))


@pytest.mark.slow
def test_a_rematch_is_declined(visit: Visit) -> None:
    white, black = begin(visit, "d6", "f4")
    white.resign()
    white.button("Rematch").click()
    expect(offers(black)).to_have_text(f"{white.name_of(0)} offers a rematch.")
    black.button("Decline").click()
    white.expect_told(f"{white.name_of(1)} declined the rematch.")
    expect(white.button("Rematch")).to_be_visible()


def test_among_four_a_draw_needs_all(visit: Visit) -> None:
    red, *others = [visit() for _ in range(4)]
    path = red.create(WIDE_FOR_FOUR, OPEN_TO_ALL, game="battlesheep")
    red.open(path)
    for seat, other in enumerate(others, 1):
        other.open(path)
        other.page.locator(".join-button").first.click()
        expect(other.page.locator(".strips.below .seat-strip")).to_have_attribute("data-seat", str(seat))
    for ply, player in enumerate((red, *others), 1):
        expect(player.headline).to_have_text("Your turn")
        player.cell(f"a{ply}").click()
        player.cell(f"d{ply}").click()
        player.button("Move").click()
        expect(red.moves).to_have_count(ply)
    red.button("Offer a draw").click()
    for other in others[:2]:
        other.button(f"Accept: {red.name_of(0)} offers a draw.").click()
        expect(offers(other)).to_have_text("You agreed to a draw. Waiting for the others.")
    expect(red.headline).not_to_have_text("Draw")
    others[2].button(f"Accept: {red.name_of(0)} offers a draw.").click()
    for player in (red, *others):
        expect(player.headline).to_have_text("Draw")


@pytest.mark.slow
def test_an_offer_is_in_sight_in_a_small_window(visit: Visit) -> None:
    white, black = begin(visit, "d6", "f4", width=360, height=740)
    white.button("Offer a draw").click()
    expect(black.button(f"Accept: {white.name_of(0)} offers a draw.")).to_be_in_viewport()
    expect(black.page.locator(".board")).to_be_in_viewport()
    black.expect_no_overflow()


def test_the_buttons_of_a_match_that_is_over_take_one_row_of_a_small_window(visit: Visit) -> None:
    white, black = begin(visit, "d6", "f4", width=360, height=740)
    white.resign()
    for player in (white, black):
        expect(player.button("Rematch")).to_be_visible()
        player.page.wait_for_function(_FIT_ONE_ROW_SCRIPT)
    white.button("Rematch").click()
    expect(white.button("Withdraw rematch")).to_be_visible()
    white.page.wait_for_function(_FIT_ONE_ROW_SCRIPT)
    white.expect_no_overflow()
    expect(white.page.get_by_role("link", name="Analyse", exact=True)).to_be_visible()
    expect(white.page.get_by_role("link", name="New match", exact=True)).to_be_visible()
