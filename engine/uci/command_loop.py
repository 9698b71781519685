"""The command loop: reading and answering lines.

`docs/engine.md` describes the protocol.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from queue import Empty, Queue
from typing import TypeAlias

import numpy as np

from ..analysis import NO_HANDICAP, TABLE_MEGABYTES, Analysis, Clock, Limits, analyse
from ..book.book import Book
from ..book.move_choice import choose_book_move
from ..game import EngineError, Game
from ..game.written_moves import join_captures
from ..levels.opponents import LEVEL_NAMES, LEVELS, OPPONENTS, STRONGEST_LEVEL, find_opponent
from ..levels.play import handicap_of, search_to_play, within
from ..state import State
from ..tablebase.probing import Tablebase
from ..transposition_table import TranspositionTable, new_table
from ..warm_up import warm_up_search
from .go_command import GoCommand, ProtocolError, parse_go, parse_number
from .info_lines import SearchReport

Inbox: TypeAlias = "Queue[str | None]"
"""Incoming lines; None once, at the end of input."""

AUTHOR = "the Millrace authors"
OPTIONS = {"Hash": (1, 1024, TABLE_MEGABYTES), "Threads": (1, 1, 1)}
"""Minimum, maximum and default by name; Hash is in MiB. The caller sets the maximum of Threads."""


def serve_lines(
    game: Game,
    inbox: Inbox,
    write: Callable[[str], None],
    clock: Clock,
    seed: int,
    tablebase: Tablebase | None = None,
    most_threads: int = 1,
    book: Book | None = None,
) -> None:
    """Answer lines until `quit` or the end of input.

    `seed` determines the errors of levels below the strongest and the choice of book moves. Tablebase, book and threads
    beyond the first (`most_threads` at most) are used by the strongest level only.
    """
    loop = _CommandLoop(game, inbox, write, clock, seed, tablebase, most_threads, book)
    while not loop.is_over:
        loop.answer_next()


class _CommandLoop:
    """The state of the command loop."""

    def __init__(
        self,
        game: Game,
        inbox: Inbox,
        write: Callable[[str], None],
        clock: Clock,
        seed: int,
        tablebase: Tablebase | None,
        most_threads: int,
        book: Book | None,
    ) -> None:
        self.game = game
        self.tablebase = tablebase
        self.book = book
        self.uses_book = True
        self.inbox = inbox
        self.write = write
        self.clock = clock
        self.seed = seed
        self.postponed: deque[str] = deque()
        self.bounds = {**OPTIONS, "Threads": (1, most_threads, 1)}
        self.options = {name: usual for name, (_least, _largest, usual) in self.bounds.items()}
        self.opponent = LEVELS[STRONGEST_LEVEL]
        """The level or personality that plays."""
        self.chosen_setup = ""
        self.state = State.of(game)
        self.refused_position = ""
        """The error of the last `position`, if it had one: then there is nothing to search."""
        self.table: TranspositionTable | None = None
        self.compiled: set[Game] = set()
        self.is_input_over = False
        self.is_over = False
        self.go_command: GoCommand | None = None
        """The search in progress."""
        self.is_stopped = False

    def answer_next(self) -> None:
        """Answer one line; at the end of input, stop."""
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
                    self._identify()
                case "isready":
                    self._prepare()
                    self.write("readyok")
                case "setoption":
                    self._set_option(arguments)
                case "ucinewgame":
                    self._new_game()
                case "position":
                    self._set_position(arguments)
                case "go":
                    self._go(arguments)
                case "stop":
                    pass
                case "ponderhit":
                    raise ProtocolError("ponderhit: no search is pondering.")
                case "quit":
                    self.is_over = True
                case _:
                    raise ProtocolError(f"Unknown command: {command!r}.")

    def _identify(self) -> None:
        self.write(f"id name Millrace {_version()} {self.game.name}")
        self.write(f"id author {AUTHOR}")
        names = " ".join(f"var {name}" for name in (*OPPONENTS, *LEVEL_NAMES))
        self.write(f"option name Level type combo default {STRONGEST_LEVEL} {names}")
        for name, (least, largest, usual) in self.bounds.items():
            self.write(f"option name {name} type spin default {usual} min {least} max {largest}")
        self.write("option name Ponder type check default false")
        self.write("option name Book type check default true")
        self.write("option name Setup type string default <empty>")
        self.write("uciok")

    def _set_option(self, arguments: list[str]) -> None:
        match arguments:
            case ["name", name, "value", text] if name.capitalize() in self.bounds:
                name = name.capitalize()
                least, largest, _usual = self.bounds[name]
                value = parse_number(name, text)
                if not least <= value <= largest:
                    raise ProtocolError(f"{name} must be {least} to {largest}, not {value}.")
                self.options[name] = value
                if name == "Hash":
                    self._allocate_table()
            case ["name", name, "value", "true" | "false" as text] if name.capitalize() == "Book":
                self.uses_book = text == "true"
            case ["name", name, "value", text] if name.capitalize() == "Level":
                self.opponent = find_opponent(text, self.game)
            case ["name", name] | ["name", name, "value", *_] if name.capitalize() == "Setup":
                self._choose_setup(" ".join(arguments[3:]))
            case ["name", name, "value", "true" | "false"] if name.capitalize() == "Ponder":
                pass
            case _:
                raise ProtocolError(f"setoption takes: name Level|{'|'.join(self.bounds)}|Book|Ponder|Setup value V.")

    def _choose_setup(self, setup: str) -> None:
        """Start matches from a set-up text; `<empty>` is the standard start. Raises: SetupError."""
        setup = "" if setup == "<empty>" else setup
        self._set_state(State.of(self.game, setup))
        self.chosen_setup = setup

    def _new_game(self) -> None:
        """Begin another match: forget the table, and use another seed."""
        self._clear_table()
        self.seed += 1
        self._set_state(State.of(self.game, self.chosen_setup))

    def _set_position(self, arguments: list[str]) -> None:
        """Set the position to search. If it is refused, nothing can be searched until another is set."""
        try:
            self._set_state(self._state_of(arguments))
        except EngineError as error:
            self.refused_position = str(error)
            raise

    def _state_of(self, arguments: list[str]) -> State:
        """Parse the arguments of `position`. Raises: EngineError."""
        words, moves = list(arguments), list[str]()
        if "moves" in words:
            at = words.index("moves")
            words, moves = words[:at], words[at + 1 :]
        match words:
            case ["startpos"]:
                setup = self.chosen_setup
            case ["text", _, *_]:
                setup = " ".join(words[1:])
            case ["fen", _, *_]:
                setup = self._fen_of(" ".join(words[1:]))
            case _:
                raise ProtocolError("position takes: startpos|text TEXT|fen FEN [moves M...].")
        return State.from_moves(self.game, setup, join_captures(moves, self.game.texts.capture_mark))

    def _fen_of(self, text: str) -> str:
        """Check that a set-up text is a FEN. Raises: ProtocolError."""
        fen = self.game.texts.notations.get("fen")
        if fen is None:
            raise ProtocolError(f"{self.game.title} has no FEN; give position text TEXT.")
        if not fen.is_notation(text):
            raise ProtocolError(f"This is no FEN: {text!r}.")
        return text

    def _set_state(self, state: State) -> None:
        """Set the state to search. Clear the table if the board differs, since keys do not include the board."""
        if not _have_same_keys(state, self.state):
            self._clear_table()
        self.state, self.refused_position = state, ""

    def _clear_table(self) -> None:
        if self.table is not None:
            self.table.clear()

    def _go(self, arguments: list[str]) -> None:
        try:
            command = self._parse_go(arguments)
        except ProtocolError as error:
            self._write_error(error)
            self.write("bestmove (none)")
            return
        known = self._book_move(command)
        if known is not None:
            self.write("info string from the opening book")
            self.write(f"bestmove {known}")
            return
        self._prepare()
        self.go_command = command
        self.is_stopped = self.is_input_over and self._is_endless
        found = self._search(command)
        while self._is_endless and not self.is_stopped and not self.is_input_over:
            self._handle_during_search(self._take_line())
        self.go_command = None
        self._write_best_move(found)

    def _parse_go(self, arguments: list[str]) -> GoCommand:
        """Parse the arguments of `go`. Raises: ProtocolError, also if the position was refused."""
        if self.refused_position:
            raise ProtocolError(f"go needs a position; the last one was refused: {self.refused_position}")
        return parse_go(arguments, self.state.seat, self.state.start.seats)

    def _search(self, command: GoCommand) -> Analysis:
        """Search for a move of the chosen level, or without end; write progress and the result."""
        is_strongest = self.opponent.level == STRONGEST_LEVEL
        skill = self.opponent.skill_in(self.state.game)
        report = SearchReport(self.write, self.clock)

        def search(limits: Limits, candidates: tuple[int, ...]) -> Analysis:
            found = analyse(
                self.state,
                limits,
                self.clock,
                on_iteration=report.write_progress,
                should_stop=self._should_stop,
                is_pondering=self._is_pondering if command.is_pondering else None,
                table=self.table,
                handicap=NO_HANDICAP if is_strongest else handicap_of(skill, self.seed),
                tablebase=self.tablebase if is_strongest else None,
                candidates=candidates,
                threads=self.options["Threads"] if is_strongest else 1,
            )
            report.end_search(found)
            return found

        if command.is_infinite:
            found = search(within(skill, command.limits), ())
        else:
            found = search_to_play(self.state, self.opponent, command.limits, search)
        report.conclude(found)
        return found

    def _write_best_move(self, found: Analysis) -> None:
        """Write the best move, and with two seats the expected answer."""
        line = f"bestmove {found.best_move or '(none)'}"
        if len(found.principal_variation) > 1 and self.state.start.seats == 2:
            line += f" ponder {found.principal_variation[1]}"
        self.write(line)

    @property
    def _is_endless(self) -> bool:
        """Whether the answer has to wait for a line, such as `stop`."""
        return self.go_command is not None and (self.go_command.is_infinite or self.go_command.is_pondering)

    def _book_move(self, command: GoCommand) -> str | None:
        """Return a book move, if the answer is limited by time only; otherwise the caller wants a search."""
        limits = command.limits
        is_timed = limits.movetime_ms is not None and limits.depth is None and limits.nodes is None
        if self.book is None or not self.uses_book or not is_timed or command.is_pondering:
            return None
        move = choose_book_move(self.book, self.state, self.seed) if self.opponent.level == STRONGEST_LEVEL else None
        return None if move is None else self.state.format_move(move)

    def _should_stop(self) -> bool:
        self._read_waiting_lines()
        return self.is_stopped

    def _is_pondering(self) -> bool:
        self._read_waiting_lines()
        return self.go_command is not None and self.go_command.is_pondering

    def _read_waiting_lines(self) -> None:
        """Handle the lines that have arrived during a search."""
        while not self.is_stopped and not self.is_input_over:
            try:
                line = self.inbox.get_nowait()
            except Empty:
                break
            self._handle_during_search(line)

    def _handle_during_search(self, line: str | None) -> None:
        """Handle a line that arrived during a search, or postpone it. A limited search continues after the end of
        input."""
        match line.strip() if line is not None else None:
            case None:
                self.is_input_over = True
                self.is_stopped = self._is_endless
            case "stop" | "quit" as name:
                self.is_stopped = True
                self.is_over = name == "quit"
            case "isready":
                self.write("readyok")
            case "ponderhit" if self.go_command is not None and self.go_command.is_pondering:
                self.go_command = self.go_command._replace(is_pondering=False)
            case _:
                self.postponed.append(str(line))

    def _take_line(self) -> str | None:
        line = None if self.is_input_over else self.inbox.get()
        self.is_input_over = line is None
        return line

    def _prepare(self) -> None:
        """Compile the search and allocate its table, so that no time limit includes that."""
        game = self.state.game
        if game not in self.compiled:
            warm_up_search(game)
            self.compiled.add(game)
        if self.table is None:
            self._allocate_table()

    def _allocate_table(self) -> None:
        """Replace the table by an empty one of the chosen size."""
        self.table = None  # first, so that memory need not hold both
        table = new_table(self.options["Hash"])
        table.clear()
        self.table = table

    @contextmanager
    def _errors_as_lines(self) -> Iterator[None]:
        try:
            yield
        except EngineError as error:
            self._write_error(error)

    def _write_error(self, error: EngineError) -> None:
        self.write(f"info string error {' '.join(str(error).split())}")


def _have_same_keys(one: State, other: State) -> bool:
    """Return whether equal keys mean equal positions in both states."""
    if one.game is not other.game or one.start.seats != other.start.seats:
        return False
    return all(np.array_equal(*arrays) for arrays in zip(one.start.board, other.start.board, strict=True))


def _version() -> str:
    try:
        return version("millrace")
    except PackageNotFoundError:
        return "(not installed)"
