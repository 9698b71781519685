"""Replies to analysis messages, built from states, searches and tablebase probes. Pure."""

from millrace.engine.search.expected_score import expected_score, plies_to_end
from millrace.engine.state import State
from millrace.protocol import (
    CommandId,
    Evaluated,
    Explored,
    LegalMove,
    LegalMoves,
    Score,
    SolvedMove,
    SolvedPosition,
    TablebaseProbed,
    Variation,
)

from ...bots.requests import AnalysisResult, EvaluatedMove, TablebaseLookup
from ...matches.endings import EXPLANATIONS
from ...matches.views import board_of, territory_of, whole_view

MAX_VARIATION_PLIES = 24
"""Maximum moves of a variation to send; beyond that an engine only guesses."""


def explored(command_id: CommandId, state: State) -> Explored:
    """Return the reply about the end of a line."""
    board, outcome = board_of(state), state.outcome
    move = "" if state.previous is None else state.previous.format_move(state.move)
    return Explored(
        command_id,
        state.start.seats,
        state.ply,
        state.seat if outcome is None else None,
        board,
        whole_view(board, state),
        state.position_text,
        move,
        state.move_tree(),
        state.refused_tree(),
        None if outcome is None else outcome.ranks,
        "" if outcome is None else state.game.rules.end_reasons.get(outcome.reason) or EXPLANATIONS[outcome.reason],
        None if outcome is None else final_score(state, outcome.ranks),
        state.written_positions,
        territory_of(state),
    )


def legal_moves(command_id: CommandId, state: State) -> LegalMoves:
    """Return the reply about the legal moves at the end of a line."""
    if state.outcome is not None:
        return LegalMoves(command_id, ())
    return LegalMoves(
        command_id, tuple(LegalMove(state.format_move(move), state.clicks_of(move)) for move in state.legal_moves)
    )


def final_score(state: State, ranks: tuple[int, ...]) -> Score:
    """Return the score of a state in which play is over."""
    seat = 0 if state.start.seats == 2 else state.seat
    is_first = ranks[seat] == 1
    if is_first and ranks.count(1) > 1:
        return Score(seat, 0, None, 0.5)
    return Score(seat, None, 0, 1.0 if is_first else 0.0)


def score_of(state: State, value: int) -> Score:
    """Convert a value from the mover's view to a score for seat 0 of two, or else for the mover."""
    is_turned = state.start.seats == 2 and state.seat != 0
    shown = -value if is_turned else value
    ends_in = plies_to_end(shown)
    return Score(
        0 if state.start.seats == 2 else state.seat,
        shown if ends_in is None else None,
        ends_in,
        round(expected_score(state.game, shown), 4),
    )


def variation_of(state: State, finding: EvaluatedMove) -> Variation:
    """Return a search's move with its continuation."""
    clicks = clicks_of(state, finding.moves[0]) if finding.moves else ()
    return Variation(score_of(state, finding.value), finding.moves[:MAX_VARIATION_PLIES], clicks)


def clicks_of(state: State, move: str) -> tuple[str, ...]:
    """Return the clicks of a move."""
    return state.clicks_of(state.parse_move(move))


def evaluated(
    command_id: CommandId,
    state: State,
    findings: AnalysisResult,
    nodes: int,
    left_ms: int,
    *,
    is_final: bool,
) -> Evaluated:
    """Return the reply about a search that has visited `nodes` nodes so far."""
    best = tuple(variation_of(state, finding) for finding in findings.best)
    also = None if findings.also is None else variation_of(state, findings.also)
    nodes_per_second = int(findings.nodes / max(findings.search_ms, 1.0) * 1000)
    return Evaluated(command_id, findings.depth, nodes, nodes_per_second, best, also, is_final, left_ms)


def tablebase_probed(command_id: CommandId, ending: TablebaseLookup) -> TablebaseProbed:
    """Return the reply about a tablebase probe."""
    if ending.position is None:
        return TablebaseProbed(command_id, ending.tables, None)
    moves = tuple(SolvedMove(text, solved.result, solved.plies) for text, solved in ending.moves)
    return TablebaseProbed(command_id, ending.tables, SolvedPosition(*ending.position, moves))
