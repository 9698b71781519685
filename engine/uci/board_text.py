"""`d`: a position for people to read."""

from collections.abc import Iterator

from ..state import State


def describe(state: State) -> Iterator[str]:
    """Yield the board, the position in every notation, the seat to move and what it may do."""
    yield from str(state).splitlines()
    yield f"Position: {state.position_text}"
    for name, notation in state.game.texts.notations.items():
        if "\n" not in (text := _written(state, name)):
            yield f"{notation.title}: {text}"
    yield f"Key: {state.key:016X}"
    outcome = state.outcome
    if outcome is not None:
        yield f"Over: {outcome.reason}, ranks {' '.join(map(str, outcome.ranks))}"
        return
    yield f"To move: {state.game.seat_names[state.seat]}, {len(state.legal_moves)} moves"


def _written(state: State, notation: str) -> str:
    try:
        return state.write_position(notation)
    except ValueError:
        return "\n"
