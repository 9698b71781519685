"""Learning to play: lessons gone through on the board, the rules beside a match, and hints in a first match."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import OWN_BOTH, Visit, Visitor


def title(visitor: Visitor, name: str) -> None:
    """Wait until the step of this title is shown."""
    expect(visitor.page.locator(".step-title")).to_have_text(name)


def answer(visitor: Visitor, stage: str, words: str) -> None:
    """Wait until the reader's move is answered."""
    shown = visitor.page.locator(f'.step-answer[data-stage="{stage}"]')
    expect(shown).to_be_visible()
    expect(shown).to_contain_text(words)


def enter(visitor: Visitor, *cells: str) -> None:
    for cell in cells:
        visitor.click(cell)


def test_the_lesson_of_each_game_begins_on_the_start_page(visit: Visit) -> None:
    ann = visit().open()
    ann.page.get_by_role("link", name="How to play Ming Mang").click()
    title(ann, "Move like a rook")


def test_a_lesson_is_completed_and_its_progress_is_saved(visit: Visit) -> None:
    ann = visit().open("/learn")
    card = ann.page.locator('.lesson-card[data-game="morris"]')
    card.get_by_role("link", name="Start").click()
    title(ann, "Place")
    enter(ann, "d6")
    answer(ann, "right", "Good.")
    ann.button("Next").click()

    title(ann, "Close a mill")
    enter(ann, "a1")
    answer(ann, "wrong", "Place your man on g7")
    ann.expect_empty("a1")
    enter(ann, "g7", "b4")
    answer(ann, "right", "That is a mill")
    ann.expect_empty("b4")
    ann.button("Next").click()
    title(ann, "What you may take")

    ann.open("/learn")
    expect(card).to_contain_text("2 of 9 steps done")
    card.get_by_role("link", name="Continue").click()
    title(ann, "What you may take")
    enter(ann, "a1", "d2")
    answer(ann, "right", "only the man on d2")


def test_a_lesson_ends_with_a_way_to_play(visit: Visit) -> None:
    ann = visit(360, 740).open("/learn/battlesheep")
    title(ann, "Place your stack")
    ann.page.get_by_role("button", name="7. The largest group").click()
    title(ann, "The largest group")
    enter(ann, "e1", "d1")
    ann.button("Move").click()
    answer(ann, "right", "you have won")
    expect(ann.page.get_by_role("link", name="Play a match")).to_be_visible()
    ann.expect_no_overflow()


def test_the_opponent_answers_and_territory_is_counted(visit: Visit) -> None:
    ann = visit().open("/learn/mingmang")
    title(ann, "Move like a rook")
    ann.page.get_by_role("button", name="8. Pass and count").click()
    title(ann, "Pass and count")
    ann.button("Pass").click()
    answer(ann, "right", "You have 40 squares")
    expect(ann.page.locator('.cell[data-held="black"]')).to_have_count(40)


@pytest.mark.slow
def test_a_move_that_would_repeat_a_position_is_marked_in_its_lesson(visit: Visit) -> None:
    ann = visit().open("/learn/mingmang")
    title(ann, "Move like a rook")
    ann.page.get_by_role("button", name="6. No repetition").click()
    title(ann, "No repetition")
    enter(ann, "a3")
    expect(ann.cell("a1")).to_have_attribute("data-marks", re.compile("barred"))
    enter(ann, "a4")
    answer(ann, "right", "Right.")


@pytest.mark.slow
def test_there_is_no_lesson_of_an_unknown_game(visit: Visit) -> None:
    ann = visit().open("/learn/chess")
    expect(ann.page.get_by_role("heading", name="Page not found")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 740), (740, 360)])
def test_the_rules_fit_on_one_screen_beside_a_match(visit: Visit, width: int, height: int) -> None:
    ann = visit(width, height)
    ann.open(ann.create(seats=OWN_BOTH))
    ann.button("Rules").click()
    dialog = ann.page.get_by_role("dialog")
    expect(dialog.get_by_text("Three of your men in a row along a line are a mill.")).to_be_visible()
    expect(dialog.get_by_role("link", name="Open the lesson")).to_have_attribute("href", "/learn/morris")
    ann.expect_no_overflow()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def test_hints_explain_a_first_match_until_they_are_hidden(visit: Visit) -> None:
    ann = visit()
    ann.open(ann.create("WW.......WBB...BB....... w 6 5", seats=OWN_BOTH))
    hint = ann.page.locator(".hint-text")
    ann.click("g7")
    expect(hint).to_have_text("You closed a mill: take one of Black's men.")
    ann.click("c4")
    expect(hint).to_have_text("You closed a mill and took one of Black's men.")
    ann.button("Hide hints").click()
    expect(ann.page.locator(".hint-box")).to_be_hidden()
    ann.page.reload()
    ann.button("Rules").click()
    box = ann.page.get_by_role("checkbox", name="Explain each move while I play")
    expect(box).not_to_be_checked()
    box.check()
    ann.button("Close").click()
    expect(hint).to_be_visible()


@pytest.mark.slow
def test_a_newcomer_sees_one_hint_at_a_time_until_it_is_known(visit: Visit) -> None:
    ann = visit()
    ann.open(ann.create("WW.......WBB...BB....... w 1 1", seats=OWN_BOTH))
    hint = ann.page.locator(".hint-text")
    ann.click("g7")
    ann.click("c4")
    expect(hint).to_have_text("You closed a mill and took one of Black's men.")
    ann.play("a1")
    expect(hint).to_have_text(re.compile("^All men are placed.*next empty point.$"))
    ann.button("Got it").click()
    expect(ann.page.locator(".hint-box")).to_be_hidden()


@pytest.mark.slow
def test_hints_end_with_the_first_match(visit: Visit) -> None:
    ann = visit()
    ann.open(ann.create(seats=OWN_BOTH))
    expect(ann.page.locator(".hint-text")).to_contain_text("Place a man on any empty point.")
    ann.play("d6")
    ann.play("f4")
    ann.resign()
    expect(ann.headline).to_contain_text("won")
    ann.open(ann.create(seats=OWN_BOTH))
    ann.play("d6")
    expect(ann.page.locator(".hint-box")).to_be_hidden()


def test_an_invited_seat_is_kept_during_the_lesson(visit: Visit) -> None:
    host, guest, rival = visit(), visit(), visit()
    path = host.create()
    guest.open(path)
    guest.page.get_by_role("link", name="Two-minute lesson").click()
    expect(guest.page.locator(".invited-seat")).to_contain_text("Your seat is kept for 10 minutes.")
    rival.open(path)
    rival.page.locator(".join-button").click()
    rival.expect_told("Another visitor is learning the game and has the seat.")
    guest.button("Play Black").click()
    expect(guest.page.locator(".match-page .board")).to_be_visible()
    expect(rival.page.locator(".join-button")).to_have_count(0)
