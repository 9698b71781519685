"""The commands `millrace puzzles build` and `millrace puzzles check`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from millrace.engine.game import Game
from millrace.engine.games import find_game
from millrace.engine.puzzles import Prover, Puzzle, PuzzleError, check_puzzle
from millrace.engine.state import State

from ...archive.record import RecordError
from ...archive.record_reader import read_matches
from ...bots.tablebases.folder import TablebaseFolder
from ...learning.puzzles.build import build
from ...learning.puzzles.puzzle_files import read_puzzles, shipped_puzzles
from .output import INTERRUPTED, exit_on, exit_on_engine_error, fail, number_of, progress_after_a_while


def print_build(game_name: str, path: Path, wanted: int, seed: int, files: Sequence[Path], tablebases: Path) -> None:
    """Build puzzles until a file has the requested number. Exit with 130 if interrupted."""
    game = _game_with_puzzles(game_name)
    is_whole = False
    # Each puzzle is proved again without tables, so gigabytes need not be checked first.
    solved = TablebaseFolder(tablebases, checks=False)
    with exit_on_engine_error(), exit_on(OSError, UnicodeDecodeError, RecordError):
        already = len(read_puzzles(path))
        try:
            with progress_after_a_while("building puzzles", max(wanted - already, 0)) as advance:

                def count(found: int) -> None:
                    for _ in range(found):
                        advance()

                build(game, path, wanted, seed, _recorded(files), solved.tablebase(game_name), count)
            is_whole = True
        except KeyboardInterrupt:
            typer.echo("Interrupted. Run the same command again to continue.")
        puzzles = read_puzzles(path)
    typer.echo(f"{game.title}: {number_of(len(puzzles), 'puzzle')}, {len(puzzles) - already:,} of them new, in {path}")
    _print_themes(game, puzzles)
    if not is_whole:
        raise typer.Exit(INTERRUPTED)


def print_check(game_name: str, path: Path | None) -> None:
    """Prove every puzzle again; exit with 1 if one fails."""
    game = _game_with_puzzles(game_name)
    with exit_on(PuzzleError, OSError, UnicodeDecodeError):
        puzzles = shipped_puzzles(game) if path is None else read_puzzles(path)
        prover = Prover(game)
        with progress_after_a_while("checking puzzles", len(puzzles)) as advance:
            for puzzle in puzzles:
                check_puzzle(game, puzzle, prover)
                advance()
    typer.echo(f"{game.title}: {number_of(len(puzzles), 'puzzle')}, each with one solution.")
    _print_themes(game, puzzles)


def _game_with_puzzles(game_name: str) -> Game:
    with exit_on_engine_error():
        game = find_game(game_name)
    if game.puzzles is None:
        fail(f"{game.title} does not say what its puzzles ask for.")
    return game


def _recorded(files: Sequence[Path]) -> Iterator[State]:
    """Yield the ends of the matches of some files. Raises: OSError, UnicodeDecodeError, RecordError."""
    for file in files:
        for match in read_matches(file.read_text(encoding="utf-8")):
            yield match.state


def _print_themes(game: Game, puzzles: Sequence[Puzzle]) -> None:
    assert game.puzzles is not None
    counts = Counter(theme for puzzle in puzzles for theme in puzzle.themes)
    for code, title in game.puzzles.themes.items():
        typer.echo(f"{counts[code]:>6,}  {title}")
