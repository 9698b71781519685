"""Pastures that tests of Battle Sheep draw, and the texts that tests compare."""

from millrace.engine.games.battlesheep import GAME
from millrace.engine.state import State


def pasture(drawing: str, seat: str = "r", seats: int = 2) -> State:
    """Set up rows of the axial array: `.` no cell, `0` empty, `r16` a stack; blanks divide."""
    rows = "/".join(",".join(line.split()) for line in drawing.strip().splitlines())
    return State.of(GAME, f"{rows} {seat} {seats}")


def rows(state: State) -> list[str]:
    return state.position_text.split()[0].split("/")


ROW = "r16 0 0 0 b16"


BLOCKED = """
    r15 b1 0 0 b15
"""
