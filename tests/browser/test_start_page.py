"""The start page: three games, one button that plays at once, and the other ways to play."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.lobby import MATCH_PAGE, expect_match, seek
from tests.browser.visitor import Visit, Visitor

SIZES = [(1280, 800), (768, 1024), (360, 740), (740, 360)]
MOST_HEIGHT_OF_A_PHONE_PAGE = 1_500
"""With a live board."""
MOST_TAB_STOPS = {"play-now": 7, "bot-card": 10}
"""After the skip link, which is the first, by the class of the element."""

_OUTSIDE_SCRIPT = """(selectors) => selectors.flatMap((selector) => [...document.querySelectorAll(selector)]
  .map((each) => [selector, each.getBoundingClientRect()])
  .filter(([, { left, right, bottom, width }]) => width === 0 || left < 0 || right > innerWidth || bottom > innerHeight)
  .map(([name, { left, top, right, bottom }]) => `${name} ${[left, top, right, bottom].map(Math.round)}`))"""
_FOCUSED_SCRIPT = "() => document.activeElement?.className ?? ''"


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_games_and_the_ways_to_play_are_in_sight_at_once(visit: Visit, width: int, height: int) -> None:
    visitor = visit(width, height).open()
    expect(visitor.page.locator(".game-art .board")).to_have_count(3)
    expect(visitor.page.locator(".play-note")).to_contain_text("level 1")
    outside = visitor.page.evaluate(_OUTSIDE_SCRIPT, ["h1", ".game-card", ".play-now", ".ways .button"])
    assert outside == []
    visitor.expect_no_overflow()


@pytest.mark.slow
def test_the_start_page_is_short_on_a_phone(visit: Visit) -> None:
    visitor = visit(360, 740).open()
    expect(visitor.page.locator(".play-note")).to_contain_text("level 1")
    # Without the open and live matches, of which other tests may have made many.
    visitor.page.wait_for_function(
        "most => document.querySelector('.start-main').getBoundingClientRect().bottom + scrollY < most",
        arg=MOST_HEIGHT_OF_A_PHONE_PAGE,
    )


def test_every_game_shows_its_own_board_and_one_line(visit: Visit) -> None:
    visitor = visit().open()
    cards = visitor.page.locator(".game-card")
    expect(cards).to_have_count(3)
    for game, cells in (("morris", ".point"), ("mingmang", ".square"), ("battlesheep", ".hex")):
        card = visitor.page.locator(f'.game-card[data-game="{game}"]')
        expect(card.locator(cells).first).to_be_visible()
        expect(card.locator(".piece").first).to_be_attached()
        expect(card.locator(".game-line")).to_have_text(re.compile(r"\.$"))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_play_button_starts_a_match_with_the_bot_that_it_names(visit: Visit, width: int, height: int) -> None:
    visitor = visit(width, height).open()
    visitor.choose_game("Ming Mang")
    expect(visitor.page.locator(".play-note")).to_contain_text("Against Pebble, the bot of level 1")
    visitor.button("Play").click()
    expect(visitor.page).to_have_url(MATCH_PAGE)
    expect(visitor.page.locator(".seat-strip", has_text="Bot, level 1")).to_have_count(1)
    expect(visitor.page.locator("[data-cell]")).to_have_count(64)


def test_the_play_button_names_a_waiting_player_and_pairs_with_them(visit: Visit) -> None:
    ann, ben = visit().open(), visit().open()
    ann.choose_game("Ming Mang")
    seek(ann, "10+5")
    ben.choose_game("Ming Mang")
    expect(ben.page.locator("#quick-waiting")).to_have_text("1 player is waiting")
    expect(ben.page.locator(".play-note")).to_have_text(
        re.compile(r" is waiting for an opponent: 10 minutes each, plus 5 seconds per move\.$")
    )
    ben.button("Play").click()
    expect_match(ann, ben)


def test_the_chosen_game_and_the_open_panel_are_remembered(visit: Visit) -> None:
    visitor = visit().open()
    visitor.choose_game("Battle Sheep")
    visitor.open_way("Play a friend")
    visitor.page.reload()
    expect(visitor.page.get_by_role("radio", name="Battle Sheep")).to_be_checked()
    expect(visitor.page.get_by_role("form", name="Play a friend")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_two_people_play_on_one_device(visit: Visit, width: int, height: int) -> None:
    visitor = visit(width, height).open()
    visitor.button("Pass and play").click()
    expect(visitor.page).to_have_url(MATCH_PAGE)
    visitor.play("d6")
    visitor.play("f4")
    expect(visitor.moves).to_have_text(["d6", "f4"])


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_one_click_on_a_bots_face_starts_a_match(visit: Visit, width: int, height: int) -> None:
    visitor = visit(width, height).open()
    visitor.open_way("Play a bot")
    third = visitor.page.locator('.bot-card[data-level="3"]')
    expect(third.locator(".bot-face")).to_be_visible()
    third.click()
    expect(visitor.page.locator(".seat-strip", has_text="Bot, level 3")).to_have_count(1)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_friend_gets_a_link(visit: Visit, width: int, height: int) -> None:
    visitor = visit(width, height).open()
    visitor.open_way("Play a friend")
    visitor.button("Create a link").click()
    expect(visitor.page.get_by_label("Link to this match")).to_be_visible()


@pytest.mark.slow
def test_watch_leads_to_the_featured_match_of_the_chosen_game(visit: Visit) -> None:
    visitor = visit().open()
    visitor.choose_game("Battle Sheep")
    visitor.page.locator(".ways").get_by_role("link", name="Watch").click()
    expect(visitor.page).to_have_url(re.compile("/watch/battlesheep$"))


def test_few_tab_stops_lead_to_play_and_to_the_first_bot(visit: Visit) -> None:
    visitor = visit()
    for class_name, most in MOST_TAB_STOPS.items():
        visitor.open()
        expect(visitor.page.locator(".bot-card").first).to_be_visible()
        expect(visitor.button("Play")).to_be_enabled()
        assert tab_stops_to(visitor, class_name) <= most
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator(".match-page .board")).to_be_visible()


def tab_stops_to(visitor: Visitor, class_name: str) -> int:
    """Return how often Tab is pressed after the skip link to reach an element of a class."""
    keyboard = visitor.page.keyboard
    keyboard.press("Tab")
    expect(visitor.page.get_by_role("link", name="Skip to the page")).to_be_focused()
    keyboard.press("Enter")
    for stops in range(1, 40):
        keyboard.press("Tab")
        if class_name in visitor.page.evaluate(_FOCUSED_SCRIPT).split():
            return stops
    raise AssertionError(f"no element of the class {class_name} is a tab stop")
