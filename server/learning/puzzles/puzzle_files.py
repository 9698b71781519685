"""Files of puzzles: one text file per game, always written whole. A shipped game's file is in its folder."""

from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path

from millrace.engine.game import Game
from millrace.engine.puzzles import Puzzle, format_puzzles, parse_puzzles

from ...runtime.gentle_files import replacing

FILE_NAME = "puzzles.txt"


@cache
def shipped_puzzles(game: Game) -> tuple[Puzzle, ...]:
    """Return the puzzles shipped with a game. Raises: PuzzleError."""
    file = resources.files("millrace.engine.games") / game.name / FILE_NAME
    return tuple(parse_puzzles(file.read_text(encoding="utf-8"))) if file.is_file() else ()


def read_puzzles(path: Path) -> tuple[Puzzle, ...]:
    """Return the puzzles of a file, if it exists. Raises: OSError, UnicodeDecodeError, PuzzleError."""
    return tuple(parse_puzzles(path.read_text(encoding="utf-8"))) if path.exists() else ()


def write_puzzles(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write puzzles atomically. Raises: OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        file.write(format_puzzles(puzzles).encode())
