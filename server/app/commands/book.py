"""The commands `millrace book build` and `millrace book show`."""

import os
from pathlib import Path
from time import perf_counter

import typer

from millrace.engine.book.book import Book, BookError, Recipe
from millrace.engine.book.growth import ROUND
from millrace.engine.book.move_choice import main_line
from millrace.engine.book.text import NOT_SCORED
from millrace.engine.game import Game
from millrace.engine.games import find_game
from millrace.engine.state import State

from ...bots.books.book_files import BookLibrary, read_book
from ...bots.books.build import build
from .output import INTERRUPTED, exit_on, exit_on_engine_error, fail, number_of, progress_after_a_while


def print_build(game_name: str, path: Path, recipe: Recipe, matches: int, processes: int | None) -> None:
    """Build a book from `matches` matches; print its main line whenever they double. Exit with 130 if interrupted."""
    with exit_on_engine_error():
        game = find_game(game_name)
        book = _book_at(path, game, recipe)
    began, already = perf_counter(), book.matches
    is_whole = False
    try:
        with progress_after_a_while("building the book", max(matches - already, 0) // ROUND + 1) as advance:

            def print_main_line() -> None:
                advance()
                if (book.matches // ROUND).bit_count() == 1:
                    typer.echo(f"{number_of(book.matches, 'match'):>17}, most often {' '.join(main_line(book))}")

            with exit_on(OSError):
                build(path, book, matches, processes or os.cpu_count() or 1, print_main_line)
        is_whole = True
    except KeyboardInterrupt:
        typer.echo("Interrupted. Run the same command again to continue.")
    typer.echo(
        f"{game.title}: {number_of(book.matches, 'match')}, {book.matches - already:,} of them in"
        f" {perf_counter() - began:.0f} s, {number_of(len(book.nodes), 'position')}, {book.scored_positions:,} of them"
        f" scored, in {path}"
    )
    if not is_whole:
        raise typer.Exit(INTERRUPTED)


def print_show(game_name: str, folder: Path, moves: list[str], file: Path | None) -> None:
    """Print the moves after a line of moves, in the book of the folder or of a file; exit with 1 if there are none."""
    with exit_on_engine_error():
        game = find_game(game_name)
        state = State.from_moves(game, "", map(game.texts.read_written_move, moves))
        with exit_on(OSError):
            book = BookLibrary(folder).book(game_name) if file is None else read_book(file, state.game)
    if book is None:
        fail(f"There is no opening book for {state.game.title}. Build one with: millrace book build {game_name}")
    form = book.canonicalizer.canonical_form(state)
    node = book.nodes.get(form.key, {})
    equivalent_moves = book.canonicalizer.equivalent_moves(state, form, state.legal_moves)
    for clicks, book_move in sorted(node.items(), key=lambda entry: -entry[1].matches):
        texts = " ".join(state.format_move(move) for move in equivalent_moves.get(clicks, []))
        expected = NOT_SCORED if book_move.expected_score is None else f"{book_move.expected_score:.1%}"
        typer.echo(f"{book_move.matches:>6} {book_move.score:>6.1%} {expected:>6}  {texts}")
    if not node:
        fail("This position is not in the opening book.")


def _book_at(path: Path, game: Game, recipe: Recipe) -> Book:
    """Return the book in a file, or a new one if there is none. Raises: BookError."""
    try:
        book = read_book(path, game)
    except FileNotFoundError:
        return Book(game, recipe)
    if book.recipe != recipe:
        raise BookError(
            f"{path} was built with other settings: {_options_of(book.recipe)}. Use these, or another --file."
        )
    return book


def _options_of(recipe: Recipe) -> str:
    return f"--seed {recipe.seed} --nodes {recipe.nodes} --match-nodes {recipe.match_nodes} --deepest {recipe.deepest}"
