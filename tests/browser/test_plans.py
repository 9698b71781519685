"""Planned replies in a match by correspondence: entered on a board, by typing and by keyboard, and played."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visit, Visitor, begin_match

THREE_DAYS = {"initial_ms": 3 * 86_400_000, "renews": True}


def begin(visit: Visit, width: int = 1280, height: int = 800) -> tuple[Visitor, Visitor]:
    """Return White, who has placed the first man, and Black, who is to move."""
    white, black = visit(width=width, height=height), visit()
    path = white.create(clock=THREE_DAYS)
    white.open(path)
    black.join(path)
    white.play("d6")
    return white, black


def box(visitor: Visitor) -> Locator:
    return visitor.page.locator(".plan-box")


def cell(visitor: Visitor, name: str) -> Locator:
    return box(visitor).locator(f'[data-cell="{name}"]')


def click(visitor: Visitor, name: str) -> None:
    expect(cell(visitor, name)).to_have_attribute("data-marks", re.compile(r"\b(pick|go|take)\b"))
    cell(visitor, name).click()


def type_move(visitor: Visitor, text: str) -> None:
    field = box(visitor).get_by_label("Next move")
    field.fill(text)
    field.press("Enter")


def enter(visitor: Visitor, move: str) -> None:
    """Type a legal move, and wait until it is in the line."""
    type_move(visitor, move)
    expect(box(visitor).locator(".plan-line")).to_contain_text(re.compile(rf"plays? {move}\b"))


def test_a_line_that_is_clicked_on_the_board_is_planned_and_played(visit: Visit) -> None:
    white, black = begin(visit)
    box(white).locator("summary").click()
    line, lines = box(white).locator(".plan-line"), box(white).locator(".plan-lines li")
    other = white.name_of(1)
    expect(line).to_have_text(f"Enter a move that {other} might play.")
    click(white, "f4")
    expect(line).to_have_text(f"If {other} plays f4: enter your reply.")
    add = box(white).get_by_role("button", name="Add to the plan")
    expect(add).to_be_disabled()
    click(white, "a7")
    expect(line).to_have_text(f"If {other} plays f4, you play a7. Enter a move that {other} might play.")
    add.click()
    expect(lines).to_have_text([re.compile(f"If {other} plays f4, you play a7\\.")])
    black.click("f4")
    expect(white.moves).to_have_text(["d6", "f4", "a7"])
    expect(white.moves.nth(2)).to_have_attribute("title", re.compile("^planned"))
    expect(black.headline).to_have_text("Your turn")
    expect(lines).to_have_count(0)


def test_planned_lines_are_typed_continued_after_a_reply_and_removed(visit: Visit) -> None:
    white, black = begin(visit, width=360, height=740)
    summary = box(white).locator("summary")
    summary.focus()
    summary.press("Enter")
    lines = box(white).locator(".plan-lines li")
    for move in ("f4", "a7", "a1", "g7"):  # without a pause: none waits for the answer to the one before
        type_move(white, move)
    line = box(white).locator(".plan-line")
    expect(line).to_contain_text(re.compile(r"f4, you play a7\. If .* then plays a1, you play g7\."))
    box(white).get_by_role("button", name="Add to the plan").press("Enter")
    expect(lines).to_have_count(1)
    expect(lines).to_contain_text(re.compile(r"you play a7\. If .* then plays a1, you play g7\."))
    white.expect_no_overflow()
    type_move(white, "zz")
    expect(box(white).locator(".note")).to_contain_text("zz")
    for move in ("f6", "b6"):
        enter(white, move)
    box(white).get_by_role("button", name="Add to the plan").click()
    expect(lines).to_have_count(2)
    lines.nth(1).get_by_role("button", name=re.compile("^Remove: If ")).click()
    expect(lines).to_have_count(1)
    white.page.reload()
    expect(lines).to_have_count(1)
    black.play("f6")
    expect(lines).to_have_count(0)
    expect(white.headline).to_have_text("Your turn")


def test_a_plan_is_offered_only_in_correspondence_matches(visit: Visit) -> None:
    white, black = begin(visit)
    expect(box(white)).to_be_visible()
    spectator = visit().open(white.path)
    expect(spectator.moves).to_have_text(["d6"])
    expect(box(spectator)).to_be_hidden()
    expect(box(black)).to_be_visible()
    box(black).locator("summary").click()
    expect(box(black).locator(".note")).to_contain_text("It is your turn")
    expect(box(black).locator(".plan-editor")).to_be_hidden()
    host, guest = begin_match(visit)
    host.play("d6")
    expect(guest.moves).to_have_text(["d6"])
    expect(box(host)).to_be_hidden()
