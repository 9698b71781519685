"""One match between two engines, with this project's rules as the referee.

An engine that makes an illegal move, ends, or is silent too long loses.
"""

from dataclasses import dataclass, field

from benchmarks.engines.process import Answer, Engine, EngineFailure, Limit
from millrace.engine.game import EngineError, Game
from millrace.engine.state import State

LONGEST_MATCH = 600
"""Maximum plies; then territory decides where the game counts it, and otherwise the match is drawn."""


@dataclass
class Played:
    """The result of a match."""

    opening: str
    names: tuple[str, str]
    """The engines in seat 0 and seat 1."""
    moves: list[str] = field(default_factory=list)
    scores: tuple[float, float] = (0.5, 0.5)
    """The scores of seat 0 and seat 1: 1 won, 0 lost."""
    reason: str = ""
    answers: tuple[list[Answer], list[Answer]] = field(default_factory=lambda: ([], []))
    """The moves of each seat with what they took."""
    has_failed: bool = False
    """Whether a failure of an engine decided the match."""

    def fail(self, seat: int, reason: str) -> None:
        """Return the result where a seat loses because its engine failed."""
        self.scores = (0.0, 1.0) if seat == 0 else (1.0, 0.0)
        self.reason = f"{self.names[seat]} {reason}"
        self.has_failed = True


async def play_match(
    game: Game, opening: str, engines: tuple[Engine, Engine], limit: Limit, longest: int = LONGEST_MATCH
) -> Played:
    """Play from a set-up text, with the first engine in seat 0, and return the result. Raises: SetupError."""
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
    """Return the score of seat 0 in a match that has ended or is too long: 1 won, 0 lost."""
    outcome = state.outcome or state.adjudication
    if outcome is None or outcome.winner is None:
        return 0.5
    return float(outcome.winner == 0)


async def _next_state(state: State, opening: str, engine: Engine, limit: Limit, played: Played) -> State:
    """Return the state after the engine's move, or after a forced pass.

    Raises: EngineFailure, and EngineError for an illegal move.
    """
    if state.forced_pass is not None:
        return state.play(state.forced_pass)
    answer = await engine.choose(opening, played.moves, limit)
    played.answers[state.seat].append(answer)
    return state.play_text(answer.move)
