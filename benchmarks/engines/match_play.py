"""One match between two engines, with this project's rules as the referee.

Whoever makes an illegal move, ends, or is silent too long has lost.
"""

from dataclasses import dataclass, field

from benchmarks.engines.process import Engine, EngineFailure, Limit
from millrace.engine.game import EngineError, Game
from millrace.engine.state import State

LONGEST_MATCH = 600
"""In plies; then territory is counted where the game has such a count, and otherwise the match is drawn."""


@dataclass
class Played:
    """How a match went."""

    opening: str
    names: tuple[str, str]
    """Who had seat 0 and who seat 1."""
    moves: list[str] = field(default_factory=list)
    scores: tuple[float, float] = (0.5, 0.5)
    """Of seat 0 and seat 1: 1 won, 0 lost."""
    reason: str = ""
    elapsed_ms: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    """What each move of each seat took."""
    has_failed: bool = False
    """Whether the match was decided by what an engine did against the protocol or the rules."""

    def fail(self, seat: int, reason: str) -> None:
        """Let a seat lose for what its engine did."""
        self.scores = (0.0, 1.0) if seat == 0 else (1.0, 0.0)
        self.reason = f"{self.names[seat]} {reason}"
        self.has_failed = True


async def play_match(
    game: Game, opening: str, engines: tuple[Engine, Engine], limit: Limit, longest: int = LONGEST_MATCH
) -> Played:
    """Play from a set-up text, the first engine having seat 0, and return how it went. Raises: SetupError."""
    state = State.of(game, opening)
    played = Played(opening, (engines[0].program.name, engines[1].program.name))
    for seat, engine in enumerate(engines):
        try:
            await engine.begin_match()
        except EngineFailure as failure:
            await engine.kill()
            played.fail(seat, str(failure))
            return played
    while state.outcome is None and len(played.moves) < longest:
        seat = state.seat
        try:
            after = await _next_state(state, opening, engines[seat], limit, played)
        except EngineFailure as failure:
            await engines[seat].kill()
            played.fail(seat, str(failure))
            return played
        except EngineError as error:
            played.fail(seat, f"made no legal move: {error}")
            return played
        played.moves.append(state.format_move(after.move))
        state = after
    outcome = state.outcome or state.adjudication
    played.reason = outcome.reason if outcome else "too_long"
    score = score_of_seat_0(state)
    played.scores = score, 1 - score
    return played


def score_of_seat_0(state: State) -> float:
    """Return what seat 0 scores where a match of two has ended or been given up as too long: 1 won, 0 lost."""
    outcome = state.outcome or state.adjudication
    if outcome is None or outcome.winner is None:
        return 0.5
    return float(outcome.winner == 0)


async def _next_state(state: State, opening: str, engine: Engine, limit: Limit, played: Played) -> State:
    """Return the state after the engine's move, or after the pass that nobody chooses.

    Raises: EngineFailure, and EngineError for a move that the rules do not allow.
    """
    if state.forced_pass is not None:
        return state.play(state.forced_pass)
    answer = await engine.choose(opening, played.moves, limit)
    played.elapsed_ms[state.seat].append(answer.elapsed_ms)
    return state.play_text(answer.move)
