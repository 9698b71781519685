"""The texts of a state's legal moves, for tests."""

from millrace.engine.state import State


def texts(state: State) -> set[str]:
    return {state.format_move(move) for move in state.legal_moves}
