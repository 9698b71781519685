"""An engine that speaks the line protocol, knows the rules of every game, and plays at random.

Run as a program by the tests, with the name of a game: `millrace engine` takes longer to start, by compiling a search.
"""

import random
import sys

from millrace.engine.games import find_game
from millrace.engine.state import State


def main(game_name: str) -> None:
    """Answer lines until `quit`."""
    game = find_game(game_name)
    state = State.of(game)
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                print("id name At random\nuciok")
            case ["isready"]:
                assert state.legal_moves
                print("readyok")
            case ["position", *words]:
                at = words.index("moves") if "moves" in words else len(words)
                setup = " ".join(words[1:at]) if words[0] == "text" else ""
                state = State.from_moves(game, setup, words[at + 1 :])
            case ["go", *_]:
                print("bestmove", state.format_move(random.choice(state.legal_moves)))
            case ["quit"]:
                return
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
