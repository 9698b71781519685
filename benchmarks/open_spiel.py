"""OpenSpiel's strongest player of Nine Men's Morris, its tree search, as a UCI engine.

    python -m benchmarks.match "millrace engine {game}" "python -m benchmarks.open_spiel" --game morris \\
        --option-a Book=false --openings 0 --setup "" --movetime 100

It is the framework's Monte Carlo tree search with random rollouts, for the time of `go movetime`. In OpenSpiel a mill
is two actions, the move and the capture; the search for the second has the same time again. Its matches end after 200
actions; from then on it plays its first legal move. Matches begin at the start, since it cannot set other positions.
`pip install '.[bench]'` installs it.

OpenSpiel: Lanctot and others, 2019, github.com/google-deepmind/open_spiel; it numbers points in our reading order.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence

import pyspiel

from millrace.engine.games import find_game
from millrace.engine.games.morris.notation import POINT_NAMES
from millrace.engine.games.morris.points import READING_ORDER
from millrace.engine.state import State

EXPLORATION = 2.0
"""The exploration constant, as in the framework's examples."""
MOST_SIMULATIONS = 10_000_000
MEGABYTES = 1_000
USUAL_MS = 100

MORRIS = find_game("morris")
GAME = pyspiel.load_game("nine_mens_morris")
POINTS = tuple(POINT_NAMES[point] for point in READING_ORDER)
"""Names of points by the framework's numbers."""


def serve(lines: Iterable[str], seed: int = 1) -> Iterator[str]:
    """Yield the answers to lines of the protocol."""
    moves: list[str] = []
    for line in lines:
        match line.split():
            case ["uci"]:
                yield "id name OpenSpiel MCTS"
                yield "uciok"
            case ["isready"]:
                yield "readyok"
            case ["position", "startpos", *words]:
                moves = words[1:]
            case ["position", *_]:
                yield "info string error OpenSpiel knows no position but the start."
            case ["go", *words]:
                limits = dict(zip(words[::2], words[1::2], strict=False))
                yield f"bestmove {choose(moves, float(limits.get('movetime', USUAL_MS)), seed)}"
            case ["quit"]:
                return


def choose(moves: Sequence[str], movetime_ms: float, seed: int) -> str:
    """Return the best move after these moves, found in this time."""
    state = state_after(moves)
    if state.is_terminal():
        ours = State.from_moves(MORRIS, "", moves)
        return ours.format_move(ours.legal_moves[0])
    mover, text = state.current_player(), ""
    while not state.is_terminal() and state.current_player() == mover:
        action = search(state, movetime_ms, seed)
        text += text_of(action, is_taking=bool(text))
        state.apply_action(action)
    return text


def search(state: pyspiel.State, movetime_ms: float, seed: int) -> int:
    """Return the action that the framework's tree search finds in this time."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    seconds = movetime_ms / 1000
    bot = pyspiel.MCTSBot(
        GAME, evaluator, EXPLORATION, MOST_SIMULATIONS, MEGABYTES, True, seed, False, max_wall_clock_time=seconds
    )
    return int(bot.step(state))


def state_after(moves: Iterable[str]) -> pyspiel.State:
    """Return the framework's state after moves from the start, or its final state if it ended before."""
    state = GAME.new_initial_state()
    for move in moves:
        for action in actions_of(move):
            if state.is_terminal():
                return state
            state.apply_action(action)
    return state


def actions_of(move: str) -> tuple[int, ...]:
    """Return the framework's one or two actions for a move."""
    way, _, taken = move.partition("x")
    origin, _, target = way.rpartition("-")
    action = POINTS.index(target)
    if origin:
        action += len(POINTS) * (1 + POINTS.index(origin))
    return (action, POINTS.index(taken)) if taken else (action,)


def text_of(action: int, is_taking: bool) -> str:
    """Return the part of the move text for an action."""
    origin, target = divmod(action, len(POINTS))
    if origin:
        return f"{POINTS[origin - 1]}-{POINTS[target]}"
    return f"x{POINTS[target]}" if is_taking else POINTS[target]


if __name__ == "__main__":
    for answer in serve(sys.stdin):
        print(answer, flush=True)
