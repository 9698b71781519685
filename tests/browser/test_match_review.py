"""A finished match reviewed in the page: its evaluation at first sight, accuracy, turning point, and autoplay."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.finished_matches import WON_BY_WHITE, finish_match, review
from tests.browser.positions import ABOUT_TO_END
from tests.browser.visitor import Visit
from tests.serving import ServerProcess

BAR = ".eval-bar"


def test_a_match_won_on_the_board_is_evaluated_as_won_and_a_position_without_evaluation_as_unknown(
    visit: Visit, server: ServerProcess
) -> None:
    visitor = visit().open()
    visitor.page.evaluate("localStorage.setItem('millrace.engine', 'off')")
    visitor.open(f"/analysis/morris?position={ABOUT_TO_END.replace(' ', '+')}&moves=g4-g7xb4")
    bar = visitor.page.locator(BAR)
    expect(bar).to_have_attribute("aria-valuetext", "White has won")
    expect(bar).to_have_attribute("aria-valuenow", "100")
    expect(bar).not_to_have_class(re.compile("unknown"))
    visitor.page.keyboard.press("Home")
    expect(bar).to_have_attribute("aria-valuetext", "Not evaluated yet")
    expect(bar).to_have_class(re.compile("unknown"))
    expect(bar.locator(".eval-sign")).to_be_empty()


def test_a_review_shows_each_players_accuracy_and_the_turning_point(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    visitor = visit()
    visitor.open(finish_match(visitor, "morris", WON_BY_WHITE).replace("/match/", "/analysis/match/"))
    review(visitor)
    accuracies = visitor.page.locator(".review-seat .accuracy")
    expect(accuracies).to_have_text([re.compile(r"^Accuracy ([789]\d|100)%$"), re.compile(r"^Accuracy \d\d?%$")])
    turning = visitor.page.locator(".turning-point")
    expect(turning).to_contain_text("Turning point: ")
    expect(turning.get_by_role("button")).to_contain_text("Black")
    faults = visitor.page.locator(".review-mistakes .note")
    said = r": (White|Black)(.s chances fall from \d+% to \d+%| (could have won|loses) in \d+ pl(y|ies))$"
    expect(faults).to_have_text([re.compile(said)] * faults.count())
    turning.get_by_role("button").click()
    expect(visitor.page.locator(".line-list .move[aria-current]")).to_have_attribute(
        "data-judgement", re.compile("inaccuracy|mistake|blunder")
    )
    expect(visitor.page.locator(".graph-turning")).to_have_count(1)
    expect(visitor.page.locator(".graph-time")).to_have_count(len(WON_BY_WHITE))
    expect(visitor.page.locator(".graph-words")).to_have_text(re.compile(r"^Time for this move: 0:\d\d"))
    # A lesson tells nothing about the position in which the reader is to find a move.
    visitor.page.get_by_role("button", name="Learn from").first.click()
    expect(visitor.page.locator(".lesson")).to_contain_text("Find a better move for")
    expect(visitor.page.locator(".eval-sign")).to_be_empty()
    expect(visitor.page.locator(BAR)).to_have_attribute("aria-valuetext", "Not evaluated yet")
    visitor.expect_no_overflow()


def test_the_stored_review_is_shown_at_once_to_everyone_who_opens_it(visit: Visit, server: ServerProcess) -> None:
    server.wait_for_bots()
    player = visit()
    path = finish_match(player, "morris", WON_BY_WHITE).replace("/match/", "/analysis/match/")
    player.open(path)
    review(player)
    faults = ".review-mistakes li"
    expect(player.page.locator(faults)).not_to_have_count(0)
    shown = player.page.locator(faults).all_text_contents()
    for reader in (player, visit(360, 740)):
        reader.open(path)
        expect(reader.page.locator(faults)).to_have_text(shown)
        expect(reader.button("Request analysis")).to_be_hidden()
    # On a phone it follows the moves.
    parts = (".line-list", ".report", ".note-glyphs")
    moves, report, notes = (reader.page.locator(each).bounding_box() for each in parts)
    assert moves is not None
    assert report is not None
    assert notes is not None
    assert moves["y"] < report["y"] < notes["y"]


@pytest.mark.slow
def test_a_line_plays_automatically_until_its_end_or_until_the_reader_navigates(
    visit: Visit, server: ServerProcess
) -> None:
    visitor = visit().open("/analysis/morris?moves=d6+f4+d2+b4")
    visitor.expect_board({"d6": 0, "f4": 1, "d2": 0, "b4": 1})
    visitor.page.keyboard.press("Home")
    visitor.page.get_by_label("Playback speed").select_option("fast")
    visitor.button("Play the line").click()
    expect(visitor.button("Stop playing")).to_have_attribute("aria-pressed", "true")
    visitor.expect_board({"d6": 0, "f4": 1, "d2": 0, "b4": 1})
    expect(visitor.button("Play the line")).to_be_disabled()
    visitor.page.keyboard.press("Home")
    visitor.page.get_by_label("Playback speed").select_option("slow")
    visitor.button("Play the line").click()
    visitor.expect_board({"d6": 0})
    visitor.page.keyboard.press("Home")
    expect(visitor.button("Play the line")).to_be_enabled()
    visitor.expect_board({})
