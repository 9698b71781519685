"""What each game and more than two seats ask of the page: whole matches, territory, repetition, leaving, positions."""

import random
import re

import pytest
from playwright.sync_api import expect

from tests.browser.positions import PASTURE_FOR_FOUR
from tests.browser.random_moves import HAS_MOVES_SCRIPT, play_random_move
from tests.browser.visitor import OWN_BOTH, Visit, Visitor
from tests.serving import ServerProcess

TWO_HOUSES = "bbb5/b1b5/bbb5/8/8/8/6ww/6w1 b 0"
"""Black alone can reach b7, and White h1."""
TWO_LONE_MEN = "7w/8/8/8/8/8/8/b7 b 0"

TURN_SCRIPT = """() => {
  if (document.querySelector('.status-panel[data-tone="over"]')) return "over";
  const seat = document.querySelector(".seat-strip.to-move")?.dataset.seat;
  return seat === "0" || seat === "1" ? seat : null;
}"""


def set_up(person: Visitor, game: str, position: str) -> None:
    """Paste a position into the text box of the analysis board, which is open from then on."""
    person.page.locator(".setup-box summary").click()
    person.page.get_by_label("Game").select_option(game)
    expect(person.page).to_have_url(re.compile(f"/analysis/{game}"))
    expect(person.page.locator(".setup-box").get_by_label("Game")).to_have_value(game)
    person.page.get_by_label("Position as text").fill(position)
    person.button("Set up").click()


def begin_small_match(visit: Visit, server: ServerProcess) -> tuple[Visitor, Visitor]:
    """Two people and two bots on a small pasture, brought together by clicks alone."""
    server.wait_for_bots()
    host, guest = visit().open("/analysis"), visit()
    set_up(host, "battlesheep", PASTURE_FOR_FOUR)
    expect(host.page.locator(".analysis-page.many .board")).to_be_visible()
    host.button("Play a friend").click()
    expect(host.headline).to_have_text("Waiting for 3 more players")
    guest.open(host.path)
    guest.button("Play Blue").click()
    for name in ("Green", "Yellow"):
        host.page.get_by_label(f"Level of a bot for {name}").select_option("1")
        host.button(f"Add a bot for {name}").click()
    return host, guest


@pytest.mark.slow
def test_two_people_and_two_bots_play_battle_sheep_to_its_end(visit: Visit, server: ServerProcess) -> None:
    host, guest = begin_small_match(visit, server)
    chance = random.Random(5)
    while (turn := host.page.wait_for_function(TURN_SCRIPT).json_value()) != "over":
        person = (host, guest)[int(turn)]
        play_random_move(person, chance, turn)
        # The host's page says whose turn it is, so it must have heard of this move.
        host.page.wait_for_function(HAS_MOVES_SCRIPT, arg=person.moves.count())
    for person in (host, guest):
        expect(person.page.locator(".ranks li")).to_have_count(4)
    guest.expect_board(host.board)
    expect(guest.moves).to_have_text(host.moves.all_text_contents())


def test_the_remaining_players_vote_on_a_seat_whose_player_left(visit: Visit, server: ServerProcess) -> None:
    host, guest = begin_small_match(visit, server)
    chance = random.Random(2)
    for _ in range(2):
        for person in (host, guest):
            play_random_move(person, chance)
    guest.resign()
    question = host.page.locator(".stand-in")
    expect(question).to_contain_text(f"{host.name_of(1)} left the match.")
    host.button("Let a bot play on").click()
    expect(host.seat(1).locator(".player-note")).to_have_text("Blue · left, a bot plays on")
    expect(question).to_have_count(0)
    expect(guest.button("Resign")).to_have_count(0)


def test_two_passes_end_ming_mang_with_the_territory_on_the_board(visit: Visit) -> None:
    person = visit()
    person.open(person.create(TWO_HOUSES, OWN_BOTH, game="mingmang"))
    for count in (1, 2):
        person.button("Pass").click()
        expect(person.moves).to_have_count(count)
    expect(person.headline).to_have_text("Black won")
    expect(person.page.locator(".detail")).to_contain_text("Black holds 9 squares, and White holds 4.")
    expect(person.cell("b7")).to_have_attribute("data-held", "black")
    expect(person.cell("h1")).to_have_attribute("data-held", "white")
    expect(person.cell("d5")).to_have_attribute("data-held", "")
    person.page.keyboard.press("ArrowLeft")
    expect(person.cell("b7")).to_have_attribute("data-held", "")


