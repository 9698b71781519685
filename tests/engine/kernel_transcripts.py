"""What the kernels of a game return along one line of play, as text."""

from millrace.engine.bindings import bindings_of
from millrace.engine.game import Game
from millrace.engine.perft import perft
from millrace.engine.search import Limits, analyse, no_clock
from millrace.engine.state import State
from millrace.engine.transposition_table import new_table

SAMPLED_PLIES = 24


def setups_of(game: Game) -> list[str]:
    """Return a set-up for each number of seats of the match proper and of each opening."""
    seats = [f"seats={number}" if len(game.seats) > 1 else "" for number in game.seats]
    return [f"{opening} {number}".strip() for opening in ("", *game.rules.openings) for number in seats]


def transcript(game: Game, setup: str) -> list[str]:
    """Return all results of the kernels along a line of play that depends only on them."""
    lines = []
    state = State.of(game, setup)
    for ply in range(SAMPLED_PLIES):
        if state.outcome is not None:
            break
        evaluation = bindings_of(state.game).evaluate(state.start.board, state.words)
        lines.append(f"{state.words.tolist()} {state.key} {evaluation} {state.legal_moves}")
        state = state.after(state.legal_moves[(state.key + ply) % len(state.legal_moves)])
    lines.append(f"{perft(state, 2)} {state.outcome}")
    found = analyse(state, Limits(depth=2), no_clock, table=new_table(1))
    lines.append(f"{found.nodes} {found.value} {found.principal_variation}")
    return lines
