"""Delays, correspondence, first moves, absent players and claims in the page."""

import random
import re

import pytest
from playwright.sync_api import expect

from tests.browser.positions import MOVING
from tests.browser.random_moves import play_random_move
from tests.browser.visitor import Visit, Visitor, begin_match

DAY_MS = 86_400_000
FIVE_MINUTES = {"initial_ms": 300_000, "increment_ms": 0}
THREE_DAYS = {"initial_ms": 3 * DAY_MS, "renews": True}
PLACED_FOR_FOUR = "r16,0,0,0/b16,0,0,0/g16,0,0,0/y16,0,0,0 r 4"

SET_AGAIN_SCRIPT = """async () => {
  const times = new Map();
  const observer = new MutationObserver((changes) => {
    for (const { target, attributeName, oldValue } of changes) {
      if (target.getAttribute(attributeName) !== oldValue) continue;
      const own = times.get(target) ?? times.set(target, {}).get(target);
      own[attributeName] = (own[attributeName] ?? 0) + 1;
    }
  });
  observer.observe(document.body, { attributes: true, attributeOldValue: true, subtree: true });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  observer.disconnect();
  const isOften = ([, count]) => count > 5;
  return [...times].flatMap(([{ outerHTML }, own]) =>
    Object.entries(own).filter(isOften).map(([name]) => [name, outerHTML]),
  );
}"""
"""Which attributes are often set to the value that they have; while clocks run they are looked at 20 times a second."""

AWAY = re.compile(r" is away\.| has been away too long\.")
"""The second once a claim is possible, which on a busy machine may be before the test looks."""


def begin(visit: Visit, clock: object) -> tuple[Visitor, Visitor, str]:
    """Return White, who is to move, and Black, at the same match."""
    white, black = begin_match(visit, MOVING, clock=clock)
    path = white.path
    expect(white.headline).to_have_text("Your turn")
    return white, black, path


def begin_moves(white: Visitor, black: Visitor) -> None:
    white.play("a4-b4")
    black.play("g4-f4")
    expect(white.moves).to_have_count(2)


def test_the_first_moves_have_a_countdown_while_the_clocks_stand_still(visit: Visit) -> None:
    white, black, _ = begin(visit, FIVE_MINUTES)
    countdown = white.page.locator(".countdown")
    expect(countdown).to_contain_text(re.compile(r"You have \d+ s for the first move"))
    expect(black.page.locator(".countdown")).to_contain_text(
        re.compile(rf"{re.escape(white.name_of(0))} has \d+ s for the first move")
    )
    expect(white.seat(0).locator(".clock")).to_have_text("5:00")
    begin_moves(white, black)
    expect(countdown).to_be_hidden()
    expect(white.seat(0).locator(".clock")).to_have_text(re.compile("^4:5"))


@pytest.mark.slow
def test_running_clocks_set_no_attribute_to_the_value_that_it_has(visit: Visit) -> None:
    white, black, _ = begin(visit, FIVE_MINUTES)
    begin_moves(white, black)
    expect(white.seat(0).locator(".clock")).to_have_text(re.compile("^4:5"))
    set_again = black.page.evaluate(SET_AGAIN_SCRIPT)
    assert set_again == []


@pytest.mark.slow
def test_a_delay_runs_down_before_the_clock_does(visit: Visit) -> None:
    white, black, _ = begin(visit, {**FIVE_MINUTES, "delay_ms": 60_000})
    begin_moves(white, black)
    expect(white.seat(0).locator(".clock-delay")).to_be_visible()
    expect(white.seat(1).locator(".clock-delay")).to_be_hidden()
    expect(white.seat(0).locator(".clock-time")).to_have_text("5:00")
    expect(white.page.locator(".about")).to_contain_text("delay 60 s")


def test_a_clock_shows_the_main_time_then_the_current_period_and_the_number_left(visit: Visit) -> None:
    white, black, _ = begin(visit, {"initial_ms": 1_000, "periods": 3, "period_ms": 60_000})
    expect(white.page.locator(".about")).to_contain_text("1 s + 3 \u00d7 1 min")
    mine, other = white.seat(0).locator(".clock"), white.seat(1).locator(".clock")
    expect(mine.locator(".clock-periods")).to_have_text("+ 3x1m")
    begin_moves(white, black)
    expect(mine).to_have_class(re.compile("in-period"))
    expect(mine.locator(".clock-periods")).to_have_text("3x1m")
    expect(mine.locator(".clock-time")).to_have_text(re.compile("^0:5"))
    white.play("a1-a4")
    expect(mine.locator(".clock-time")).to_have_text("1:00")
    expect(other.locator(".clock-periods")).to_have_text("+ 3x1m")


@pytest.mark.slow
def test_a_period_that_is_used_up_is_counted_down(visit: Visit) -> None:
    white, black, _ = begin(visit, {"initial_ms": 0, "periods": 10, "period_ms": 1_000})
    begin_moves(white, black)
    expect(white.seat(0).locator(".clock-periods")).to_have_text("8x1s")
    expect(black.seat(0).locator(".clock-periods")).to_have_text(re.compile("[1-7]x1s"))


