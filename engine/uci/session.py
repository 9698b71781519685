"""One program's conversation with the engine, line by line.

The protocol is told in the package's own words. Imported through it.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from queue import Empty, Queue
from typing import TypeAlias

import numpy as np

from engine.analysis import PERFECT_TEMPER, TABLE_MEGABYTES, Analysis, Clock, Limits, Temper, analyse
from engine.book.choosing import choose_from_book
from engine.book.record import Book
from engine.game import EngineError, Game
from engine.levels import search_to_taste, temper_of
from engine.opponents import LEVEL_NAMES, LEVELS, OPPONENTS, STRONGEST_LEVEL, find_opponent
from engine.state import State
from engine.table import Table, new_table
from engine.tablebase.probing import Tablebase
from engine.uci.order import Order, ProtocolError, parse_number, parse_order

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
        self.table: Table | None = None
        self.compiled: set[Game] = set()
        self.is_input_over = False
        self.is_over = False
        self.order: Order | None = None
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
                    self.table = None
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
        self.state = State.of(self.game, self.chosen_setup)

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
        self._take_state(State.from_moves(self.game, setup, moves))

    def _take_state(self, state: State) -> None:
        """Search from this state from now on; which board a position is on, the table's keys do not say."""
        if not _share_keys(state, self.state):
            self._clear_table()
        self.state = state

    def _clear_table(self) -> None:
        if self.table is not None:
            self.table.clear()

    def _go(self, arguments: list[str]) -> None:
        order = parse_order(arguments, self.state.seat, self.state.start.seats)
        known = self._known_move(order)
        if known is not None:
            self.write("info string from the opening book")
            self.write(f"bestmove {known}")
            return
        limits, temper = self._at_level(order.limits)
        table = self._prepare()
        self.order, self.is_stopped = order, False
        is_strongest = self.opponent.level == STRONGEST_LEVEL
        search = partial(
            analyse,
            self.state,
            clock=self.clock,
            on_iteration=self._report,
            should_stop=self._is_told_to_stop,
            is_pondering=self._is_pondering if order.is_pondering else None,
            table=table,
            temper=temper,
            tablebase=self.tablebase if is_strongest else None,
            threads=self.options["Threads"] if is_strongest else 1,
        )
        found = search_to_taste(
            self.state, self.opponent.taste, limits, lambda limits, moves: search(limits, candidates=moves)
        )
        while self._is_endless and not self.is_stopped and not self.is_input_over:
            self._heed(self._take_line())
        self.order = None
        self._answer_order(found)

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

    def _known_move(self, order: Order) -> str | None:
        """Return a move of the opening book, if nothing but time is to bound the answer: else a search is wanted."""
        is_timed = order.limits.movetime_ms is not None and order.limits.depth is None and order.limits.nodes is None
        if self.book is None or not self.uses_book or not is_timed or order.is_pondering:
            return None
        move = choose_from_book(self.book, self.state, self.seed) if self.opponent.level == STRONGEST_LEVEL else None
        return None if move is None else self.state.format_move(move)

    def _at_level(self, limits: Limits) -> tuple[Limits, Temper]:
        """Return limits and temper that the chosen level keeps as well."""
        if self.opponent.level == STRONGEST_LEVEL:
            return limits, PERFECT_TEMPER
        skill = self.opponent.skill_in(self.state.game)
        depth = min((bound for bound in (limits.depth, skill.depth) if bound is not None), default=None)
        nodes = min((bound for bound in (limits.nodes, skill.nodes) if bound is not None), default=None)
        return replace(limits, depth=depth, nodes=nodes), temper_of(skill, self.seed)

    def _report(self, found: Analysis) -> None:
        nodes_per_second = int(found.nodes / max(found.elapsed_ms, 0.001) * 1000)
        self.write(
            f"info depth {found.depth} score {found.value} nodes {found.nodes} nps {nodes_per_second}"
            f" time {found.elapsed_ms:.0f} pv {' '.join(found.principal_variation)}"
        )

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

    def _prepare(self) -> Table:
        """Compile the search and lay out its table, so that no time limit includes it; return the table."""
        game = self.state.game
        if game not in self.compiled and self.state.outcome is None:
            analyse(self.state, Limits(depth=1), self.clock, table=new_table(1))
            self.compiled.add(game)
        if self.table is None:
            self.table = new_table(self.options["Hash"])
            self.table.clear()
        return self.table

    @contextmanager
    def _errors_as_lines(self) -> Iterator[None]:
        try:
            yield
        except EngineError as error:
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
