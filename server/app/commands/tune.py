"""The command `millrace tune`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import typer

from millrace.engine.game import EvaluationTerms
from millrace.engine.games import find_game
from millrace.engine.tuning.fitting import fit_weights
from millrace.engine.tuning.self_play import SelfPlaySettings
from millrace.engine.weights import Weights, evaluation_terms_of, file_of, write_weights

from ...bots.tuning.self_play import play_matches, players
from ...bots.tuning.weight_files import chosen_weights, require_writable
from .output import INTERRUPTED, exit_on_engine_error, fail, progress_after_a_while


class Tuning(NamedTuple):
    """The options that determine the result."""

    game: str
    start: str
    seed: int
    rounds: int
    matches: int
    """Matches in each round."""
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
    """Tune a game's weights, print them and write them to a file.

    Exit with 1 at once if the file cannot be written, and with 130, after printing the progress, if interrupted.
    """
    with exit_on_engine_error():
        game = find_game(tuning.game)
        start = chosen_weights(game, tuning.start)
    with _failures_as_lines(file):
        require_writable(file)
    standing = _Standing(start)
    try:
        _tune(tuning, standing, processes)
    except KeyboardInterrupt:
        typer.echo(_describe_interruption(tuning, standing, file))
        if standing.rounds:
            _write(tuning, standing, file)
        raise typer.Exit(INTERRUPTED) from None
    typer.echo(_describe_weights(evaluation_terms_of(game), standing.weights))
    _write(tuning, standing, file)
    typer.echo(f"Wrote the weights to {file}.")


@dataclass(slots=True)
class _Standing:
    """The progress of a tuning."""

    weights: Weights
    rounds: int = 0
    """Completed rounds."""
    matches: int = 0
    """Matches in the current round."""


def _tune(tuning: Tuning, standing: _Standing, processes: int | None) -> None:
    game = find_game(tuning.game)
    terms, playing = evaluation_terms_of(game), SelfPlaySettings(tuning.nodes, tuning.plies)
    with (
        progress_after_a_while("playing", tuning.rounds * tuning.matches) as advance,
        players(processes) as pool,
    ):
        for number in range(1, tuning.rounds + 1):
            seeds = [f"{tuning.seed}/{number}/{index}" for index in range(tuning.matches)]
            matches = []
            for played in play_matches(pool, game.name, standing.weights, playing, seeds):
                matches.append(played)
                standing.matches = len(matches)
                advance()
            fit = fit_weights(terms, standing.weights, matches, tuning.decay)
            standing.weights, standing.rounds, standing.matches = fit.weights, number, 0
            positions, loss = sum(len(match.movers) for match in matches), f"{fit.loss_before:.5f} -> {fit.loss:.5f}"
            typer.echo(f"round {number}: {positions:,} positions, cross-entropy {loss}")


def _write(tuning: Tuning, standing: _Standing, file: Path) -> None:
    done = tuning._replace(rounds=standing.rounds)
    with _failures_as_lines(file):
        file.write_bytes(write_weights(file_of(find_game(tuning.game), standing.weights, done.command)))


def _describe_interruption(tuning: Tuning, standing: _Standing, file: Path) -> str:
    where = f"Interrupted in round {standing.rounds + 1} of {tuning.rounds}, after {standing.matches:,} of "
    where += f"{tuning.matches:,} matches. "
    if not standing.rounds:
        return where + "No round was completed, so no weights were written."
    rounds = "round 1" if standing.rounds == 1 else f"rounds 1 to {standing.rounds}"
    return where + f"The weights of {rounds} are in {file}; continue from them with --start {file}."


@contextmanager
def _failures_as_lines(file: Path) -> Iterator[None]:
    """Print an `OSError` from writing a file as one line, and exit."""
    try:
        yield
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror or error}. Choose another with --file.")


def _describe_weights(worth: EvaluationTerms, weights: Weights) -> str:
    """Return the table of weights, one line for each term."""
    width = max(map(len, worth.terms))
    lines = [f"{'':{width}}" + "".join(f"{phase:>10}" for phase in worth.phases)]
    for index, term in enumerate(worth.terms):
        lines.append(f"{term:{width}}" + "".join(f"{row[index]:>10}" for row in weights.terms))
    for phase, row in zip(worth.patterns.phases if worth.patterns else (), weights.patterns, strict=True):
        lines.append(f"{len(row):,} kinds of patterns, {phase}: {min(row)} to {max(row)}")
    return "\n".join(lines)