@pytest.mark.slow
def test_only_a_low_clock_pulses(visit: Visit) -> None:
    white, black, _ = begin(visit, {"initial_ms": 19_000, "increment_ms": 0})
    white.page.emulate_media(reduced_motion="no-preference")
    times = white.page.locator(".clock-time")
    for seat in (0, 1):
        expect(times.nth(seat)).to_have_css("animation-name", "none")
    begin_moves(white, black)
    expect(white.seat(0).locator(".clock-time")).to_have_css("animation-name", "low-time")
    expect(white.seat(1).locator(".clock-time")).to_have_css("animation-name", "none")


def test_a_correspondence_match_shows_days_and_is_listed_when_it_is_the_readers_turn(visit: Visit) -> None:
    white, black, path = begin(visit, THREE_DAYS)
    expect(white.seat(0).locator(".clock")).to_have_text("3 d")
    expect(white.page.locator(".about")).to_contain_text("3 days per move")
    black.open()
    entry = black.page.locator(f'.your-match[href="{path}"]')
    expect(entry).to_have_attribute("data-turn", "false")
    white.play("a4-b4")
    expect(entry).to_have_attribute("data-turn", "true")
    expect(entry).to_contain_text("3 d left")
    expect(black.page.locator(".your-turn h2")).to_have_text("Your turn 1")
    entry.click()
    black.play("g4-f4")


@pytest.mark.slow
def test_the_start_page_offers_clocks_with_delay_and_with_days(visit: Visit) -> None:
    host = visit().open()
    host.open_way("Play a friend")
    clocks = host.page.locator(".for-friend .options-clock .choice")
    clocks.filter(has_text="7 days").click()
    host.button("Create a link").click()
    expect(host.page.locator(".about")).to_contain_text("7 days per move")
    host.open()
    clocks.filter(has_text="5 min, delay 5 s").click()
    host.button("Create a link").click()
    expect(host.page.locator(".about")).to_contain_text("5 min, delay 5 s")
    host.open().open_way("Play a bot")
    host.page.locator(".bot-options summary").click()
    expect(host.page.locator(".for-bot .options-clock .choice").first).to_be_visible()
    expect(host.page.locator(".for-bot .options-clock .choice", has_text="days")).to_have_count(0)


def test_the_remaining_player_can_claim_the_win(visit: Visit) -> None:
    white, black, _ = begin(visit, FIVE_MINUTES)
    begin_moves(white, black)
    name = white.name_of(1)
    black.page.close()
    expect(white.page.locator(".absence")).to_contain_text(f"{name} is away.")
    white.button("Claim the win").click()
    expect(white.headline).to_have_text("You won")
    expect(white.page.locator(".detail")).to_have_text(f"{name} was away too long.")
    expect(white.page.locator(".absence")).to_have_count(0)


@pytest.mark.slow
def test_the_remaining_player_can_wait_and_claim_a_draw_later(visit: Visit) -> None:
    white, black, _ = begin(visit, FIVE_MINUTES)
    begin_moves(white, black)
    black.page.close()
    white.button("Keep waiting").click()
    expect(white.page.locator(".absence")).to_contain_text("You are waiting.")
    expect(white.button("Keep waiting")).to_have_count(0)
    white.button("Claim a draw").click()
    expect(white.headline).to_have_text("Draw")


def test_a_returning_player_plays_on(visit: Visit) -> None:
    white, black, path = begin(visit, FIVE_MINUTES)
    begin_moves(white, black)
    again = visit(same_as=black)
    black.page.close()
    expect(white.button("Claim the win")).to_be_visible()
    again.open(path)
    expect(white.page.locator(".absence")).to_have_count(0)
    white.play("b4-a4")
    again.play("f4-g4")
    expect(white.moves).to_have_count(4)


def test_three_players_vote_on_how_to_continue_without_an_absent_fourth(visit: Visit) -> None:
    people = [visit() for _ in range(4)]
    seats = [{"occupant": "me"}, *[{"occupant": "open"}] * 3]
    path = people[0].create(PLACED_FOR_FOUR, seats, FIVE_MINUTES, "battlesheep")
    for person, colour in zip(people, (None, "Blue", "Green", "Yellow"), strict=True):
        person.open(path)
        if colour is not None:
            person.button(f"Play {colour}").click()
    chance = random.Random(4)
    for person in people:
        play_random_move(person, chance)
    *staying, gone = people
    gone.page.close()
    for person in staying:
        expect(person.page.locator(".absence")).to_contain_text(AWAY)
    staying[0].button(f"Continue without {staying[0].name_of(3)}").click()
    for person in staying:
        expect(person.page.locator(".absence")).to_have_count(0)
        person.button("Let a bot play on").click()
    expect(staying[0].seat(3).locator(".player-note")).to_have_text("Yellow \N{MIDDLE DOT} left, a bot plays on")
