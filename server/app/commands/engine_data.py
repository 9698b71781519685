"""The commands `millrace tablebase`, `millrace book` and `millrace puzzles`: engine data in files.

They only parse arguments, so that `millrace --help` is fast.
"""

from pathlib import Path
from typing import Annotated

import typer

from ...runtime.settings import settings_for
from .arguments import DataDir, GameName, Processes
from .command_group import command_group

tablebase = command_group("Build, check and query tablebases of Nine Men's Morris.")
book = command_group("Build and show opening books.")
puzzles = command_group("Build and check puzzles.")


@tablebase.command("build")
def build_tablebases(
    up_to: Annotated[
        str, typer.Option(help="The last pair to build, in the order 3-3, 4-3, 4-4, 5-3, 5-4, 6-3, 5-5, ...")
    ],
    data_dir: DataDir = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Number of threads.", show_default="processors")] = None,
    background: Annotated[bool, typer.Option(hidden=True)] = False,
) -> None:
    """Build the tablebases up to a number of men. Existing tables are kept, so an interrupted build can continue."""
    from .tablebase import print_build

    print_build(settings_for(data_dir).tablebases_folder, up_to, threads, background)


@tablebase.command("verify")
def verify_tablebases(
    recount: Annotated[
        str, typer.Option(help="The last pair to solve and count again with a second, plain solver; empty for none.")
    ] = "4-4",
    data_dir: DataDir = None,
) -> None:
    """Check every table: its checksum, its counts, and a sample of its entries by their moves and by a search.

    The smallest tables are solved a second time by a plain solver; both counts are printed side by side.

    The exit code is 1 if a table is wrong, otherwise 3 if a table could not be checked because another is missing.
    """
    from .tablebase import print_verify

    print_verify(settings_for(data_dir).tablebases_folder, recount)


@tablebase.command("probe")
def probe_tablebases(
    position: Annotated[str, typer.Argument(help="A position text.")], data_dir: DataDir = None
) -> None:
    """Print the result of a position under perfect play, and of each of its moves."""
    from .tablebase import print_probe

    print_probe(settings_for(data_dir).tablebases_folder, position)


@tablebase.command("prove")
def prove_placing(
    position: Annotated[str, typer.Argument(help="A position text; empty for the start.")] = "",
    megabytes: Annotated[int, typer.Option(min=1, help="Memory for proved positions.")] = 4_096,
    data_dir: DataDir = None,
) -> None:
    """Prove whether a position with men in hand is won, drawn or lost, by searches that end in the tables.

    Needs the tables of all endings that can be reached: for the start, those up to 9-9.
    """
    from .tablebase_proof import print_proof

    print_proof(settings_for(data_dir).tablebases_folder, position, megabytes)


SmallFolder = Annotated[
    Path | None, typer.Option("--to", help="The folder of the small edition.", show_default="that of the tablebases")
]


@tablebase.command("compress")
def compress_tablebases(small: SmallFolder = None, data_dir: DataDir = None) -> None:
    """Make the small edition of the tables: who wins, without distances, compressed."""
    from .tablebase_small import print_compress

    folder = settings_for(data_dir).tablebases_folder
    print_compress(folder, small or folder)


@tablebase.command("verify-small")
def verify_small_tablebases(small: SmallFolder = None, data_dir: DataDir = None) -> None:
    """Compare every result of the small edition with the full tables. The exit code is 1 if one differs."""
    from .tablebase_small import print_verify_small

    folder = settings_for(data_dir).tablebases_folder
    print_verify_small(folder, small or folder)


@book.command("build")
def build_book(
    game_name: GameName,
    matches: Annotated[
        int, typer.Option(min=1, help="Total number of matches, including those of earlier builds.")
    ] = 1_000,
    nodes: Annotated[
        int, typer.Option(min=1, help="Nodes for each search that proposes or scores a move.")
    ] = 2_000_000,
    match_nodes: Annotated[int, typer.Option(min=1, help="Nodes for each later move of a match.")] = 10_000,
    deepest: Annotated[int, typer.Option(min=1, help="The book's length in plies.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Random seed; the same seed gives the same book.")] = 1,
    processes: Processes = None,
    file: Annotated[Path | None, typer.Option(help="The book's file.", show_default="in the data folder")] = None,
    data_dir: DataDir = None,
) -> None:
    """Build a game's opening book from matches of the engine against itself. An interrupted build can continue."""
    from millrace.engine.book.book import Recipe

    from ...bots.books.book_files import path_of
    from .book import print_build

    path = file or path_of(settings_for(data_dir).books_folder, game_name)
    print_build(game_name, path, Recipe(seed, nodes, match_nodes, deepest), matches, processes)


@book.command("show")
def show_book(
    game_name: GameName,
    moves: Annotated[list[str] | None, typer.Argument(help="The moves from the start position.")] = None,
    file: Annotated[Path | None, typer.Option(help="The book's file.", show_default="in the data folder")] = None,
    data_dir: DataDir = None,
) -> None:
    """Show how often each move was played in a position, and its score."""
    from .book import print_show

    print_show(game_name, settings_for(data_dir).books_folder, moves or [], file)


@puzzles.command("build")
def build_puzzles(
    game_name: GameName,
    count: Annotated[int, typer.Option(min=1, help="Number of puzzles, including those already in the file.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the engine's matches.")] = 1,
    matches: Annotated[
        list[Path] | None,
        typer.Option(help="A file of matches written by `export`, used first. Repeatable."),
    ] = None,
    file: Annotated[Path, typer.Option(help="The file to write.")] = Path("puzzles.txt"),
    data_dir: DataDir = None,
) -> None:
    """Build puzzles from recorded matches, the engine's own matches and, with tablebases, solved endings. Each has
    exactly one solution, by proof.

    An interrupted build can continue.
    """
    from .puzzles import print_build

    print_build(game_name, file, count, seed, matches or [], settings_for(data_dir).tablebases_folder)


@puzzles.command("check")
def check_puzzles(
    game_name: GameName,
    file: Annotated[Path | None, typer.Option(help="The file to check.", show_default="that of the game")] = None,
) -> None:
    """Prove again that every puzzle has one solution. The exit code is 1 if one does not."""
    from .puzzles import print_check

    print_check(game_name, file)
