"""The weights of a game's evaluation as data: reading, checking and writing them, and the evaluation kernels that use
them.

Each game defines its terms (`Strength.evaluation`); `engine.tuning` fits weights.

A file of weights is JSON: the game, the source of the weights, their measured gain, the weights by phase and term in
hundredths of a man, and the weights of all pattern kinds by phase. Each game ships `weights.json`, which the bots use,
and `published.json`, the weights of the programs that it was measured against.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec
import numpy as np

from .bits import kernel
from .game import Board, EngineError, EvaluationTerms, Game, Patterns, PatternTable, Position, WeightTable


class Weights(NamedTuple):
    """All weights of a game, in hundredths of a man."""

    terms: tuple[tuple[int, ...], ...]
    """By phase and term, in the order of `EvaluationTerms.phases` and `EvaluationTerms.terms`."""
    patterns: tuple[tuple[int, ...], ...] = ()
    """By phase and kind of `Patterns`; empty where a game has no patterns or these weights do not use them."""


TUNED = "weights"
"""The set that the bots use. Each game ships it, and others under the names of their files."""
PUBLISHED = "published"

STORED_WEIGHT = np.dtype("<i2")
"""The stored type of the weight of a pattern kind."""


class WeightsError(EngineError):
    """Weights that cannot be used: those of another game, or with missing or unknown terms."""


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The content of a file of weights."""

    game: str
    source: str
    """The command that tuned them, or the publication."""
    measured: str
    """The result of a match, and the command that produced it; empty where none was played."""
    weights: dict[str, dict[str, int]]
    """By phase and term, in hundredths of a man."""
    patterns: dict[str, bytes] = {}
    """By phase, the weight of each pattern kind in two bytes, little-endian; base64 in JSON."""


def read_weights(content: bytes) -> WeightsFile:
    """Parse a file of weights. Raises: WeightsError."""
    try:
        return msgspec.json.decode(content, type=WeightsFile)
    except msgspec.MsgspecError:
        raise WeightsError("This is not a file of weights that `millrace tune` wrote.") from None


def write_weights(stored: WeightsFile) -> bytes:
    """Return the content of a file of weights."""
    return msgspec.json.format(msgspec.json.encode(stored), indent=2) + b"\n"


def weights_of(terms: EvaluationTerms, stored: WeightsFile) -> Weights:
    """Return the weights of a file in the order of phases and terms. Raises: WeightsError if names do not match."""
    if stored.weights.keys() != set(terms.phases):
        raise WeightsError(f"The phases must be {', '.join(terms.phases)}, not {', '.join(stored.weights)}.")
    for phase, weights in stored.weights.items():
        if weights.keys() != set(terms.terms):
            wrong = ", ".join(sorted(weights.keys() ^ set(terms.terms)))
            raise WeightsError(f"The weights of the phase {phase} are not those of the terms: {wrong}.")
    rows = tuple(tuple(stored.weights[phase][term] for term in terms.terms) for phase in terms.phases)
    return Weights(rows, _pattern_weights_of(terms.patterns, stored.patterns) if stored.patterns else ())


def _pattern_weights_of(patterns: Patterns | None, stored: dict[str, bytes]) -> tuple[tuple[int, ...], ...]:
    phases = () if patterns is None else patterns.phases
    if patterns is None or stored.keys() != set(phases):
        raise WeightsError(f"The phases of patterns must be {', '.join(phases) or 'none'}, not {', '.join(stored)}.")
    size = count_kinds(patterns) * STORED_WEIGHT.itemsize
    for phase, content in stored.items():
        if len(content) != size:
            raise WeightsError(f"The patterns of the phase {phase} must be {size} bytes, not {len(content)}.")
    return tuple(tuple(np.frombuffer(stored[phase], STORED_WEIGHT).tolist()) for phase in phases)


def file_of(game: Game, weights: Weights, source: str) -> WeightsFile:
    """Return a file of weights without a measurement. Raises: WeightsError."""
    terms = evaluation_terms_of(game)
    named = {
        phase: dict(zip(terms.terms, row, strict=True)) for phase, row in zip(terms.phases, weights.terms, strict=True)
    }
    phases = terms.patterns.phases if terms.patterns is not None and weights.patterns else ()
    rows = zip(phases, weights.patterns, strict=True)
    patterns = {phase: np.array(row, STORED_WEIGHT).tobytes() for phase, row in rows}
    return WeightsFile(game.name, source, "", named, patterns)


