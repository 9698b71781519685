"""The command `millrace tune`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import typer

from millrace.engine.game import EvaluationTerms
from millrace.engine.games import find_game
from millrace.engine.tuning.fitting import Fit, fit_weights
from millrace.engine.tuning.self_play import SelfPlaySettings
from millrace.engine.weights import Weights, evaluation_terms_of, file_of, write_weights

from ..tuning.self_play import play_matches, players
from ..tuning.weight_files import chosen_weights, require_writable
from .output import exit_on_engine_error, fail, progress_after_a_while


class Tuning(NamedTuple):
    """The options that determine the result."""

    game: str
    start: str
    seed: int
    rounds: int
    matches: int
    """In each round."""
    nodes: int
    plies: int
    decay: float

    @property
    def command(self) -> str:
        """The command line with these options."""
        return (
            f"millrace tune {self.game} --start {self.start} --seed {self.seed} --rounds {self.rounds}"
            f" --matches {self.matches} --nodes {self.nodes} --plies {self.plies} --decay {self.decay:g}"
        )


def print_tune(tuning: Tuning, processes: int | None, file: Path) -> None:
    """Tune a game's weights, print them and write them to a file. Exit with 1 at once if the file cannot be written."""
    with exit_on_engine_error():
        game = find_game(tuning.game)
        weights = chosen_weights(game, tuning.start)
    with _failures_as_lines(file):
        require_writable(file)
    worth = evaluation_terms_of(game)
    with (
        progress_after_a_while("playing", tuning.rounds * tuning.matches) as advance,
        players(processes) as pool,
    ):
        for number in range(1, tuning.rounds + 1):
            seeds = [f"{tuning.seed}/{number}/{index}" for index in range(tuning.matches)]
            matches = []
            for played in play_matches(pool, game.name, weights, SelfPlaySettings(tuning.nodes, tuning.plies), seeds):
                matches.append(played)
                advance()
            fit = fit_weights(worth, weights, matches, tuning.decay)
            weights = fit.weights
            typer.echo(_describe_round(number, sum(len(match.movers) for match in matches), fit))
    typer.echo(_describe_weights(worth, weights))
    with _failures_as_lines(file):
        file.write_bytes(write_weights(file_of(game, weights, tuning.command)))
    typer.echo(f"Wrote the weights to {file}.")


@contextmanager
def _failures_as_lines(file: Path) -> Iterator[None]:
    """Print an `OSError` of writing a file as one line, and exit."""
    try:
        yield
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror or error}. Choose another with --file.")


def _describe_round(number: int, positions: int, fit: Fit) -> str:
    return f"round {number}: {positions:,} positions, cross-entropy {fit.loss_before:.5f} -> {fit.loss:.5f}"


def _describe_weights(worth: EvaluationTerms, weights: Weights) -> str:
    """Return the table of weights, one line for each term."""
    width = max(map(len, worth.terms))
    lines = [f"{'':{width}}" + "".join(f"{phase:>10}" for phase in worth.phases)]
    for index, term in enumerate(worth.terms):
        lines.append(f"{term:{width}}" + "".join(f"{row[index]:>10}" for row in weights.terms))
    for phase, row in zip(worth.patterns.phases if worth.patterns else (), weights.patterns, strict=True):
        lines.append(f"{len(row):,} kinds of patterns, {phase}: {min(row)} to {max(row)}")
    return "\n".join(lines)
