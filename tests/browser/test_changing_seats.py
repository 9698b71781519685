"""Seats that change between people and bots, and matches between bots that their creator steps through."""

import pytest
from playwright.sync_api import expect

from tests.browser.lobby import MATCH_PAGE
from tests.browser.visitor import Visit, begin_match

SIZES = [(1280, 800), (768, 1024), (360, 740), (740, 360)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_bots_play_each_other_and_their_creator_steps_through_the_match(visit: Visit, width: int, height: int) -> None:
    creator = visit(width, height)
    creator.server.wait_for_bots()
    creator.open().open_way("Play a bot")
    creator.page.get_by_text("Watch bots play each other").click()
    # The strongest bots take a second for a move, so that the match is not over before it can be paused.
    for name in ("White", "Black"):
        creator.page.get_by_label(f"Bot for {name}").select_option("8")
    creator.button("Let them play").click()
    expect(creator.page).to_have_url(MATCH_PAGE)
    expect(creator.seat(1).locator(".player-name")).to_have_text("Torrent Bot, level 8")
    creator.button("Pause the bots").click()
    step = creator.button("Step: one move")
    expect(step).to_be_in_viewport(ratio=1)
    made = creator.moves.count()
    step.click()
    expect(creator.moves).to_have_count(made + 1)
    expect(step).to_be_enabled()
    creator.button("Resume").click()
    expect(creator.moves.nth(made + 2)).to_be_attached()
    watcher = visit().open(creator.path)
    expect(watcher.moves.nth(made + 2)).to_be_attached()
    expect(watcher.button("Pause the bots")).to_have_count(0)


def test_a_bot_plays_on_for_a_player_whose_opponent_agrees(visit: Visit) -> None:
    host, guest = begin_match(visit, moves=("d6", "f4"))
    host.server.wait_for_bots()
    host.page.get_by_text("Change seats").click()
    host.page.get_by_label("Level of the bot that plays on").select_option("2")
    host.button("Let a bot play on").click()
    guest.page.get_by_role("button", name="Accept: ").click()
    for visitor in (host, guest):
        expect(visitor.seat(0).locator(".player-name")).to_have_text("Reed Bot, level 2")
    expect(guest.moves).to_have_count(3)
    expect(host.page.locator(".about")).to_contain_text("watching")


@pytest.mark.slow
def test_a_spectator_plays_on_for_a_bot_when_the_player_agrees(visit: Visit) -> None:
    player, friend = visit(), visit()
    player.server.wait_for_bots()
    path = player.create(seats=[{"occupant": "me"}, {"occupant": "bot", "level": 1}])
    player.open(path)
    player.click("d6")
    expect(player.moves).to_have_count(2)
    friend.open(path)
    friend.page.get_by_text("Change seats").click()
    friend.button("Play on for Pebble (bot, level 1)").click()
    player.page.get_by_role("button", name="Accept: ").click()
    expect(player.seat(1).locator(".player-name")).not_to_have_text("Pebble Bot, level 1")
    expect(friend.page.locator(".strips.below .seat-strip")).to_have_attribute("data-seat", "1")
    for visitor in (player, friend):
        visitor.page.locator('[data-cell][data-marks~="go"]').first.click()
    expect(player.moves).to_have_count(4)


def test_who_plays_alone_changes_both_players_and_comes_back(visit: Visit) -> None:
    player = visit()
    player.server.wait_for_bots()
    player.open(player.create(seats=[{"occupant": "me"}, {"occupant": "bot", "level": 1}]))
    player.click("d6")
    expect(player.moves).to_have_count(2)
    player.page.get_by_text("Change seats").click()
    white, black = (player.page.get_by_label(f"Player of {name}") for name in ("White", "Black"))
    expect(white).to_have_value("")
    expect(black).to_have_value("1")
    black.select_option("random")
    expect(player.seat(1).locator(".player-name")).to_have_text("Random Bot")
    # The strongest bot takes a second for a move, so that the match is not over before it is paused.
    white.select_option("8")
    expect(player.moves.nth(3)).to_be_attached()
    player.button("Pause the bots").click()
    black.select_option("")
    expect(player.seat(0).locator(".player-name")).to_have_text("Torrent Bot, level 8")
    expect(player.page.locator(".strips.below .seat-strip")).to_have_attribute("data-seat", "1")
    player.expect_no_overflow()
