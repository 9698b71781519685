"""The commands that use the engine without a server.

Each imports what it needs when it runs.
"""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from ...runtime.settings import settings_for
from .arguments import (
    DataDir,
    GameName,
)
from .output import exit_on_engine_error


def perft(
    game_name: GameName,
    depth: Annotated[int, typer.Option(min=0, help="The depth in plies.")],
    position: Annotated[str, typer.Option(help="A position text; by default the start position.")] = "",
    divide: Annotated[bool, typer.Option(help="Print the count of each first move.")] = False,
) -> None:
    """Count the leaves of the game tree. The last line is the total alone."""
    from .perft import print_divide, print_perft

    (print_divide if divide else print_perft)(game_name, position, depth)


def position(
    game_name: GameName,
    text: Annotated[
        str, typer.Argument(metavar="[TEXT]", help="A position or a set-up in any notation; - to read standard input.")
    ] = "",
    moves: Annotated[str, typer.Option(help="Moves from there, separated by spaces.")] = "",
    notation: Annotated[
        str,
        typer.Option(
            help="fen, packed or letters (Nine Men's Morris), older (Battle Sheep); by default the game's own notation."
        ),
    ] = "",
) -> None:
    """Print a position as text, also in the notation of other programs."""
    from millrace.engine.game.written_moves import join_captures
    from millrace.engine.games import find_game
    from millrace.engine.state import State

    with exit_on_engine_error():
        game = find_game(game_name)
        setup = sys.stdin.read().strip("\ufeff\r\n") if text == "-" else text
        words = map(game.texts.read_written_move, moves.split())
        state = State.from_moves(game, setup, join_captures(words, game.texts.capture_mark))
        typer.echo(state.write_position(notation))


def engine(
    game_name: Annotated[
        str,
        typer.Argument(
            metavar="[GAME]", help="The game: morris, mingmang, battlesheep, or the name of an installed one."
        ),
    ] = "morris",
    weights: Annotated[
        str, typer.Option(help="The evaluation weights: a name such as `published`, or a file written by `tune`.")
    ] = "",
    data_dir: DataDir = None,
) -> None:
    """Run the engine on standard input and output, with a line protocol like UCI, tablebases and opening books."""
    from .engine import speak_lines

    settings = settings_for(data_dir)
    speak_lines(game_name, weights, settings.tablebases_folder, settings.books_folder)


def sheep(
    mode: Annotated[
        Literal["play", "watch"], typer.Argument(help="Play Blue (+) against the engine, or watch it play both sides.")
    ],
    depth: Annotated[int, typer.Option(min=1, help="The depth of the engine's search, in plies.")] = 7,
    weights: Annotated[
        str, typer.Option(help="The evaluation weights; `published` for those of BattleSheepSolver.")
    ] = "weights",
) -> None:
    """Play Battle Sheep by pasting boards: paste one, then an empty line, and get the board after the next move."""
    from .sheep import play_by_boards

    play_by_boards(is_watching=mode == "watch", depth=depth, weights=weights)


def tune(
    game_name: GameName,
    start: Annotated[str, typer.Option(help="The initial weights: `published`, `weights`, or a file.")] = "published",
    seed: Annotated[int, typer.Option(min=0, help="Random seed; the same seed gives the same weights.")] = 1,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of playing matches and fitting weights to them.")] = 4,
    matches: Annotated[int, typer.Option(min=1, help="Matches in each round.")] = 1000,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes searched for each move.")] = 1000,
    plies: Annotated[int, typer.Option(min=1, help="Maximum number of random moves at the start of a match.")] = 8,
    decay: Annotated[
        float, typer.Option(min=0, max=1, help="1 to learn from results only; less to learn also from later searches.")
    ] = 1.0,
    workers: Annotated[int | None, typer.Option(min=1, help="Number of processes.", show_default="processors")] = None,
    file: Annotated[Path, typer.Option(help="The file to write.")] = Path("weights.json"),
) -> None:
    """Tune the evaluation weights on matches of the engine against itself."""
    from .tune import Tuning, print_tune

    print_tune(Tuning(game_name, start, seed, rounds, matches, nodes, plies, decay), workers, file)
