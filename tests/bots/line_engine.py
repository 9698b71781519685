"""An engine that speaks the line protocol and knows only the points of Nine Men's Morris.

Run as a program by the tests; its argument is how it fails: `crash` at its first search, `hang` in every search,
`hang-once` in the first, where it answers `stop` alone, `dumb` from the beginning, `mute` when it closes its output at
its first search. Those that hang do not end when their input does.
"""

import os
import signal
import sys

ENGINE = (sys.executable, __file__)
"""The command that runs this engine."""

POINTS = ("a7", "g1", "d7", "d1", "a4", "g4", "b6", "f2", "d6", "d2")


def main(failing: str) -> None:
    """Answer lines until `quit`."""
    moves: list[str] = []
    options: dict[str, str] = {}
    for line in sys.stdin:
        match line.split():
            case _ if failing == "dumb":
                continue
            case ["uci"]:
                print("id name Points\nuciok")
            case ["setoption", "name", name, "value", value]:
                options[name] = value
            case ["isready"]:
                print("readyok")
            case ["position", *words]:
                moves = words[words.index("moves") + 1 :] if "moves" in words else []
            case ["go", *_] if failing == "crash":
                sys.exit(3)
            case ["go", *_] if failing == "hang-once":
                failing = ""
            case ["go", *_] if failing in ("hang", "mute"):
                os.closerange(1, 2 if failing == "mute" else 1)
                signal.pause()
            case ["go", *_]:
                print("info depth 1 score 0 string", "x " * (int(options.get("Length", 0)) // 2), "bestmove a1")
                print(
                    "bestmove", next(point for point in (options.get("First"), *POINTS) if point and point not in moves)
                )
            case ["stop"]:
                print("bestmove a1")
            case ["quit"]:
                return
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else "")
