"""Boards that tests of Nine Men's Morris draw, and the texts that tests compare."""

import re

from millrace.engine.games.morris import GAME
from millrace.engine.state import State
from tests.engine.move_texts import texts


def board(drawing: str, side: str = "w", hands: tuple[int, int] = (0, 0), extra: str = "") -> State:
    """Set up a drawn board; lines between points are only decoration."""
    points = "".join(re.findall(r"[WB.]", drawing))
    return State.of(GAME, f"{points} {side} {hands[0]} {hands[1]} {extra}")


def takings(state: State, stem: str) -> set[str]:
    """Return whom a placing or moving may take."""
    return {text.split("x")[1] for text in texts(state) if text.startswith(f"{stem}x")}


THREE_AGAINST_FOUR = """
    W--------.--------W
    |  .-----B-----.  |
    |  |  .--.--.  |  |
    .--.--B     B--.--.
    |  |  .--.--.  |  |
    |  .-----.-----.  |
    W--------.--------B
"""


SHUTTLE = ["a7-d7", "g1-d1", "d7-a7", "d1-g1"]
