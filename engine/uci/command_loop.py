"""The command loop: reading and answering lines.

`docs/engine.md` describes the protocol.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from queue import Empty, Queue
from typing import TypeAlias

from millrace.release import release_text

from ..game import EngineError, Game
from ..game.techniques import Techniques
from ..games import GAMES, find_game
from ..levels.opponents import find_opponent
from ..levels.warm_up import warm_up_search
from ..perft import divide
from ..search import Analysis, Clock
from ..state import State
from ..transposition_table import TranspositionTable, new_table
from ..weights import TUNED, Weights, evaluated_by, evaluation_terms_of, shipped_weights, weight_sets
from .board_text import describe
from .evaluation_text import explain_evaluation
from .go_command import GoCommand, ProtocolError, TimePlan, parse_go
from .go_search import GameFiles, GoSearch
from .options import EngineOptions, parse_option
from .position_command import have_same_keys, parse_position

Inbox: TypeAlias = "Queue[str | None]"
"""Incoming lines; None once, at the end of input."""

AUTHOR = "the Millrace authors"

NO_FILES = GameFiles()

COUNT_SECONDS = 1.0
"""How long `perft` may take once the input has ended: enough for a pipe, and no process is left behind."""

_START = ["startpos"]


class _CountStoppedError(Exception):
    """Ends a count of leaves."""


def serve_lines(
    game: Game,
    inbox: Inbox,
    write: Callable[[str], None],
    clock: Clock,
    seed: int,
    most_threads: int = 1,
    files_of: Callable[[str], GameFiles] = lambda _game: NO_FILES,
    weights: Weights | None = None,
) -> None:
    """Answer lines until `quit` or the end of input.

    `game` is the one to begin with, and `weights` are those of its evaluation, if not its own. `seed` determines the
    errors of levels below the strongest and the choice of book moves. `files_of` returns tablebase and book of a
    game by its name; they and threads beyond the first (`most_threads` at most) are used by the strongest level only.
    """
    loop = _CommandLoop(game, inbox, write, clock, seed, most_threads, files_of, weights)
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
        most_threads: int,
        files_of: Callable[[str], GameFiles],
        weights: Weights | None,
    ) -> None:
        self.game = game
        self.weights = weights
        """Those of the game's evaluation; None for its own."""
        self.weights_name = TUNED
        self.files_of = files_of
        self.files = files_of(game.name)
        self.inbox = inbox
        self.write = write
        self.clock = clock
        self.seed = seed
        self.postponed: deque[str] = deque()
        self.options = EngineOptions(most_threads)
        self.chosen_setup = ""
        self.state = State.of(self.game)
        self.refused_position = ""
        """The error of the last `position`, if it had one: then there is nothing to search."""
        self.position, self.setup_of_position = _START, ""
        """The arguments of the last `position`, and the set-up of its `startpos`."""
        self.table: TranspositionTable | None = None
        self.compiled: set[tuple[Game, Techniques]] = set()
        self.is_input_over = False
        self.is_over = False
        self.go_command: GoCommand | None = None
        """The search in progress."""
        self.is_stopped = False
        self.commands: Mapping[str, Callable[[list[str]], None]] = {
            "uci": self._identify,
            "isready": self._report_readiness,
            "setoption": self._set_option,
            "ucinewgame": self._new_game,
            "position": self._set_position,
            "go": self._go,
            "perft": self._count,
            "d": self._describe,
            "eval": self._explain,
            "stop": self._stop_nothing,
            "ponderhit": self._ponder_nothing,
            "quit": self._quit,
        }

    def answer_next(self) -> None:
        """Answer one line; at the end of input, stop."""
        line = self.postponed.popleft() if self.postponed else self._take_line()
        if line is None:
            self.is_over = True
            return
        command, *arguments = line.split() or [""]
        with self._errors_as_lines():
            if not command:
                return
            if command not in self.commands:
                raise ProtocolError(f"Unknown command: {command!r}.")
            self.commands[command](arguments)

    def _stop_nothing(self, _arguments: list[str]) -> None:
        """`stop` without a search."""

    def _ponder_nothing(self, _arguments: list[str]) -> None:
        raise ProtocolError("ponderhit: no search is pondering.")

    def _quit(self, _arguments: list[str]) -> None:
        self.is_over = True

    def _report_readiness(self, _arguments: list[str]) -> None:
        self._prepare()
        self.write("readyok")

    def _count(self, arguments: list[str]) -> None:
        self._go(["perft", *arguments])

    def _describe(self, _arguments: list[str]) -> None:
        self._write_all(describe(self.state))

    def _identify(self, _arguments: list[str]) -> None:
        self.write(f"id name Millrace {release_text()} {self.game.name}")
        self.write(f"id author {AUTHOR}")
        sets = weight_sets(find_game(self.game.name))
        self._write_all(self.options.describe(self.game.name, list(GAMES), self.weights_name, sets))
        self.write("uciok")

    def _write_all(self, lines: Iterator[str]) -> None:
        for line in lines:
            self.write(line)

    def _set_option(self, arguments: list[str]) -> None:
        name, value = parse_option(arguments)
        match name:
            case "Level":
                self.options.opponent = find_opponent(value, self.game)
            case "Game":
                self._choose_game(value)
            case "Weights":
                self._choose_weights(value)
            case "Parallel":
                self.options.set_parallel(value)
            case "TimePlan":
                self.options.set_time_plan(value)
            case "Techniques":
                self.options.set_techniques(value)
                self._clear_table()
            case "Setup":
                self._choose_setup(value)
            case _ if name in self.options.numbers:
                self.options.set_number(name, value)
                if name == "Hash":
                    self._allocate_table()
            case _:
                self.options.set_check(name, value)

    def _choose_game(self, name: str) -> None:
        """Play another game from its start, with its own weights. Raises: UnknownGameError."""
        game = find_game(name.lower())
        self.files, self.weights, self.weights_name = self.files_of(game.name), None, TUNED
        self.game, self.chosen_setup = game, ""
        self._clear_table()
        if self.position != _START:
            self.write(f"info string the position is now the start of {game.title}")
        self._begin_from(State.of(game))

    def _choose_weights(self, name: str) -> None:
        """Evaluate by a named set of weights. Raises: WeightsError."""
        self.game, self.weights = evaluated_by(find_game(self.game.name), name)
        self.weights_name = name
        self._clear_table()
        if not self.refused_position:
            self._set_state(parse_position(self.position, self.game, self.setup_of_position))

    def _explain(self, _arguments: list[str]) -> None:
        """Write the shares of the evaluation. Raises: WeightsError if the game has no terms."""
        if self.refused_position:
            raise ProtocolError(f"eval needs a position; the last one was refused: {self.refused_position}")
        weights = shipped_weights(evaluation_terms_of(self.game)) if self.weights is None else self.weights
        self._write_all(explain_evaluation(self.state, weights))

    def _choose_setup(self, setup: str) -> None:
        """Start matches from a set-up text; `<empty>` is the standard start. Raises: SetupError."""
        setup = "" if setup == "<empty>" else setup
        start = State.of(self.game, setup)
        self.chosen_setup = setup
        if self.position == _START or self.refused_position:
            self._begin_from(start)
        else:
            self.write("info string the position is kept; Setup counts from the next position startpos")

    def _new_game(self, _arguments: list[str]) -> None:
        """Begin another match: forget the table, and use another seed."""
        self._clear_table()
        self.seed += 1
        self._begin_from(State.of(self.game, self.chosen_setup))

    def _begin_from(self, start: State) -> None:
        """Set the position to the start of the chosen set-up."""
        self._set_state(start)
        self.position, self.setup_of_position = _START, self.chosen_setup

    def _set_position(self, arguments: list[str]) -> None:
        """Set the position to search. If it is refused, nothing can be searched until another is set."""
        try:
            self._set_state(parse_position(arguments, self.game, self.chosen_setup))
        except EngineError as error:
            self.refused_position = str(error)
            raise
        self.position, self.setup_of_position = arguments, self.chosen_setup

    def _set_state(self, state: State) -> None:
        """Set the state to search. Clear the table if the board differs, since keys do not include the board."""
        if not have_same_keys(state, self.state):
            self._clear_table()
        self.state, self.refused_position = state, ""

    def _clear_table(self) -> None:
        if self.table is not None:
            self.table.clear()

    def _go(self, arguments: list[str]) -> None:
        try:
            command = self._parse_go(arguments)
        except EngineError as error:
            self._write_error(error)
            self.write("bestmove (none)")
            return
        if command.perft_depth is not None:
            self._count_leaves(command)
            return
        # Large tables are checked in the background, and used as soon as they are found sound.
        self.files = self.files_of(self.game.name)
        search = GoSearch(command, self.state, self.options, self.files, self.clock, self.seed, self.write)
        known = search.book_move()
        if known is not None:
            self.write("info string from the opening book")
            self.write(f"bestmove {known}")
            return
        self._prepare()
        self.go_command = command
        self.is_stopped = self.is_input_over and self._is_endless
        found = search.run(self.table, self._should_stop, self._is_pondering)
        while self._is_endless and not self.is_stopped and not self.is_input_over:
            self._handle_during_search(self._take_line())
        self.go_command = None
        self._write_best_move(found)

    def _count_leaves(self, command: GoCommand) -> None:
        """Write the leaves below each move, and their sum, unless a line or the end of input ends it."""
        assert command.perft_depth is not None
        self.go_command, self.is_stopped = command, False
        patient_until_s = self.clock() + COUNT_SECONDS

        def look() -> None:
            if self._should_stop() or (self.is_input_over and self.clock() > patient_until_s):
                raise _CountStoppedError

        total = 0
        with suppress(_CountStoppedError):
            for move, leaves in divide(self.state, command.perft_depth, look):
                self.write(f"{move}: {leaves}")
                total += leaves
            self.write(f"Nodes searched: {total}")
        self.go_command = None

    def _parse_go(self, arguments: list[str]) -> GoCommand:
        """Parse the arguments of `go`. Raises: EngineError, also if the position was refused."""
        if self.refused_position:
            raise ProtocolError(f"go needs a position; the last one was refused: {self.refused_position}")
        time_plan = TimePlan.TWENTIETH if self.options.opponent.takes_twentieth else self.options.time_plan
        return parse_go(arguments, self.state, time_plan)

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
        techniques = self.options.techniques_of(game)
        if (game, techniques) not in self.compiled:
            warm_up_search(game, techniques)
            self.compiled.add((game, techniques))
        if self.table is None:
            self._allocate_table()

    def _allocate_table(self) -> None:
        """Replace the table by an empty one of the chosen size."""
        self.table = None  # first, so that memory need not hold both
        table = new_table(self.options.numbers["Hash"])
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
