"""The trainer for coordinates: places found by clicks and named by keys, until the time is up."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.accessibility import expect_accessible
from tests.browser.visitor import Visit, Visitor

HIDDEN_NAMES = ".coordinates-page .label >> visible=true"


def find(visitor: Visitor) -> str:
    """Return the place that is to be found."""
    task = visitor.page.locator(".puzzle-task")
    expect(task).to_have_text(re.compile(r"^Find [a-z]\d+$"))
    return task.inner_text().removeprefix("Find ")


def marked(visitor: Visitor, mark: str) -> Locator:
    return visitor.page.locator(f'[data-marks~="{mark}"]')


def test_places_are_found_and_named_until_the_time_is_up(visit: Visit) -> None:
    ann = visit(360, 740)
    ann.page.clock.install()
    ann.open("/puzzles/morris")
    ann.page.get_by_role("link", name="Coordinates").click()
    score, answer, best = (ann.page.locator(each) for each in (".coordinates-score", ".step-answer", "main"))
    expect(ann.page.locator(HIDDEN_NAMES)).to_have_count(14)
    ann.button("Start").click()
    expect(ann.page.locator(HIDDEN_NAMES)).to_have_count(0)
    expect(ann.cell("a7")).to_have_attribute("aria-label", "Row 1 of 7 from the top, place 1 of 3")

    place = find(ann)
    wrong = "a1" if place != "a1" else "g7"
    ann.click(wrong)
    expect(answer).to_have_text(f"That is {wrong}.")
    expect(marked(ann, "wrong")).to_have_attribute("data-cell", wrong)
    ann.click(place)
    expect(answer).to_have_text(f"{place} is right.")
    expect(score).to_have_text("1")
    place = find(ann)
    ann.cell(place).focus()
    ann.page.keyboard.press("Enter")
    expect(score).to_have_text("2")
    ann.expect_no_overflow()
    ann.page.clock.fast_forward(30_000)
    expect(ann.page.locator(".puzzle-task")).to_have_text("Time is up.")
    expect(best).to_contain_text("2 right: your best so far.")
    expect(ann.cell("a7")).to_have_attribute("aria-label", "a7")

    ann.button("Flip the board").click()
    expect(best).to_contain_text("Best in 30 seconds: 0")
    ann.button("Name places").click()
    ann.button("Practise without a clock").click()
    expect(ann.cell("a7")).to_have_attribute("aria-label", "Row 7 of 7 from the top, place 3 of 3")
    field = ann.page.get_by_label("Name of the marked place")
    expect(field).to_be_focused()
    asked = marked(ann, "asked")
    ann.page.keyboard.type("z9")
    expect(answer).to_have_text("No place is called z9.")
    place = asked.get_attribute("data-cell") or ""
    wrong = "a1" if place != "a1" else "g7"
    field.fill(wrong.upper())
    expect(answer).to_have_text(f"{wrong} is here.")
    # As Japanese and Chinese keyboards write it.
    ann.page.keyboard.insert_text("".join(chr(ord(sign) + 0xFEE0) for sign in place))
    expect(score).to_have_text("1")
    expect(asked).not_to_have_attribute("data-cell", place)
    expect_accessible(ann)

    ann.open("/coordinates/morris")
    expect(best).to_contain_text("Best in 30 seconds: 2")
