"""Positions of each game for measuring searches: one file for each game, one position text per line, comments after
#."""

from pathlib import Path

FOLDER = Path(__file__).parent


def read_positions(game_name: str) -> list[str]:
    """Return the positions of a game, or only its start if it has no file."""
    path = FOLDER / f"{game_name}.txt"
    if not path.exists():
        return [""]
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
