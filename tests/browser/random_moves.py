"""Random moves entered in the page by clicks."""

import random

from tests.browser.visitor import Visitor

OFFERED_SCRIPT = """seat => {
  if (document.querySelector('.status-panel[data-tone="over"]')) return ["over"];
  const mover = document.querySelector(".seat-strip.to-move")?.dataset.seat ?? seat;
  if (seat !== null && mover !== seat) return ["over"];
  const marked = (mark) => [...document.querySelectorAll(`[data-marks~="${mark}"]`)].map((cell) => cell.dataset.cell);
  const isPicked = document.querySelector('[data-marks~="picked"]') !== null;
  return [marked(isPicked ? "go" : "pick"), marked("go")].find((cells) => cells.length > 0) ?? null;
}"""
"""The cells that may be clicked next, or the word that the match is over, or the turn of this seat if one is named."""
IS_ENTERED_SCRIPT = """before => document.querySelectorAll(".move").length > before
  || document.querySelector(".detail").textContent === "Sending your move…" """
HAS_MOVES_SCRIPT = "count => document.querySelectorAll('.move').length >= count"


def play_random_move(visitor: Visitor, chance: random.Random, seat: str | None = None) -> None:
    """Enter a move by clicking what is offered, unless the match is over, or this seat's turn, as by a forced pass.

    A cell to place on is a move by itself; a cell to pick up leads to another, and from there to a number or a move.
    """
    cells = visitor.page.wait_for_function(OFFERED_SCRIPT, arg=seat).json_value()
    if cells == ["over"]:
        return
    before = visitor.moves.count()
    while not visitor.page.evaluate(IS_ENTERED_SCRIPT, before):
        if visitor.button("Move").is_visible():
            visitor.button("Move").click()
        else:
            visitor.cell(chance.choice(visitor.page.wait_for_function(OFFERED_SCRIPT, arg=None).json_value())).click()
    visitor.page.wait_for_function(HAS_MOVES_SCRIPT, arg=before + 1)
