"""Fingers on a phone: real touch events, which the browser turns into pointer events unless it scrolls the page."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from millrace.engine.games import find_game
from millrace.server.learning.puzzles.puzzle_files import shipped_puzzles
from tests.browser.positions import MOVING
from tests.browser.visitor import CLICKABLE, OWN_BOTH, Visitor, visiting
from tests.serving import ServerProcess, Site

STEPS = 6


class Toucher(Visitor):
    """A visitor with a touch screen."""

    def __init__(self, page: Page, server: Site) -> None:
        super().__init__(page, server)
        self._session = page.context.new_cdp_session(page)

    def tap(self, *cells: str) -> None:
        """Tap cells, each once it is on the board."""
        for cell in cells:
            self._touch("touchStart", self.centre_of(cell))
            self._touch("touchEnd")

    def drag_piece(self, origin: str, target: str) -> None:
        """Drag a piece that can be picked up."""
        expect(self.cell(origin)).to_have_attribute("data-marks", CLICKABLE)
        self.drag(self.centre_of(origin), self.centre_of(target))

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag a finger from one point of the window to another."""
        self._touch("touchStart", start)
        for step in range(1, STEPS + 1):
            x, y = (one + (other - one) * step / STEPS for one, other in zip(start, end, strict=True))
            self._touch("touchMove", (x, y))
        self._touch("touchEnd")

    def pinch(self, start: tuple[float, float], other: tuple[float, float], end: tuple[float, float]) -> None:
        """Move a finger from one point of the window to another while a second one rests."""
        self._touch("touchStart", start)
        self._touch("touchStart", start, other)
        self._touch("touchMove", end, other)
        self._touch("touchEnd")

    def _touch(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


@contextmanager
def on_phone(browser: Browser, server: ServerProcess, width: int = 360, height: int = 740) -> Iterator[Toucher]:
    """Yield a visitor with a phone."""
    size = {"viewport": {"width": width, "height": height}}
    with visiting(browser, server, Toucher, has_touch=True, is_mobile=True, service_workers="block", **size) as player:
        yield player


@pytest.mark.parametrize("size", [(360, 740), (740, 360)], ids=["upright", "on its side"])
@pytest.mark.parametrize(
    ("game", "setup", "origin", "target", "move"),
    [
        ("morris", MOVING, "a4", "b4", "a4-b4"),
        ("mingmang", "", "b1", "b5", "b1-b5"),
        ("battlesheep", "r5,0,0,b3/0,b4,0,0/.,0,r2,0 r 2", "a1", "c1", "a1-c1:2"),
    ],
)
def test_a_piece_is_dragged_by_a_finger_and_the_page_stays(
    browser: Browser,
    server: ServerProcess,
    size: tuple[int, int],
    game: str,
    setup: str,
    origin: str,
    target: str,
    move: str,
) -> None:
    with on_phone(browser, server, *size) as player:
        player.open(player.create(setup, OWN_BOTH, game=game))
        scrolled = player.page.evaluate("scrollY")
        player.drag_piece(origin, target)
        if game == "battlesheep":
            player.button("Move").click()
        expect(player.moves).to_have_text([move])
        player.page.wait_for_function("(before) => scrollY === before", arg=scrolled)


def test_taps_enter_a_move_and_a_finger_beside_the_pieces_scrolls_the_page(
    browser: Browser, server: ServerProcess
) -> None:
    with on_phone(browser, server) as player:
        player.open(player.create(MOVING, OWN_BOTH))
        expect(player.cell("a4")).to_have_attribute("data-marks", "pick")
        player.tap("a4", "b4")
        expect(player.moves).to_have_text(["a4-b4"])
        # Last, since a page that was dragged goes on scrolling for a moment.
        x, y = player.centre_of("d5")
        player.drag((x, y), (x, y - 120))
        player.page.wait_for_function("() => scrollY > 40")


@pytest.mark.slow
@pytest.mark.parametrize("second", ["on the board", "beside it"])
def test_a_second_finger_cancels_a_drag(browser: Browser, server: ServerProcess, second: str) -> None:
    with on_phone(browser, server) as player:
        player.open(player.create(MOVING, OWN_BOTH))
        expect(player.cell("a4")).to_have_attribute("data-marks", CLICKABLE)
        origin, target = player.centre_of("a4"), player.centre_of("b4")
        other = player.centre_of("e3") if second == "on the board" else (300, 700)
        player.pinch(origin, other, target)
        expect(player.page.locator(".dragged")).to_have_count(0)
        player.drag_piece("c5", "c4")
        expect(player.moves).to_have_text(["c5-c4"])


def test_a_puzzle_is_solved_by_dragging(browser: Browser, server: ServerProcess) -> None:
    puzzle = min(shipped_puzzles(find_game("mingmang")), key=lambda puzzle: len(puzzle.solution))
    with on_phone(browser, server) as player:
        player.open(f"/puzzles/mingmang/{puzzle.id}")
        for ply in puzzle.solver_plies:
            origin, target = puzzle.accepted_at(ply)[0].split("-")
            player.drag_piece(origin, target)
        expect(player.page.locator(".step-answer")).to_have_attribute("data-stage", "solved")


def test_premoves_are_entered_by_taps_and_by_dragging(browser: Browser, server: ServerProcess) -> None:
    with on_phone(browser, server) as white, on_phone(browser, server) as black:
        white.open(white.create(MOVING))
        black.join(white.path)
        note = black.page.locator(".premove-note")
        black.tap("g4", "f4")
        expect(note).to_contain_text("Premove: g4-f4.")
        black.drag(black.centre_of("f4"), black.centre_of("e4"))
        expect(note).to_contain_text("Premoves: g4-f4, then f4-e4.")
        white.tap("a4", "b4")
        expect(black.moves).to_have_text(["a4-b4", "g4-f4"])
        expect(note).to_contain_text("Premove: f4-e4.")


@pytest.mark.parametrize(
    ("game", "name", "cells"), [("morris", "White", ("d6", "f4")), ("battlesheep", "Red", ("c2", "d7"))]
)
def test_a_position_is_set_up_by_a_finger(
    browser: Browser, server: ServerProcess, game: str, name: str, cells: tuple[str, str]
) -> None:
    with on_phone(browser, server) as author:
        author.open(f"/editor/{game}")
        author.button("Clear the board").click()
        author.expect_board({})
        author.page.locator(".editor-page .board").scroll_into_view_if_needed()
        box = author.page.get_by_role("radio", name=name, exact=True).bounding_box()
        assert box is not None
        author.drag((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), author.centre_of(cells[0]))
        author.expect_board({cells[0]: 0})
        author.page.get_by_role("radio", name="Move pieces", exact=True).tap()
        author.drag(author.centre_of(cells[0]), author.centre_of(cells[1]))
        author.expect_board({cells[1]: 0})
