"""The command `millrace position`: a position in the notation of the game or of another program."""

import sys

import typer

from millrace.engine.game.written_moves import join_captures
from millrace.engine.games import find_game
from millrace.engine.state import State

from .output import exit_on_engine_error


def print_position(game_name: str, text: str, moves: list[str], notation: str) -> None:
    """Print a position, read from standard input if the text is `-`."""
    with exit_on_engine_error():
        game = find_game(game_name)
        setup = sys.stdin.read().strip("\r\n") if text == "-" else text
        state = State.from_moves(game, setup, join_captures(moves, game.texts.capture_mark))
        typer.echo(state.write_position(notation))
