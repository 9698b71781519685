"""Positions of every game to measure searches by: a file a game, a position text a line, lines with # for people."""

from pathlib import Path

FOLDER = Path(__file__).parent


def read_positions(game_name: str) -> list[str]:
    """Return the positions of a game, or its start alone where it has no file."""
    path = FOLDER / f"{game_name}.txt"
    if not path.exists():
        return [""]
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
