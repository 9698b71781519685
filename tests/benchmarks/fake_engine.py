"""A fake engine for tests of matches between engines: it speaks the protocol and plays in the given manner.

    python -m tests.benchmarks.fake_engine MANNER [GAME]

`first` plays the first legal move in alphabetical order, `illegal` an impossible move, `dies` ends instead of moving,
`silent` never moves, `refuses` knows no option.
"""

import sys
from collections.abc import Callable


def first_move(game: str) -> Callable[[list[str]], str]:
    """Return a function that finds the first legal move, given the words of a `position` line."""
    from millrace.engine.games import find_game  # noqa: PLC0415  # costs seconds that the other manners need not wait
    from millrace.engine.state import State  # noqa: PLC0415

    def choose(words: list[str]) -> str:
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
        setup = "" if words[0] == "startpos" else " ".join(words[1 : len(words) - len(moves) - bool(moves)])
        state = State.from_moves(find_game(game), setup, moves)
        return min(state.format_move(move) for move in state.legal_moves)

    return choose


def main(manner: str, game: str = "morris") -> None:
    choose = first_move(game) if manner == "first" else lambda _words: "nonsense"
    position = ["startpos"]
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                print("id name Fake", "uciok", sep="\n", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["setoption", *_] if manner == "refuses":
                print("info string error There is no such option.", flush=True)
            case ["position", *position]:
                pass
            case ["go", *_] if manner == "dies":
                sys.exit(3)
            case ["go", *_] if manner != "silent":
                print(f"info depth 1 nodes 7 pv\nbestmove {choose(position)}", flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    main(*sys.argv[1:])
