"""The command `millrace perft`. The counting is `engine.perft`."""

from time import perf_counter

import typer

from millrace.engine.games import find_game
from millrace.engine.perft import divide
from millrace.engine.state import State

from .output import exit_on_engine_error, progress_after_a_while


def print_perft(game_name: str, position: str, depth: int) -> None:
    """Print a line for each depth, then only the number of leaves at `depth`."""
    with exit_on_engine_error():
        state = State.of(find_game(game_name), position)
    compile_counting(state)
    leaves = 1
    typer.echo(f"{'depth':>5} {'leaves':>18} {'seconds':>10} {'M leaves/s':>11}")
    for plies in range(1, depth + 1):
        started = perf_counter()
        leaves = sum(count_by_move(state, plies).values())
        seconds = perf_counter() - started
        typer.echo(f"{plies:>5} {leaves:>18} {seconds:>10.3f} {leaves / seconds / 1e6:>11.1f}")
    typer.echo(str(leaves))


def print_divide(game_name: str, position: str, depth: int) -> None:
    """Print each legal move with its number of leaves, then only the number of leaves at `depth`."""
    with exit_on_engine_error():
        state = State.of(find_game(game_name), position)
    compile_counting(state)
    counts = count_by_move(state, depth) if depth else {}
    for move, leaves in counts.items():
        typer.echo(f"{move}: {leaves}")
    typer.echo(str(sum(counts.values()) if depth else 1))


def count_by_move(state: State, depth: int) -> dict[str, int]:
    """Return the number of leaves of each legal move at `depth` (at least 1), with a progress bar."""
    counts = {}
    with progress_after_a_while(f"depth {depth}", len(state.generated_moves)) as move_done:
        for move, leaves in divide(state, depth):
            counts[move] = leaves
            move_done()
    return counts


def compile_counting(state: State) -> None:
    """Compile the counting, so that no measured time includes it."""
    with progress_after_a_while("compiling", 1):
        next(divide(state, 3), None)
