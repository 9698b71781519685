"""The variety of the strongest level's matches, with an opening book and without.

    python -m benchmarks.book [--game NAME] [--matches N] [--plies N] [--nodes N]

Both sides play from the standard start. Where the book has no move, or is not used, they search a fixed number of
nodes. For the gain of a book in points use `benchmarks.match` with `--option-b Book=false --openings 0 --setup ""` and
a `--movetime`.
"""

from pathlib import Path
from typing import Annotated

import typer

from millrace.engine.analysis import Handicap, Limits, analyse, no_clock
from millrace.engine.book.book import Book
from millrace.engine.book.move_choice import choose_book_move
from millrace.engine.book.seeded_random import derive_seed
from millrace.engine.game import Game
from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State
from millrace.engine.transposition_table import new_table
from millrace.server.app.commands.output import progress_after_a_while
from millrace.server.bots.books.book_files import BookLibrary
from millrace.server.runtime.settings import settings_for

NOISE = 2
"""Noise of the evaluation, as at the strongest level, in hundredths of a man."""


def main(
    game: Annotated[list[str] | None, typer.Option(help="Games to measure; all by default.")] = None,
    matches: Annotated[int, typer.Option(min=1, help="Matches of each game.")] = 200,
    plies: Annotated[int, typer.Option(min=1, help="Plies that are compared.")] = 8,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of each search.")] = 2_000,
    data_dir: Annotated[Path | None, typer.Option(help="Data folder with grown books.")] = None,
) -> None:
    books = BookLibrary(settings_for(data_dir).books_folder)
    print(f"{'game':>12} {'matches in book':>15} {'positions':>9} | distinct lines of {plies} plies, plies by the book")
    for name in game or GAMES:
        chosen, book = find_game(name), books.book(name)
        columns = [f"{name:>12} {book.matches if book else 0:>15} {len(book.nodes) if book else 0:>9} |"]
        for title, used in (("with", book), ("without", None)):
            lines, known = play_openings(chosen, used, matches, plies, nodes)
            columns.append(f"{title} {lines:>3} of {matches}, {known:.1f} plies")
        print(" ".join(columns))


def play_openings(game: Game, book: Book | None, matches: int, plies: int, nodes: int) -> tuple[int, float]:
    """Return the number of different lines of play, and the average number of book plies."""
    lines, known = set[tuple[int, ...]](), 0
    with progress_after_a_while(game.title, matches) as advance:
        for seed in range(matches):
            state = State.of(game)
            while state.outcome is None and state.ply < plies:
                move = choose_book_move(book, state, seed) if book is not None else None
                known += move is not None
                state = state.play(move) if move is not None else state.play_text(search(state, nodes, seed))
            lines.add(state.moves)
            advance()
    return len(lines), known / matches


def search(state: State, nodes: int, seed: int) -> str:
    """Return the move of a search with some noise by the seed."""
    found = analyse(
        state, Limits(nodes=nodes), no_clock, table=new_table(1), handicap=Handicap(NOISE, derive_seed(seed))
    )
    assert found.best_move is not None
    return found.best_move


if __name__ == "__main__":
    typer.run(main)
