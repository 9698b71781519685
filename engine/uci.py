"""The line protocol by which any program can use the engine: UCI's commands with this project's moves and positions.

No threads and no streams here: lines come from a queue that someone else fills, so that `stop` is heard during a
search, and go out through a function. Imported by the command `millrace engine`. The protocol follows UCI (Huber and
Meyer-Kahlen, 2000):

    uci                                      id name ..., id author ..., option ..., uciok
    isready                                  readyok, also during a search
    setoption name Level|Hash|Threads value V
    setoption name Setup value TEXT          where startpos is from now on: a position text or options (seats=4 seed=1);
                                             without a text, the standard start
    ucinewgame
    position startpos|text TEXT [moves M...]
    go movetime MS|depth N|nodes N|infinite  info depth D score V nodes N nps N time MS pv M..., bestmove M
    stop, quit

`score` is in hundredths of a man for the seat to move. What cannot be done is answered by `info string error ...`.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from queue import Empty, Queue
from typing import TypeAlias

from engine.analysis import PERFECT_TEMPER, TABLE_MEGABYTES, Analysis, Clock, Limits, Temper, analyse
from engine.game import EngineError, Game
from engine.levels import LEVELS, STRONGEST_LEVEL, spread_seed
from engine.state import State
from engine.table import Table, new_table
from engine.tablebase.probing import Tablebase

Inbox: TypeAlias = "Queue[str | None]"
"""Lines as they come in; None once, at the end of input."""

AUTHOR = "the Millrace authors"
OPTIONS = {"Level": (1, STRONGEST_LEVEL, STRONGEST_LEVEL), "Hash": (1, 1024, TABLE_MEGABYTES), "Threads": (1, 1, 1)}
"""By name the least, the largest and the usual value; Hash is in MiB."""


class ProtocolError(EngineError):
    """A line that is no command, or a command that lacks something."""


def serve_lines(
    game: Game,
    inbox: Inbox,
    write: Callable[[str], None],
    clock: Clock,
    seed: int,
    tablebase: Tablebase | None = None,
) -> None:
    """Answer lines until `quit` or the end of input. `seed` decides how the levels below the strongest err; solved
    endings are for the strongest."""
    session = _Session(game, inbox, write, clock, seed, tablebase)
    while not session.is_over:
        session.answer_next()


class _Session:
    """One program's conversation with the engine."""

    def __init__(
        self,
        game: Game,
        inbox: Inbox,
        write: Callable[[str], None],
        clock: Clock,
        seed: int,
        tablebase: Tablebase | None,
    ) -> None:
        self.game = game
        self.tablebase = tablebase
        self.inbox = inbox
        self.write = write
        self.clock = clock
        self.seed = seed
        self.postponed: deque[str] = deque()
        self.options = {name: usual for name, (_least, _largest, usual) in OPTIONS.items()}
        self.chosen_setup = ""
        self.state = State.of(game)
        self.setup = ""
        self.table: Table | None = None
        self.is_input_over = False
        self.is_over = False
        self.is_stopped = False

    def answer_next(self) -> None:
        """Answer one line; at the end of input, be over."""
        line = self.postponed.popleft() if self.postponed else self._take_line()
        if line is None:
            self.is_over = True
            return
        command, *arguments = line.split() or [""]
        with self._errors_as_lines():
            match command:
                case "":
                    pass
                case "uci":
                    self._introduce()
                case "isready":
                    self._compile()
                    self.write("readyok")
                case "setoption":
                    self._set_option(arguments)
                case "ucinewgame":
                    self._forget()
                case "position":
                    self._set_position(arguments)
                case "go":
                    self._go(arguments)
                case "stop":
                    pass
                case "quit":
                    self.is_over = True
                case _:
                    raise ProtocolError(f"There is no command {command!r}.")

    def _introduce(self) -> None:
        self.write(f"id name Millrace {_version()} {self.game.name}")
        self.write(f"id author {AUTHOR}")
        for name, (least, largest, usual) in OPTIONS.items():
            self.write(f"option name {name} type spin default {usual} min {least} max {largest}")
        self.write("option name Setup type string default <empty>")
        self.write("uciok")

    def _set_option(self, arguments: list[str]) -> None:
        match arguments:
            case ["name", name, "value", text] if name.capitalize() in OPTIONS:
                name = name.capitalize()
                least, largest, _usual = OPTIONS[name]
                value = _parse_number(name, text)
                if not least <= value <= largest:
                    raise ProtocolError(f"{name} must be {least} to {largest}, not {value}.")
                self.options[name] = value
                if name == "Hash":
                    self.table = None
            case ["name", name] | ["name", name, "value", *_] if name.capitalize() == "Setup":
                self._choose_setup(" ".join(arguments[3:]))
            case _:
                raise ProtocolError(f"setoption takes: name {'|'.join(OPTIONS)}|Setup value V.")

    def _choose_setup(self, setup: str) -> None:
        """Start matches from a set-up text, `<empty>` being the standard start. Raises: SetupError."""
        setup = "" if setup == "<empty>" else setup
        self.state = State.of(self.game, setup)
        self.chosen_setup = self.setup = setup
        self.table = None

    def _forget(self) -> None:
        """Begin another match: nothing learnt in the last one counts, and the levels err otherwise."""
        self.table = None
        self.seed += 1
        self.state, self.setup = State.of(self.game, self.chosen_setup), self.chosen_setup

    def _set_position(self, arguments: list[str]) -> None:
        words, moves = list(arguments), list[str]()
        if "moves" in words:
            at = words.index("moves")
            words, moves = words[:at], words[at + 1 :]
        match words:
            case ["startpos"]:
                setup = self.chosen_setup
            case ["text", _, *_]:
                setup = " ".join(words[1:])
            case _:
                raise ProtocolError("position takes: startpos|text TEXT [moves M...].")
        self.state = State.from_moves(self.game, setup, moves)
        if setup != self.setup:
            # Another set-up may have another board or other options, of which the table's keys know nothing.
            self.table = None
        self.setup = setup

    def _go(self, arguments: list[str]) -> None:
        limits, temper = self._at_level(_parse_limits(arguments))
        is_infinite = "infinite" in arguments
        self._compile()
        self.is_stopped = False
        if self.table is None:
            self.table = new_table(self.options["Hash"])
        found = analyse(
            self.state,
            limits,
            self.clock,
            on_iteration=self._report,
            should_stop=lambda: self._is_told_to_stop(is_infinite),
            table=self.table,
            temper=temper,
            tablebase=self.tablebase if self.options["Level"] == STRONGEST_LEVEL else None,
        )
        while is_infinite and not self.is_stopped and not self.is_input_over:
            self._heed(self._take_line(), is_infinite)
        self.write(f"bestmove {found.best_move or '(none)'}")

    def _at_level(self, limits: Limits) -> tuple[Limits, Temper]:
        """Return limits and temper that the chosen level keeps as well."""
        if self.options["Level"] == STRONGEST_LEVEL:
            return limits, PERFECT_TEMPER
        level = LEVELS[self.options["Level"]]
        depth = min((bound for bound in (limits.depth, level.depth) if bound is not None), default=None)
        nodes = min((bound for bound in (limits.nodes, level.nodes) if bound is not None), default=None)
        temper = Temper(level.noise, spread_seed(self.seed), level.quiescence)
        return Limits(depth, nodes, limits.movetime_ms), temper

    def _report(self, found: Analysis) -> None:
        nodes_per_second = int(found.nodes / max(found.elapsed_ms, 0.001) * 1000)
        self.write(
            f"info depth {found.depth} score {found.value} nodes {found.nodes} nps {nodes_per_second}"
            f" time {found.elapsed_ms:.0f} pv {' '.join(found.principal_variation)}"
        )

    def _is_told_to_stop(self, is_infinite: bool) -> bool:
        """Hear the lines that came in during a search."""
        while not self.is_stopped and not self.is_input_over:
            try:
                line = self.inbox.get_nowait()
            except Empty:
                break
            self._heed(line, is_infinite)
        return self.is_stopped

    def _heed(self, line: str | None, is_infinite: bool) -> None:
        """Act on a line that came in during a search, or put it off; a limited search outlives the end of input."""
        if line is None:
            self.is_input_over = True
            self.is_stopped = is_infinite
        elif line.strip() in ("stop", "quit"):
            self.is_stopped = True
            self.is_over = line.strip() == "quit"
        elif line.strip() == "isready":
            self.write("readyok")
        else:
            self.postponed.append(line)

    def _take_line(self) -> str | None:
        line = None if self.is_input_over else self.inbox.get()
        self.is_input_over = line is None
        return line

    def _compile(self) -> None:
        """Compile the search, so that no time limit includes it."""
        analyse(State.of(self.game), Limits(depth=1), self.clock, table=new_table(1))

    @contextmanager
    def _errors_as_lines(self) -> Iterator[None]:
        try:
            yield
        except EngineError as error:
            self.write(f"info string error {' '.join(str(error).split())}")


def _parse_limits(arguments: list[str]) -> Limits:
    """Read what follows `go`. Raises: ProtocolError."""
    names = {"depth", "nodes", "movetime"}
    if arguments == ["infinite"]:
        return Limits()
    if not arguments or len(arguments) % 2 or set(arguments[::2]) - names:
        raise ProtocolError("go takes: movetime MS, depth N, nodes N or infinite.")
    limits = {name: _parse_number(name, text) for name, text in zip(arguments[::2], arguments[1::2], strict=True)}
    if min(limits.values()) < 1:
        raise ProtocolError(f"{min(limits, key=lambda name: limits[name])} must be at least 1.")
    return Limits(limits.get("depth"), limits.get("nodes"), limits.get("movetime"))


def _parse_number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise ProtocolError(f"{name} must be a number, not {text!r}.")
    return int(text)


def _version() -> str:
    try:
        return version("millrace")
    except PackageNotFoundError:
        return "(not installed)"
