"""Spectating: the list of live matches, the featured match, the small board."""

import re

import pytest
from playwright.sync_api import Locator, expect

from millrace.server.spectating.featured import STILL_MS
from tests.browser.accounts import member
from tests.browser.positions import ABOUT_TO_END, MOVING
from tests.browser.sites import on_two_nodes_too
from tests.browser.visitor import AGAINST_BOT, Visit, Visitor, begin_match


def begin_rated(visit: Visit) -> tuple[Visitor, Visitor, str, str]:
    """Begin a rated match of Ming Mang; return both players, its path and the first one's name."""
    (host, name), (guest, _) = member(visit), member(visit)
    path = host.create(game="mingmang", rated=True)
    host.open(path)
    guest.join(path)
    return host, guest, path, name


def give_up(player: Visitor) -> None:
    player.button("Abort").click()
    expect(player.headline).to_have_text("No result")


def row_of(visitor: Visitor, path: str) -> Locator:
    return visitor.page.locator(f'.live-match[href="{path}"]')


def test_live_matches_are_listed_by_game_with_ratings_and_clock(visit: Visit) -> None:
    host, _, path, name = begin_rated(visit)
    watcher = visit(width=360, height=740).open("/watch")
    expect(row_of(watcher, path)).to_contain_text(f"{name} 1500")
    expect(row_of(watcher, path)).to_contain_text(re.compile("Ming Mang.*untimed · rated · 0 moves"))
    watcher.button("Nine Men's Morris").click()
    expect(row_of(watcher, path)).to_have_count(0)
    watcher.button("Ming Mang").click()
    expect(row_of(watcher, path)).to_be_visible()
    watcher.expect_no_overflow()
    give_up(host)
    expect(row_of(watcher, path)).to_have_count(0)


def test_the_featured_match_switches_automatically_when_it_is_over(visit: Visit) -> None:
    second, _, _, second_name = begin_rated(visit)
    host, guest, _, name = begin_rated(visit)
    # Of two that are alike the one with more plies is featured; and one without a ply for long would not be.
    host.play("h2-g2")
    guest.play("a2-b2")
    second.play("h2-g2")
    watcher = visit().open("/watch/mingmang")
    expect(watcher.seat(0)).to_contain_text(name)
    watcher.page.locator(".chat-header").focus()
    host.resign()
    expect(watcher.headline).to_have_text(re.compile(" won$"))
    expect(watcher.seat(0)).to_contain_text(second_name)
    expect(watcher.page.locator("#announcer")).to_contain_text(re.compile(f"Now playing: {second_name} and "))
    expect(watcher.page).to_have_url(re.compile("/watch/mingmang$"))
    expect(watcher.page.locator(".featured-title", has_text="Ming Mang")).to_be_focused()
    expect(second.page.locator(".about")).to_contain_text("1 watching")
    give_up(second)


@on_two_nodes_too
def test_spectators_of_the_featured_match_chat_with_each_other(visit: Visit) -> None:
    host, _, path, name = begin_rated(visit)
    one, other = visit().open("/watch/mingmang"), visit().open(path)
    expect(one.seat(0)).to_contain_text(name)
    one.page.get_by_label("Write to the spectators").fill("What a beginning!")
    one.page.get_by_label("Write to the spectators").press("Enter")
    expect(other.page.locator(".chat-lines")).to_contain_text("What a beginning!")
    expect(host.page.locator(".about")).to_contain_text("2 watching")
    expect(host.page.locator(".chat-lines")).not_to_contain_text("What a beginning!")
    give_up(host)


def test_the_start_page_shows_the_featured_match_on_a_live_small_board(visit: Visit) -> None:
    host, _, _, name = begin_rated(visit)
    reader = visit().open()
    reader.choose_game("Ming Mang")
    small = reader.page.get_by_role("link", name=re.compile(f"Watch Ming Mang: {name} .*against "))
    expect(small).to_be_visible()
    host.play("h2-g2")
    expect(small.locator("[data-cell=g2]")).not_to_have_attribute("data-seat", "")
    expect(host.page.locator(".about")).not_to_contain_text("watching")
    small.click()
    expect(reader.seat(0)).to_contain_text(name)
    give_up(host)


@pytest.mark.slow
def test_bots_play_for_spectators_and_make_room_for_people(visit: Visit) -> None:
    watcher = visit()
    watcher.server.wait_for_bots()
    watcher.open("/watch/mingmang")
    # What another test has left being played is on until it has stood still for long.
    expect(watcher.page.locator(".about")).to_contain_text("exhibition", timeout=2 * STILL_MS)
    for seat in (0, 1):
        expect(watcher.seat(seat)).to_contain_text(re.compile("bot", re.IGNORECASE))
    expect(watcher.moves).not_to_have_count(0)
    expect(visit().open("/watch").page.locator(".live-match", has_text="exhibition · Ming Mang")).to_have_count(1)
    host, _, _, name = begin_rated(visit)
    expect(watcher.seat(0)).to_contain_text(name)
    expect(watcher.page.locator(".about")).not_to_contain_text("exhibition")
    give_up(host)


@pytest.mark.slow
def test_the_watch_page_shows_matches_that_are_played_and_that_have_ended_as_boards(visit: Visit) -> None:
    (player, _), watcher = begin_match(visit, MOVING, listed=True), visit()
    path = player.path
    ended = player.create(ABOUT_TO_END, AGAINST_BOT)
    player.open(ended).play("g4-g7xd2")
    expect(player.headline).to_have_text("You won")
    player.open(path).play("a4-b4")
    watcher.open("/watch").button("Nine Men's Morris").click()
    live = watcher.page.locator(f'a[href="{path}"]')
    finished = watcher.page.get_by_role("region", name="Just finished").locator(f'a[href="{ended}"]')
    expect(finished.locator(".small-note").first).to_have_text(re.compile(" won$"))
    expect(live).to_be_visible()
    expect(finished.locator("[data-cell=g7][data-seat='0']")).to_be_attached()
    expect(finished.locator("[data-cell=d2][data-seat='1']")).to_have_count(0)
    # Of many live matches a few are shown as boards: which ones depends on those that other tests have left.
    live_boards = watcher.page.get_by_role("region", name=re.compile("Featured|Live matches"))
    expect(live_boards.locator("[data-cell][data-seat='0']").first).to_be_attached()
    expect(player.page.locator(".about")).not_to_contain_text("watching")
    give_up(player)
