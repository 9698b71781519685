"""What counts as keeping to a move's time."""

import random
from itertools import islice

import pytest
import typer
from typer.testing import CliRunner

from benchmarks.movetime import count_missed, draw_positions, main
from millrace.engine.games import GAMES
from millrace.engine.state import State
from tests.benchmarks.engine_commands import command


@pytest.mark.parametrize(("movetime", "latest"), [(30, 50), (100, 120), (400, 420), (1000, 1050), (10_000, 10_500)])
def test_a_move_may_be_late_by_a_twentieth_or_by_20_ms_whichever_is_more(movetime: int, latest: float) -> None:
    assert count_missed(movetime, [0, movetime, latest, latest + 1]) == 1


@pytest.mark.parametrize("name", GAMES)
def test_positions_are_near_the_start_and_far_from_it(name: str) -> None:
    positions = list(islice(draw_positions(GAMES[name], random.Random(1)), 30))
    assert positions == list(islice(draw_positions(GAMES[name], random.Random(1)), 30))
    assert len(set(positions)) > 25
    assert all(State.of(GAMES[name], position).outcome is None for position in positions)


@pytest.mark.usefixtures("processes")
def test_the_command_tells_how_many_moves_missed_their_time() -> None:
    app = typer.Typer()
    app.command()(main)
    options = ["--moves", "2", "--movetime", "60000", "--game", "morris"]
    done = CliRunner().invoke(app, [command("first"), *options], catch_exceptions=False)
    assert done.stdout.splitlines()[-1] == "missed 0 of 2"