@pytest.mark.slow
def test_a_time_limit_is_offered_only_for_games_that_support_it(visit: Visit) -> None:
    host, guest = visit().open(), visit()
    host.open_way("Play a friend")
    form = host.page.locator(".for-friend")
    expect(form.locator(".options-clock")).to_be_visible()
    expect(form.locator(".options-limit")).to_have_count(0)
    host.choose_game("Ming Mang")
    limits, clocks = form.locator(".options-limit"), form.locator(".options-clock .choice")
    expect(limits).to_be_visible()
    clocks.first.click()
    expect(limits).to_be_hidden()
    clocks.nth(4).click()
    limits.locator(".choice", has_text="20").click()
    host.button("Create a link").click()
    left = host.page.locator(".limit-time")
    expect(left).to_have_text("20:00")
    guest.join(host.path)
    expect(left).to_have_text(re.compile("^19:"))


@pytest.mark.slow
def test_a_match_is_scored_as_it_stands_when_its_time_limit_is_reached(visit: Visit) -> None:
    person = visit()
    clock = {"initial_ms": 3_600_000, "increment_ms": 0, "match_limit_ms": 1_000}
    person.open(person.create(TWO_HOUSES, OWN_BOTH, game="mingmang", clock=clock))
    expect(person.headline).to_have_text("Black won")
    expect(person.page.locator(".detail")).to_contain_text("Black holds 9 squares, and White holds 4.")
    expect(person.page.locator(".limit-time")).to_be_hidden()
    expect(person.cell("b7")).to_have_attribute("data-held", "black")


def test_a_refused_repetition_is_explained_beside_the_board(visit: Visit) -> None:
    person = visit()
    person.open(person.create(TWO_LONE_MEN, OWN_BOTH, game="mingmang"))
    for move in ("a1-a2", "h8-h7", "a2-a1"):
        person.play(move)
    person.click("h7")
    expect(person.cell("h8")).to_have_attribute("data-marks", "barred")
    person.cell("h8").click()
    expect(person.page.locator(".repetition-note")).to_contain_text(
        "h7-h8 is not allowed because it would repeat an earlier position"
    )
    expect(person.moves).to_have_count(3)
    person.click("h6")
    expect(person.moves).to_have_count(4)
    expect(person.page.locator(".repetition-note")).to_be_hidden()


def test_a_position_is_set_up_saved_as_text_and_loaded_again(visit: Visit) -> None:
    person = visit().open("/analysis")
    set_up(person, "mingmang", "7w/8 b 0")
    person.expect_told("eight ranks")
    field = person.page.get_by_label("Position as text")
    expect(field).to_have_value("7w/8 b 0")
    field.fill(TWO_HOUSES)
    person.button("Set up").click()
    expect(person.page.locator(".board .piece")).to_have_count(11)
    person.button("Play every side").click()
    expect(person.page.locator(".match-page:not(.analysis-page) .board")).to_be_visible()
    person.play("a6-a4")
    person.page.get_by_text("Position as text").click()
    saved = "bbb5/b1b5/1bb5/8/b7/8/6ww/6w1 w 0"
    expect(person.page.get_by_label("Position as text")).to_have_value(saved)
    board, path = person.board, person.path
    person.button("Play every side").click()
    person.page.wait_for_url(lambda url: not url.endswith(path))
    expect(person.page.locator(".piece")).to_have_count(11)
    person.expect_board(board)
    expect(person.headline).to_have_text("White to move")
    person.open("/analysis")
    set_up(person, "mingmang", saved)
    expect(person.page.locator(".analysis-status")).to_have_text("White to move")
    person.expect_board(board)


def test_a_pasture_is_chosen_by_name_or_at_random_and_previewed(visit: Visit) -> None:
    person = visit().open()
    person.choose_game("Battle Sheep")
    person.open_way("Play a friend")
    form = person.page.locator(".for-friend")
    where = form.get_by_label("Start position")
    where.select_option("Pond")
    expect(form.locator(".preview .hex")).to_have_count(32)
    form.locator(".options-seats .choice", has_text="3").click()
    where.select_option("Random pasture")
    form.get_by_label("Seed").fill("7")
    expect(form.locator(".preview .hex")).to_have_count(48)
    form.get_by_role("button", name="Create a link").click()
    expect(person.page.locator("[data-cell]")).to_have_count(48)
