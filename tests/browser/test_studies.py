"""Studies in the page: comments, signs, arrows and circles, kept with variations, saved, and shared by link."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.finished_matches import finish_match
from tests.browser.visitor import Visit, Visitor
from tests.serving import ServerProcess

IMPORTED = """[Event "Casual match"]
[White "Ann"]
[Black "Ben"]
[Result "1-0"]
[Game "morris"]
[Termination "resignation"]

{Two friends} 1. d6 {the strongest point} f4 $2 (1... d2 {was better} 2. b4) 2. d2 1-0
"""


def drawings(visitor: Visitor) -> Locator:
    return visitor.page.locator(".drawings .drawing")


def draw(visitor: Visitor, start: str, end: str, *keys: str) -> None:
    """Drag with the right button from one cell to another while keys are held."""
    for key in keys:
        visitor.page.keyboard.down(key)
    visitor.page.mouse.move(*visitor.centre_of(start))
    visitor.page.mouse.down(button="right")
    visitor.page.mouse.move(*visitor.centre_of(end), steps=4)
    visitor.page.mouse.up(button="right")
    for key in keys:
        visitor.page.keyboard.up(key)


def comment(visitor: Visitor) -> Locator:
    return visitor.page.get_by_label("Comment", exact=True)


def test_arrows_and_circles_are_drawn_and_removed_and_belong_to_their_position(
    visit: Visit, server: ServerProcess
) -> None:
    visitor = visit().open("/analysis/morris?moves=d6")
    visitor.expect_board({"d6": 0})
    draw(visitor, "d6", "f4")
    expect(drawings(visitor)).to_have_count(1)
    expect(drawings(visitor).first.locator(".arrow-head")).to_have_count(1)
    draw(visitor, "b4", "b4", "Shift")
    expect(drawings(visitor)).to_have_count(2)
    expect(visitor.page.locator('circle.drawing[data-colour="red"]')).to_have_count(1)
    draw(visitor, "d6", "f4", "Alt")
    expect(visitor.page.locator('g.drawing[data-colour="blue"]')).to_have_count(1)
    visitor.page.keyboard.press("ArrowLeft")
    expect(drawings(visitor)).to_have_count(0)
    visitor.page.keyboard.press("ArrowRight")
    expect(drawings(visitor)).to_have_count(2)
    visitor.page.reload()
    expect(drawings(visitor)).to_have_count(2)
    draw(visitor, "b4", "b4", "Shift")
    expect(drawings(visitor)).to_have_count(1)
    visitor.button("Remove the drawings").click()
    expect(drawings(visitor)).to_have_count(0)
    visitor.expect_board({"d6": 0})


@pytest.mark.slow
def test_a_finger_draws_once_the_board_is_set_to_drawing(visit: Visit, server: ServerProcess) -> None:
    visitor = visit(360, 740).open("/analysis/mingmang")
    expect(visitor.cell("b1")).to_have_attribute("data-marks", re.compile("pick"))
    visitor.page.get_by_role("button", name="Draw arrows and circles").click()
    visitor.page.mouse.click(*visitor.centre_of("d4"))
    expect(drawings(visitor)).to_have_count(1)
    visitor.page.get_by_role("button", name="Draw arrows and circles").click()
    visitor.click("b1")
    expect(visitor.cell("b1")).to_have_attribute("data-marks", re.compile("picked"))
    visitor.expect_no_overflow()


def test_a_study_is_saved_and_shared_by_link_with_all_its_content(visit: Visit, server: ServerProcess) -> None:
    ann, ben = visit(), visit()
    ann.open("/analysis/morris?moves=d6+f4")
    ann.expect_board({"d6": 0, "f4": 1})
    comment(ann).fill("The usual answer.")
    draw(ann, "d2", "b4")
    ann.page.keyboard.press("Escape")
    ann.page.locator(".line-list .move").first.click()
    ann.click("a7")
    ann.button("Mistake").click()
    expect(ann.page.locator(".variation .move")).to_have_text(["a7 ?"])
    comment(ann).fill("A corner is weak.")
    ann.page.get_by_text("Study: save and share these lines").click()
    ann.page.get_by_label("Title of the study").fill("First answers")
    ann.button("Save as a study").click()
    link = ann.page.get_by_label("Link to the study")
    expect(link).to_have_value(re.compile("/study/"))
    address = link.input_value().removeprefix(server.url)

    ben.open(address)
    expect(ben.page.locator(".line-list .move")).to_have_text(["d6", "f4", "a7 ?"])
    expect(ben.page.locator(".line-list .move-comment")).to_have_text(["The usual answer.", "A corner is weak."])
    expect(ben.page.get_by_role("heading", name="First answers")).to_be_visible()
    ben.page.keyboard.press("End")
    ben.expect_board({"d6": 0, "f4": 1})
    expect(drawings(ben)).to_have_count(1)
    expect(ben.page).to_have_url(re.compile("#d6,f4$"))
    elsewhere = visit().open(ben.page.url.removeprefix(server.url))
    elsewhere.expect_board({"d6": 0, "f4": 1})
    ben.page.get_by_text("Study: save and share these lines").click()
    expect(ben.page.get_by_label("Title of the study")).to_have_value("First answers")
    expect(ben.page.locator(".study-box")).to_contain_text("Anyone with the link can see this study.")
    ben.button("Save your own copy").click()
    expect(ben.page.get_by_label("Link to the study")).not_to_have_value(link.input_value())

    ann.page.reload()
    expect(ann.page.locator(".line-list .move-comment")).to_have_count(2)
    ann.page.keyboard.press("Home")
    comment(ann).fill("Beginnings")
    ben.open(address)
    expect(ben.page.locator(".line-list .move-comment").first).to_have_text("Beginnings")
    expect(ann.page.locator(".study-box")).to_contain_text("All changes are saved.")
    ann.open("/studies")
    expect(ann.page.locator(".study-list a")).to_have_text(["First answers"])
    ann.page.get_by_role("button", name="Delete First answers").click()
    expect(ann.page.locator(".study-list a")).to_have_count(0)
    ben.expected_problem = "unknown"
    ben.open(address)
    expect(ben.page.locator(".notice")).to_contain_text("There is no such study")


def test_a_match_is_studied(visit: Visit, server: ServerProcess) -> None:
    ann, ben = visit(), visit()
    match = finish_match(ann, "battlesheep", ("c2", "d7"))
    ann.open(match.replace("/match/", "/analysis/match/"))
    expect(ann.page.locator(".line-list .move")).to_have_text(["c2", "d7"])
    comment(ann).fill("Far away.")
    ann.page.get_by_text("Study: save and share these lines").click()
    ann.button("Save as a study").click()
    link = ann.page.get_by_label("Link to the study")
    expect(link).to_have_value(re.compile("/study/"))
    ben.open(link.input_value().removeprefix(server.url) + "#c2")
    expect(ben.page.locator(".line-list .move-comment")).to_have_text(["Far away."])
    expect(ben.page.locator(".line-list .move[aria-current]")).to_have_text(["c2"])
    expect(ben.page.locator(".line-list .move")).to_have_text(["c2", "d7"])
    expect(ben.page.get_by_role("heading", name="Study")).to_be_visible()
    expect(ben.page.get_by_role("link", name="Back to the match")).to_have_attribute("href", match)


@pytest.mark.slow
def test_notes_of_an_imported_match_are_shown(visit: Visit, server: ServerProcess) -> None:
    visitor = visit().open("/archive")
    visitor.page.get_by_text("Import matches").click()
    visitor.page.locator("textarea").fill(IMPORTED)
    visitor.page.get_by_role("button", name="Import", exact=True).click()
    visitor.page.get_by_label("Imported matches").get_by_role("link").first.click()
    expect(visitor.page.locator(".moves .move")).to_have_text(["d6", "f4 ?", "d2"])
    visitor.page.keyboard.press("Home")
    expect(visitor.page.locator(".match-note")).to_have_text("Two friends")
    visitor.page.keyboard.press("ArrowRight")
    expect(visitor.page.locator(".match-note")).to_have_text("the strongest point")
    visitor.page.keyboard.press("ArrowRight")
    expect(visitor.page.locator(".match-note")).to_contain_text("Instead: ")
    expect(visitor.page.locator(".match-note")).to_contain_text("was better")
    visitor.page.get_by_role("link", name="Analyse", exact=True).click()
    expect(visitor.page.locator(".line-list .move")).to_have_text(["d6", "f4 ?", "d2", "b4", "d2"])
    expect(visitor.page.locator(".line-list .move-comment")).to_have_text(
        ["Two friends", "the strongest point", "was better"]
    )
    visitor.expect_no_overflow()