def evaluation_terms_of(game: Game) -> EvaluationTerms:
    """Return the terms of a game's evaluation. Raises: WeightsError if it has none."""
    if game.strength.evaluation is None:
        raise WeightsError(f"{game.title} has no weights.")
    return game.strength.evaluation


def count_kinds(patterns: Patterns) -> int:
    """Return the number of pattern weights in each phase."""
    return int(patterns.kinds.max()) + 1


@cache
def shipped_weights(terms: EvaluationTerms, name: str = TUNED) -> Weights:
    """Return a set of weights that ships with a game."""
    return weights_of(terms, read_weights((files(terms.package) / f"{name}.json").read_bytes()))


def weight_sets(game: Game) -> tuple[str, ...]:
    """Return the names of the sets of weights that ship with a game, the tuned ones first; none for a game without."""
    if game.strength.evaluation is None:
        return ()
    names = [path.name for path in files(game.strength.evaluation.package).iterdir()]
    return (TUNED, *sorted({name.removesuffix(".json") for name in names if name.endswith(".json")} - {TUNED}))


def find_weights(game: Game, name: str) -> Weights:
    """Return a set of weights that ships with a game, for the terms that it is for. Raises: WeightsError."""
    if name not in weight_sets(game):
        raise WeightsError(f"{game.title} has no weights {name!r}; it has {', '.join(weight_sets(game)) or 'none'}.")
    return shipped_weights(_terms_of_set(game, name), name)


def evaluated_by(game: Game, name: str) -> tuple[Game, Weights]:
    """Return the game with the evaluation of a set of weights, and the set. Raises: WeightsError."""
    weights, terms = find_weights(game, name), _terms_of_set(game, name)
    if terms is game.strength.evaluation:
        return with_weights(game, weights), weights
    return _reweighted(game, terms, weights), weights


def _terms_of_set(game: Game, name: str) -> EvaluationTerms:
    return game.strength.other_evaluations.get(name) or evaluation_terms_of(game)


def table_of(terms: EvaluationTerms, weights: Weights) -> WeightTable:
    """Return the table of weights: each row a mixture of phases (chessprogramming.org/Tapered_Eval), rounded."""
    mixed: WeightTable = np.rint(terms.shares @ np.array(weights.terms, dtype=np.float64)).astype(np.int64)
    return mixed


def pattern_table_of(patterns: Patterns, weights: Weights) -> PatternTable:
    """Return the weight of each pattern column in each phase."""
    table: PatternTable = np.array(weights.patterns, dtype=np.int16)[:, patterns.kinds] * patterns.signs
    return np.ascontiguousarray(table)


def evaluate_by(terms: EvaluationTerms, weights: Weights) -> Callable[[Board, Position], int]:
    """Return a `Kernels.evaluate` with these weights, which are constants in the compiled code."""
    weigh, table, patterns = terms.weigh, table_of(terms, weights), terms.patterns

    @kernel
    def evaluate(board: Board, position: Position) -> int:
        return weigh(board, position, 0, table)

    if patterns is None or not weights.patterns:
        return evaluate
    columns_of, phase_of, pattern_table = patterns.columns_of, patterns.phase_of, pattern_table_of(patterns, weights)

    @kernel
    def evaluate_with_patterns(board: Board, position: Position) -> int:
        total = weigh(board, position, 0, table)
        phase = phase_of(board, position)
        for column in columns_of(board, position):
            total += pattern_table[phase, column]
        return total

    return evaluate_with_patterns


def evaluate_for_by(terms: EvaluationTerms, weights: Weights) -> Callable[[Board, Position, int], int]:
    """Return a `Kernels.evaluate_for` with these weights."""
    weigh, table = terms.weigh, table_of(terms, weights)

    @kernel
    def evaluate_for(board: Board, position: Position, turn: int) -> int:
        return weigh(board, position, turn, table)

    return evaluate_for


def with_weights(game: Game, weights: Weights) -> Game:
    """Return the game with other weights. Equal weights give the same game.

    Raises: WeightsError if the game has no weights.
    """
    terms = evaluation_terms_of(game)
    return game if weights == shipped_weights(terms) else _reweighted(game, terms, weights)


@cache
def _reweighted(game: Game, terms: EvaluationTerms, weights: Weights) -> Game:
    game = game if terms.remember is None else terms.remember(game)
    evaluate_for = evaluate_for_by(terms, weights) if game.rules.kernels.evaluate_for is not None else None
    kernels = game.rules.kernels._replace(evaluate=evaluate_by(terms, weights), evaluate_for=evaluate_for)
    strength = replace(game.strength, evaluation=terms)
    return replace(game, rules=replace(game.rules, kernels=kernels), strength=strength)
