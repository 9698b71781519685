"""What `millrace book build` and `show` print."""

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

from ..books.book_files import BookLibrary, read_book
from ..books.build import build
from .console import progress_after_a_while, refusals_as_lines

INTERRUPTED = 130
"""The exit code by which shells know what an interrupt at the keyboard has ended."""


def print_build(game_name: str, path: Path, recipe: Recipe, matches: int, processes: int | None) -> None:
    """Grow a book to so many matches and print its main line as often as they double; exit with 130 if interrupted."""
    with refusals_as_lines():
        game = find_game(game_name)
        book = _book_at(path, game, recipe)
    began, already = perf_counter(), book.matches
    is_whole = False
    try:
        with progress_after_a_while("growing the book", max(matches - already, 0) // ROUND + 1) as advance:

            def say_grown() -> None:
                advance()
                if (book.matches // ROUND).bit_count() == 1:
                    typer.echo(f"{book.matches:>9,} matches, most often {' '.join(main_line(book))}")

            build(path, book, matches, processes or os.cpu_count() or 1, say_grown)
        is_whole = True
    except KeyboardInterrupt:
        typer.echo("interrupted; the same command goes on from here")
    except OSError as error:
        typer.echo(f"millrace: {error}", err=True)
        raise typer.Exit(1) from None
    typer.echo(
        f"{game.title}: {book.matches:,} matches, {book.matches - already:,} of them in {perf_counter() - began:.0f} s,"
        f" {len(book.nodes):,} positions, {book.scored_positions:,} of them scored, in {path}"
    )
    if not is_whole:
        raise typer.Exit(INTERRUPTED)


def print_show(game_name: str, folder: Path, moves: list[str]) -> None:
    """Print what the book at hand has after some moves; exit with 1 if it has nothing."""
    with refusals_as_lines():
        state = State.from_moves(find_game(game_name), "", moves)
        book = BookLibrary(folder).book(game_name)
    if book is None:
        typer.echo(f"millrace: There is no opening book of {state.game.title}.", err=True)
        raise typer.Exit(1)
    form = book.canonicalizer.canonical_form(state)
    node = book.nodes.get(form.key, {})
    equivalent_moves = book.canonicalizer.equivalent_moves(state, form, state.legal_moves)
    for clicks, book_move in sorted(node.items(), key=lambda entry: -entry[1].matches):
        texts = " ".join(state.format_move(move) for move in equivalent_moves.get(clicks, []))
        expected = NOT_SCORED if book_move.expected_score is None else f"{book_move.expected_score:.1%}"
        typer.echo(f"{book_move.matches:>6} {book_move.score:>6.1%} {expected:>6}  {texts}")
    if not node:
        typer.echo("millrace: The opening book does not have this position.", err=True)
        raise typer.Exit(1)


def _book_at(path: Path, game: Game, recipe: Recipe) -> Book:
    """Return the book in a file, or a new one if there is none. Raises: BookError."""
    try:
        book = read_book(path, game)
    except FileNotFoundError:
        return Book(game, recipe)
    if book.recipe != recipe:
        raise BookError(
            f"{path} is being grown by other settings: {_words_of(book.recipe)}. Use them, or another file."
        )
    return book


def _words_of(recipe: Recipe) -> str:
    return f"--seed {recipe.seed} --nodes {recipe.nodes} --match-nodes {recipe.match_nodes} --deepest {recipe.deepest}"
