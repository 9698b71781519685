"""Quick pairing for two and four, open matches, and the offered bot."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import member
from tests.browser.lobby import ask, expect_match, seek
from tests.browser.sites import on_two_nodes_too
from tests.browser.visitor import Visit, Visitor


def choose_sheep_for_four(visitor: Visitor) -> None:
    visitor.choose_game("Battle Sheep")
    visitor.open_way("Quick pairing")
    visitor.page.locator(".quick-seats .choice", has_text="4").click()
    expect(visitor.page.get_by_label("Accept fewer players after a while")).to_be_checked()


@on_two_nodes_too
def test_two_players_who_choose_the_same_clock_are_paired(visit: Visit) -> None:
    ann, ben = visit().open(), visit(width=360, height=740).open()
    seek(ann, "5+3")
    expect(ann.page.locator(".waiting-what")).to_have_text("Nine Men's Morris · 5+3 · casual")
    ask(ben, "5+3")
    expect_match(ann, ben)
    for visitor in (ann, ben):
        expect(visitor.headline).to_have_text(re.compile("Your turn|Waiting for "))
    white, black = (ann, ben) if ann.headline.inner_text() == "Your turn" else (ben, ann)
    white.play("d6")
    black.play("f4")
    expect(white.moves).to_have_text(["d6", "f4"])
    ben.expect_no_overflow()


def test_a_search_survives_a_reload_and_ends_when_the_reader_cancels_it(visit: Visit) -> None:
    ann = visit().open()
    seek(ann, "30+20")
    ann.page.reload()
    expect(ann.page.get_by_role("heading", name="Looking for an opponent")).to_be_visible()
    expect(ann.page.locator(".waiting-count")).to_have_text("no one else is waiting")
    ann.button("Cancel search").click()
    expect(ann.page.locator(".pairing-tile")).to_have_count(9)
    ann.page.reload()
    expect(ann.page.locator(".pairing-tile")).to_have_count(9)


@on_two_nodes_too
def test_a_search_continues_on_another_page_and_leads_to_the_match(visit: Visit) -> None:
    ann, ben = visit().open(), visit().open()
    seek(ann, "15+10")
    ann.open_way("Play a friend")
    ann.button("Create a link").click()
    expect(ann.headline).to_have_text("Waiting for an opponent")
    waiting_path = ann.path
    expect(ann.page.locator(".banner")).to_contain_text("Looking for an opponent")
    ask(ben, "15+10")
    expect(ann.page).not_to_have_url(re.compile(re.escape(waiting_path)))
    expect_match(ann, ben)


def test_a_player_who_waits_alone_can_play_the_offered_bot(visit: Visit) -> None:
    ann = visit().open()
    seek(ann, "1+2")
    expect(ann.page.locator(".bot-offer")).to_contain_text("level 4")
    ann.button("Play the bot").click()
    expect_match(ann)
    expect(ann.page.locator(".seat-strip", has_text="Bot, level 4")).to_have_count(1)


def test_four_waiting_players_are_paired_for_battle_sheep(visit: Visit) -> None:
    people = [visit().open() for _ in range(4)]
    for visitor in people:
        choose_sheep_for_four(visitor)
    for visitor in people[:-1]:
        seek(visitor, "10+5")
    ask(people[-1], "10+5")
    expect_match(*people)
    expect(people[0].page.locator(".seat-strip")).to_have_count(4)


@pytest.mark.slow
def test_three_players_who_accept_fewer_seats_play_without_a_fourth_after_a_while(visit: Visit) -> None:
    people = [visit().open() for _ in range(3)]
    for visitor in people:
        choose_sheep_for_four(visitor)
    for visitor in people:
        ask(visitor, "3+2")
    expect_match(*people)
    expect(people[0].page.locator(".seat-strip")).to_have_count(3)


@pytest.mark.slow
def test_three_members_are_paired_at_a_rated_table_that_counts_the_waiting_players(visit: Visit) -> None:
    people = [member(visit)[0] for _ in range(3)]
    for visitor in people:
        visitor.choose_game("Battle Sheep")
        visitor.open_way("Quick pairing")
        visitor.page.locator(".quick-seats .choice", has_text="3").click()
        visitor.page.locator(".choice:has([name=quick-rated][value=rated])").click()
        expect(visitor.page.locator(".quick-seats .note")).to_contain_text("bots take seats only in casual matches")
    for visitor in people[:2]:
        seek(visitor, "15+10")
    expect(people[0].page.locator(".waiting-what")).to_contain_text("rated · 3 players")
    expect(people[0].page.locator(".waiting-count")).to_have_text("2 of 3 are here")
    ask(people[2], "15+10")
    expect_match(*people)
    expect(people[0].page.locator(".about")).to_contain_text("rated")
    expect(people[0].page.locator(".player-rating")).to_have_text(["1500?, provisional"] * 3)


@on_two_nodes_too
def test_an_open_match_is_listed_and_joined_by_a_click(visit: Visit) -> None:
    host, guest = visit().open(), visit().open()
    host.open_way("Play a friend")
    host.page.locator(".for-friend .choice", has_text="Anyone").click()
    host.button("List the match").click()
    expect(host.page.locator(".status-panel")).to_contain_text("listed on the start page")
    line = f'.seek:has([data-match="{host.path.rpartition("/")[2]}"])'
    expect(guest.page.locator(line)).to_contain_text("10+5")
    guest.page.locator(line).get_by_role("button").click()
    expect_match(host, guest)
    # It is no longer an open match, but a live one.
    again = visit().open("/watch")
    expect(again.page.locator(f'.live-match[href="{host.path}"]')).to_be_visible()
    again.open()
    expect(again.page.locator(".play-note")).to_contain_text("level 1")
    expect(again.page.locator(line)).to_have_count(0)


@pytest.mark.slow
def test_the_readers_own_open_match_links_back_to_it(visit: Visit) -> None:
    host = visit().open()
    host.open_way("Play a friend")
    host.page.locator(".for-friend .choice", has_text="Anyone").click()
    host.button("List the match").click()
    expect(host.headline).to_have_text("Waiting for an opponent")
    path = host.path
    host.page.get_by_role("link", name="Millrace").click()
    own = host.page.locator(".seek", has_text="Your match")
    own.get_by_role("link", name="Open").click()
    expect(host.page).to_have_url(re.compile(re.escape(path)))
    host.button("Call off").click()
    host.page.get_by_role("link", name="Millrace").click()
    expect(own).to_have_count(0)


def test_an_unknown_name_is_reported_beside_the_field(visit: Visit) -> None:
    host = visit().open()
    host.open_way("Play a friend")
    host.page.locator(".for-friend .choice", has_text="By name").click()
    host.page.get_by_label("Name of the player").fill("Nobody-At-All")
    host.button("Challenge").click()
    expect(host.page.locator(".toast")).to_contain_text("No player is called Nobody-At-All")
