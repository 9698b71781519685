"""Weight files: finding a set of weights by name or file, and checking that a file can be written."""

from pathlib import Path

from millrace.engine.game import Game
from millrace.engine.weights import (
    Weights,
    WeightsError,
    evaluated_by,
    evaluation_terms_of,
    read_weights,
    shipped_weights,
    weight_sets,
    weights_of,
    with_weights,
)


def chosen_weights(game: Game, choice: str) -> Weights:
    """Return the weights of a shipped set or, if there is none with that name, of a file. Raises: WeightsError."""
    terms = evaluation_terms_of(game)
    if choice in weight_sets(game):
        if choice in game.strength.other_evaluations:
            raise WeightsError(f"The set {choice} is for other terms; it cannot be tuned.")
        return shipped_weights(terms, choice)
    try:
        stored = read_weights(Path(choice).read_bytes())
    except WeightsError as error:
        raise WeightsError(f"{choice}: {error}") from None
    except OSError as error:
        names = ", ".join(weight_sets(game))
        raise WeightsError(f"{choice} is neither a file nor one of the sets {names}: {error.strerror}.") from None
    if stored.game != game.name:
        raise WeightsError(f"{choice} holds the weights of {stored.game}, not of {game.name}.")
    return weights_of(terms, stored)


def chosen_evaluation(game: Game, choice: str) -> tuple[Game, Weights]:
    """Return the game with the evaluation of a shipped set or of a file, and the weights. Raises: WeightsError."""
    if choice in weight_sets(game):
        return evaluated_by(game, choice)
    weights = chosen_weights(game, choice)
    return with_weights(game, weights), weights


def require_writable(file: Path) -> None:
    """Check that a file can be written, without changing it. Raises: OSError."""
    was_there = file.exists()
    with file.open("ab"):
        pass
    if not was_there:
        file.unlink()
