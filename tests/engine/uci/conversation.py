"""The other program's side of the line protocol, played by tests."""

from collections.abc import Sequence
from queue import Empty, Queue

from millrace.engine.book.book import Book
from millrace.engine.games import find_game
from millrace.engine.search import Clock, no_clock
from millrace.engine.tablebase.probing import Tablebase
from millrace.engine.uci import GameFiles, Inbox, serve_lines


def speak(
    *lines: str,
    game: str = "morris",
    seed: int = 1,
    book: Book | None = None,
    tablebase: Tablebase | None = None,
    clock: Clock = no_clock,
) -> list[str]:
    """Return what the engine answers to lines that end without `quit`."""
    inbox: Inbox = Queue()
    for line in lines:
        inbox.put(line + "\n")
    inbox.put(None)
    answers: list[str] = []
    serve_lines(find_game(game), inbox, answers.append, clock, seed, files_of=lambda _: GameFiles(tablebase, book))
    return answers


class TickingClock:
    """A clock that advances with each reading, so fast that the search checks it after every few nodes."""

    def __init__(self) -> None:
        self.now_ms = 0

    def __call__(self) -> float:
        self.now_ms += 5
        return self.now_ms / 1000


class TimedInbox(Queue[str | None]):
    """Lines that arrive at their time, or as soon as the engine waits for them."""

    def __init__(self, clock: TickingClock, lines: Sequence[tuple[int, str | None]]) -> None:
        super().__init__()
        self.clock = clock
        self.lines = list(lines)

    def get_nowait(self) -> str | None:
        if self.clock.now_ms < self.lines[0][0]:
            raise Empty
        return self.get()

    def get(self, block: bool = True, timeout: float | None = None) -> str | None:
        at_ms, line = self.lines.pop(0)
        self.clock.now_ms = max(self.clock.now_ms, at_ms)
        return line


def converse(*lines: tuple[int, str | None], game: str = "morris") -> list[tuple[int, str]]:
    """Return the engine's answers to lines at their times, and when, both in milliseconds."""
    clock = TickingClock()
    answers: list[tuple[int, str]] = []
    inbox = TimedInbox(clock, [*lines, (10**9, None)])
    serve_lines(find_game(game), inbox, lambda line: answers.append((clock.now_ms, line)), clock, 1)
    return answers


def best_moves(answers: list[tuple[int, str]]) -> list[tuple[int, str]]:
    return [(at_ms, line) for at_ms, line in answers if line.startswith("bestmove ")]


def best_move(*lines: str, seed: int = 1) -> str:
    answers = [answer for answer in speak(*lines, seed=seed) if answer.startswith("bestmove ")]
    assert len(answers) == 1
    return answers[0].split()[1]
