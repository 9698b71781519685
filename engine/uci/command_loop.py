"""One program's conversation with the engine, line by line.

The protocol is told in `docs/engine.md`. Imported through the package.
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
from ..levels.opponents import LEVEL_NAMES, LEVELS, OPPONENTS, STRONGEST_LEVEL, find_opponent
from ..levels.play import handicap_of, search_to_play, within
from ..state import State
from ..tablebase.probing import Tablebase
from ..transposition_table import TranspositionTable, new_table
from ..warm_up import warm_up_search
from .go_command import GoCommand, ProtocolError, parse_go, parse_number
from .info_lines import SearchReport

Inbox: TypeAlias = "Queue[str | None]"
"""Lines as they come in; None once, at the end of input."""

AUTHOR = "the Millrace authors"
OPTIONS = {"Hash": (1, 1024, TABLE_MEGABYTES), "Threads": (1, 1, 1)}
"""By name the least, the largest and the usual value; Hash is in MiB. A session is told how many Threads there are."""


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
    """Answer lines until `quit` or the end of input. `seed` decides how the levels below the strongest err, and which
    of the good moves of a book are played; solved endings, books and threads beyond the first, of which there may be
    `most_threads` in all, are for the strongest."""
    session = _Session(game, inbox, write, clock, seed, tablebase, most_threads, book)
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
        """Who is played."""
        self.chosen_setup = ""
        self.state = State.of(game)
        self.refused_position = ""
        """Why the last `position` was refused, if it was: then there is nothing to search."""
        self.table: TranspositionTable | None = None
        self.compiled: set[Game] = set()
        self.is_input_over = False
        self.is_over = False
        self.order: GoCommand | None = None
        """What is being searched."""
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
                    self._prepare()
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
                case "ponderhit":
                    raise ProtocolError("ponderhit finds no search that ponders.")
                case "quit":
                    self.is_over = True
                case _:
                    raise ProtocolError(f"There is no command {command!r}.")

    def _introduce(self) -> None:
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
                    self._lay_out_table()
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
        """Start matches from a set-up text, `<empty>` being the standard start. Raises: SetupError."""
        setup = "" if setup == "<empty>" else setup
        self._take_state(State.of(self.game, setup))
        self.chosen_setup = setup

    def _forget(self) -> None:
        """Begin another match: nothing learnt in the last one counts, and the levels err otherwise."""
        self._clear_table()
        self.seed += 1
        self._take_state(State.of(self.game, self.chosen_setup))

    def _set_position(self, arguments: list[str]) -> None:
        """Search from a position from now on; from none before another is set, if this one is refused."""
        try:
            self._take_state(self._state_of(arguments))
        except EngineError as error:
            self.refused_position = str(error)
            raise

    def _state_of(self, arguments: list[str]) -> State:
        """Return what `position` names. Raises: EngineError."""
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
        return State.from_moves(self.game, setup, moves)

    def _take_state(self, state: State) -> None:
        """Search from this state from now on; which board a position is on, the table's keys do not say."""
        if not _share_keys(state, self.state):
            self._clear_table()
        self.state, self.refused_position = state, ""

    def _clear_table(self) -> None:
        if self.table is not None:
            self.table.clear()

    def _go(self, arguments: list[str]) -> None:
        try:
            order = self._order_of(arguments)
        except ProtocolError as error:
            self._write_error(error)
            self.write("bestmove (none)")
            return
        known = self._known_move(order)
        if known is not None:
            self.write("info string from the opening book")
            self.write(f"bestmove {known}")
            return
        self._prepare()
        self.order = order
        self.is_stopped = self.is_input_over and self._is_endless
        found = self._search(order)
        while self._is_endless and not self.is_stopped and not self.is_input_over:
            self._heed(self._take_line())
        self.order = None
        self._answer_order(found)

    def _order_of(self, arguments: list[str]) -> GoCommand:
        """Return what is to be searched. Raises: ProtocolError, also if it is not known from where."""
        if self.refused_position:
            raise ProtocolError(f"go needs a position, and the last one was refused: {self.refused_position}")
        return parse_go(arguments, self.state.seat, self.state.start.seats)

    def _search(self, order: GoCommand) -> Analysis:
        """Search as the chosen level plays, or without end as it sees; tell of it, at last of the move to play."""
        is_strongest = self.opponent.level == STRONGEST_LEVEL
        skill = self.opponent.skill_in(self.state.game)
        report = SearchReport(self.write, self.clock)

        def search(limits: Limits, candidates: tuple[int, ...]) -> Analysis:
            found = analyse(
                self.state,
                limits,
                self.clock,
                on_iteration=report.tell,
                should_stop=self._is_told_to_stop,
                is_pondering=self._is_pondering if order.is_pondering else None,
                table=self.table,
                handicap=NO_HANDICAP if is_strongest else handicap_of(skill, self.seed),
                tablebase=self.tablebase if is_strongest else None,
                candidates=candidates,
                threads=self.options["Threads"] if is_strongest else 1,
            )
            report.end_search(found)
            return found

        if order.is_infinite:
            found = search(within(skill, order.limits), ())
        else:
            found = search_to_play(self.state, self.opponent, order.limits, search)
        report.conclude(found)
        return found

    def _answer_order(self, found: Analysis) -> None:
        """Tell the best move, and where two play the answer that is expected."""
        line = f"bestmove {found.best_move or '(none)'}"
        if len(found.principal_variation) > 1 and self.state.start.seats == 2:
            line += f" ponder {found.principal_variation[1]}"
        self.write(line)

    @property
    def _is_endless(self) -> bool:
        """Whether the search at hand is not to be answered before a line says so."""
        return self.order is not None and (self.order.is_infinite or self.order.is_pondering)

    def _known_move(self, order: GoCommand) -> str | None:
        """Return a move of the opening book, if nothing but time is to bound the answer: else a search is wanted."""
        is_timed = order.limits.movetime_ms is not None and order.limits.depth is None and order.limits.nodes is None
        if self.book is None or not self.uses_book or not is_timed or order.is_pondering:
            return None
        move = choose_book_move(self.book, self.state, self.seed) if self.opponent.level == STRONGEST_LEVEL else None
        return None if move is None else self.state.format_move(move)

    def _is_told_to_stop(self) -> bool:
        self._listen()
        return self.is_stopped

    def _is_pondering(self) -> bool:
        self._listen()
        return self.order is not None and self.order.is_pondering

    def _listen(self) -> None:
        """Hear the lines that came in during a search."""
        while not self.is_stopped and not self.is_input_over:
            try:
                line = self.inbox.get_nowait()
            except Empty:
                break
            self._heed(line)

    def _heed(self, line: str | None) -> None:
        """Act on a line that came in during a search, or put it off; a limited search outlives the end of input."""
        match line.strip() if line is not None else None:
            case None:
                self.is_input_over = True
                self.is_stopped = self._is_endless
            case "stop" | "quit" as command:
                self.is_stopped = True
                self.is_over = command == "quit"
            case "isready":
                self.write("readyok")
            case "ponderhit" if self.order is not None and self.order.is_pondering:
                self.order = self.order._replace(is_pondering=False)
            case _:
                self.postponed.append(str(line))

    def _take_line(self) -> str | None:
        line = None if self.is_input_over else self.inbox.get()
        self.is_input_over = line is None
        return line

    def _prepare(self) -> None:
        """Compile the search and lay out its table, so that no time limit includes it."""
        game = self.state.game
        if game not in self.compiled:
            warm_up_search(game)
            self.compiled.add(game)
        if self.table is None:
            self._lay_out_table()

    def _lay_out_table(self) -> None:
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


def _share_keys(one: State, other: State) -> bool:
    """Return whether a position of one of them is worth the same in the other."""
    if one.game is not other.game or one.start.seats != other.start.seats:
        return False
    return all(np.array_equal(*arrays) for arrays in zip(one.start.board, other.start.board, strict=True))


def _version() -> str:
    try:
        return version("millrace")
    except PackageNotFoundError:
        return "(not installed)"
