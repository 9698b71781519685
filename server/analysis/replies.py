"""What is told of a state, and of what an engine or solved endings have found there.

Pure.
"""

from millrace.engine.expectation import expectation_of, plies_to_end
from millrace.engine.state import State

from ..bots.requests import Finding, Findings, Solved, SolvedEnding
from ..matches.endings import EXPLANATIONS
from ..matches.views import board_of, whole_view
from ..protocol import (
    CommandId,
    Evaluated,
    Explored,
    LookedUp,
    SolvedMove,
    SolvedPosition,
    Variation,
    Worth,
)

WHOLE_VARIATION = 24
"""Moves of a variation that are told; further ahead an engine only guesses."""


def explored(command_id: CommandId, state: State) -> Explored:
    """Return what is told of the end of a line."""
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
        "" if outcome is None else state.game.endings.get(outcome.reason) or EXPLANATIONS[outcome.reason],
    )


def worth_of(state: State, value: int) -> Worth:
    """Return what a value, told for the seat to move, means for the seat that it is shown for."""
    is_turned = state.start.seats == 2 and state.seat != 0
    shown = -value if is_turned else value
    ends_in = plies_to_end(shown)
    return Worth(
        0 if state.start.seats == 2 else state.seat,
        shown if ends_in is None else None,
        ends_in,
        round(expectation_of(state.game, shown), 4),
    )


def variation_of(state: State, finding: Finding) -> Variation:
    """Return a move that was found, and how play goes on."""
    clicks = clicks_of(state, finding.moves[0]) if finding.moves else ()
    return Variation(worth_of(state, finding.value), finding.moves[:WHOLE_VARIATION], clicks)


def clicks_of(state: State, move: str) -> tuple[str, ...]:
    """Return what is clicked to play a move."""
    return state.game.clicks(state.start.board, state.parse_move(move))


def evaluated(
    command_id: CommandId,
    state: State,
    findings: Findings,
    nodes: int,
    left_ms: int,
    *,
    is_final: bool,
) -> Evaluated:
    """Return what is told of a search, of which so many nodes are done."""
    best = tuple(variation_of(state, finding) for finding in findings.best)
    also = None if findings.also is None else variation_of(state, findings.also)
    nodes_a_second = int(findings.nodes / max(findings.search_ms, 1.0) * 1000)
    return Evaluated(command_id, findings.depth, nodes, nodes_a_second, best, also, is_final, left_ms)


def looked_up(command_id: CommandId, ending: SolvedEnding) -> LookedUp:
    """Return what is told of a solved ending."""
    if ending.position is None:
        return LookedUp(command_id, ending.tables, None)
    moves = tuple(_solved_move(text, solved) for text, solved in ending.moves)
    return LookedUp(command_id, ending.tables, SolvedPosition(*ending.position, moves))


def _solved_move(text: str, solved: Solved) -> SolvedMove:
    return SolvedMove(text, solved.result, solved.plies)
