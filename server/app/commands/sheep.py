"""The command `millrace sheep`: Battle Sheep by pasted boards, as the published program BattleSheepSolver plays it.

Boards are in the older text (`engine.games.battlesheep.legacy_text`), on standard input and output. Red (-) moves
first and is the engine; in a match that is played, each pasted board is Blue's (+) answer.
"""

import re
import sys
from collections.abc import Iterator
from time import perf_counter

import typer

from millrace.engine.game import Game, SetupError
from millrace.engine.games import find_game
from millrace.engine.levels.warm_up import warm_up_search
from millrace.engine.search import Limits, analyse
from millrace.engine.state import State
from millrace.engine.transposition_table import new_table
from millrace.engine.weights import evaluated_by

from .output import exit_on_engine_error, fail

RED, BLUE = 0, 1
TABLE_MEGABYTES = 32
PLAYERS = ("Red (-)", "Blue (+)")
COLOURS = {"-": typer.colors.RED, "+": typer.colors.BLUE, "0": typer.colors.GREEN}


def play_by_boards(*, is_watching: bool, depth: int, weights: str) -> None:
    """Play a match from a board read from standard input, until it is over or the input ends.

    `is_watching` lets the engine play both sides. It searches to a depth, by a named set of evaluation weights.
    """
    with exit_on_engine_error():
        game, _ = evaluated_by(find_game("battlesheep"), weights)
    warm_up_search(game)
    state = read_start(game)
    print_board(state)
    table, took_ms, turns = new_table(TABLE_MEGABYTES), 0.0, 0
    while state.outcome is None:
        if state.forced_pass is not None:
            say(f"\n{PLAYERS[state.seat]} cannot move.")
            state = state.play(state.forced_pass)
            continue
        if state.seat == BLUE and not is_watching:
            say(f"\n{PLAYERS[BLUE]}: enter the board after your move, then an empty line.")
            after = read_move(state)
            if after is None:
                return
            state = after
        else:
            found = analyse(state, Limits(depth=depth), perf_counter, table=table)
            assert found.best_move is not None
            value = found.value if state.seat == BLUE else -found.value
            say(f"\n{PLAYERS[state.seat]} moves: {found.best_move}")
            say(f"took {found.elapsed_ms:.0f} ms, {found.nodes} nodes, value {value:+} for {PLAYERS[BLUE]}")
            state = state.play_text(found.best_move)
            took_ms, turns = took_ms + found.elapsed_ms, turns + 1
        print_board(state)
    winner = state.outcome.winner
    say("\nThe match is drawn." if winner is None else f"\n{PLAYERS[winner]} wins.")
    if turns:
        say(f"A move of the engine took {took_ms / turns:.0f} ms on average.")


def read_start(game: Game) -> State:
    """Return the state of the first valid board on standard input, with Red to move."""
    say("Enter a board, then an empty line.")
    for text in pasted_boards():
        try:
            state = State.of(game, text)
            state.write_position("older")
        except SetupError as error:
            say(f"{error} Enter another board.")
        else:
            return state
    return fail("The input ended before a board.")


def read_move(state: State) -> State | None:
    """Return the state after the move that leads to the next pasted board, or None at the end of the input."""
    after = {next_state.write_position("older"): next_state for next_state in map(state.play, state.legal_moves)}
    for text in pasted_boards():
        try:
            board = State.of(state.game, text).write_position("older")
        except SetupError as error:
            say(f"{error} Enter another board.")
            continue
        if board in after:
            return after[board]
        say(f"No move of {PLAYERS[state.seat]} leads to this board. Enter another one.")
    return None


_PASTED = str.maketrans({"\u2212": "-", "\u00a0": " ", "\ufeff": None})
"""What pages and files have for the signs of a board, and before it: a minus, a fixed space, a byte order mark."""


def pasted_boards() -> Iterator[str]:
    """Yield the boards on standard input: lines up to an empty one or the end."""
    lines: list[str] = []
    for line in sys.stdin:
        if line.strip():
            lines.append(line.rstrip("\r\n").translate(_PASTED))
        elif lines:
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)


def print_board(state: State) -> None:
    """Print the board, in colour on a terminal."""
    board = re.sub(r"[-+]\d+|0", lambda cell: typer.style(cell[0], COLOURS[cell[0][0]]), state.write_position("older"))
    say(board)


def say(text: str) -> None:
    """Print a text at once; colours only on a terminal."""
    typer.echo(text)
    sys.stdout.flush()
