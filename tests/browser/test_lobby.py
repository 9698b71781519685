"""The start page, invitations, spectators, broken links and small windows."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.positions import ABOUT_TO_END, MOVING
from tests.browser.sites import on_two_nodes_too
from tests.browser.visitor import OWN_BOTH, Visit, begin_match

MEN_AFTER_FOUR_MOVES = {"b4": 0, "a4": 0, "c5": 0, "d1": 0, "b6": 1, "g7": 1, "g4": 1, "f2": 1}
IS_WITHIN_SCRIPT = """selector => [...document.querySelectorAll(selector)].every((box) => {
  const right = box.getBoundingClientRect().right;
  const isInside = (part) => part.getBoundingClientRect().right <= right && part.scrollWidth <= part.clientWidth + 1;
  const parts = [...box.querySelectorAll(".player-name, .seat-fact, button")];
  return box.scrollWidth <= box.clientWidth && parts.every(isInside);
})"""
"""Whether what is in these boxes lies within them and is not cut."""


@on_two_nodes_too
def test_whoever_opens_an_invitation_link_can_take_the_free_seat(visit: Visit) -> None:
    host, guest = visit(), visit()
    host.open().open_way("Play a friend")
    host.page.locator(".for-friend .choice", has_text="White").click()
    host.button("Create a link").click()
    link = host.page.get_by_label("Link to this match")
    expect(host.headline).to_have_text("Waiting for an opponent")
    guest.open(link.input_value().removeprefix(host.server.url))
    expect(guest.headline).to_have_text(re.compile("^.+ invites you to Nine Men's Morris$"))
    expect(guest.page.locator(".detail")).to_contain_text(re.compile("You play Black; .+ moves first."))
    guest.page.get_by_role("link", name="Two-minute lesson").click()
    expect(guest.page.locator(".step-title")).to_have_text("Place")
    expect(guest.page.locator(".invited-seat")).to_contain_text("sees that you are here.")
    expect(host.page.locator(".detail")).to_have_text("A visitor has opened your invitation.")
    guest.button("Play Black").click()
    expect(host.headline).to_have_text("Your turn")
    expect(link).to_have_count(0)
    host.play("d6")
    guest.play("f4")
    expect(host.moves).to_have_text(["d6", "f4"])
    expect(guest.page.locator(".strips.below .seat-strip")).to_have_attribute("data-seat", "1")


@pytest.mark.slow
def test_a_game_for_several_players_starts_with_the_chosen_number_of_seats(visit: Visit) -> None:
    host = visit().open()
    host.choose_game("Battle Sheep")
    host.open_way("Play a friend")
    host.page.locator(".for-friend .options-seats .choice", has_text="4").click()
    host.page.locator(".for-friend .choice", has_text="Yellow").click()
    host.button("Create a link").click()
    expect(host.headline).to_have_text("Waiting for 3 more players")
    expect(host.page.locator(".seat-strip")).to_have_count(4)
    guest = visit().open(host.path)
    guest.button("Play Green").click()
    expect(host.headline).to_have_text("Waiting for 2 more players")
    expect(guest.page.locator(".strips.below .seat-strip")).to_have_attribute("data-seat", "2")


@pytest.mark.slow
def test_four_waiting_players_fit_a_window_of_360_pixels_without_cut_names(visit: Visit) -> None:
    host, guest = visit(width=360, height=740), visit()
    seats = [{"occupant": "me"}, *[{"occupant": "open"}] * 3]
    host.open(host.create("seats=4", seats, game="battlesheep", clock={"initial_ms": 3_600_000, "increment_ms": 0}))
    expect(host.button("Add a bot for Yellow")).to_be_visible()
    host.expect_no_overflow()
    host.page.wait_for_function(IS_WITHIN_SCRIPT, arg=".status-panel")
    guest.open(host.path)
    guest.button("Play Green").click()
    expect(host.headline).to_have_text("Waiting for 2 more players")
    host.page.wait_for_function(IS_WITHIN_SCRIPT, arg=".seat-strip")


@on_two_nodes_too
def test_a_player_who_joined_leaves_their_seat_and_only_the_host_calls_the_match_off(visit: Visit) -> None:
    host, guest, other = visit(), visit(), visit()
    host.open(host.create("seats=4", [{"occupant": "me"}, *[{"occupant": "open"}] * 3], game="battlesheep"))
    guest.open(host.path).button("Play Blue").click()
    expect(host.headline).to_have_text("Waiting for 2 more players")
    expect(host.button("Call off")).to_be_visible()
    expect(host.button("Leave your seat")).to_have_count(0)
    leaving = guest.name_of(1)
    expect(guest.button("Call off")).to_have_count(0)
    guest.button("Leave your seat").click()
    guest.expect_told("You left your seat. You can take it again while it is free.")
    host.expect_told(f"{leaving} left. The seat is open again.")
    expect(host.headline).to_have_text("Waiting for 3 more players")
    other.open(host.path).button("Play Blue").click()
    expect(host.headline).to_have_text("Waiting for 2 more players")
    host.button("Call off").click()
    expect(other.headline).to_have_text("No result")


def test_the_creator_can_seat_a_bot_instead(visit: Visit) -> None:
    host = visit()
    host.open(host.create())
    levels = host.page.get_by_label("Level of the bot")
    expect(levels.get_by_role("option", name=re.compile("easy|medium|hard"))).to_have_count(3)
    levels.select_option("1")
    host.button("Play a bot instead").click()
    expect(host.seat(1).locator(".player-name")).to_have_text("Pebble Bot, level 1")
    expect(host.headline).to_have_text("Your turn")


def test_a_seat_taken_by_another_is_no_longer_offered(visit: Visit) -> None:
    host, quick, late = visit(), visit(), visit()
    path = host.create()
    late.open(path)
    expect(late.button("Play Black")).to_be_visible()
    quick.join(path)
    expect(late.button("Play Black")).to_have_count(0)
    expect(late.headline).to_have_text(f"{late.name_of(0)} to move")


@on_two_nodes_too
def test_live_matches_are_listed_with_their_spectators_and_can_be_watched(visit: Visit) -> None:
    (player, _), watcher = begin_match(visit, MOVING, listed=True), visit()
    path = player.path
    player.play("a4-b4")
    entry = watcher.open("/watch").page.locator(f'.live-match[href="{path}"]')
    expect(entry).to_contain_text("1 move")
    entry.click()
    expect(watcher.moves).to_have_text(["a4-b4"])
    expect(player.page.locator(".about")).to_contain_text("1 watching")
    expect(visit().open("/watch").page.locator(f'.live-match[href="{path}"]')).to_contain_text("1 watching")


@on_two_nodes_too
def test_the_presence_of_the_opponent_is_shown(visit: Visit) -> None:
    host, guest = begin_match(visit)
    presence = host.seat(1).locator(".presence")
    expect(presence).to_have_attribute("data-present", "true")
    guest.page.close()
    expect(presence).to_have_attribute("data-present", "false")


@pytest.mark.slow
def test_the_tab_title_says_whose_turn_it_is(visit: Visit) -> None:
    host, guest = begin_match(visit)
    expect(host.page).to_have_title("● Your turn · Millrace")
    expect(guest.page).to_have_title(f"Waiting for {guest.name_of(0)} · Millrace")


def test_the_moves_can_be_stepped_through_while_play_goes_on(visit: Visit) -> None:
    player, watcher = visit(), visit()
    path = player.create(MOVING, OWN_BOTH)
    player.open(path)
    for move in ("a4-b4", "g4-f4", "a1-a4"):
        player.play(move)
    watcher.open(path)
    keyboard = watcher.page.keyboard
    expect(watcher.moves).to_have_count(3)
    keyboard.press("Home")
    watcher.expect_man("a4", 0)
    watcher.expect_empty("b4")
    watcher.page.get_by_role("button", name="One move forward").click()
    watcher.expect_man("b4", 0)
    player.play("f4-g4")
    expect(watcher.page.locator(".past-note")).to_have_text("Viewing move 1 of 4.")
    watcher.moves.nth(1).click()
    expect(watcher.moves.nth(1)).to_have_attribute("aria-current", "step")
    watcher.expect_man("f4", 1)
    keyboard.press("ArrowLeft")
    expect(watcher.moves.nth(0)).to_have_attribute("aria-current", "step")
    watcher.button("Back to live").click()
    expect(watcher.page.locator(".past-note")).to_have_count(0)
    watcher.expect_board(MEN_AFTER_FOUR_MOVES)
    keyboard.press("ArrowLeft")
    expect(watcher.page.locator(".past-note")).to_be_visible()
    keyboard.press("End")
    expect(watcher.page.locator(".past-note")).to_have_count(0)


@pytest.mark.parametrize(
    ("path", "heading"), [("/match/nothing", "Match not found"), ("/no-such-page", "Page not found")]
)
def test_a_link_that_leads_nowhere_says_so_and_offers_another_page(visit: Visit, path: str, heading: str) -> None:
    visitor = visit(width=360, height=740)
    visitor.expected_problem = "404"
    visitor.open(path)
    expect(visitor.page.get_by_role("heading", name=heading)).to_be_visible()
    visitor.expect_no_overflow()
    visitor.page.get_by_role("link", name="Go to the start page").click()
    expect(visitor.page.get_by_role("heading", name="Choose a game")).to_be_visible()


def test_the_browser_goes_back_and_forth_between_pages(visit: Visit) -> None:
    visitor = visit().open()
    visitor.open_way("Play a friend")
    visitor.button("Create a link").click()
    expect(visitor.page.get_by_label("Link to this match")).to_be_visible()
    visitor.page.go_back()
    expect(visitor.page.get_by_role("heading", name="Choose a game")).to_be_visible()
    visitor.page.get_by_role("link", name="Back to your match").click()
    expect(visitor.page.get_by_label("Link to this match")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_window_of_360_pixels(visit: Visit, scheme: str) -> None:
    visitor = visit(width=360, height=740)
    visitor.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    visitor.open()
    expect(visitor.button("Play")).to_be_visible()
    visitor.expect_no_overflow()
    visitor.open(visitor.create())
    expect(visitor.button("Copy link")).to_be_visible()
    visitor.expect_no_overflow()
    visitor.open(visitor.create(ABOUT_TO_END, OWN_BOTH, clock={"initial_ms": 3_600_000, "increment_ms": 0}))
    visitor.click("g4")
    visitor.click("g7")
    expect(visitor.headline).to_have_text(re.compile("Take one"))
    visitor.expect_no_overflow()
    visitor.click("d2")
    expect(visitor.headline).to_have_text("White won")
    visitor.expect_no_overflow()
    visitor.open("/match/nothing")
    visitor.expect_no_overflow()


@pytest.mark.slow
def test_the_chosen_theme_is_kept(visit: Visit) -> None:
    visitor = visit().open()
    root = visitor.page.locator("html")
    expect(root).to_have_css("color-scheme", "light dark")
    visitor.page.get_by_role("button", name="Switch between light and dark").click()
    expect(root).to_have_css("color-scheme", "dark")
    visitor.open()
    expect(root).to_have_css("color-scheme", "dark")
