"""The signature of the search: the same nodes in every run, regardless of earlier searches."""

import os
import re
import subprocess
import sys

import pytest

from benchmarks.search import search_to
from millrace.engine.games import GAMES, find_game
from millrace.engine.search import Limits, analyse, no_clock
from millrace.engine.state import State
from millrace.engine.transposition_table import new_table

DEPTH = 4


def signatures_of_process(hash_seed: str) -> dict[str, int]:
    """Return the signatures by game that the benchmark prints in another process, whose sets have another order."""
    command = [sys.executable, "-m", "benchmarks.search", "--depth", str(DEPTH), "--movetime", "0"]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=True)
    return {game: int(nodes) for game, nodes in re.findall(r"signature of (\w+): (\d+)", done.stdout)}


@pytest.mark.parametrize("game", GAMES)
def test_the_signature_is_repeatable_even_with_a_used_table(game: str) -> None:
    chosen, table = find_game(game), new_table(1)
    first = [found.nodes for found in search_to(chosen, DEPTH, table)]
    assert sum(first) > len(first) * DEPTH
    analyse(State.of(chosen), Limits(depth=DEPTH + 1), no_clock, table=table)
    assert [found.nodes for found in search_to(chosen, DEPTH, table)] == first
    assert [found.nodes for found in search_to(chosen, DEPTH)] == first, "the table's size does not matter so early"


@pytest.mark.usefixtures("processes")
def test_the_signatures_are_the_same_in_other_processes() -> None:
    expected = {name: sum(found.nodes for found in search_to(game, DEPTH)) for name, game in GAMES.items()}
    assert signatures_of_process("1") == signatures_of_process("2") == expected
