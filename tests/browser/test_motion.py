"""What moves on the board and beside it: slides from the hand and off the board, one move at a time, and lit mills."""

from collections.abc import Mapping, Sequence

import pytest
from playwright.sync_api import expect

from tests.browser.positions import ABOUT_TO_END, MOVING
from tests.browser.visitor import OWN_BOTH, Visit, Visitor, begin_match

_RECORD_SCRIPT = """() => {
  window.slides = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const [x, y, scale] = target.style.transform.match(/-?[0-9.]+/g).map(Number);
      window.slides.push({ colour: target.dataset.colour, x, y, scale, at_ms: performance.now() });
    }
  }).observe(document.querySelector(".pieces"), { subtree: true, attributeFilter: ["style"] });
}"""
"""Notes where each piece is sent, and when."""

_SLIDE_SCRIPT = "([colour, scale]) => window.slides.some((each) => each.colour === colour && each.scale === scale)"


def moving(visit: Visit, setup: str, seats: Sequence[Mapping[str, object]] = OWN_BOTH) -> Visitor:
    """Return a visitor whose pieces move, at a match of Nine Men's Morris."""
    visitor = visit()
    visitor.page.emulate_media(reduced_motion="no-preference")
    visitor.open(visitor.create(setup, [dict(seat) for seat in seats]))
    visitor.page.evaluate(_RECORD_SCRIPT)
    return visitor


def expect_slide(visitor: Visitor, colour: str, scale: float) -> None:
    visitor.page.wait_for_function(_SLIDE_SCRIPT, arg=[colour, scale])


def test_a_man_slides_from_the_hand_to_its_point(visit: Visit) -> None:
    visitor = moving(visit, "")
    visitor.play("d6")
    visitor.page.wait_for_function("() => window.slides.at(-1)?.x === 3 && window.slides.at(-1)?.y === 1")
    expect(visitor.page.locator(".piece.arriving")).to_have_count(0)


def test_a_taken_man_slides_to_the_taken_men_beside_the_board(visit: Visit) -> None:
    visitor = moving(visit, ABOUT_TO_END)
    visitor.play("g4-g7xd2")
    expect_slide(visitor, "black", 0.4)
    expect(visitor.page.locator(".piece")).to_have_count(6)
    expect(visitor.seat(0).get_by_label("1 taken")).to_be_visible()


def test_two_moves_never_overlap(visit: Visit) -> None:
    visitor = moving(visit, MOVING, [{"occupant": "me"}, {"occupant": "bot", "level": 1}])
    visitor.click("a4")
    visitor.click("b4")
    expect(visitor.moves).to_have_count(2)
    visitor.page.wait_for_function(
        """() => {
          const own = window.slides.find(({ colour, x, y }) => colour === "white" && x === 1 && y === 3);
          const other = window.slides.find(({ colour, at_ms }) => colour === "black" && at_ms > own?.at_ms);
          return other !== undefined && other.at_ms - own.at_ms >= 230;
        }"""
    )


def test_the_animation_setting_and_the_system_stop_all_motion(visit: Visit) -> None:
    visitor = visit()
    visitor.page.emulate_media(reduced_motion="no-preference")
    visitor.open("/settings")
    visitor.page.get_by_label("Animate moves").uncheck()
    visitor.open(visitor.create(ABOUT_TO_END, OWN_BOTH))
    visitor.play("g4-g7xd2")
    expect(visitor.page.locator(".piece.taken-off, .piece.leaving")).to_have_count(0)
    expect(visitor.page.locator(".light").first).to_have_css("animation-name", "none")
    expect(visitor.page.locator(".piece").first).to_have_css("transition-property", "none")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (768, 1024), (360, 740), (740, 360)])
def test_a_closed_mill_lights_up_while_the_man_to_take_is_chosen(visit: Visit, width: int, height: int) -> None:
    visitor = visit(width, height)
    visitor.open(visitor.create(ABOUT_TO_END, OWN_BOTH))
    expect(visitor.page.locator(".light")).to_have_count(0)
    visitor.click("g4")
    visitor.click("g7")
    expect(visitor.page.locator(".light-line")).to_have_count(1)
    visitor.click("d2")
    expect(visitor.page.locator("#announcer")).to_contain_text("moved g4 to g7, closed a mill and took d2.")
    expect(visitor.page.locator(".light-line")).to_have_count(1)
    visitor.button("One move back (Left arrow)").click()
    expect(visitor.page.locator(".light")).to_have_count(0)
    visitor.expect_no_overflow()


@pytest.mark.slow
def test_the_opponent_sees_the_mill_light_up(visit: Visit) -> None:
    white, black = begin_match(visit, ABOUT_TO_END)
    white.play("g4-g7xd2")
    expect(black.page.locator(".light-line")).to_have_count(1)
    expect(black.page.locator("#announcer")).to_contain_text(f"{black.name_of(0)} moved g4 to g7, closed a mill")
    expect(white.page.locator("#announcer")).to_contain_text("You moved g4 to g7, closed a mill and took d2.")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (768, 1024), (360, 740), (740, 360), (640, 400)])
def test_cells_and_groups_are_counted_beside_the_board_to_the_end(visit: Visit, width: int, height: int) -> None:
    visitor = visit(width, height)
    visitor.open(visitor.create("r2,0,0,b1,b2,0,r1,r1 r 2", OWN_BOTH, game="battlesheep"))
    expect(visitor.seat(0).locator(".tallies")).to_have_text("Cells 3Largest group 2")
    expect(visitor.seat(1).locator(".tallies")).to_have_text("Cells 2Largest group 2")
    for origin, target in (("a1", "c1"), ("e1", "f1")):
        visitor.click(origin)
        visitor.click(target)
        visitor.button("Move").click()
    expect(visitor.headline).to_have_text("Red won")
    expect(visitor.seat(0).locator(".tallies")).to_have_text("Cells 4Largest group 2")
    expect(visitor.seat(1).locator(".tallies")).to_have_text("Cells 3Largest group 3")
    for seat in range(2):
        expect(visitor.seat(seat).locator(".tally").last).to_be_in_viewport(ratio=1)
